"""`demine.make` and `make_batch`, and the search for boards of a wanted 3BV or rating.

It stands above the solver, which lays guess-free boards, and the statistics, which count 3BV.
"""

from __future__ import annotations

import operator
import sys
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, SupportsIndex

import numpy as np

from demine.logic.deal_batch import checked_board_count, deal_batch
from demine.logic.errors import DemineError, LayoutError, quoted
from demine.logic.layout import checked_cell, checked_seed, deal, game_seed
from demine.logic.rules import Rules
from demine.solver.deal.make_layout import make_layout
from demine.solver.deal.step_limits import DEFAULT_STEP_LIMIT
from demine.solver.proof.difficulty_levels import Pattern
from demine.statistics.board_3bv import three_bv as three_bv_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import TypeAlias

    from numpy.typing import NDArray

    from demine.solver.proof.rating import Rating

    Progress: TypeAlias = Callable[[int, int], object]
    """Called with how many boards were examined since the last one, in how many steps."""

MAX_REJECTED_BOARDS: Final = 2000
"""After rejecting this many boards in a row, the search is given up."""
MAX_DEALT_CELLS: Final = 5_000_000_000
"""After dealing boards of this many cells in all without a match, the search is given up."""
_TOLD: Final = 10_000
"""Of how many boards an error tells the 3BV."""


class NoSuchBoard(DemineError):
    """No board of the wanted 3BV or rating was found within the bounds of the search.

    Where a 3BV was wanted, `params["least"]` and `params["most"]` are what boards have.

    >>> import demine
    >>> demine.make("9x9/10", seed=7, three_bv=72)
    Traceback (most recent call last):
    demine.boards.NoSuchBoard: no board of 9x9/10 has a 3BV of 72 or more: it has 71 safe cells
    """


def make(
    rules: Rules | str,
    seed: int,
    first: tuple[int, int] | None = None,
    guess_free: bool = False,
    *,
    three_bv: int | tuple[int, int] | None = None,
    limit: int | None = DEFAULT_STEP_LIMIT,
    progress: Callable[[int, int], object] | None = None,
) -> NDArray[np.bool_]:
    """Return a layout for these rules: a bool array of shape `(height, width)`, True for a mine.

    `rules` are `Rules` or their text. `first`, `(row, col)`, is where the game begins; with None no
    cell is promised to be safe. With `guess_free`, or if the rules ask for it, exact logic solves
    the board from `first` without a guess, and `first` must be given. `NoGuessFreeBoard` is raised
    if it is proven that there is no such board, or if none was found in `limit` steps (a compiled
    search takes some millions a second); with None the search goes on until it finds one.

    `three_bv` is the 3BV that the board shall have, a number or the least and the most, both
    included. Then the board is the one of `demine make --3bv` with this seed, not the one that a
    game with this seed deals. Raises `NoSuchBoard`, with what boards do have, if none of millions
    has it, or none of 2000 guess-free ones.

    `progress(boards, steps)` is called now and then with how many boards were examined in how many
    steps. The same arguments give the same board everywhere, whatever `limit` and `progress` are.
    Raises `RulesError`, and `LayoutError` for an impossible seed, cell or 3BV.

    >>> import demine
    >>> mine_map = demine.make("9x9/10", seed=7, first=(4, 4))
    >>> mine_map.shape, int(mine_map.sum()), bool(mine_map[4, 4])
    ((9, 9), 10, False)
    >>> demine.stats(demine.make("expert", seed=7, three_bv=(150, 170))).bv
    155
    """
    if three_bv is None:
        return make_layout(rules, seed, first, guess_free, limit=limit, progress=progress)
    request = _request_of_3bv(rules, seed, 1, first, guess_free, three_bv, limit)
    (made,) = generate_boards(request, progress=progress or _ignore)
    return made.mine_map


def make_batch(
    rules: Rules | str,
    seed: int,
    count: int,
    first: tuple[int, int] | None = None,
    guess_free: bool = False,
    *,
    three_bv: int | tuple[int, int] | None = None,
) -> NDArray[np.bool_]:
    """Return many layouts for these rules: a bool array `(count, height, width)`, True for a mine.

    They are the boards that a study with this seed plays: board `i` is what `make` returns for the
    seed `seed * 2**64 + i`, which `demine play --seed` takes too. `seed` is below 2**64, and all
    boards together have at most 2**32 cells. Boards that need guesses are dealt at once,
    faster than one by one, and several times as fast again once kernels are loaded (`warm`).

    With `three_bv` they are those of `demine make --3bv`, the first of which `make` returns. Other
    arguments and errors are those of `make`; `LayoutError` is raised for a count that is none or
    too large.

    >>> import demine
    >>> demine.make_batch("9x9/10", seed=7, count=1000).sum(axis=(1, 2)).tolist() == [10] * 1000
    True
    """
    rules = Rules.of(rules)
    if three_bv is None and not (guess_free or rules.guess_free):
        return deal_batch(rules, seed, count, first)
    boards = checked_board_count(rules, seed, count)
    maps = np.empty((boards, *rules.shape), np.bool_)
    if three_bv is None:
        for index in range(boards):
            maps[index] = make_layout(rules, game_seed(seed, index), first, guess_free)
    elif boards:
        request = _request_of_3bv(rules, seed, boards, first, guess_free, three_bv)
        for index, made in enumerate(generate_boards(request)):
            maps[index] = made.mine_map
    return maps


def _request_of_3bv(
    rules: Rules | str,
    seed: int,
    count: int,
    first: tuple[int, int] | None,
    guess_free: bool,
    three_bv: object,
    limit: int | None = DEFAULT_STEP_LIMIT,
) -> BoardRequest:
    rules = Rules.of(rules)
    rules = replace(rules, guess_free=guess_free or rules.guess_free)
    wanted = _checked_3bv(three_bv)
    return BoardRequest(rules, count, checked_seed(seed), first, three_bv=wanted, limit=limit)


def _checked_3bv(three_bv: object) -> tuple[int, int]:
    """Return the least and the most 3BV; raises `LayoutError` if they are no range."""
    pair = (three_bv, three_bv) if isinstance(three_bv, SupportsIndex) else three_bv
    try:
        low, high = map(operator.index, pair)  # type: ignore[call-overload]
    except (TypeError, ValueError):
        raise LayoutError(
            "a 3BV is a number, or the least and the most, not {value}", value=quoted(three_bv)
        ) from None
    if not 0 <= low <= high:
        raise LayoutError("no 3BV lies from {low} to {high}", low=low, high=high)
    return low, high


def _ignore(_boards: int, _steps: int) -> None:
    """Take a report and do nothing."""


def _never() -> bool:
    return False


@dataclass(frozen=True, slots=True)
class BoardRequest:
    """Which boards to generate: `count` of them, with seeds from `seed` on.

    `first` is the cell that is opened first, (row, col).
    """

    rules: Rules
    count: int
    seed: int
    first: tuple[int, int] | None
    rated: bool = False
    easiest: Pattern = Pattern.SATISFIED
    hardest: Pattern = Pattern.CASES
    three_bv: tuple[int, int] | None = None
    """The least and the most 3BV, both included."""
    limit: int | None = None
    """The number of steps after which the search for a guess-free board ends; None for no limit."""

    def validated(self) -> BoardRequest:
        """Return the request with a first cell if one is needed; raise `DemineError` if invalid.

        A guess-free board needs a first cell, by default the middle of the board.
        """
        rules, first = self.rules, self.first
        checked_seed(self.seed + self.count - 1)
        if first is not None:
            checked_cell(rules, first)
        elif rules.guess_free:
            first = rules.height // 2, rules.width // 2
        return replace(self, first=first)

    @property
    def has_filter(self) -> bool:
        """Whether `accepts` rejects some guess-free boards, by rating or 3BV."""
        rated = (self.easiest, self.hardest) != (Pattern.SATISFIED, Pattern.CASES)
        return rated or self.three_bv is not None

    def accepts(self, board: GeneratedBoard) -> bool:
        """Return whether a guess-free board has the requested rating and 3BV."""
        rating = board.rating
        if self.three_bv is not None:
            low, high = self.three_bv
            if not low <= board.three_bv <= high:
                return False
        return rating is None or self.easiest.level <= rating.hardest.level <= self.hardest.level


@dataclass(frozen=True, slots=True)
class GeneratedBoard:
    """A board, its seed, how it was made, and its rating if the request wants one."""

    seed: int
    mine_map: NDArray[np.bool_]
    method: str
    rating: Rating | None = None

    @property
    def three_bv(self) -> int:
        """The board's 3BV."""
        return three_bv_of(self.mine_map)


def generate_boards(
    request: BoardRequest,
    should_stop: Callable[[], bool] = _never,
    progress: Progress = _ignore,
) -> Iterator[GeneratedBoard]:
    """Yield the boards of a validated request, each from the seed after the one before.

    Boards chosen by 3BV that may need guesses are the exception: they all come from one seed.
    `progress` is called with the number of boards rejected since the last one. Raises
    `NoSuchBoard`, `NoGuessFreeBoard` or `Stopped`.
    """
    if request.three_bv is not None and not request.rules.guess_free:
        yield from _boards_of_3bv(request, *request.three_bv, should_stop, progress)
        return
    seed, done, rejected = request.seed, 0, list[int]()
    while done < request.count and not should_stop():
        made = _lay_board(request, seed, should_stop, progress)
        seed += 1
        if request.accepts(made):
            done, rejected = done + 1, []
            yield made
            continue
        rejected.append(made.three_bv)
        progress(len(rejected), 0)
        if len(rejected) == MAX_REJECTED_BOARDS:
            raise _no_such_board(request, seed - len(rejected), rejected)


def _no_such_board(request: BoardRequest, seed: int, rejected: list[int]) -> NoSuchBoard:
    """Return the error for a search that rejected boards of these 3BV, the first of `seed`."""
    if request.three_bv is None:
        return NoSuchBoard(
            "none of the {tries} boards from seed {seed} onwards is rated from {easiest} to "
            "{hardest}",
            tries=len(rejected),
            seed=seed,
            easiest=request.easiest.value,
            hardest=request.hardest.value,
        )
    low, high = request.three_bv
    return NoSuchBoard(
        "none of the {tries} guess-free boards from seed {seed} onwards matches, with a 3BV from "
        "{low} to {high}: they have {least} to {most}",
        tries=len(rejected),
        seed=seed,
        low=low,
        high=high,
        least=min(rejected),
        most=max(rejected),
    )


def _boards_of_3bv(
    request: BoardRequest,
    low: int,
    high: int,
    should_stop: Callable[[], bool],
    progress: Progress,
) -> Iterator[GeneratedBoard]:
    """Yield boards with a 3BV from `low` to `high` out of millions dealt from one seed."""
    from demine.statistics.sampling import boards_with_three_bv, sample_three_bv

    rules = request.rules
    if low > rules.safe_cells:
        raise NoSuchBoard(
            "no board of {rules} has a 3BV of {low} or more: it has {safe} safe cells",
            rules=rules,
            low=low,
            safe=rules.safe_cells,
            least=0,
            most=rules.safe_cells,
        )
    most = max(MAX_REJECTED_BOARDS, MAX_DEALT_CELLS // rules.cells)
    dealt, dealt_before = 0, 0

    def on_dealt(count: int) -> bool:
        nonlocal dealt
        dealt = count
        progress(count - dealt_before, 0)
        return should_stop() or count - dealt_before >= most

    found = boards_with_three_bv(
        rules, request.seed, low, high, request.first, max_tries=sys.maxsize, should_stop=on_dealt
    )
    for done, (mine_map, _) in enumerate(found, 1):
        yield GeneratedBoard(request.seed, mine_map, "searched")
        dealt_before = dealt
        if done == request.count or should_stop():
            return
    if not should_stop():
        some = min(_TOLD, dealt - dealt_before)
        counts = sample_three_bv(rules, request.seed, some, request.first)
        raise NoSuchBoard(
            "none of {tries} boards has a 3BV from {low} to {high}: the first {some} have {least} "
            "to {most}",
            tries=f"{dealt - dealt_before:,}",
            low=low,
            high=high,
            some=f"{some:,}",
            least=int(counts.min()),
            most=int(counts.max()),
        )


def _lay_board(
    request: BoardRequest,
    seed: int,
    should_stop: Callable[[], bool],
    progress: Progress,
) -> GeneratedBoard:
    if not request.rules.guess_free:
        return GeneratedBoard(seed, deal(request.rules, seed, request.first), "dealt")
    from demine.solver.deal.guess_free import find_guess_free_layout

    laid = find_guess_free_layout(
        request.rules,
        seed,
        request.first,
        limit=request.limit,
        should_stop=should_stop,
        progress=progress,
    )
    if not request.rated or request.first is None:
        return GeneratedBoard(seed, laid.mine_map, laid.method)
    from demine.solver.proof.rating import rate

    return GeneratedBoard(seed, laid.mine_map, laid.method, rate(laid.mine_map, request.first))
