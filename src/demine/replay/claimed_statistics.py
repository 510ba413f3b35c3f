"""Compares the statistics that a file claims with those of its events.

A contradicted claim changes nothing about the game, which follows from the events. `demine.load`
puts it in `Game.notes`; `stats`, `review` and `watch` show it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Protocol

import numpy as np

from demine.logic.errors import DemineError
from demine.logic.event import Verb
from demine.logic.event_log import acts
from demine.logic.game import BaseGame, Status
from demine.logic.json_text import ToJson
from demine.logic.rules import Goal
from demine.scene.translation import mark
from demine.statistics.layout_regions import LayoutRegions
from demine.statistics.played_recording import Click

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from demine.logic.metadata import Fact
    from demine.statistics.played_recording import PlayedRecording
    from demine.statistics.recording_type import Recording


class ReplayWithClaims(Protocol):
    """A file's recording and facts: a `Replay`."""

    @property
    def facts(self) -> Mapping[str, Fact]:
        """The facts, including claims."""

    @property
    def recording(self) -> Recording:
        """The recorded mouse events and the mines."""

    @property
    def course(self) -> PlayedRecording:
        """The game that results from the recording."""


class Contradiction(ToJson, DemineError, ValueError):
    """A claim of a file that its events contradict; mostly used as a value, not raised.

    >>> import demine
    >>> note = demine.Contradiction("{name}", name="claimed_bv", claimed=9, found=8)
    >>> note.to_dict()
    {'name': 'claimed_bv', 'claimed': 9, 'found': 8}
    """

    @property
    def name(self) -> str:
        """The name of the fact that is the claim, such as `claimed_ms`."""
        return str(self.params["name"])

    def to_dict(self) -> dict[str, Any]:
        """Return its plain values: the fact's name, its claimed value, and the value found."""
        return {name: self.params[name] for name in ("name", "claimed", "found")}


@dataclass(frozen=True)
class _ActualStatistics:
    """The statistics of a game's events."""

    won: bool
    time_ms: int
    flagged: bool
    regions: LayoutRegions
    open_map: NDArray[np.bool_]

    @classmethod
    def of_replay(cls, replay: ReplayWithClaims) -> _ActualStatistics:
        course, mine_map = replay.course, replay.recording.mine_map
        open_map = np.zeros(mine_map.size, np.bool_)
        open_map[course.opened] = True
        flagged = bool((course.clicks == Click.FLAGGED).any())
        opened = open_map.reshape(mine_map.shape)
        return cls(course.won, course.time_ms, flagged, course.regions, opened)

    @classmethod
    def of_game(cls, game: BaseGame) -> _ActualStatistics:
        won, flagged = (
            game.status is Status.WON,
            any(act.verb is Verb.FLAG for act in acts(game.events)),
        )
        regions = LayoutRegions.of(game.board.mine_map)
        return cls(won, game.time_ms, flagged, regions, game.board.open_map)

    @property
    def bv(self) -> int:
        """The 3BV of the board."""
        return self.regions.three_bv

    @property
    def bv_solved(self) -> int:
        """The solved 3BV: openings whose zeros are all open, and open numbers outside openings."""
        ground = self.regions
        parts = ground.parts[self.open_map.reshape(-1)]
        found = np.bincount(parts[parts >= 0], minlength=ground.part_sizes.size)
        openings = (found == ground.part_sizes) & ground.is_opening
        lone = ground.lone.reshape(self.open_map.shape) & self.open_map
        return int(np.count_nonzero(openings)) + int(np.count_nonzero(lone))


@dataclass(frozen=True, slots=True)
class _ClaimCheck:
    """How to check a claim, and the message if it is contradicted."""

    actual: Callable[[_ActualStatistics], int]
    message: str
    denied_message: str = ""
    """The message for a claim that something is not so; only boolean claims have one."""

    def contradiction(
        self, name: str, claimed: Fact, events: _ActualStatistics
    ) -> Contradiction | None:
        """Return the contradiction of a claim; None if it is true or has the wrong type."""
        # True is an int too, but not a time.
        if isinstance(claimed, bool) is not bool(self.denied_message) or not isinstance(
            claimed, int
        ):
            return None
        found = self.actual(events)
        if found == claimed:
            return None
        said = self.message if claimed or not self.denied_message else self.denied_message
        return Contradiction(
            said, name=name, claimed=claimed, found=found,
            claimed_s=f"{claimed / 1000:.3f}", found_s=f"{found / 1000:.3f}",
        )  # fmt: skip


CORRECTED_TIMES: Final = "mended_ms"
"""The name of the fact that times were corrected."""
CLAIM_CHECKS: Final[Mapping[str, _ClaimCheck]] = {
    "claimed_ms": _ClaimCheck(
        lambda found: found.time_ms,
        mark("the file claims a time of {claimed_s} s, but its events take {found_s} s"),
    ),
    "claimed_won": _ClaimCheck(
        lambda found: found.won,
        mark("the file claims a win, but its events do not win the game"),
        mark("the file claims no win, but its events win the game"),
    ),
    "claimed_bv": _ClaimCheck(
        lambda found: found.bv,
        mark("the file claims a 3BV of {claimed}, but that of its board is {found}"),
    ),
    "claimed_bv_solved": _ClaimCheck(
        lambda found: found.bv_solved,
        mark("the file claims that {claimed} 3BV were solved, but its events solve {found}"),
    ),
    "no_flag": _ClaimCheck(
        lambda found: not found.flagged,
        mark("the file claims that no flag was set, but one was"),
        mark("the file claims that flags were set, but none was"),
    ),
    # Not a claim of the file: it follows from the times themselves.
    CORRECTED_TIMES: _ClaimCheck(
        lambda _found: 0,
        mark("the file's clock ran backwards; times were corrected by up to {claimed} ms"),
    ),
}
"""The facts that are claims about the game, and how each is checked."""
_3BV_CLAIMS: Final = frozenset({"claimed_bv", "claimed_bv_solved"})
_MAX_CELLS_FOR_3BV: Final = 1 << 18
"""The 3BV of larger boards takes too long to check a claim."""


def contradictions(subject: BaseGame | ReplayWithClaims) -> tuple[Contradiction, ...]:
    """Return the claims among the facts that the events contradict.

    There are none for games with flags as their goal, which no other program knows. The 3BV is not
    checked on boards with more than 262,144 cells.
    """
    claimed = [name for name in CLAIM_CHECKS if name in subject.facts]
    if not claimed:
        return ()
    if not isinstance(subject, BaseGame):
        events = _ActualStatistics.of_replay(subject)
    elif subject.board.laid and subject.rules.goal is Goal.OPEN:
        events = _ActualStatistics.of_game(subject)
    else:
        return ()
    if events.regions.mines.size > _MAX_CELLS_FOR_3BV:
        claimed = [name for name in claimed if name not in _3BV_CLAIMS]
    found = (
        CLAIM_CHECKS[name].contradiction(name, subject.facts[name], events) for name in claimed
    )
    return tuple(each for each in found if each is not None)
