"""A coach and its time: when its answers are taken up, and the next step of a proof is due."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Final

from demine.play.hints import Coach
from demine.scene.key_bindings import Command

if TYPE_CHECKING:
    from collections.abc import Callable
    from concurrent.futures import Future

    from demine.play.session import Sitting
    from demine.solver.service.client import Aside

_LONG: Final = 60.0
"""Seconds to wait where nothing is due."""


class Solver:
    """The solver in another process; nothing of it is loaded before the first question."""

    def __init__(self) -> None:
        self._aside: Aside | None = None

    def ask(self, name: str, /, *args: object, **kwargs: object) -> Future[object]:
        """Ask as by `demine.solver.service.client.Aside.ask`."""
        if self._aside is None:
            from demine.solver.service.client import Aside

            self._aside = Aside()
        return self._aside.ask(name, *args, **kwargs)

    def ask_told(
        self, tell: Callable[..., object], name: str, /, *args: object, **kwargs: object
    ) -> Future[object]:
        """Ask as by `demine.solver.service.client.Aside.ask_told`."""
        if self._aside is None:
            from demine.solver.service.client import Aside

            self._aside = Aside()
        return self._aside.ask_told(tell, name, *args, **kwargs)

    def close(self) -> None:
        """End the process, if there is one."""
        if self._aside is not None:
            self._aside.close()


class Paced:
    """A coach that a loop looks after; `now` gives seconds that never jump."""

    def __init__(
        self,
        sitting: Sitting,
        ask: Callable[..., Future[object]],
        wake: Callable[[], object],
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self.coach = Coach(sitting, ask, wake)
        self._now = now
        self._due: float | None = None

    def do(self, command: Command) -> bool:
        """Carry a command out; return whether it was one for the coach."""
        commands = {
            Command.HINT: self.coach.hint,
            Command.CHANCES: self.coach.toggle_chances,
            Command.PROVE: self.coach.prove,
        }
        if command is Command.ACT and self.coach.proving:
            self._step()
        elif command in commands:
            commands[command]()
        else:
            return False
        return True

    def tick(self, *, held: bool = False) -> bool:
        """Take up answers and go on with a proof; return whether the board may have changed.

        `held` says that nobody can see the board now: a proof waits.
        """
        changed = self.coach.hear()
        if not self.coach.proving:
            self._due = None
        elif self._due is None or held:
            self._due = self._now() + self.coach.pace_ms / 1000
        elif self._now() >= self._due:
            self._step()
            changed = True
        return changed

    def leave(self) -> None:
        """Look as at a start: nothing said, nothing known of the board."""
        self.coach.follow()
        self.coach.stop()
        self.coach.rating = None

    def _step(self) -> None:
        self.coach.step()
        self._due = self._now() + self.coach.pace_ms / 1000

    def patience(self) -> float:
        """Return the seconds until the next step is due."""
        return _LONG if self._due is None else max(0.0, self._due - self._now()) + 0.001

    def words(self) -> str:
        """Return what is said, beginning as a sentence does."""
        words = self.coach.words
        # A result to share begins with the name, which is written small.
        return words if words.startswith("demine ") else words[:1].upper() + words[1:]

    def notes(self) -> list[str]:
        """Return what is said, in full, for a page with more room."""
        rated = [self.coach.title()] if self.coach.rating else []
        return [*filter(None, [self.words()]), *rated]
