"""The error of policies, and how it carries a policy's own exception to another process."""

from __future__ import annotations

import contextlib
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
        self.__cause__ = self._sent_cause or self.__cause__

    def in_game(self, index: int, seed: int, boards: int = 1) -> PolicyError:
        """Return the same error, said of a game of a study: its index and its board's seed.

        If it is about `boards` games at once, they are those of the first.
        """
        error = PolicyError(
            "{problem} (game {index}, board seed {seed})"
            if boards == 1
            else "{problem} ({boards} games at once, the first is game {index}, board seed {seed})",
            problem=DemineError(self.template, **self.params),
            index=index,
            seed=seed,
            boards=boards,
            **{name: value for name, value in self.params.items() if name in _KEPT},
        )
        error.__cause__ = self.__cause__
        return error

    def _param(self, name: str, kind: type[T]) -> T | None:
        value = self.params.get(name)
        return value if isinstance(value, kind) else None

    def __reduce__(self) -> tuple[object, ...]:
        rebuild, arguments, notes = super().__reduce__()
        if self.__cause__ is None:
            return rebuild, arguments, notes
        cause = _sendable_exception(self.__cause__)
        state = notes if isinstance(notes, dict) else {}
        return rebuild, arguments, {**state, "__cause__": cause, "_sent_cause": cause}


_KEPT = ("policy", "answer", "scene")
_WHERE = "where it was raised:\n"


def _sendable_exception(error: BaseException) -> BaseException:
    """Return an exception that can be pickled, with the traceback of this one as a note."""
    if any(note.startswith(_WHERE) for note in getattr(error, "__notes__", ())):
        return error  # it comes from another process itself
    copy: BaseException = RuntimeError(f"{type(error).__name__}: {error}")
    # Pickling an exception of any kind may fail in any way.
    with contextlib.suppress(Exception):
        same = pickle.loads(pickle.dumps(error))  # noqa: S301 - just pickled here
        copy = same if type(same) is type(error) else copy
    copy.add_note(_WHERE + "".join(traceback.format_exception(error)).rstrip())
    return copy
