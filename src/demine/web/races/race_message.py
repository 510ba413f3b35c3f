"""What the server says of a race to one player or spectator; docs/protocol.md says what it means.

Whoever still races is told of the others' boards only cells that they have opened themselves, since
an open cell of somebody else would show where no mine is. Spectators, who may be a racer's
second window, are told what all who still race have opened.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import msgspec
from msgspec import Struct

from demine.play import race as race_rules
from demine.play.race import MINE_COST_MS, MOST_SEATS, MineCost, Phase, Place, SeatStatus
from demine.scene.board_title import board_title
from demine.web.races.seat_game import opened_by_all, packed

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from demine.play.race import Seat
    from demine.web.races.live_race import LiveRace

RACE_VERSION = 1


class SeatOnWire(Struct):
    """A player of a race."""

    seat: int
    name: str
    """Empty for players who have not said one, and for those who were deleted."""
    status: str
    away_ms: int | None
    """For how long the player has been away; None for who is there."""
    opened: int
    """How many cells are open."""
    mines: int
    """How many mines were opened."""
    time_ms: int
    """The time of play, once the player has finished or failed."""
    total_ms: int
    """The same with what mines have cost."""
    place: int | None
    """1 for the quickest; None for who has not finished."""
    cells: str
    """Open cells as far as they may be told, packed in base64; empty before the start."""
    game: str | None
    """The id of the game, for its review, once the race is over."""


class RaceOnWire(Struct):
    """A race as one player or spectator may see it."""

    v: int
    race: str
    rules: str
    width: int
    height: int
    mines: int
    title: str
    mine_costs: str
    mine_cost_ms: int
    most_mines: int
    """Whoever opens so many is out."""
    countdown_ms: int
    return_ms: int
    """How long somebody may stay away."""
    most_seats: int
    phase: str
    phase_ms: int
    """For how long the phase has lasted."""
    safe_cells: int
    """How many cells are to be opened."""
    seats: list[SeatOnWire]
    """By their places."""
    seat: int | None
    """The number of one's own seat; None for spectators."""
    game: str | None
    """The id of one's own game, to be played at `/ws/games/ID`, once the race has begun."""
    rematch: str | None
    """The id of the race that comes next."""


def race_message(live: LiveRace, player: str) -> RaceOnWire:
    """Return what a player, or a spectator who may have no id, is told of a race."""
    race, rules = live.race, live.settings.rules
    own = live.seat_of(player) if player else None
    own_racer = None if own is None else live.racers.get(own.number)
    known = _known_cells(live, own)
    return RaceOnWire(
        v=RACE_VERSION,
        race=live.id,
        rules=str(rules),
        width=rules.width,
        height=rules.height,
        mines=rules.mines,
        title=board_title(replace(rules, lives=1)),
        mine_costs=live.settings.mine_costs.value,
        mine_cost_ms=MINE_COST_MS if live.settings.mine_costs is MineCost.TIME else 0,
        most_mines=rules.lives,
        countdown_ms=race_rules.COUNTDOWN_MS,
        return_ms=race_rules.RETURN_MS,
        most_seats=MOST_SEATS,
        phase=race.phase.value,
        phase_ms=max(0, live.clock.ms - race.since),
        safe_cells=rules.safe_cells,
        seats=[_on_wire(live, place, known) for place in race.places],
        seat=None if own is None else own.number,
        game=None if own_racer is None else own_racer.game,
        rematch=live.rematch,
    )


def encode_race(message: RaceOnWire) -> str:
    """Return the text frame of a message."""
    return _ENCODER.encode(message).decode()


_ENCODER = msgspec.json.Encoder()


def _known_cells(live: LiveRace, own: Seat | None) -> NDArray[np.bool_] | None:
    """Return the cells of which somebody may be told whether others have opened them."""
    if live.race.phase is Phase.OVER:
        return ~live.settings.mine_map
    if own is not None and own.number in live.games:
        return live.games[own.number].open_map
    racing = [seat for seat in live.race.seats if seat.status is SeatStatus.RACING]
    return opened_by_all(live.games[seat.number] for seat in racing if seat.number in live.games)


def _on_wire(live: LiveRace, place: Place, known: NDArray[np.bool_] | None) -> SeatOnWire:
    seat, who = place.seat, live.racers.get(place.seat.number)
    game = live.games.get(seat.number)
    is_over = live.race.phase is Phase.OVER
    away_since = seat.away_since
    return SeatOnWire(
        seat=seat.number,
        name="" if who is None else who.name,
        status=seat.status.value,
        away_ms=None if away_since is None else max(0, live.clock.ms - away_since),
        opened=0 if game is None else game.opened,
        mines=0 if game is None else game.mines,
        time_ms=seat.time_ms,
        total_ms=seat.total_ms,
        place=place.place,
        cells="" if game is None or known is None else packed(game.open_map & known),
        game=who.game if who is not None and is_over else None,
    )
