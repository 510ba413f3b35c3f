"""Review a game: judge every act by what could be known just before it."""

from __future__ import annotations

import time
from collections import defaultdict
from dataclasses import replace
from heapq import nlargest
from math import inf, prod
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from demine.game import Game
from demine.logic.errors import DemineError, NotAGame
from demine.logic.event import BOARD_VERBS, Verb
from demine.logic.event_log import non_touches
from demine.logic.game import BaseGame, Origin, play_event
from demine.replay.claimed_statistics import contradictions
from demine.reviews.missed_win import missed_win
from demine.reviews.positions import OPENING, ActInPosition, acts_in_positions
from demine.reviews.review_result import JUDGED, JudgedAct, Luck, Review, TimeSpent, Verdict
from demine.solver.errors import TooComplex
from demine.solver.exact.probability import mine_probability, mine_probability_batch
from demine.solver.judge import judge

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from numpy.typing import NDArray

    from demine.logic.event import Event
    from demine.logic.rules import Rules

    Progress = Callable[[int, int], object]

MOST_CELLS: Final = 1 << 16
"""The largest board that is reviewed: as large as any that the solver makes."""
PAUSES: Final = 5
"""How many of the longest pauses a review lists."""
_PART: Final = 1 << 21
"""How many cells of positions are solved in one go; their chances take 16 MB."""
_BREATH: Final = 64
"""How many positions are solved between two calls of `progress`."""


class ReviewError(DemineError, ValueError):
    """A game that cannot be reviewed; the message says why.

    >>> import demine
    >>> demine.review(demine.Game("9x9/10", seed=7))
    Traceback (most recent call last):
    demine.reviews.review.ReviewError: nothing was opened in this game, so there is nothing to judge
    """


class SolvedPosition(NamedTuple):
    """The chance of a mine in each cell of a position, and the lowest of a covered cell."""

    chance: NDArray[np.float64]
    lowest: float


def review(
    game: Game,
    *,
    why: bool = True,
    progress: Callable[[int, int], object] | None = None,
    seconds: float = inf,
) -> Review:
    """Judge every act of a game by what could be known just before it.

    Undone acts are judged too, and marked; luck leaves them out. An opening while nothing is open
    is not judged. Without `why` no reasons are looked for, which is faster. `progress` is called
    with the number of acts judged and of all acts. For an expert game this takes a fraction of a
    second with the compiled solver (`demine warm`, `demine.warm`), some seconds
    without it. After `seconds` no further position is solved: `judged_until` of the review says
    where it ended.

    Raises `ReviewError` if there is nothing to judge, and for boards of more than 65 536 cells;
    `NotAGame` for anything else, such as a path.

    >>> import demine
    >>> game = demine.Game("9x9/10", seed=7)
    >>> status = game.open(4, 4)
    >>> print(demine.review(game))
    Beginner: not finished, 0.000 s
    Opening moves: 0
    Luck: no move could be judged
    """
    _check_can_be_judged(game)
    bound = _Bound(progress, len(game.events), seconds)
    acts, pauses = _judge_all(game, why, bound)
    return Review(
        game.rules,
        game.status,
        game.time_ms,
        tuple(acts),
        Luck.of(acts),
        None if bound.judged_until is not None else missed_win(game),
        _time_by_sort(acts, game.time_ms),
        pauses,
        contradictions(game),
        game.resigned,
        bound.judged_until,
    )


def _check_can_be_judged(game: Game) -> None:
    if not isinstance(game, BaseGame):
        raise NotAGame.of(game)
    if not game.board.laid or not game.begun:
        raise ReviewError("nothing was opened in this game, so there is nothing to judge")
    if game.rules.cells > MOST_CELLS:
        raise ReviewError(
            "a game to review has at most {most} cells, not {cells}",
            most=MOST_CELLS,
            cells=game.rules.cells,
        )


def luck(game: Game) -> Luck:
    """Return the luck of a game as in its review, but sooner; raises `ReviewError` as `review`."""
    _check_can_be_judged(game)
    return Luck.of(_judge_all(game, False, _Bound())[0])


def review_events(
    rules: Rules,
    events: Sequence[Event],
    *,
    progress: Progress | None = None,
    seconds: float = inf,
) -> Review:
    """Review the game of these rules and events, as sent to another process, without touches."""
    return review(_game_of_events(rules, events), progress=progress, seconds=seconds)


def guess_count_and_chance(rules: Rules, events: Sequence[Event]) -> tuple[int, float] | None:
    """Return how many guesses a game took, and how likely they all were to be safe.

    A guess is an opening act that stands, with a risk above 0 and below 1; the chance is the
    product of their chances to be safe, 1.0 without any. None if an act was too complex to judge.
    It is a plain value, so that a window imports nothing to receive it. Raises `ReviewError` as
    `review` does.
    """
    game = _game_of_events(rules, events)
    _check_can_be_judged(game)
    standing = [act for act in _judge_all(game, False, _Bound())[0] if not act.undone]
    if any(act.verb in OPENING and act.verdict is Verdict.UNJUDGED for act in standing):
        return None
    risks = [act.chance for act in standing if act.verdict in JUDGED and act.chance is not None]
    guesses = [risk for risk in risks if 0.0 < risk < 1.0]
    return len(guesses), prod(1 - risk for risk in guesses)


def _game_of_events(rules: Rules, events: Sequence[Event]) -> Game:
    game = Game(rules, 0, origin=Origin.SHARE)
    for event in non_touches(events):
        play_event(game, event)
    return game


def _judge_all(
    game: Game, why: bool, bound: _Bound
) -> tuple[list[JudgedAct], tuple[JudgedAct, ...]]:
    """Return all acts judged, and those after the longest pauses, with reasons if `why`."""
    mines, truth = game.rules.mines, game.board.mine_map
    acts: list[JudgedAct] = []
    longest: list[tuple[int, int, ActInPosition]] = []
    for part in _batches(game):
        known = _solve_positions(part, mines, bound)
        for moment in part:
            if _needs_chances(moment) and id(moment.scene) not in known:
                bound.cut(len(acts))
            seen = known.get(id(moment.scene))
            longest.append((moment.think_ms, -len(acts), moment))
            wrong = _sets_flag(moment) and not truth[moment.act.row, moment.act.col]
            acts.append(
                _judge_act(
                    len(acts) + 1, moment, seen, mines, why=why and not bound.is_up, wrong=wrong
                )
            )
        longest = nlargest(PAUSES, longest, key=lambda each: each[:2])
    bound.end()
    for think_ms, place, moment in longest:
        if why and think_ms and not bound.is_up and acts[-place].verdict is Verdict.PROVEN:
            acts[-place] = _with_reason(acts[-place], moment, mines)
    return acts, tuple(acts[-place] for think_ms, place, _ in longest if think_ms)


class _Bound:
    """Says how many acts are judged, and ends the judging when its time is up."""

    def __init__(
        self, progress: Progress | None = None, count: int = 0, seconds: float = inf
    ) -> None:
        self.judged_until: int | None = None
        """How many acts were judged when the time was up; None if all were."""
        self._progress = progress
        self._count = count
        self._done = 0
        self._until = time.monotonic() + seconds

    @property
    def is_up(self) -> bool:
        """Whether the time is up."""
        return time.monotonic() >= self._until

    def cut(self, judged: int) -> None:
        """Note that no more than `judged` acts could be judged."""
        if self.judged_until is None:
            self.judged_until = judged

    def step(self, acts: int) -> None:
        self._done += acts
        if self._progress is not None:
            self._progress(self._done, self._count)

    def end(self) -> None:
        self.step(self._count - self._done)


def _needs_chances(moment: ActInPosition) -> bool:
    is_judged_by_them = moment.act.verb in OPENING or _sets_flag(moment)
    return moment.scene is not None and is_judged_by_them


def _sets_flag(moment: ActInPosition) -> bool:
    return moment.act.verb is Verb.FLAG and not moment.flagged


def _batches(game: Game) -> Iterator[list[ActInPosition]]:
    """Yield the acts of a game in batches whose positions are solved in one go."""
    part: list[ActInPosition] = []
    scenes: set[int] = set()
    for moment in acts_in_positions(game):
        part.append(moment)
        if moment.scene is not None:
            scenes.add(id(moment.scene))
        if len(scenes) * game.rules.cells >= _PART:
            yield part
            part, scenes = [], set()
    yield part


def _solve_positions(
    part: list[ActInPosition], mines: int, bound: _Bound
) -> dict[int, SolvedPosition | None]:
    """Return the solved scenes of some acts by `id`, None for those too complex to solve.

    Scenes that are not needed to judge an act are left out, and those that there is no time for.
    """
    scenes = {
        id(each.scene): each.scene
        for each in part
        if each.scene is not None and _needs_chances(each)
    }
    keys: list[int] = list(scenes)
    known: dict[int, SolvedPosition | None] = {}
    for first in range(0, len(keys), _BREATH):
        if bound.is_up:
            break
        some = keys[first : first + _BREATH]
        for key, chance in zip(some, _chances([scenes[key] for key in some], mines), strict=True):
            known[key] = (
                None if chance is None else SolvedPosition(chance, float(np.nanmin(chance)))
            )
        bound.step(len(some))
    return known


def _chances(
    scenes: list[NDArray[np.uint8]], mines: int
) -> list[NDArray[np.float64]] | list[NDArray[np.float64] | None]:
    try:
        return list(mine_probability_batch(np.stack(scenes), mines))
    except TooComplex:
        return [_chance(scene, mines) for scene in scenes]


def _chance(scene: NDArray[np.uint8], mines: int) -> NDArray[np.float64] | None:
    try:
        return mine_probability(scene, mines)
    except TooComplex:
        return None


def _judge_act(
    number: int,
    moment: ActInPosition,
    known: SolvedPosition | None,
    mines: int,
    *,
    why: bool,
    wrong: bool,
) -> JudgedAct:
    act = moment.act
    found = JudgedAct(
        number, act.t, act.verb, act.row, act.col, Verdict.OTHER, moment.think_ms, moment.undone,
        moment.cells, moment.opened, moment.blew,
    )  # fmt: skip
    if act.verb in OPENING:
        return _judge_opening(found, moment, known, mines, why=why)
    return _judge_note(found, moment, known, wrong=wrong)


def _judge_opening(
    found: JudgedAct, moment: ActInPosition, known: SolvedPosition | None, mines: int, *, why: bool
) -> JudgedAct:
    if moment.scene is None:
        return replace(found, verdict=Verdict.FIRST)
    if known is None:
        return replace(found, verdict=Verdict.UNJUDGED)
    if all(known.chance[cell] == 0.0 for cell in moment.cells):
        return replace(found, verdict=Verdict.PROVEN, chance=0.0, lowest=0.0)
    try:
        told = judge(moment.scene, mines, moment.cells, why=why, probability=known.chance)
    except TooComplex:
        return replace(found, verdict=Verdict.UNJUDGED)
    return replace(
        found,
        verdict=Verdict(told.kind.value),
        chance=told.risk,
        lowest=known.lowest,
        judgement=told,
    )


def _with_reason(found: JudgedAct, moment: ActInPosition, mines: int) -> JudgedAct:
    """Return a proven act with the reason why it was safe."""
    if moment.scene is None:
        return found
    try:
        return replace(found, judgement=judge(moment.scene, mines, moment.cells))
    except TooComplex:
        return found


def _judge_note(
    found: JudgedAct, moment: ActInPosition, known: SolvedPosition | None, *, wrong: bool
) -> JudgedAct:
    verb = moment.act.verb
    if verb is Verb.HINT:
        return replace(found, verdict=Verdict.HELP)
    if not _sets_flag(moment):
        return found if verb not in BOARD_VERBS else replace(found, verdict=Verdict.NOTE)
    if moment.scene is not None and known is None:
        return replace(found, verdict=Verdict.UNJUDGED)
    chance = None if known is None else float(known.chance[found.row, found.col])
    sure = chance in {0.0, 1.0}
    if wrong:
        verdict = Verdict.FLAG_DISPROVEN if sure else Verdict.FLAG_WRONG
    else:
        verdict = Verdict.FLAG_PROVEN if sure else Verdict.FLAG_GUESSED
    lowest = None if known is None else known.lowest
    return replace(found, verdict=verdict, chance=chance, lowest=lowest)


def _time_by_sort(acts: Iterable[JudgedAct], time_ms: int) -> tuple[TimeSpent, ...]:
    """Return the thinking time before all acts of each sort, the longest first."""
    times: dict[str, int] = defaultdict(int)
    counts: dict[str, int] = defaultdict(int)
    for act in acts:
        if act.verb in OPENING:
            sort = act.verdict.value
        elif act.verb in BOARD_VERBS:
            sort = "flags"
        else:
            sort = Verdict.OTHER.value
        times[sort] += act.think_ms
        counts[sort] += 1
    after = time_ms - sum(times.values())
    spent = [TimeSpent(sort, counts[sort], times[sort]) for sort in times]
    if after > 0:
        spent.append(TimeSpent("after", 0, after))
    return tuple(sorted(spent, key=lambda each: -each.time_ms))
