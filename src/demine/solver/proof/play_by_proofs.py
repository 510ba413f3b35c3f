"""Play layouts by proofs alone: kernels, and the solver if the mine count decides."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from demine.solver.errors import TooComplex
from demine.solver.exact.deduce import deduce
from demine.solver.exact.probability import compiled_probability
from demine.solver.proof.kernels import PROOF_KERNELS, board_state, needs_guess

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from demine.logic.rules import Rules

_Threads: Final = threading.local()


class SearchResult(NamedTuple):
    """The index of the layout at which the search ended, and whether that one needs no guess.

    If none was found, the index is the number of layouts, or of the first that was not begun.
    """

    layout: int
    solved: bool


class ProofPlayer:
    """Plays layouts of one board size from one first cell, compiled if the kernels are loaded.

    Must not be used by two threads at once.
    """

    def __init__(self, rules: Rules, first: tuple[int, int]) -> None:
        self.rules = rules
        self.never_too_complex = True
        """Whether no layout was given up for being too complex, so that all others need a guess."""
        self.first = first
        self._mines = rules.mines
        self._first = first[0] * rules.width + first[1]
        size = (rules.height + 4) * (rules.width + 2) + 2
        self._size = board_state.HEAD + board_state.PARTS * size
        fast = PROOF_KERNELS.compiled_kernel("seek_guess_free_layout")
        self._board, self._work = _work_arrays(self._size, fast is not None)
        self._kernel: Any = fast or needs_guess.seek_guess_free_layout
        self._faces: Any = (
            bytearray(rules.cells) if fast is None else np.empty(rules.cells, np.uint8)
        )

    @property
    def steps_spent(self) -> int:
        """The work done so far: cells made known and states tried."""
        return int(self._board[board_state.SPENT])

    @property
    def most_known_cells(self) -> int:
        """The largest number of cells that became known on any one board."""
        return int(self._board[board_state.BEST])

    def find_guess_free(
        self, layouts: NDArray[np.bool_], max_steps: int, *, stop_when_stuck: bool = False
    ) -> SearchResult:
        """Play layouts, shape `(layouts, height, width)`, until one needs no guess.

        No layout is begun after `max_steps`. With `stop_when_stuck` the search also ends at the
        first layout that gets stuck, and `known_cells` says how far it came.
        """
        flat = layouts.reshape(-1).view(np.uint8)
        at, end = 0, layouts.shape[0]
        known: list[int] = []
        while True:
            found = self._run_kernel(flat, (at, end), known, stop_when_stuck, max_steps)
            at, state = found >> 3, found & 7
            if state in (needs_guess.NOT_FOUND, needs_guess.SOLVED, needs_guess.STUCK):
                return SearchResult(at, state == needs_guess.SOLVED)
            self._mines = int(np.count_nonzero(layouts[at]))
            known = self._safe_by_mine_count()
            if not known and stop_when_stuck:
                return SearchResult(at, False)
            at += not known

    def known_cells(self) -> NDArray[np.bool_]:
        """Return which cells the proofs made known on the last board, `(height, width)`."""
        known: NDArray[np.bool_] = self._cell_kinds() != board_state.UNKNOWN
        return known

    @PROOF_KERNELS.stands_in
    def _run_kernel(
        self,
        flat: NDArray[np.uint8],
        span: tuple[int, int],
        known: Sequence[int],
        stop_when_stuck: bool,
        max_steps: int,
    ) -> int:
        settings = [*self.rules.shape, *span, len(known), self._first, stop_when_stuck, max_steps]
        if isinstance(self._board, list):
            given: Any = flat.tobytes(), settings, known
        else:
            given = flat, np.array(settings, np.int64), np.array(known, np.int64)
        return int(self._kernel(*given, self._faces, self._board, self._work))

    def _cell_kinds(self) -> NDArray[np.int64]:
        height, width = self.rules.shape
        stride = width + 2
        begin = board_state.HEAD + board_state.KIND + 2 * stride + 2
        part = self._board[begin : begin + height * stride]
        return np.asarray(part).reshape(height, stride)[:, :width]

    def _safe_by_mine_count(self) -> list[int]:
        """Return the safe cells of the last board, flat, that the mine count helps to prove."""
        self._board[board_state.SPENT] += needs_guess.LAYOUT_COST + self.rules.cells // 2
        faces = np.frombuffer(self._faces, np.uint8).reshape(self.rules.shape)
        chance = compiled_probability(faces, self._mines)
        if chance is not None:
            return np.flatnonzero(chance == 0.0).tolist()
        try:
            return np.flatnonzero(deduce(faces, self._mines).safe).tolist()
        except TooComplex:
            self.never_too_complex = False
            return []


def _work_arrays(size: int, is_compiled: bool) -> tuple[Any, Any]:
    """Return the work arrays of this thread: lists for plain Python, which reads them faster."""
    kept: dict[bool, tuple[int, Any, Any]] = _Threads.__dict__.setdefault("kept", {})
    had, board, work = kept.get(is_compiled, (0, None, None))
    if had != size:
        board = np.zeros(size, np.int64) if is_compiled else [0] * size
    if work is None:
        length = board_state.PROOF_SIZE
        work = np.zeros(length, np.int64) if is_compiled else [0] * length
    kept[is_compiled] = size, board, work
    board[board_state.SPENT] = board[board_state.BEST] = 0
    return board, work
