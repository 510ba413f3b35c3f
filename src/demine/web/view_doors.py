"""The requests of dialogs and pages: forms, recordings, history, uploads and files."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Annotated, Any, Final

import msgspec
from msgspec import Meta, Struct
from starlette.responses import JSONResponse

from demine.logic.event_log import non_touches
from demine.logic.rules import Rules
from demine.logic.sanitize import replace_control_characters
from demine.reviews.watch_text import replay_title
from demine.scene.preferences import Preferences
from demine.web import forms, watch_data
from demine.web.door import JSON_TYPE, Door, File, Nothing, Visit
from demine.web.history import DOORS as HISTORY_DOORS
from demine.web.me import preferences_of
from demine.web.page_data import ABSENT_COMMANDS
from demine.web.untrusted_files import TakenReplay

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from demine.game import Game
    from demine.reviews.review_result import Review

MOST_UPLOAD: Final = 4 << 20
"""Bytes of the largest replay that is taken."""


class SetupFields(Struct):
    """What the fields of Setup say; whatever was typed."""

    width: Any = None
    height: Any = None
    mines: Any = None
    options: dict[str, Any] = {}


class ShareCode(Struct):
    """A share code that somebody typed."""

    code: Annotated[str, Meta(max_length=1 << 15)]


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


def _preferences(visit: Visit[Any]) -> Preferences:
    return Preferences() if visit.known_player is None else preferences_of(visit.known_player)


async def _settings(visit: Visit[Nothing]) -> dict[str, Any]:
    chosen = _preferences(visit)
    keys = forms.key_table(chosen, ABSENT_COMMANDS)
    return {"pages": forms.settings_form(chosen), "keys": keys}


async def _help(visit: Visit[Nothing]) -> dict[str, Any]:
    return forms.help_page(_preferences(visit), ABSENT_COMMANDS)


async def _setup(visit: Visit[Nothing]) -> dict[str, Any]:
    return forms.setup_form(_preferences(visit))


async def _check_setup(visit: Visit[SetupFields]) -> dict[str, Any]:
    before = Rules.parse(_preferences(visit).rules)
    return forms.check_setup(msgspec.structs.asdict(visit.asked), before)


async def _check_share(visit: Visit[ShareCode]) -> dict[str, Any]:
    return await asyncio.to_thread(forms.check_share_code, visit.asked.code)


# Recordings, for whoever has the link


async def _recording(visit: Visit[Any]) -> tuple[Game, str]:
    return await visit.site.recordings.find(visit.path("game_id"))


async def _watch(visit: Visit[Nothing]) -> dict[str, Any]:
    game, name = await _recording(visit)
    title = replay_title(game, name)  # in the language of this visitor
    return await asyncio.to_thread(watch_data.watch_data, game, title)


async def _statistics(visit: Visit[Nothing]) -> dict[str, Any]:
    game, _ = await _recording(visit)
    return await asyncio.to_thread(watch_data.statistics_data, game)


async def _review(visit: Visit[Nothing]) -> dict[str, Any]:
    game, _ = await _recording(visit)
    events = tuple(non_touches(game.events))
    review: Review = await visit.site.solver.ask("review", game.rules, events)  # type: ignore[assignment]
    return await asyncio.to_thread(watch_data.review_data, game, review)


async def _chances(visit: Visit[Place]) -> object:
    game, _ = await _recording(visit)
    faces = await asyncio.to_thread(watch_data.faces_after_act, game, visit.asked.act)
    if faces is None:
        return JSONResponse(None)
    mines = game.rules.mines
    risks: NDArray[np.float64] = await visit.site.solver.ask("mine_probability", faces, mines)  # type: ignore[assignment]
    return watch_data.risk_data(risks, faces)


async def _journal(visit: Visit[Nothing]) -> File:
    game, _ = await _recording(visit)
    return File(game.journal().encode(), "text/plain; charset=utf-8", "game.demine")


async def _take_replay(visit: Visit[FileName]) -> Upload:
    packed = await visit.site.sandbox.read("demine.web.untrusted_files:read_replay", visit.body)
    replay = msgspec.msgpack.decode(packed, type=TakenReplay)
    name = replace_control_characters(visit.asked.name, " ")[:80]
    title = f"{name} · {replay.title}" if name else replay.title
    upload = await visit.site.recordings.add(visit.player.id, name, replay.journal)
    return Upload(upload, title)


DOORS: Final = (
    Door(method="GET", path="/api/forms/settings", summary="The settings as a form",
         handler=_settings, asks=Nothing, answers=JSON_TYPE),
    Door(method="GET", path="/api/forms/help", summary="How to play, and the keys",
         handler=_help, asks=Nothing, answers=JSON_TYPE),
    Door(method="GET", path="/api/forms/setup", summary="Boards and rules as a form",
         handler=_setup, asks=Nothing, answers=JSON_TYPE),
    Door(method="POST", path="/api/forms/setup/check", summary="What does not fit",
         handler=_check_setup, asks=SetupFields, answers=JSON_TYPE),
    Door(method="POST", path="/api/forms/share/check", summary="The board of a share code",
         handler=_check_share, asks=ShareCode, answers=JSON_TYPE),
    Door(method="GET", path="/api/games/{game_id}/watch", summary="A game act by act",
         handler=_watch, asks=Nothing, answers=JSON_TYPE, cost=4),
    Door(method="GET", path="/api/games/{game_id}/statistics", summary="What was counted",
         handler=_statistics, asks=Nothing, answers=JSON_TYPE, cost=4),
    Door(method="GET", path="/api/games/{game_id}/review", summary="The acts judged",
         handler=_review, asks=Nothing, answers=JSON_TYPE, work=1),
    Door(method="GET", path="/api/games/{game_id}/chances", summary="The risks of a position",
         handler=_chances, asks=Place, answers=JSON_TYPE, cost=4),
    Door(method="GET", path="/api/games/{game_id}/journal", summary="The game as a file",
         handler=_journal, asks=Nothing, answers="text/plain"),
    Door(method="POST", path="/api/replays", summary="Take in a replay of any format",
         handler=_take_replay, asks=FileName, answers=Upload, player="made", takes_file=MOST_UPLOAD,
         work=1, status=201),
    *HISTORY_DOORS,
)  # fmt: skip
