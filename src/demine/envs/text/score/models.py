"""Who can be scored: a program, a chat endpoint, and two baselines."""

from __future__ import annotations

import json
import os
import time
from contextlib import suppress
from http.client import HTTPException
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Protocol
from urllib.error import HTTPError, URLError
from urllib.parse import urlsplit
from urllib.request import HTTPRedirectHandler, Request, build_opener

import numpy as np

from demine.envs.text.answer import TextAction
from demine.logic.errors import DemineError, quoted
from demine.logic.event import Verb
from demine.logic.rules import Goal
from demine.scene.cell_faces import Face
from demine.solver.engine.engine_process import EngineProcess
from demine.solver.engine.errors import EngineAnswerError, EngineTimeout
from demine.solver.player.choose_cell import best_move
from demine.solver.player.policy_error import PolicyError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from demine.logic.rules import Rules

MOST_BYTES: Final = 1 << 23
"""The longest answer of an endpoint."""
TRIES: Final = 6
"""How often an endpoint that is busy or out of reach is asked."""
_LONGEST_WAIT: Final = 60.0
_BUSY: Final = frozenset({408, 425, 429, 500, 502, 503, 504})
_BLOCK: Final = 1 << 16
_LONGEST_TOLD: Final = 300


class ModelError(DemineError, RuntimeError):
    """A model that cannot play; the message says why."""


class NoAnswer(ModelError):
    """A model that gave no answer in this turn, but may in the next."""


class Turn(NamedTuple):
    """What a model is asked in one turn."""

    game: int
    """The number of the game, from 0."""
    turn: int
    """The number of the turn in it, from 1."""
    text: str
    """The instructions and the observation."""
    faces: NDArray[np.uint8]
    """The board that is seen, uint8 of `Face`, `(height, width)`."""
    rules: Rules


class Model(Protocol):
    """Somebody who answers."""

    name: str

    def check_rules(self, rules: Rules) -> None:
        """Raise a `DemineError` for rules by which it cannot play."""
        ...

    def answer(self, turn: Turn) -> str:
        """Return the answer in a turn; raises `NoAnswer`, and other errors if it cannot go on."""
        ...

    def close(self) -> None:
        """End what runs for it."""
        ...


class RandomBaseline:
    """Opens any covered cell."""

    name = "random"

    def check_rules(self, rules: Rules) -> None:
        """Do nothing: it is asked whatever the rules are."""

    def answer(self, turn: Turn) -> str:
        """Return an action that depends on the game and the board alone."""
        covered = np.argwhere(turn.faces == Face.COVERED)
        random = np.random.default_rng([turn.game, turn.turn, len(covered)])
        row, col = random.choice(covered).tolist()
        return str(TextAction(Verb.OPEN, row, col))

    def close(self) -> None:
        """Do nothing: nothing runs for it."""


class FastBaseline:
    """Plays as the policy `fast` of the solver."""

    name = "fast"

    def check_rules(self, rules: Rules) -> None:
        """Raise `PolicyError` if flags win the game."""
        if rules.goal is Goal.FLAG:
            raise PolicyError("policies open cells: they cannot play goal=flag")

    def answer(self, turn: Turn) -> str:
        """Return the action of the policy."""
        rules = turn.rules
        move = best_move(turn.faces, rules.mines, policy="fast", first=rules.first)
        return str(TextAction(Verb.OPEN, move.row, move.col))

    def close(self) -> None:
        """Do nothing: nothing runs for it."""


BASELINES: Final = {each.name: each for each in (RandomBaseline, FastBaseline)}


class CommandModel:
    """A program that is started once, reads a line of JSON a turn, and answers with a line.

    The line that it reads is an object with `game`, `turn` and `text`. Its answer is taken as it
    is, or read as JSON if it is a JSON string. If it does not answer in time it is started anew.
    """

    def __init__(self, command: str, seconds: float) -> None:
        self.name = command
        self._seconds = seconds
        self._process: EngineProcess | None = None

    def check_rules(self, rules: Rules) -> None:
        """Do nothing: it is asked whatever the rules are."""

    def answer(self, turn: Turn) -> str:
        """Return the answer of the program; raises `NoAnswer` and `EngineError`."""
        if self._process is None:
            self._process = EngineProcess(self.name)
        self._process.pending_lines()
        asked = {"game": turn.game, "turn": turn.turn, "text": turn.text}
        self._process.send(json.dumps(asked))
        try:
            line = self._process.receive(time.monotonic() + self._seconds)
        except (EngineTimeout, EngineAnswerError) as error:
            self.close()
            raise NoAnswer("the model gave no answer: {reason}", reason=error) from error
        return _text_of_line(line)

    def close(self) -> None:
        """End the program."""
        if self._process is not None:
            self._process.kill()
        self._process = None


def _text_of_line(line: str) -> str:
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        return line
    return found if isinstance(found, str) else line


class ChatModel:
    """A model behind an endpoint of chat completions, as OpenAI's and many servers have them.

    `url` is that of the API, such as http://localhost:8000/v1. The key is sent if `key` is given.
    Raises `ModelError` for other addresses.
    """

    def __init__(
        self,
        url: str,
        name: str,
        seconds: float,
        *,
        key: str = "",
        settings: dict[str, Any] | None = None,
    ) -> None:
        if urlsplit(url).scheme not in {"http", "https"}:
            raise ModelError("{url} is no address of the form http://...", url=quoted(url))
        ending = "/chat/completions"
        self.name = name
        self._url = url if url.endswith(ending) else url.rstrip("/") + ending
        self._seconds = seconds
        self._headers = {"Content-Type": "application/json"}
        if key:
            self._headers["Authorization"] = f"Bearer {key}"
        self._settings = settings or {}
        # Whoever is redirected to would get the key.
        self._opener = build_opener(_NoRedirects)

    def check_rules(self, rules: Rules) -> None:
        """Do nothing: it is asked whatever the rules are."""

    def answer(self, turn: Turn) -> str:
        """Return the answer of the model; raises `NoAnswer` and `ModelError`."""
        message = {"role": "user", "content": turn.text}
        asked = {"model": self.name, "messages": [message], **self._settings}
        return _content(self._post(json.dumps(asked).encode()))

    def close(self) -> None:
        """Do nothing: no connection is kept."""

    def _post(self, body: bytes) -> bytes:
        """Return the endpoint's answer; tries again for a while if it is busy or out of reach."""
        for tries in range(1, TRIES + 1):
            request = Request(self._url, body, self._headers)  # noqa: S310 - checked above
            try:
                return self._read(request)
            except HTTPError as error:
                told = _told_by(error)
                if error.code not in _BUSY or tries == TRIES:
                    raise ModelError(
                        "the endpoint answers {status}: {told}", status=error.code, told=told
                    ) from error
                _wait(tries, error.headers.get("Retry-After", ""))
            except (OSError, HTTPException) as error:
                if isinstance(error, TimeoutError) or _is_timeout(error):
                    raise NoAnswer("the model gave no answer in time") from error
                if tries == TRIES:
                    raise ModelError(
                        "the endpoint cannot be reached: {reason}", reason=str(error)
                    ) from error
                _wait(tries)
        raise AssertionError("the last try returns or raises")

    def _read(self, request: Request) -> bytes:
        """Return the whole answer; raises TimeoutError if that takes too long."""
        until = time.monotonic() + self._seconds
        found = bytearray()
        with self._opener.open(request, timeout=self._seconds) as answer:
            while block := answer.read1(_BLOCK):
                found += block
                if time.monotonic() > until or len(found) > MOST_BYTES:
                    raise TimeoutError
        return bytes(found)


def _told_by(error: HTTPError) -> str:
    """Return how an endpoint explains its refusal, empty if that does not arrive in time."""
    with error, suppress(OSError, HTTPException):
        told: bytes = error.read1(_LONGEST_TOLD)  # `read` would wait again for every part of it
        return told.decode("utf-8", "replace")
    return ""


class _NoRedirects(HTTPRedirectHandler):
    def redirect_request(self, *_arguments: Any) -> None:  # noqa: ANN401 - as its base has them
        return None


def _is_timeout(error: Exception) -> bool:
    return isinstance(error, URLError) and isinstance(error.reason, TimeoutError)


def _wait(tries: int, told: str = "") -> None:
    """Wait as long as an endpoint asks for, or longer after each try."""
    seconds = float(told) if told.isascii() and told.isdigit() else 2.0 ** (tries - 1)
    time.sleep(min(seconds, _LONGEST_WAIT))


def _content(answer: bytes) -> str:
    """Return the text in the answer of an endpoint; raises `ModelError` if it has another form."""
    try:
        content = json.loads(answer)["choices"][0]["message"]["content"]
    except (ValueError, LookupError, TypeError, RecursionError):
        raise ModelError(
            "the endpoint's answer has no choices[0].message.content: {told}",
            told=quoted(answer[:60].decode("utf-8", "replace")),
        ) from None
    return content if isinstance(content, str) else ""


def key_of_environment(variable: str) -> str:
    """Return the key that an environment variable holds, empty without one."""
    return os.environ.get(variable, "").strip()
