"""Many boards of the same rules in memory: what they offer, and those that the kernels play."""

from __future__ import annotations

import logging
from abc import ABC, abstractmethod
from math import sqrt
from typing import TYPE_CHECKING, Any, ClassVar, Final, NamedTuple

import numpy as np

from demine.envs.kernels import (
    COUNTS,
    ENV_KERNELS,
    INDEX,
    LAID,
    MINE_PLANE,
    PLANES,
    REFUSED,
    RIGHT_FLAGS,
    STATUS,
    WON,
)
from demine.envs.range_threads import RangeThreads
from demine.kernels.kernel_set import load_sets
from demine.logic.layout import checked_mine_map, game_seed
from demine.logic.rules import First, Flags, Goal, Rules
from demine.scene.cell_faces import Face
from demine.solver.deal.make_layout import make_layout
from demine.solver.proof.kernels import SOLVER_KERNELS

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import ArrayLike, NDArray

    from demine.kernels.kernel_set import KernelSet


class RewardWeights(NamedTuple):
    """What the reward of an action adds up; its fields are the entries of `weights`."""

    win: float = 0.0
    loss: float = 0.0
    cell: float = 0.0
    """For each safe cell that it opened."""
    refused: float = 0.0
    """For an action that the rules refuse, in place of all others."""


class Shown(NamedTuple):
    """What boards show to those who play them."""

    faces: NDArray[np.uint8]
    """What the player of each board sees, uint8 of `Face`, `(boards, height, width)`."""
    masks: NDArray[np.int8]
    """Which actions are legal, 0 or 1, int8 `(boards, actions)`."""


NO_REWARD: Final = RewardWeights()
_KERNEL_NAMES: Final = ("_play", "_reset", "_show", "_sample")
_FREE: Final = {First.ANY: 0, First.SAFE: 1, First.ZERO: 2}


class BoardBatch(ABC):
    """Boards that are played side by side, one action each at a time.

    An action is a number: `verb * cells + row * width + col`, with 0 for open, 1 for flag and 2 for
    chord; `verbs` says how many of these there are actions for. Arrays are updated in place.

    Board `index` of a seed is the same wherever it is played: its mines are laid at the first
    opening, evenly over all layouts that the rules allow, and depend on nothing else. With
    `invalid_ends`, an action that the rules refuse ends the episode, and shows nothing more.
    """

    bytes_of_board: ClassVar[int]
    """About how much memory a board takes beside its cells."""
    bytes_of_cell: ClassVar[int]
    """About how much memory a cell takes beside its face and masks."""

    def __init__(self, rules: Rules, boards: int, verbs: int) -> None:
        if rules.guess_free:
            _load(SOLVER_KERNELS)
        self.rules = rules
        self._actions = verbs * rules.cells
        self.seeds: NDArray[np.uint64] = np.zeros(boards, np.uint64)
        """The seed of each board, uint64 `(boards,)`."""
        self._streams: NDArray[np.uint64] = np.zeros(boards, np.uint64)
        self.opened: NDArray[np.int32] = np.zeros(boards, np.int32)
        """How many safe cells the last action opened, int32 `(boards,)`."""
        self.outcomes: NDArray[np.int8] = np.zeros(boards, np.int8)
        """What became of the last action, int8 `(boards,)`: `PLAYED`, `REFUSED` or `RESET`."""
        self.rewards: NDArray[np.float64] = np.zeros(boards)
        """The reward of the last action, float64 `(boards,)`."""
        self.ended: NDArray[np.bool_] = np.zeros(boards, np.bool_)
        """Whether the last action ended the episode, bool `(boards,)`."""

    def new_shown(self) -> Shown:
        """Return arrays for what all boards show; what is in them is undefined."""
        faces = np.empty((self.seeds.size, *self.rules.shape), np.uint8)
        return Shown(faces, np.empty((self.seeds.size, self._actions), np.int8))

    @property
    @abstractmethod
    def faces(self) -> NDArray[np.uint8]:
        """What the player of each board sees, uint8 of `Face`, `(boards, height, width)`."""

    @property
    @abstractmethod
    def status(self) -> NDArray[np.int64]:
        """`READY`, `RUNNING`, `WON` or `LOST`, int64 `(boards,)`."""

    @property
    @abstractmethod
    def indices(self) -> NDArray[np.int64]:
        """Which board of its seed each one is, from 0, int64 `(boards,)`."""

    @property
    @abstractmethod
    def are_laid(self) -> NDArray[np.bool_]:
        """Whether the mines of each board are laid, bool `(boards,)`."""

    def seed(self, boards: slice, seed: np.uint64) -> None:
        """Give boards a seed: the next game that each begins is number 0 of it.

        It begins the stream of sampled actions too.
        """
        self.seeds[boards] = seed
        self.indices[boards] = -1
        # Far from the streams of mines, which begin at mixed numbers.
        self._streams[boards] = ~seed

    @abstractmethod
    def reset(self, boards: NDArray[np.bool_]) -> None:
        """Begin a new game on each of these boards."""

    @abstractmethod
    def show(self, boards: NDArray[np.bool_], shown: Shown) -> None:
        """Write what these boards show."""

    @abstractmethod
    def play(self, actions: NDArray[np.int64], shown: Shown, *, resets: bool) -> None:
        """Play an action on each board, and write what it shows then.

        A board whose game is over is reset instead if `resets`. Raises `NoGuessFreeBoard`, before
        anything changes, if the rules want a board without guesses and none was found from a cell
        that would be opened first.
        """

    @abstractmethod
    def sample(self) -> NDArray[np.int64]:
        """Return a random legal action of each board, int64 `(boards,)`; 0 where none is legal.

        All legal actions have the same chance. They depend on the board's seed and on how often
        this was asked since it was given, and on nothing else.
        """

    @abstractmethod
    def close(self) -> None:
        """End what works for the boards beside this thread; they can be played on."""

    @abstractmethod
    def lay(self, board: int, mine_map: ArrayLike) -> None:
        """Lay mines on a board whose game has not begun; raises `LayoutError`."""

    @abstractmethod
    def mine_map(self, board: int) -> NDArray[np.bool_] | None:
        """Return where the mines of a board are, None before they are laid."""

    def lay_before(self, actions: NDArray[np.int64]) -> None:
        """Lay the mines of boards whose first cell these actions open, as a `demine.Game` does.

        That game's seed is made of the seed and the index of the board. Raises `NoGuessFreeBoard`,
        and then no mines are laid.
        """
        self.outcomes[:] = REFUSED  # that is so if it raises
        open_first = ~self.are_laid & (self.status < WON) & (actions >= 0)
        open_first &= actions < self.rules.cells
        cells = self.faces.reshape(actions.size, -1)
        boards = [
            each
            for each in np.flatnonzero(open_first).tolist()
            if cells[each, actions[each]] == Face.COVERED
        ]
        mine_maps = [
            make_layout(
                self.rules,
                game_seed(int(self.seeds[each]), int(self.indices[each])),
                divmod(int(actions[each]), self.rules.width),
            )
            for each in boards
        ]
        for board, mine_map in zip(boards, mine_maps, strict=True):
            self.lay(board, mine_map)


class BitBoards(BoardBatch):
    """Boards of at most `MOST_COLUMNS` columns, which the kernels play, on some threads if wanted.

    They show and answer the same for any number of threads.
    """

    bytes_of_board: ClassVar[int] = 2000
    bytes_of_cell: ClassVar[int] = 1

    def __init__(
        self,
        rules: Rules,
        boards: int,
        verbs: int,
        weights: RewardWeights = NO_REWARD,
        *,
        invalid_ends: bool = False,
        threads: int = 1,
    ) -> None:
        super().__init__(rules, boards, verbs)
        self._threads = RangeThreads(boards, threads)
        settings = np.array(
            [
                rules.height, rules.width, rules.mines, rules.lives, _FREE[rules.first],
                rules.flags is Flags.HOLD, rules.goal is Goal.FLAG, verbs, invalid_ends,
                _share_of_mines(rules),
            ],
            np.int64,
        )  # fmt: skip
        self._words = np.zeros(boards * PLANES * (rules.height + 2), np.uint64)
        counts = np.zeros(boards * COUNTS, np.int64)
        faces = np.full(boards * rules.cells, Face.COVERED, np.uint8)
        self._arrays = settings, self._words, counts, faces
        self._weights = np.array(weights, np.float64)
        self._play, self._reset, self._show, self._sample = _kernels()

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in vars(self).items() if name not in _KERNEL_NAMES}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        self._play, self._reset, self._show, self._sample = _kernels()

    # Views are made when they are asked for: in a copy they have to show the arrays of the copy.

    @property
    def faces(self) -> NDArray[np.uint8]:
        """What the player of each board sees, uint8 of `Face`, `(boards, height, width)`."""
        faces: NDArray[np.uint8] = self._arrays[3].reshape(-1, *self.rules.shape)
        return faces

    @property
    def status(self) -> NDArray[np.int64]:
        """`READY`, `RUNNING`, `WON` or `LOST`, int64 `(boards,)`."""
        return self._counts(STATUS)

    @property
    def indices(self) -> NDArray[np.int64]:
        """Which board of its seed each one is, from 0, int64 `(boards,)`."""
        return self._counts(INDEX)

    @property
    def are_laid(self) -> NDArray[np.bool_]:
        """Whether the mines of each board are laid."""
        are_laid: NDArray[np.bool_] = self._counts(LAID) == 1
        return are_laid

    def _counts(self, entry: int) -> NDArray[np.int64]:
        counts: NDArray[np.int64] = self._arrays[2].reshape(-1, COUNTS)[:, entry]
        return counts

    def reset(self, boards: NDArray[np.bool_]) -> None:
        """Begin a new game on each of these boards."""
        self._reset(*self._arrays, boards)

    def show(self, boards: NDArray[np.bool_], shown: Shown) -> None:
        """Write what these boards show."""
        self._show(*self._arrays, boards, shown.faces.reshape(-1), shown.masks.reshape(-1))

    def play(self, actions: NDArray[np.int64], shown: Shown, *, resets: bool) -> None:
        """Play an action on each board, and write what it shows then."""
        if self.rules.guess_free:
            self.lay_before(actions)
        before = *self._arrays, self.seeds, self._weights, actions, resets
        after = (
            self.opened, self.outcomes, self.rewards, self.ended,
            shown.faces.reshape(-1), shown.masks.reshape(-1),
        )  # fmt: skip
        self._threads.run(lambda begin, end: self._play(*before, *after, begin, end))

    def close(self) -> None:
        """End the threads."""
        self._threads.close()

    def sample(self) -> NDArray[np.int64]:
        """Return a random legal action of each board."""
        actions = np.empty(self.seeds.size, np.int64)
        self._sample(*self._arrays, self._streams, actions)
        return actions

    def lay(self, board: int, mine_map: ArrayLike) -> None:
        """Lay mines on a board whose game has not begun; raises `LayoutError`."""
        mines = checked_mine_map(self.rules, mine_map)
        words = mines @ (np.uint64(2) << np.arange(self.rules.width, dtype=np.uint64))
        self._planes(board)[MINE_PLANE, 1:-1] = words
        self._counts(LAID)[board] = 1
        self._counts(RIGHT_FLAGS)[board] = (mines & (self.faces[board] == Face.FLAG)).sum()

    def mine_map(self, board: int) -> NDArray[np.bool_] | None:
        """Return where the mines of a board are, None before they are laid."""
        if not self._counts(LAID)[board]:
            return None
        words = self._planes(board)[MINE_PLANE, 1:-1]
        shifts = np.arange(1, self.rules.width + 1, dtype=np.uint64)
        return (words[:, None] >> shifts & np.uint64(1)).astype(np.bool_)

    def _planes(self, board: int) -> NDArray[np.uint64]:
        planes: NDArray[np.uint64] = self._words.reshape(-1, PLANES, self.rules.height + 2)[board]
        return planes


def _kernels() -> list[Callable[..., Any]]:
    """Return the kernels of `ENV_KERNELS`, in its order; plain functions without Numba."""
    if _load((ENV_KERNELS,)):
        return [ENV_KERNELS.loaded[name] for name in ENV_KERNELS.entries]
    from demine.envs.kernels import bit_boards

    # Words wrap.
    quiet = np.errstate(over="ignore")
    return [quiet(getattr(bit_boards, name)) for name in ENV_KERNELS.entries]


def _load(sets: Sequence[KernelSet]) -> bool:
    """Load kernels, with a word if that takes long; return whether they are loaded."""
    if any(each.would_compile() for each in sets):
        logger = logging.getLogger("demine.envs")
        logger.warning("demine compiles its environments first, once for this version")
    return load_sets(sets)


def _share_of_mines(rules: Rules) -> int:
    """Return the entry `SHARE` of the settings: a chance in sixteenths.

    It is so low that mines are rarely too many, which takes longer to put right than too few.
    """
    drawn = min(rules.mines, rules.safe_cells)
    most = drawn - sqrt(drawn * (1 - drawn / rules.cells))
    sixteenths = int(16 * most / rules.cells)
    # Single mines are drawn faster than words for so few of them.
    if sixteenths * rules.cells < 32 * rules.height:
        return 1
    digits = 16 + sixteenths
    while digits % 2 == 0:
        digits //= 2
    return digits
