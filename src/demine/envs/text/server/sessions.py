"""The episodes that a server keeps: a bounded number, of which those left alone are dropped."""

from __future__ import annotations

import time
import uuid
from collections import OrderedDict
from typing import TYPE_CHECKING, Any

from demine.envs.text.server.errors import NoGame, NoSuchEpisode, ServerFull

if TYPE_CHECKING:
    from collections.abc import Callable

    from demine.envs.text.text_env import TextMinesweeperEnv


class Session:
    """The games of one client, one after the other; `key` is where it is kept."""

    def __init__(self, env: TextMinesweeperEnv, key: str) -> None:
        self.key = key
        self.episode_id = key
        """What its state says it is called."""
        self.is_over = True
        """Whether no game is under way."""
        self._env = env
        self._info: dict[str, Any] = {}

    def reset(self, seed: int | None) -> dict[str, Any]:
        """Begin the next game, the first one of a seed if that is given; return the answer."""
        text, self._info = self._env.reset(seed=seed)
        self.is_over = False
        return self._answer(text, None)

    def step(self, message: str) -> dict[str, Any]:
        """Play the answer of a model and return that of the server; raises `NoGame`."""
        if self.is_over:
            raise NoGame("no game is under way: reset the episode first")
        text, reward, ended, truncated, self._info = self._env.step(message)
        self._info["truncated"] = truncated
        self.is_over = ended or truncated
        return self._answer(text, reward)

    def state(self) -> dict[str, Any]:
        """Return what may be known about the episode, which is nothing about its mines."""
        return {
            "episode_id": self.episode_id,
            "step_count": self._info.get("turn", 0),
            "rules": str(self._env.rules),
            "max_turns": self._env.max_turns,
            "done": self.is_over,
            **self._info,
        }

    def _answer(self, text: str, reward: float | None) -> dict[str, Any]:
        return {
            "observation": {"text": text, "metadata": self._info},
            "reward": reward,
            "done": self.is_over,
            "metadata": self._info,
            "episode_id": self.episode_id,
        }


class Sessions:
    """The sessions of a server, at most `most`.

    A new one takes the place of those that were not used for `idle_seconds`, or else of the one
    whose game has been over for longest.
    """

    def __init__(
        self,
        make_env: Callable[[], TextMinesweeperEnv],
        most: int,
        idle_seconds: float,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.idle_seconds = idle_seconds
        self._make_env = make_env
        self._most = most
        self._clock = clock
        self._used: OrderedDict[str, tuple[Session, float]] = OrderedDict()

    def __len__(self) -> int:
        return len(self._used)

    def open(self, key: str = "") -> Session:
        """Return the session of a key, a new one if there is none; raises `ServerFull`."""
        if key in self._used:
            return self.find(key)
        self._make_room()
        session = Session(self._make_env(), key or uuid.uuid4().hex)
        self._used[session.key] = session, self._clock()
        return session

    def find(self, key: str) -> Session:
        """Return the session of a key, which counts as used now; raises `NoSuchEpisode`."""
        if key not in self._used:
            raise NoSuchEpisode("there is no such episode any more: begin one with a reset")
        session, _ = self._used.pop(key)
        self._used[key] = session, self._clock()
        return session

    def close(self, session: Session) -> None:
        """Drop a session, if it is still there."""
        self._used.pop(session.key, None)

    def _make_room(self) -> None:
        """Drop sessions until another one fits; raises `ServerFull` if all are in use."""
        oldest = self._clock() - self.idle_seconds
        idle = [key for key, (_, used) in self._used.items() if used < oldest]
        if not idle and len(self._used) >= self._most:
            idle = [key for key, (session, _) in self._used.items() if session.is_over][:1]
            if not idle:
                raise ServerFull(
                    "the server keeps {most} episodes, and all are being played", most=self._most
                )
        for key in idle:
            del self._used[key]
