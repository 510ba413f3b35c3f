"""The language of the small window."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from demine.scene.messages import match, set_language

if TYPE_CHECKING:
    from demine.scene.wishes import Preferences, Wishes


def speak(preferences: Preferences, wishes: Wishes) -> None:
    """Set the language that was chosen for good, unless the environment asks for one now."""
    environment = match(os.environ.get("DEMINE_LANG", ""))
    if preferences.language and ("language" in wishes.settings or not environment):
        set_language(preferences.language)
