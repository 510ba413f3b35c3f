"""The titles of the window and of its menus, which the first frame needs."""

from __future__ import annotations

from typing import Final

from demine.scene.translation import mark

MENU_TITLES: Final = (mark("&Game"), mark("&View"), mark("&Settings"), mark("&Help"))


def window_title(game: str) -> str:
    """Return the title of the window for a description of the game."""
    return f"{game} — demine"
