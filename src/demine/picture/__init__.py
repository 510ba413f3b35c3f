"""A scene board as pixels and as SVG, without a window: the project's own vector drawings.

`from demine.picture import render, png` and the other names below; each module is imported when
one of its names is first used, because a window wants its first tiles at once.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from demine.picture.app_icon import icon as icon
    from demine.picture.app_icon import icon_svg as icon_svg
    from demine.picture.board import overlay as overlay
    from demine.picture.board import render as render
    from demine.picture.board import tile as tile
    from demine.picture.errors import PictureError as PictureError
    from demine.picture.panel import led as led
    from demine.picture.panel import mood as mood
    from demine.picture.panel import restart as restart
    from demine.picture.panel import sign as sign
    from demine.picture.png_file import png as png
    from demine.picture.png_file import read_png as read_png
    from demine.picture.review_with_risk_chart import Timeline as Timeline
    from demine.picture.review_with_risk_chart import reviewed as reviewed
    from demine.picture.review_with_risk_chart import reviewed_svg as reviewed_svg
    from demine.picture.svg_drawing import svg as svg
    from demine.picture.svg_drawing import tile_svg as tile_svg
    from demine.picture.window_picture import portrait as portrait
    from demine.picture.window_picture import portrait_svg as portrait_svg

_HOMES = {
    "board": ("overlay", "render", "tile"),
    "app_icon": ("icon", "icon_svg"),
    "errors": ("PictureError",),
    "svg_drawing": ("svg", "tile_svg"),
    "panel": ("led", "mood", "restart", "sign"),
    "png_file": ("png", "read_png"),
    "review_with_risk_chart": ("Timeline", "reviewed", "reviewed_svg"),
    "window_picture": ("portrait", "portrait_svg"),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}


def __getattr__(name: str) -> object:
    if name not in _HOME_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOME_OF[name]}"), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOME_OF})
