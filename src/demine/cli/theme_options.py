"""The options `--theme` and `--palette` of every verb that shows a board."""

from __future__ import annotations

from typing import TYPE_CHECKING

from demine.cli.options import Option
from demine.scene.digit_palettes import PALETTES
from demine.scene.themes import SYSTEM, THEMES, theme, with_palette
from demine.scene.translation import tr

if TYPE_CHECKING:
    from demine.scene.themes import Theme


def theme_options(default: str | None = None) -> list[Option]:
    """Return `--theme` and `--palette`; without a default, `system` is a theme too."""
    names = [*THEMES] if default else [SYSTEM, *THEMES]
    palettes = tr("Colours of the numbers; okabe-ito suits colour-blind players.")
    return [
        Option("--theme", names, tr("Theme of the board."), default),
        Option("--palette", list(PALETTES), palettes),
    ]


def chosen_theme(name: str | None, palette: str | None) -> Theme:
    """Return the theme of these option values; without a name that of the system."""
    chosen = theme(name or SYSTEM)
    return with_palette(chosen, palette) if palette else chosen
