"""Pictures of scene boards, as pixels and as SVG; no window is needed.

The names below can be imported from here. Each module is imported when one of its names is first
used, so that a window gets its first tiles quickly.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from demine.lazy_exports import lazy_exports

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
else:
    __all__, __getattr__, __dir__ = lazy_exports(
        __name__,
        {
            "demine.picture.app_icon": "icon icon_svg",
            "demine.picture.board": "cell_marker render tile",
            "demine.picture.errors": "PictureError",
            "demine.picture.panel": "led_display panel_sign restart_button_picture restart_face",
            "demine.picture.png_file": "png_bytes",
            "demine.picture.review_with_risk_chart": "RiskTimeline review_picture review_svg",
            "demine.picture.svg_drawing": "svg tile_svg",
            "demine.picture.window_picture": "picture_of_window window_svg",
        },
    )
