"""Pictures and descriptions of recordings, for sites that show a link to one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Final, Literal

from msgspec import Meta, Struct
from starlette.responses import Response

from demine.picture.board import render
from demine.picture.png_file import png_bytes
from demine.scene.sight import sight
from demine.scene.themes import theme
from demine.web.api.door import Door, Nothing, Visit
from demine.web.errors import NotFound, RequestError
from demine.web.link_preview import (
    FRAME,
    LEAST_FRAME,
    frame_code,
    picture_address,
    picture_cell,
    recording_at,
    site_of,
)

if TYPE_CHECKING:
    from demine.game import Game

_PNG: Final = "image/png"
_PICTURE_HEADERS: Final = {
    "cross-origin-resource-policy": "cross-origin",
    # A game may be played on from its end, though that is rare.
    "cache-control": "public, max-age=300",
}
"""Other sites show the picture in their own pages."""


class LinkToDescribe(Struct):
    """An address of this server, and how much room there is, in pixels; as oEmbed names it."""

    url: Annotated[str, Meta(max_length=2000)]
    maxwidth: Annotated[int, Meta(ge=1)] = FRAME[0]
    maxheight: Annotated[int, Meta(ge=1)] = FRAME[1]
    format: str = "json"


class DescribedLink(Struct):
    """A recording as oEmbed describes it."""

    title: str
    html: str
    width: int
    height: int
    thumbnail_url: str
    thumbnail_width: int
    thumbnail_height: int
    provider_url: str
    provider_name: str = "demine"
    type: Literal["rich"] = "rich"
    version: Literal["1.0"] = "1.0"


class UnknownFormat(RequestError):
    """A form of answer that oEmbed knows and this server does not."""

    status = 501
    what = "unknown_format"


async def _picture(visit: Visit[Nothing]) -> Response:
    async with visit.turn():
        game, _ = await visit.services.finished_games.find(visit.path("game_id"))
    png = await visit.in_thread(_png_of, game)
    return Response(png, media_type=_PNG, headers=_PICTURE_HEADERS)


def _png_of(game: Game) -> bytes:
    return png_bytes(render(sight(game), theme("light"), picture_cell(game.rules)))


async def _describe(visit: Visit[LinkToDescribe]) -> DescribedLink:
    asked: Any = visit.asked
    if asked.format != "json":
        raise UnknownFormat("this server describes links as JSON alone")
    site = site_of(visit.request)
    recording = recording_at(asked.url, site)
    facts = recording and await visit.services.finished_games.facts_of(recording)
    if not facts:
        raise NotFound("this address leads to no game that everybody may watch")
    width, height = (
        max(LEAST_FRAME, min(room, usual))
        for room, usual in zip((asked.maxwidth, asked.maxheight), FRAME, strict=True)
    )
    picture = facts.picture_size
    return DescribedLink(
        title=facts.title,
        html=frame_code(site, facts.id, facts.title, width, height),
        width=width,
        height=height,
        thumbnail_url=picture_address(site, facts.id),
        thumbnail_width=picture[0],
        thumbnail_height=picture[1],
        provider_url=f"{site}/",
    )


DOORS: Final = (
    Door(method="GET", path="/api/watch/{game_id}.png", summary="The last board as a picture",
         handler=_picture, asks=Nothing, answers=_PNG, cost=4),
    Door(method="GET", path="/api/oembed", summary="What oEmbed wants to know of a link",
         handler=_describe, asks=LinkToDescribe, answers=DescribedLink),
)  # fmt: skip
