"""Games over HTTP: a new one, and what is known of one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Final

from msgspec import Meta, Struct

from demine import __version__
from demine.game import Game
from demine.logic.errors import DemineError
from demine.logic.event import Verb
from demine.logic.rules import Rules
from demine.store.game_rows import new_id
from demine.web.api.door import Door, Nothing, Visit
from demine.web.database.games import insert_game
from demine.web.errors import NotFound, NotYet, RequestError
from demine.web.latency import MOST_MS
from demine.web.leaderboards import board_of

if TYPE_CHECKING:
    from sqlalchemy.engine import Connection

    from demine.web.open_games import OpenGame

FACTS_OF_SERVER: Final = {
    "program": f"demine {__version__}",
    "clock": f"server, corrected by at most {MOST_MS} ms",
}
"""What is known of a game besides its events."""
MAX_CELLS: Final = 1 << 16
"""The largest board: sending it whole takes no more than an upload may."""


class NewGame(Struct, forbid_unknown_fields=True):
    """What is to be played: rules, perhaps with a seed, a share code, or a game's board again."""

    rules: Annotated[str, Meta(max_length=200)] | None = None
    seed: Annotated[int, Meta(ge=0, le=2**63 - 1)] | None = None
    share: Annotated[str, Meta(max_length=1 << 15)] | None = None
    again: Annotated[str, Meta(max_length=36)] | None = None


class MadeGame(Struct):
    """A game that was made."""

    id: str


class GameSummary(Struct):
    """What is known of a game; `share` is its share code, once it is over."""

    id: str
    rules: str
    status: str
    over: bool
    unranked: str
    time_ms: int
    seq: int
    share: str | None


class BoardTooLarge(RequestError):
    """A board that is larger than this server lets people play."""

    what = "board_too_large"


async def make_game(visit: Visit[NewGame]) -> MadeGame:
    """Make a game; the first makes its player too."""
    again = visit.asked.again
    before = None if again is None else await own_game(visit, again)
    if before is not None and not before.game.begun and before.table is None:
        return MadeGame(before.id)  # its mines are not known to anybody, and are not to be
    game = _game_of(visit.asked) if before is None else await _same_board(before)
    checked_size(game.rules)
    game_id, player = new_id(), visit.player.id

    def write(connection: Connection) -> None:
        insert_game(connection, game_id, player, game, board_of(game))

    await visit.services.database.write(write)
    return MadeGame(game_id)


def checked_size(rules: Rules) -> Rules:
    """Return rules; raises `BoardTooLarge` for a board that is too large to be played here."""
    if rules.cells > MAX_CELLS:
        raise BoardTooLarge("this server plays boards of {most} cells at most", most=MAX_CELLS)
    return rules


async def _same_board(before: OpenGame) -> Game:
    """Return a new game on the board of another one, which is given up if it is under way.

    Otherwise the mines that the new game shows at its end would be known in the other one.
    """
    async with before.lock:
        if before.conceals:
            raise NotYet("others still play this board")
        if not before.game.status.over:
            if before.table is not None:
                raise NotYet("this board is still being played together")
            await before.play_for_nobody(Verb.RESIGN)
        return before.game.again()


def _game_of(asked: NewGame) -> Game:
    if asked.share is not None:
        return Game.from_share(asked.share)
    return Game(Rules.parse(asked.rules or "beginner"), asked.seed, facts=FACTS_OF_SERVER)


async def show_game(visit: Visit[Nothing]) -> GameSummary:
    """Say what is known of a game of the player."""
    found = await own_game(visit, visit.path("game_id"))
    game = found.game
    return GameSummary(
        id=found.id,
        rules=str(game.rules),
        status=game.status.value,
        over=game.status.over,
        unranked=game.unranked,
        time_ms=found.clock_ms,
        seq=found.seq,
        share=_share_code(game) if game.status.over and not found.conceals else None,
    )


def _share_code(game: Game) -> str | None:
    try:
        return game.share()
    except DemineError:  # given up before the first cell
        return None


async def own_game(visit: Visit[Any], game_id: str) -> OpenGame:
    """Return a game of the player in memory; raises `NotFound` for those of others too."""
    game = await visit.services.open_games.get(game_id)
    if game.seat_of(visit.player_id) is None:
        raise NotFound("there is no such game")
    return game


DOORS: Final = (
    Door(method="POST", path="/api/games", summary="Make a game",
         handler=make_game, asks=NewGame, answers=MadeGame, player="made", status=201),
    Door(method="GET", path="/api/games/{game_id}", summary="What is known of a game of mine",
         handler=show_game, asks=Nothing, answers=GameSummary),
)  # fmt: skip
