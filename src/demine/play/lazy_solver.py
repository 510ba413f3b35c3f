"""The solver in another process, loaded when it is first asked."""

from __future__ import annotations

from typing import TYPE_CHECKING

from demine.kernels.kernel_set import KernelSet
from demine.logic.errors import DemineError
from demine.scene.translation import mark

if TYPE_CHECKING:
    from collections.abc import Callable
    from concurrent.futures import Future

    from demine.solver.service.client import SolverClient


class LazySolver:
    """The solver in another process; nothing of it is loaded before the first question."""

    def __init__(self) -> None:
        # What takes long is asked of that process, which loads the kernels, and not of a window's.
        KernelSet.loads_in_background = False
        self._client: SolverClient | None = None

    def ask(self, name: str, /, *args: object, **kwargs: object) -> Future[object]:
        """Ask a question, as `demine.solver.service.client.SolverClient.ask` does."""
        if self._client is None:
            from demine.play.load_kernels import BACKGROUND_KERNEL_SETS
            from demine.solver.service.client import SolverClient

            self._client = SolverClient(BACKGROUND_KERNEL_SETS)
        return self._client.ask(name, *args, **kwargs)

    def close(self) -> None:
        """End the process, if one was started."""
        if self._client is not None:
            self._client.close()


def refuse_hint_questions(ask: Callable[..., Future[object]]) -> Callable[..., Future[object]]:
    """Return `ask` for a scene that shows no hints.

    It still lays boards and counts the guesses of a game that is over; any other question raises
    `DemineError`.
    """

    def ask_for_board(name: str, /, *args: object, **kwargs: object) -> Future[object]:
        if name not in ("make", "guesses"):
            raise DemineError(mark("Only in the desktop window"))
        return ask(name, *args, **kwargs)

    return ask_for_board


def as_demine_error(error: BaseException) -> DemineError:
    """Return an error of the solver as one to show; an unexpected one becomes its cause."""
    if isinstance(error, DemineError):
        return error
    reason = f"{type(error).__name__}: {error}"
    trouble = DemineError("Something went wrong in the solver: {reason}", reason=reason)
    trouble.__cause__ = error
    return trouble
