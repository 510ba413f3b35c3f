"""Co-op games over HTTP: a new one, who plays it, a seat in it, and the next one."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Annotated, Any, Final

from msgspec import Meta, Struct

from demine.game import Game
from demine.logic.game import Origin
from demine.logic.rules import Rules
from demine.play.race import MOST_SEATS
from demine.scene.board_title import board_title
from demine.store.game_rows import new_id
from demine.web.api.door import Door, Nothing, Visit
from demine.web.api.games import FACTS_OF_SERVER, checked_size
from demine.web.coop.table import NOBODY, CoopError, Table
from demine.web.coop.table_news import PlayerOnWire
from demine.web.database.games import insert_game
from demine.web.database.partners import Partner, insert_partner
from demine.web.errors import NotFound
from demine.web.homes import Elsewhere

if TYPE_CHECKING:
    from sqlalchemy.engine import Connection
    from starlette.responses import Response

    from demine.web.open_games import OpenGame


class NewCoop(Struct, forbid_unknown_fields=True):
    """A co-op game to be made."""

    rules: Annotated[str, Meta(max_length=200)] = "beginner"


class CoopOnWire(Struct):
    """A co-op game as whoever has its link may know it; it is played at `/ws/games/ID`."""

    game: str
    rules: str
    title: str
    status: str
    over: bool
    seat: int | None
    """One's own seat, from 1; None for who has none."""
    most_seats: int
    players: list[PlayerOnWire]


async def make_coop(visit: Visit[NewCoop]) -> CoopOnWire | Response:
    """Make a co-op game; its maker has the first seat."""
    return await _show(visit, await _made(visit, Rules.parse(visit.asked.rules), 1))


async def show_coop(visit: Visit[Nothing]) -> CoopOnWire:
    """Say who plays a co-op game."""
    return _told(visit, await _game(visit))


async def join_coop(visit: Visit[Nothing]) -> CoopOnWire:
    """Give a player a seat; one who has a seat keeps it."""
    game, player = await _game(visit), visit.player
    table = _table(game)
    async with game.lock:
        if table.seat_of(player.id) == NOBODY:
            if game.game.status.over:
                raise CoopError("this game is over: you can watch it")
            partner = Partner(table.free_seat(player.id), player.id, player.name)
            await game.save(lambda connection, num: insert_partner(connection, num, partner))
            table.seat(partner)
    return _told(visit, game)


async def play_again(visit: Visit[Nothing]) -> CoopOnWire | Response:
    """Make a game with the same rules and seats, or find the one that another player has made."""
    game = await _game(visit)
    table = _table(game)
    seat = table.seat_of(visit.player_id or "")
    if seat == NOBODY:
        raise CoopError("only players of this game can do that")
    async with table.next_lock:
        if table.next_game is not None:
            with suppress(NotFound):  # its maker was deleted, and nobody else had come
                return await _show(visit, table.next_game)
        following = await _made(visit, game.game.rules, seat)
        with suppress(Elsewhere):  # the seats of a game that moves at once are not kept free
            _table(await visit.services.open_games.get(following)).reserve_as_in(table)
        table.set_next(following, seat)
        return await _show(visit, following)


async def _show(visit: Visit[Any], game_id: str) -> CoopOnWire | Response:
    """Say who plays another game; raises `NotFound`."""
    try:
        return _told(visit, await visit.services.open_games.get(game_id))
    except Elsewhere as to:
        return await visit.services.relay.look(visit.request, to, f"/api/coop/{game_id}")


async def _made(visit: Visit[Any], rules: Rules, seat: int) -> str:
    """Make a game, and give its maker a seat; return its id."""
    game = Game(checked_size(rules), origin=Origin.TOGETHER, facts=FACTS_OF_SERVER)
    game_id, maker = visit.services.homes.new_subject(new_id), visit.player.id

    def write(connection: Connection) -> None:
        num = insert_game(connection, game_id, maker, game)
        insert_partner(connection, num, Partner(seat, maker))

    await visit.services.database.write(write)
    return game_id


async def _game(visit: Visit[Any]) -> OpenGame:
    return await visit.services.open_games.get(visit.path("game_id"))


def _table(game: OpenGame) -> Table:
    """Return the table of a co-op game; raises `NotFound` for a game of one player."""
    if game.table is None:
        raise NotFound("there is no such game")
    return game.table


def _told(visit: Visit[Any], game: OpenGame) -> CoopOnWire:
    table, rules = _table(game), game.game.rules
    return CoopOnWire(
        game=game.id,
        rules=str(rules),
        title=board_title(rules),
        status=game.game.status.value,
        over=game.game.status.over,
        seat=table.seat_of(visit.player_id or "") or None,
        most_seats=MOST_SEATS,
        players=table.on_wire(),
    )


DOORS: Final = (
    Door(method="POST", path="/api/coop", summary="Make a co-op game",
         handler=make_coop, asks=NewCoop, answers=CoopOnWire, player="made", status=201),
    Door(method="GET", path="/api/coop/{game_id}", summary="Who plays a co-op game",
         handler=show_coop, asks=Nothing, answers=CoopOnWire),
    Door(method="POST", path="/api/coop/{game_id}/join", summary="Take a seat in a co-op game",
         handler=join_coop, asks=Nothing, answers=CoopOnWire, player="made"),
    Door(method="POST", path="/api/coop/{game_id}/again",
         summary="Play once more with the same players",
         handler=play_again, asks=Nothing, answers=CoopOnWire, player="made"),
)  # fmt: skip
