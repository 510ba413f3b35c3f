"""Pictures of scene boards, as pixels and as SVG; no window is needed.

The names below can be imported from here. Each module is imported when one of its names is first
used, so that a window gets its first tiles quickly.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from demine.picture.app_icon import icon as icon
    from demine.picture.app_icon import icon_svg as icon_svg
    from demine.picture.board import cell_marker as cell_marker
    from demine.picture.board import render as render
    from demine.picture.board import tile as tile
    from demine.picture.errors import PictureError as PictureError
    from demine.picture.panel import led_display as led_display
    from demine.picture.panel import panel_sign as panel_sign
    from demine.picture.panel import restart_button_picture as restart_button_picture
    from demine.picture.panel import restart_face as restart_face
    from demine.picture.png_file import png_bytes as png_bytes
    from demine.picture.review_with_risk_chart import RiskTimeline as RiskTimeline
    from demine.picture.review_with_risk_chart import review_picture as review_picture
    from demine.picture.review_with_risk_chart import review_svg as review_svg
    from demine.picture.svg_drawing import svg as svg
    from demine.picture.svg_drawing import tile_svg as tile_svg
    from demine.picture.window_picture import picture_of_window as picture_of_window
    from demine.picture.window_picture import window_svg as window_svg

_HOMES = {
    "board": ("cell_marker", "render", "tile"),
    "app_icon": ("icon", "icon_svg"),
    "errors": ("PictureError",),
    "svg_drawing": ("svg", "tile_svg"),
    "panel": ("led_display", "restart_face", "restart_button_picture", "panel_sign"),
    "png_file": ("png_bytes",),
    "review_with_risk_chart": ("RiskTimeline", "review_picture", "review_svg"),
    "window_picture": ("picture_of_window", "window_svg"),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}


def __getattr__(name: str) -> object:
    if name not in _HOME_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOME_OF[name]}"), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOME_OF})
