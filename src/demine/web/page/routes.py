"""The addresses of what the page draws and says; nobody has to be known for them."""

from __future__ import annotations

import gzip
import hashlib
import json
from functools import lru_cache
from typing import TYPE_CHECKING, Final, NamedTuple

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.routing import Route

from demine.logic.errors import DemineError
from demine.picture.app_icon import icon, icon_svg, maskable_icon
from demine.picture.png_file import png_bytes
from demine.scene.translation import speaking
from demine.web import players
from demine.web.api.door import failure_response
from demine.web.errors import NotFound
from demine.web.limits import address_of
from demine.web.link_preview import head_of_page, site_of
from demine.web.page import files, generated_assets
from demine.web.page.manifest import manifest
from demine.web.page.missing_page import is_known_coop, is_known_game, is_known_race

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from starlette.requests import Request

    from demine.web.services import Services

_JSON: Final = "application/json"
_TYPES: Final = {"css": "text/css", "js": "text/javascript", "json": _JSON, "svg": "image/svg+xml"}
"""By the ends of names: what a system says may be wrong, and browsers run no script of that."""
_FOR_GOOD: Final = "public, max-age=31536000, immutable"
_TILES_COST: Final = 20.0
MOST_CODES: Final = 6000
"""The longest list of tiles that is read, in characters."""


def show_page(request: Request) -> Response:
    """Send the page itself, which is the same at all of its addresses."""
    return _cacheable(request, files.document(files.INDEX), "text/html")


def show_embed(request: Request) -> Response:
    """Send the page of a recording in a frame of another site."""
    return _cacheable(request, files.document(files.EMBED), "text/html")


def show_overlay(request: Request) -> Response:
    """Send the page of an overlay; whether there is such a one its socket says."""
    return _cacheable(request, files.document(files.OVERLAY), "text/html")


async def show_recording(request: Request) -> Response:
    """Send the page at the address of a recording, with what other sites show of the link."""
    services: Services = request.app.state.services
    page = files.document(files.INDEX)
    facts = await services.finished_games.facts_of(request.path_params["id"])
    if facts is not None:
        with speaking(players.language_of(None, request)):
            head = head_of_page(facts, site_of(request), request.url.path)
        page = page.replace("<title>demine</title>", head, 1)
    return _cacheable(request, page, "text/html", "Accept-Language")


def show_worker(request: Request) -> Response:
    """Send the service worker."""
    return _cacheable(request, files.worker(), "text/javascript")


def show_file(request: Request) -> Response:
    """Send one of the page's files."""
    name = request.path_params["name"]
    if name in files.DOCUMENTS:
        return _cacheable(request, files.document(name), "text/html")
    content = files.page_files().get(name)
    if content is None:
        raise HTTPException(404)
    return _cacheable(request, content, _TYPES[name.rpartition(".")[2]])


def show_words(request: Request) -> Response:
    """Send what the page says in a language, or in English if it has none of that name."""
    return _cacheable(request, generated_assets.words(request.path_params["code"]), _JSON)


def show_sprites(request: Request) -> Response:
    """Send cells as vector paths: all without marks, or those whose codes are given."""
    theme, cell = request.path_params["theme"], request.path_params["cell"]
    palette = request.query_params.get("palette", "")
    codes = request.query_params.get("codes")
    if codes is None:
        return _cacheable(request, generated_assets.tile_paths(theme, cell, palette), _JSON)
    made = generated_assets.advised_tile_paths(theme, cell, palette, codes[:MOST_CODES])
    return _cacheable(request, made, _JSON)


def show_header(request: Request) -> Response:
    """Send faces, lamps and icons as vector paths."""
    theme, size = request.path_params["theme"], request.path_params["size"]
    return _cacheable(request, generated_assets.header_paths(theme, size), _JSON)


def show_icon(request: Request) -> Response:
    """Send the application's icon as SVG."""
    return _cacheable(request, icon_svg(), "image/svg+xml")


def show_icon_picture(request: Request) -> Response:
    """Send the application's icon as pixels."""
    return _cacheable(request, _icon_png(request.path_params["size"]), "image/png")


def show_favicon(request: Request) -> Response:
    """Send the icon that browsers ask for where nothing names one."""
    return _cacheable(request, _icon_png(32), "image/png")


def show_maskable_icon(request: Request) -> Response:
    """Send the icon for systems that cut its outline themselves, as pixels."""
    return _cacheable(request, _maskable_png(request.path_params["size"]), "image/png")


def show_manifest(request: Request) -> Response:
    """Send what a system has to know to install the page, in the language of the browser."""
    language = players.language_of(None, request)
    with speaking(language):
        made = json.dumps(manifest(language), ensure_ascii=False)
    return _cacheable(request, made, "application/manifest+json", "Accept-Language")


@lru_cache(maxsize=8)
def _icon_png(size: int) -> bytes:
    return png_bytes(icon(size))


@lru_cache(maxsize=8)
def _maskable_png(size: int) -> bytes:
    return png_bytes(maskable_icon(size))


class _Packed(NamedTuple):
    """A body as it is sent."""

    tag: str
    plain: bytes
    gzipped: bytes


@lru_cache(maxsize=512)
def _packed(content: bytes) -> _Packed:
    tag = f'"{hashlib.sha256(content).hexdigest()[:20]}"'
    return _Packed(tag, content, gzip.compress(content, 9, mtime=0))


def _cacheable(
    request: Request, body: str | bytes, media_type: str, differs_by: str = ""
) -> Response:
    """Answer with a body, or that the browser has it already."""
    packed = _packed(body.encode() if isinstance(body, str) else body)
    lasts = "version" in request.path_params
    headers = {
        "ETag": packed.tag,
        "Cache-Control": _FOR_GOOD if lasts else "no-cache",
        "Vary": ", ".join(filter(None, ("Accept-Encoding", differs_by))),
    }
    if packed.tag in request.headers.get("if-none-match", ""):
        return Response(status_code=304, headers=headers)
    if "gzip" in request.headers.get("accept-encoding", "") and not media_type.endswith("png"):
        headers["Content-Encoding"] = "gzip"
        return Response(packed.gzipped, headers=headers, media_type=media_type)
    return Response(packed.plain, headers=headers, media_type=media_type)


def _charged(
    path: str,
    show: Callable[[Request], Response | Awaitable[Response]],
    cost: float = 1.0,
    is_there: Callable[[Request], Awaitable[bool]] | None = None,
) -> Route:
    """Return a route that costs its client's address something, and says why it refuses.

    With `is_there` it leads nowhere where that says no.
    """

    async def answer(request: Request) -> Response:
        services: Services = request.app.state.services
        try:
            # What is drawn for the asking costs more than what is kept.
            asks_tiles = "codes" in request.query_params
            services.limits.addresses.take(address_of(request), _TILES_COST if asks_tiles else cost)
            if request.path_params.get("version", files.version()) != files.version():
                raise NotFound("this page is of another version: reload it")
            if is_there is not None and not await is_there(request):
                raise HTTPException(404)
            shown = await run_in_threadpool(show, request)
            return shown if isinstance(shown, Response) else await shown
        except DemineError as error:
            return failure_response(error)

    return Route(path, answer, name=show.__name__)


_OF_VERSION: Final = "/static/{version}"
ROUTES: Final = (
    *(
        _charged(path, show_page)
        for path in ("/", "/history", "/train", "/analyse", "/leaderboards", "/daily")
    ),
    _charged("/g/{id}", show_page, is_there=is_known_game),
    *(_charged(f"/{kind}/{{id}}", show_recording, is_there=is_known_game) for kind in "wr"),
    _charged("/embed/{id}", show_embed, is_there=is_known_game),
    _charged("/race/{id}", show_page, is_there=is_known_race),
    _charged("/coop/{id}", show_page, is_there=is_known_coop),
    _charged("/friend/{token}", show_page),
    _charged("/overlay/{secret}", show_overlay),
    _charged("/daily/{day}", show_page),
    _charged("/worker.js", show_worker),
    _charged(_OF_VERSION + "/words/{code}.json", show_words),
    _charged(_OF_VERSION + "/sprites/{theme}/{cell:int}.json", show_sprites),
    _charged(_OF_VERSION + "/header/{theme}/{size:int}.json", show_header),
    _charged(_OF_VERSION + "/{name:path}", show_file, cost=0.2),
    _charged("/favicon.ico", show_favicon),
    _charged("/api/icon.svg", show_icon),
    _charged("/api/icon/{size:int}.png", show_icon_picture),
    _charged("/api/icon/maskable/{size:int}.png", show_maskable_icon),
    _charged("/api/manifest.webmanifest", show_manifest),
)
