"""The web manifest: what a system has to know to install the page beside its own programs."""

from __future__ import annotations

from typing import Any, Final

from demine.scene.translation import tr
from demine.web.page.generated_assets import window_colour

_SIZES: Final = (192, 512)


def manifest(language: str) -> dict[str, Any]:
    """Return the manifest in the present language, whose code is `language`."""
    return {
        "name": "demine",
        "short_name": "demine",
        "description": tr("Minesweeper with guess-free boards, reasoned hints and reviews"),
        "lang": language.replace("_", "-"),
        "dir": "ltr",
        "id": "/",
        "start_url": "/",
        "scope": "/",
        "display": "standalone",
        "background_color": window_colour(),
        "theme_color": window_colour(),
        "categories": ["games"],
        "icons": [
            {"src": "/api/icon.svg", "sizes": "any", "type": "image/svg+xml"},
            *(_icon(f"/api/icon/{size}.png", size, "any") for size in _SIZES),
            *(_icon(f"/api/icon/maskable/{size}.png", size, "maskable") for size in _SIZES),
        ],
        "shortcuts": [{"name": tr("Records and history"), "url": "/history"}],
    }


def _icon(address: str, size: int, purpose: str) -> dict[str, str]:
    sizes = f"{size}x{size}"
    return {"src": address, "sizes": sizes, "type": "image/png", "purpose": purpose}
