"""Games that are over, for whoever has the link: watched, reviewed, kept as a file; and uploads."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Final

import msgspec
from msgspec import Meta, Struct
from starlette.responses import JSONResponse

from demine.logic.event_log import non_touches
from demine.play.record_table import RESULTS, format_seconds
from demine.reviews.watch_text import replay_title
from demine.scene.board_title import board_title
from demine.scene.translation import mark, tr
from demine.store.game_rows import new_id
from demine.store.utc_text import utc_now_text
from demine.web.api import replay_data
from demine.web.api.door import JSON_TYPE, Door, File, Nothing, Visit
from demine.web.database.uploads import (
    MOST_UPLOADS,
    clean_file_name,
    delete_upload,
    insert_upload,
    upload_title,
    uploads_of,
)
from demine.web.errors import NotFound
from demine.web.review_desk import UnderWay
from demine.web.sandbox.readers import TakenReplay

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from sqlalchemy.engine import RowMapping

    from demine.game import Game

MOST_UPLOAD: Final = 4 << 20
"""Bytes of the largest replay that is taken."""


class FileName(Struct):
    """The name of a file that is sent."""

    name: Annotated[str, Meta(max_length=400)] = ""


class Place(Struct):
    """A position: after which act of a game, counted from 0."""

    act: int


class Upload(Struct):
    """A replay that was taken in."""

    id: str
    title: str


class ListedReplay(Struct):
    """One of the player's uploaded replays; `status` is as in the history, and null at first.

    What is null is computed soon: the replay was sent to an older demine.
    """

    id: str
    name: str
    title: str
    added_at: str
    rules: str | None
    status: str | None
    time_ms: int | None
    cells: list[str]
    """Its board, result and time as the page shows them."""


class ListedReplays(Struct):
    """The player's uploaded replays, the newest first; of more than `most` the oldest goes."""

    replays: list[ListedReplay]
    most: int


async def _recording(visit: Visit[Any]) -> tuple[Game, str]:
    async with visit.turn():
        return await visit.services.finished_games.find(visit.path("game_id"))


async def _watch(visit: Visit[Nothing]) -> dict[str, Any]:
    game, name = await _recording(visit)
    title = replay_title(game, name)  # in the language of this visitor
    return await visit.in_thread(replay_data.watch_data, game, title)


async def _statistics(visit: Visit[Nothing]) -> dict[str, Any]:
    game, _ = await _recording(visit)
    return await visit.in_thread(replay_data.statistics_data, game)


async def _shares(visit: Visit[Nothing]) -> dict[str, Any]:
    game, _ = await _recording(visit)
    return {"shares": await visit.in_thread(replay_data.shares_data, game)}


async def _review(visit: Visit[Nothing]) -> object:
    game, _ = await _recording(visit)
    edition = visit.path("game_id"), len(game.events)
    reviews = visit.services.reviews
    if edition not in reviews:
        # Whoever asks again how far it is pays for nothing.
        visit.services.limits.work.take(visit.asker.player)
        events = await visit.in_thread(non_touches, game.events)
        reviews.begin(visit.asker, edition, game.rules, events)
    found = await reviews.look(edition)
    if isinstance(found, UnderWay):
        told = {"pending": True, "done": found.done, "of": found.of}
        return JSONResponse(told, status_code=202)
    return await visit.in_thread(replay_data.review_data, game, found)


async def _chances(visit: Visit[Place]) -> object:
    game, _ = await _recording(visit)
    faces = await visit.in_thread(replay_data.faces_after_act, game, visit.asked.act)
    if faces is None:
        return JSONResponse(None)
    mines = game.rules.mines
    risks: NDArray[np.float64] = await visit.ask_solver("mine_probability", faces, mines)  # type: ignore[assignment]
    return await visit.in_thread(replay_data.risk_data, risks, faces)


async def _journal(visit: Visit[Nothing]) -> File:
    game, _ = await _recording(visit)
    journal = await visit.in_thread(game.journal)
    return File(journal.encode(), "text/plain; charset=utf-8", "game.demine")


async def _take_replay(visit: Visit[FileName]) -> Upload:
    packed = await visit.services.sandbox.read("demine.web.sandbox.readers:read_replay", visit.file)
    replay = msgspec.msgpack.decode(packed, type=TakenReplay)
    row = {
        **replay.columns, "id": new_id(), "name": clean_file_name(visit.asked.name),
        "added_at": utc_now_text(),
    }  # fmt: skip
    player = visit.player.id
    await visit.services.database.write(lambda connection: insert_upload(connection, player, row))
    return Upload(row["id"], upload_title(row))


async def _list_replays(visit: Visit[Nothing]) -> ListedReplays:
    rows = await visit.services.database.read(
        lambda connection: uploads_of(connection, visit.player_id)
    )
    return ListedReplays(
        [
            ListedReplay(
                row["id"], row["name"], upload_title(row), row["added_at"], row["rules"],
                row["status"], row["time_ms"], _cells(row),
            )
            for row in rows
        ],
        MOST_UPLOADS,
    )  # fmt: skip


def _cells(row: RowMapping) -> list[str]:
    if row["rules"] is None:
        return ["", "", ""]
    result = tr(RESULTS.get(row["status"], mark("not finished")))
    return [board_title(row["rules"]), result, format_seconds(row["time_ms"])]


async def _delete_replay(visit: Visit[Nothing]) -> Nothing:
    player, upload = visit.player.id, visit.path("replay_id")
    if not await visit.services.database.write(
        lambda connection: delete_upload(connection, player, upload)
    ):
        raise NotFound("there is no such replay")
    return Nothing()


DOORS: Final = (
    Door(method="GET", path="/api/games/{game_id}/watch", summary="A game act by act",
         handler=_watch, asks=Nothing, answers=JSON_TYPE, cost=4),
    Door(method="GET", path="/api/games/{game_id}/statistics", summary="What was counted",
         handler=_statistics, asks=Nothing, answers=JSON_TYPE, cost=4),
    Door(method="GET", path="/api/games/{game_id}/shares", summary="What each player did",
         handler=_shares, asks=Nothing, answers=JSON_TYPE, cost=4),
    Door(method="GET", path="/api/games/{game_id}/review", summary="The acts judged",
         handler=_review, asks=Nothing, answers=JSON_TYPE),
    Door(method="GET", path="/api/games/{game_id}/chances", summary="The risks of a position",
         handler=_chances, asks=Place, answers=JSON_TYPE, cost=4),
    Door(method="GET", path="/api/games/{game_id}/journal", summary="The game as a file",
         handler=_journal, asks=Nothing, answers="text/plain"),
    Door(method="POST", path="/api/replays", summary="Take in a replay of any format",
         handler=_take_replay, asks=FileName, answers=Upload, player="made", takes_file=MOST_UPLOAD,
         work=1, status=201),
    Door(method="GET", path="/api/replays", summary="The replays that I sent",
         handler=_list_replays, asks=Nothing, answers=ListedReplays),
    Door(method="DELETE", path="/api/replays/{replay_id}", summary="Delete one of them",
         handler=_delete_replay, asks=Nothing, answers=Nothing, player="known"),
)  # fmt: skip
