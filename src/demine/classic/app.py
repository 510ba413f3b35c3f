"""The classic window from opening to closing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from demine.classic import first_frame
from demine.classic.signals import heard
from demine.classic.window import Window

if TYPE_CHECKING:
    from demine.scene.preferences import Wishes


def run(wishes: Wishes) -> int:
    """Open the window, play until it is closed, and return the exit code.

    Raises `DisplayError` when no window can be shown here.
    """
    window = Window.open("demine")
    with heard() as signals:
        first_frame.show(window, wishes)
        # Arrays and records take longer to load than a window to open.
        from demine.classic.session import play

        return play(window, wishes, signals)
