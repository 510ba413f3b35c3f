"""pygame's mouse buttons by the names every scene uses."""

from __future__ import annotations

from typing import Final

from demine.scene.mouse_automaton import Button

BUTTONS: Final = {1: Button.LEFT, 2: Button.MIDDLE, 3: Button.RIGHT}
"""The buttons that mean something, by pygame's numbers."""
