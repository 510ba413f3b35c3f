"""Arrays for what an environment returns at every step, in memory that is used again.

Large arrays that are new at every step get their memory from the system page by page, and give it
back, which takes several times as long as filling them.
"""

from __future__ import annotations

import weakref
from typing import TYPE_CHECKING, Any, Final

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import DTypeLike, NDArray

MOST_KEPT: Final = 4
"""For so many arrays memory is kept: of those that a caller holds, and the ones of this step."""


class UnheldArrays:
    """Gives arrays that nobody holds: a new one, or one of before that was let go of."""

    def __init__(self, shape: tuple[int, ...], dtype: DTypeLike) -> None:
        self._shape, self._dtype = shape, dtype
        self._lent: list[tuple[_Memory, weakref.ref[NDArray[Any]]]] = []

    def take(self) -> NDArray[Any]:
        """Return an array, whose content is undefined; it is its holder's until the last view."""
        for number, (memory, lent) in enumerate(self._lent):
            if lent() is None:
                array = memory.view(np.ndarray)
                self._lent[number] = memory, weakref.ref(array)
                return array
        if len(self._lent) == MOST_KEPT:
            return np.empty(self._shape, self._dtype)
        memory = _Memory(self._shape, self._dtype)
        array = memory.view(np.ndarray)
        self._lent.append((memory, weakref.ref(array)))
        return array

    def __reduce__(self) -> tuple[type[UnheldArrays], tuple[Any, ...]]:
        return UnheldArrays, (self._shape, self._dtype)


class _Memory(np.ndarray[Any, Any]):
    """The memory of an array that is lent.

    It is a class of its own because a view refers to the array that it was made of only up to where
    the class changes: so a view of a lent array keeps that one alive, not the memory below it.
    """


class AlternatingArrays:
    """Gives two arrays by turns, whoever holds them."""

    def __init__(self, shape: tuple[int, ...], dtype: DTypeLike) -> None:
        self._next, self._other = np.empty(shape, dtype), np.empty(shape, dtype)

    def take(self) -> NDArray[Any]:
        """Return the array that was not returned last; its content is undefined."""
        self._next, self._other = self._other, self._next
        return self._other
