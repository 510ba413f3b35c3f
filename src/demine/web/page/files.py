"""The files of the page: those on disk, those made from the tables, and the version they are of.

A version is a hash of everything that the page is made of. Every address of a file contains it, so
that browsers keep files for good, and no page mixes the files of two versions.
"""

from __future__ import annotations

import hashlib
import json
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from demine.scene.themes import THEMES
from demine.scene.translation import languages
from demine.web.page import generated_assets
from demine.web.page.messages import STATIC

if TYPE_CHECKING:
    from collections.abc import Mapping

INDEX: Final = "index.html"
EMBED: Final = "embed.html"
"""A recording in a frame of another site."""
OVERLAY: Final = "overlay.html"
"""A player's game over a video."""
DOCUMENTS: Final = (INDEX, EMBED, OVERLAY)
WORKER: Final = "worker.js"
_SAMPLE_CELL: Final = 32
"""Cells of one size stand for the drawings of all sizes."""


@lru_cache(maxsize=1)
def page_files() -> Mapping[str, bytes]:
    """Return the content of every file by its name: nothing else is ever read from the disk."""
    on_disk = (path for path in STATIC.rglob("*") if path.is_file())
    files = {path.relative_to(STATIC).as_posix(): path.read_bytes() for path in on_disk}
    files["themes.css"] = generated_assets.themes_css().encode()
    files["facts.json"] = generated_assets.page_facts().encode()
    for code in languages():
        files[f"words/{code}.json"] = generated_assets.words(code).encode()
    return files


@lru_cache(maxsize=1)
def version() -> str:
    """Return the version of the page, some hexadecimal digits."""
    found = hashlib.sha256()
    drawings = [generated_assets.tile_paths(name, _SAMPLE_CELL).encode() for name in THEMES]
    for name, content in sorted(page_files().items()):
        found.update(f"{name} {len(content)}\n".encode() + content)
    for drawing in drawings:
        found.update(drawing)
    return found.hexdigest()[:16]


def address(name: str) -> str:
    """Return where a file is found; browsers keep what they find there."""
    return f"/static/{version()}/{name}"


@lru_cache(maxsize=len(DOCUMENTS))
def document(name: str) -> str:
    """Return one of the documents, with the addresses of this version's files."""
    return page_files()[name].decode().replace('"/static/', f'"{address("")}')


@lru_cache(maxsize=1)
def worker() -> str:
    """Return the service worker, which is told its version and what to keep."""
    kept = [address(name) for name in page_files() if name != WORKER]
    told = json.dumps({"version": version(), "files": kept})
    return f"self.page = {told};\n{page_files()[WORKER].decode()}"
