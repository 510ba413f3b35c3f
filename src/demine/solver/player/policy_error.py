"""The error of policies, and how it carries a policy's own exception to another process."""

from __future__ import annotations

import pickle
import traceback
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from demine.logic.errors import DemineError

if TYPE_CHECKING:
    from numpy.typing import NDArray

T = TypeVar("T")


class PolicyError(DemineError, ValueError):
    r"""A policy that does not exist, cannot be loaded, fails, or answers what is no move.

    If a policy of one's own raised an exception, that is the `__cause__`; where it was raised in
    another process, its traceback is a note on it.

    >>> import demine
    >>> try:
    ...     move = demine.best_move("3x1/1\n1 # #", policy="luck")
    ... except demine.PolicyError as error:
    ...     print(str(error)[:25])
    there is no policy 'luck'
    """

    @property
    def policy(self) -> str | None:
        """The name of the policy; None where the error is about none."""
        return self._param("policy", str)

    @property
    def index(self) -> int | None:
        """The index of the game in its study; None outside a study."""
        return self._param("index", int)

    @property
    def seed(self) -> int | None:
        """The seed of the game's board, for `demine play RULES --seed`; None outside a study."""
        return self._param("seed", int)

    @property
    def answer(self) -> str | None:
        """What the policy answered, as Python writes it; None if it gave no answer."""
        return self._param("answer", str)

    @property
    def scene(self) -> NDArray[np.uint8] | None:
        """The scene it was asked about, uint8 `(height, width)`; None if it was asked nothing."""
        return self._param("scene", np.ndarray)

    _sent_cause: BaseException | None = None
    """The cause in another process, which executors may replace by their own; None without."""

    def restore_cause(self) -> None:
        """Make what was the cause in another process the cause again."""
        if self._sent_cause is not None:
            self.__cause__ = self._sent_cause

    def in_game(self, index: int, seed: int, boards: int = 1) -> PolicyError:
        """Return the same error, said of a game of a study: its index and its board's seed.

        If it is about `boards` games at once, they are those of the first.
        """
        params = {name: self.params[name] for name in _KEPT if name in self.params}
        error = PolicyError(
            "{problem} (game {index}, board seed {seed})"
            if boards == 1
            else "{problem} ({boards} games at once, the first is game {index}, board seed {seed})",
            problem=DemineError(self.template, **self.params),
            index=index,
            seed=seed,
            boards=boards,
            **params,
        )
        error.__cause__ = self.__cause__
        for note in getattr(self, "__notes__", ()):
            error.add_note(note)
        return error

    def _param(self, name: str, kind: type[T]) -> T | None:
        value = self.params.get(name)
        return value if isinstance(value, kind) else None

    def __reduce__(self) -> tuple[object, ...]:
        rebuild, arguments, notes = super().__reduce__()
        state = dict(notes) if isinstance(notes, dict) else {}
        if self.__cause__ is not None:
            state["__cause__"] = state["_sent_cause"] = _sendable_exception(self.__cause__)
        return rebuild, arguments, state or None


_KEPT = ("policy", "answer", "scene")
_WHERE = "where it was raised:\n"


def _sendable_exception(error: BaseException) -> BaseException:
    """Return an exception that can be pickled, with the traceback of this one as a note."""
    if any(note.startswith(_WHERE) for note in getattr(error, "__notes__", ())):
        return error  # it comes from another process itself
    text = "".join(traceback.format_exception(error)).rstrip()
    try:
        copy: BaseException = pickle.loads(pickle.dumps(error))  # noqa: S301 - just pickled here
        if type(copy) is not type(error):
            raise TypeError  # noqa: TRY301 - as whatever else pickling may raise
    except Exception:  # noqa: BLE001 - it can be of any kind, and fail in any way
        copy = RuntimeError(f"{type(error).__name__}: {error}")
    copy.add_note(_WHERE + text)
    return copy
