"""What leaderboards there are: of which boards, by what the games are compared, over which time."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING, Final

from demine.logic.game import Origin
from demine.logic.rules import BEGINNER, EXPERT, INTERMEDIATE, First, Flags, Rules

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from demine.game import Game


class Level(StrEnum):
    """The size of the boards and how many mines they have."""

    BEGINNER = "beginner"
    INTERMEDIATE = "intermediate"
    EXPERT = "expert"


class Deal(StrEnum):
    """What the boards promise."""

    OPENING = "opening"
    """The first click opens an opening."""
    CLASSIC = "classic"
    """The first click is no mine; nothing else is promised."""
    GUESS_FREE = "guess-free"
    """The first click opens an opening, and nobody ever has to guess."""


class Measure(StrEnum):
    """By what games are compared."""

    TIME = "time"
    """The time of play; the shortest is the best."""
    SPEED = "speed"
    """3BV/s; the highest is the best."""
    EFFICIENCY = "efficiency"
    """3BV by clicks, the statistic `ioe`; the highest is the best."""


class Period(StrEnum):
    """In which time games have to end, in UTC; weeks begin on Mondays."""

    ALL = "all"
    MONTH = "month"
    WEEK = "week"

    def name_at(self, moment: datetime) -> str:
        """Return the name of the period around a moment in UTC: "all", "2026-11", "2026-W48"."""
        match self:
            case Period.ALL:
                return "all"
            case Period.MONTH:
                return f"{moment:%Y-%m}"
            case Period.WEEK:
                return f"{moment:%G-W%V}"


_LEVELS: Final[Mapping[Level, Rules]] = {
    Level.BEGINNER: BEGINNER,
    Level.INTERMEDIATE: INTERMEDIATE,
    Level.EXPERT: EXPERT,
}


def rules_of(level: Level, deal: Deal) -> Rules:
    """Return the rules of a leaderboard's games, whose flags may hold as well as yield."""
    first = First.SAFE if deal is Deal.CLASSIC else First.ZERO
    return replace(_LEVELS[level], first=first, guess_free=deal is Deal.GUESS_FREE)


def board_name(level: Level, deal: Deal) -> str:
    """Return the name of the boards of a level, under which wins are kept: "expert classic"."""
    return f"{level} {deal}"


_BOARD_NAMES: Final = {
    rules_of(level, deal): board_name(level, deal) for level in Level for deal in Deal
}


def board_of(game: Game) -> str | None:
    """Return the name of the boards among which a new game may enter; None for any other game."""
    if game.origin is not Origin.FRESH:
        return None
    return _BOARD_NAMES.get(replace(game.rules, flags=Flags.YIELD))


@dataclass(frozen=True, slots=True)
class RankedWin:
    """A win that was verified."""

    game: int
    """The row of the game."""
    player: str
    board: str
    """As `board_name` writes it, or a name for boards of another kind."""
    won_at: str
    """When it ended: ISO text in UTC."""
    time_ms: int
    bv_s: float | None
    """None for a win by the first click, which took no time."""
    ioe: float | None

    def score(self, measure: Measure) -> float | None:
        """Return the number by which it is compared, the lowest is the best; None without one."""
        match measure:
            case Measure.TIME:
                return self.time_ms
            case Measure.SPEED:
                return None if self.bv_s is None else -self.bv_s
            case Measure.EFFICIENCY:
                return None if self.ioe is None else -self.ioe
