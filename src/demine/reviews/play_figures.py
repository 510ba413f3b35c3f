"""How games were played, in figures that are compared with those of other players.

What is counted of each game adds up over games; the figures are computed from the sums. None of
them proves anything: a figure says how a hand moved and what it chose, not whose hand it was.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from itertools import pairwise
from math import hypot
from statistics import median, quantiles
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from demine.logic.event import Touch
from demine.logic.game import Status
from demine.logic.json_text import ToJson
from demine.reviews.positions import OPENING, acts_in_positions
from demine.reviews.review import ReviewError, review
from demine.reviews.review_result import MISTAKES
from demine.scene.cell_faces import Face
from demine.scene.translation import mark

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from numpy.typing import NDArray

    from demine.game import Game

QUICK_MS: Final = 100
"""A reaction that is faster is quicker than an eye and a hand usually are."""
LEAST_OTHERS: Final = 20
"""With fewer others nothing is called unusual."""
UNUSUAL: Final = 0.05
"""The share of others at either end that a figure lies beyond to be called unusual."""
_LEAST_CELLS: Final = 2.0
"""Shorter ways of the pointer are not judged: every one of them is straight."""
_SECONDS: Final = 20.0
"""How long the solver works on one game."""
_FEW: Final = 5
"""With fewer values a figure is left out."""


class Way(NamedTuple):
    """A way of the pointer from one press to the next."""

    straight: float
    """The distance between the presses by the length of the way, 0 to 1."""
    speed: float
    """Cells a second, from the first move to the press."""
    jumps: bool
    """Whether the last point before the press was more than two cells away."""


@dataclass(slots=True)
class PlayCounts:
    """What games say of how they were played."""

    games: int = 0
    reactions_ms: list[int] = field(default_factory=list)
    """From an opening to the act on a cell beside what that opened, if it came next."""
    pauses_ms: list[int] = field(default_factory=list)
    """Between two acts that open."""
    ways: list[Way] = field(default_factory=list)
    chances_for_certain: int = 0
    """Acts that opened while a cell was certainly safe."""
    certain: int = 0
    """Those of them that opened such cells alone."""
    guesses: int = 0
    """Acts that opened while no cell was certain."""
    best_guesses: int = 0
    """Those of them whose risk was the lowest."""
    mistakes: int = 0
    """Risks that could be avoided."""
    longest_streak: int = 0
    """Wins in a row, in the order of the games."""
    streak: int = 0
    """Wins in a row up to the last game."""

    def add(self, game: PlayCounts) -> None:
        """Add one game, which was played after these."""
        streak = self.streak + 1 if game.streak else 0
        longest = max(self.longest_streak, streak)
        for each in fields(self):
            setattr(self, each.name, getattr(self, each.name) + getattr(game, each.name))
        self.streak, self.longest_streak = streak, longest


class PlayFigure(NamedTuple):
    """A figure of how games were played."""

    label: str
    """To be translated."""
    about: str
    """What it is, to be translated."""
    unit: str
    """`ms`, `%`, `/s`, or empty for a plain number."""
    compute: Callable[[PlayCounts], float | None]
    """Its value; None where there is too little."""
    count: Callable[[PlayCounts], int]
    """On how many values it rests."""


def play_counts(game: Game) -> PlayCounts:
    """Return what one game that is over says; an empty one if nothing in it can be judged."""
    found = PlayCounts(games=1)
    found.streak = found.longest_streak = int(game.status is Status.WON)
    found.reactions_ms, found.pauses_ms = _times(game)
    found.ways = list(_ways(game))
    _count_choices(game, found)
    return found


def play_figures(counts: PlayCounts) -> dict[str, float | None]:
    """Return the figures by their names, as in `PLAY_FIGURES`."""
    return {name: figure.compute(counts) for name, figure in PLAY_FIGURES.items()}


# Times


def _times(game: Game) -> tuple[list[int], list[int]]:
    """Return reactions and pauses in milliseconds."""
    reactions: list[int] = []
    times: list[int] = []
    newest = np.zeros((game.rules.height, game.rules.width), np.bool_)
    was_open, scene = newest, None
    for moment in acts_in_positions(game):
        if moment.scene is not scene and moment.scene is not None:
            is_open = moment.scene <= Face.EIGHT
            newest, was_open, scene = is_open & ~was_open, is_open, moment.scene
        if moment.act.verb not in OPENING or not (moment.opened or moment.blew):
            continue
        if times and _touches(newest, moment.cells):
            reactions.append(moment.act.t - times[-1])
        times.append(moment.act.t)
    return reactions, [after - before for before, after in pairwise(times)]


def _touches(newest: NDArray[np.bool_], cells: Iterable[tuple[int, int]]) -> bool:
    """Whether one of the cells lies beside a number that the last opening showed."""
    return any(
        newest[max(row - 1, 0) : row + 2, max(col - 1, 0) : col + 2].any() for row, col in cells
    )


# The pointer


def _ways(game: Game) -> Iterator[Way]:
    """Yield the ways of the pointer; none where only presses are recorded."""
    points: list[Touch] = []
    for touch in (each for each in game.events if isinstance(each, Touch)):
        points.append(touch)
        if touch.action == "press":
            way = _way(points, game.cell_px)
            if way is not None:
                yield way
            points = [touch]


def _way(points: Sequence[Touch], cell_px: float) -> Way | None:
    """Return the way from a press to the next; None for a short one, or without moves."""
    first, last = points[0], points[-1]
    moves = [each for each in points if each.action == "move"]
    distance = _distance(first, last) / cell_px
    if first.action != "press" or not moves or distance < _LEAST_CELLS:
        return None
    length = sum(_distance(a, b) for a, b in pairwise(points)) / cell_px
    seconds = max(last.t - moves[0].t, 1) / 1000
    jumps = _distance(points[-2], last) / cell_px > _LEAST_CELLS
    return Way(min(distance / length, 1.0), length / seconds, jumps)


def _distance(a: Touch, b: Touch) -> float:
    return hypot(a.x - b.x, a.y - b.y)


# Choices


def _count_choices(game: Game, counts: PlayCounts) -> None:
    """Count what the player chose, and what the exact solver knew of it."""
    try:
        acts = review(game, why=False, seconds=_SECONDS).acts
    except ReviewError:
        return
    for act in acts:
        if act.verb not in OPENING or act.chance is None or act.lowest is None:
            continue
        if act.lowest == 0.0:
            counts.chances_for_certain += 1
            counts.certain += act.chance == 0.0
        else:
            counts.guesses += 1
            counts.best_guesses += act.chance <= act.lowest + 1e-9
        counts.mistakes += act.verdict in MISTAKES


# Comparing


@dataclass(frozen=True, slots=True)
class ComparedFigure(ToJson):
    """A figure beside those of other players."""

    name: str
    """As in `PLAY_FIGURES`."""
    value: float
    count: int
    """On how many values it rests."""
    others: tuple[float, ...]
    """The same figure of each other player who has it, the lowest first."""

    @property
    def share_below(self) -> float | None:
        """The share of others whose figure is lower, equal ones counted half; None without any."""
        if not self.others:
            return None
        below = sum(each < self.value for each in self.others)
        equal = sum(each == self.value for each in self.others)
        return (below + equal / 2) / len(self.others)

    @property
    def unusual(self) -> bool:
        """Whether it is lower or higher than almost all of at least twenty others."""
        share = self.share_below
        enough = len(self.others) >= LEAST_OTHERS
        return enough and share is not None and not UNUSUAL < share < 1 - UNUSUAL

    def quantile(self, part: float) -> float | None:
        """Return the figure that so many of the others, 0 to 1, do not exceed; None without any."""
        if not self.others:
            return None
        return self.others[min(int(part * len(self.others)), len(self.others) - 1)]

    def to_dict(self) -> dict[str, Any]:
        """Return the plain values."""
        return {
            "name": self.name,
            "value": self.value,
            "count": self.count,
            "others": len(self.others),
            "p10": self.quantile(0.1),
            "median": self.quantile(0.5),
            "p90": self.quantile(0.9),
            "share_below": self.share_below,
            "unusual": self.unusual,
        }


def compare_play(own: PlayCounts, others: Iterable[PlayCounts]) -> list[ComparedFigure]:
    """Return the figures of a player beside those of others; without those that there are not."""
    figures, known = play_figures(own), [play_figures(each) for each in others]
    return [
        ComparedFigure(
            name, value, PLAY_FIGURES[name].count(own),
            tuple(sorted(v for each in known if (v := each[name]) is not None)),
        )
        for name, value in figures.items()
        if value is not None
    ]  # fmt: skip


# Figures


def _median_of(values: Callable[[PlayCounts], Sequence[float]]) -> Callable[..., float | None]:
    def compute(counts: PlayCounts) -> float | None:
        found = values(counts)
        return float(median(found)) if len(found) >= _FEW else None

    return compute


def _share(
    part: Callable[[PlayCounts], int], whole: Callable[[PlayCounts], int]
) -> Callable[[PlayCounts], float | None]:
    def compute(counts: PlayCounts) -> float | None:
        return part(counts) / whole(counts) if whole(counts) >= _FEW else None

    return compute


def _spread(values: Sequence[float]) -> float | None:
    """Return the middle half of values by their median; small for values that are all alike."""
    if len(values) < _FEW or not median(values):
        return None
    low, middle, high = quantiles(values, n=4)
    return (high - low) / middle


def _reactions(counts: PlayCounts) -> Sequence[int]:
    return counts.reactions_ms


def _count_reactions(counts: PlayCounts) -> int:
    return len(counts.reactions_ms)


def _count_ways(counts: PlayCounts) -> int:
    return len(counts.ways)


PLAY_FIGURES: Final = {
    "reaction": PlayFigure(
        mark("Reaction"),
        mark("median time from an opening to an act beside what it showed, if that came next"),
        "ms", _median_of(_reactions), _count_reactions,
    ),
    "quick": PlayFigure(
        mark("Quick reactions"), mark("those of them below 0.1 s"),
        "%", _share(lambda c: sum(ms < QUICK_MS for ms in c.reactions_ms), _count_reactions),
        _count_reactions,
    ),
    "spread": PlayFigure(
        mark("Spread of pauses"),
        mark("the middle half of the times between acts by their median; small if all are alike"),
        "", lambda c: _spread(c.pauses_ms), lambda c: len(c.pauses_ms),
    ),
    "straight": PlayFigure(
        mark("Straight ways"),
        mark("distance by length of the pointer's ways between presses, the median"),
        "%", _median_of(lambda c: [way.straight for way in c.ways]), _count_ways,
    ),
    "speed": PlayFigure(
        mark("Pointer speed"), mark("cells a second on those ways, the median"),
        "/s", _median_of(lambda c: [way.speed for way in c.ways]), _count_ways,
    ),
    "jumps": PlayFigure(
        mark("Jumps"), mark("those ways whose press is two cells from the last point before it"),
        "%", _share(lambda c: sum(way.jumps for way in c.ways), _count_ways), _count_ways,
    ),
    "certain": PlayFigure(
        mark("Certain cells"),
        mark("acts on certain cells alone, of those for which the solver knew such a cell"),
        "%", _share(lambda c: c.certain, lambda c: c.chances_for_certain),
        lambda c: c.chances_for_certain,
    ),
    "best-guesses": PlayFigure(
        mark("Best guesses"),
        mark("guesses with the lowest risk there was, of all where nothing was certain"),
        "%", _share(lambda c: c.best_guesses, lambda c: c.guesses), lambda c: c.guesses,
    ),
    "mistakes": PlayFigure(
        mark("Avoidable risks"), mark("risks a game where a lower one was to be had"),
        "", lambda c: c.mistakes / c.games if c.games else None, lambda c: c.games,
    ),
    "streak": PlayFigure(
        mark("Longest streak"), mark("wins in a row among these games"),
        "", lambda c: float(c.longest_streak) if c.games else None, lambda c: c.games,
    ),
}  # fmt: skip
"""All figures by their names."""
