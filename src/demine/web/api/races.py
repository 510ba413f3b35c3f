"""Races over HTTP: a new one, how it stands, and what its players do before and after it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal

from msgspec import Meta, Struct

from demine.logic.game import Status, random_seed
from demine.logic.rules import Rules
from demine.play.race import MineCost, Phase, RaceError, RaceVerb
from demine.web.api.door import Door, Nothing, Visit
from demine.web.database.races import RaceSettings
from demine.web.errors import NotYet, RequestError
from demine.web.homes import Elsewhere
from demine.web.races.race_message import RaceOnWire, race_message
from demine.web.races.seat_game import new_game, opening_cell

if TYPE_CHECKING:
    from starlette.responses import Response

    from demine.web.races.live_race import LiveRace

MOST_CELLS: Final = 1 << 12
"""The largest board of a race, of which everybody is sent the boards of all."""
LIVES_IF_TIME: Final = 9
"""The mine that ends the race where the others cost time: the rules know no more lives."""


class NewRace(Struct, forbid_unknown_fields=True):
    """A race to be made; its board is guess-free, whatever the rules say."""

    rules: Annotated[str, Meta(max_length=200)] = "beginner"
    mine_costs: Literal["time", "race"] = "time"


class RaceWish(Struct, forbid_unknown_fields=True):
    """What a player wants to do."""

    do: Literal["join", "ready", "wait", "leave"]


class UnfitForRaces(RequestError):
    """A board on which nobody can race."""

    status = 422
    what = "unfit_for_races"


async def make_race(visit: Visit[NewRace]) -> RaceOnWire:
    """Make a race; its maker has the first seat."""
    rules = race_rules(Rules.parse(visit.asked.rules), MineCost(visit.asked.mine_costs))
    return _told(visit, await _made(visit, rules, MineCost(visit.asked.mine_costs)))


async def show_race(visit: Visit[Nothing]) -> RaceOnWire:
    """Say how a race stands."""
    return _told(visit, await _race(visit))


async def take_wish(visit: Visit[RaceWish]) -> RaceOnWire:
    """Let a player join, be ready, wait or leave; what is so already stays so."""
    live, player = await _race(visit), visit.player
    verb = RaceVerb(visit.asked.do)
    if verb is RaceVerb.JOIN and live.seat_of(player.id) is None:
        visit.services.races.check_room(player.id)
    await live.act(verb, player.id, player.name)
    return _told(visit, live)


async def make_rematch(visit: Visit[Nothing]) -> RaceOnWire | Response:
    """Make a race like one that is over, or find the one that another player has made."""
    live = await _race(visit)
    if live.seat_of(visit.player_id) is None:
        raise RaceError("only players of this race can do that")
    if live.race.phase is not Phase.OVER:
        raise NotYet("this race is not over yet")
    async with live.rematch_lock:
        if live.rematch is None:
            again = await _made(visit, live.settings.rules, live.settings.mine_costs)
            await live.set_rematch(again.id)
            return _told(visit, again)
    try:
        return _told(visit, await visit.services.races.get(live.rematch, visit.asker))
    except Elsewhere as to:
        return await visit.services.relay.look(visit.request, to, f"/api/races/{live.rematch}")


def race_rules(rules: Rules, mine_costs: MineCost) -> Rules:
    """Return the rules of a race's games; raises `UnfitForRaces`."""
    if rules.cells > MOST_CELLS:
        raise UnfitForRaces("a race takes boards of {most} cells at most", most=MOST_CELLS)
    lives = LIVES_IF_TIME if mine_costs is MineCost.TIME else 1
    return replace(rules, guess_free=True, lives=lives)


async def _made(visit: Visit[Any], rules: Rules, mine_costs: MineCost) -> LiveRace:
    """Make a race on a new board, which is searched for first."""
    services, player = visit.services, visit.player.id
    services.races.check_room(player)
    services.limits.deals.take(player)
    seed = random_seed()
    mine_map = await services.solver.deal(visit.asker, rules, seed, opening_cell(rules))
    settings = RaceSettings(rules, mine_costs, seed, mine_map)
    if new_game(settings, "").status is not Status.RUNNING:
        raise UnfitForRaces("the opening alone wins this board: take more mines")
    return await services.races.make(settings, player)


async def _race(visit: Visit[Any]) -> LiveRace:
    return await visit.services.races.get(visit.path("race_id"), visit.asker)


def _told(visit: Visit[Any], live: LiveRace) -> RaceOnWire:
    return race_message(live, visit.player_id)


DOORS: Final = (
    Door(method="POST", path="/api/races", summary="Make a race",
         handler=make_race, asks=NewRace, answers=RaceOnWire, player="made", status=201),
    Door(method="GET", path="/api/races/{race_id}", summary="How a race stands",
         handler=show_race, asks=Nothing, answers=RaceOnWire),
    Door(method="POST", path="/api/races/{race_id}/wish",
         summary="Join a race, be ready or wait, or leave it",
         handler=take_wish, asks=RaceWish, answers=RaceOnWire, player="made"),
    Door(method="POST", path="/api/races/{race_id}/rematch", summary="Race once more",
         handler=make_rematch, asks=Nothing, answers=RaceOnWire, player="made"),
)  # fmt: skip
