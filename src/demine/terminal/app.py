"""The terminal scene from opening to closing."""

from __future__ import annotations

import os
from contextlib import closing
from typing import TYPE_CHECKING

from demine.terminal.cell_style import ASCII
from demine.terminal.tty_capabilities import SYSTEMS, ascii_only, colours, dark, obstacle

if TYPE_CHECKING:
    from demine.scene.preferences import StartOptions
    from demine.terminal.textual_app import SceneApp, TextScene


def run(wishes: StartOptions) -> int:
    """Play in the terminal until the player leaves, and return the exit code.

    Raises `TerminalError` where there is no terminal.
    """
    prepare()
    from demine.play.start_session import start_session
    from demine.play.timed_hints import LazySolver
    from demine.terminal.scene import Display, Scene

    with start_session(wishes) as started, closing(LazySolver()) as solver:
        session, preferences, store, settings = started
        late = AppProxy()
        plain = settings.get(ASCII)
        scene = Scene(
            store,
            session,
            preferences,
            solver.ask,
            late.wake,
            late.copy,
            Display(
                colours=colours(os.environ),
                ascii_only=plain if isinstance(plain, bool) else ascii_only(os.environ),
                dark=dark(os.environ),
            ),
        )
        try:
            return show(scene, late)
        finally:
            session.close()


class AppProxy:
    """What a scene may ask of the Textual app, which is created after it."""

    def __init__(self) -> None:
        self.app: SceneApp[TextScene] | None = None

    def wake(self) -> None:
        """Let it look again; from any thread."""
        if self.app is not None:
            self.app.stir()

    def copy(self, text: str) -> None:
        """Put a text into the terminal's clipboard."""
        if self.app is not None:
            self.app.copy_to_clipboard(text)


def show(screen: TextScene, late: AppProxy) -> int:
    """Show a screen until it is left, its first picture at once; return the exit code."""
    from shutil import get_terminal_size

    from demine.terminal.first_frame import StartupScreen

    screen.resized(*get_terminal_size())
    screen.tick()
    with StartupScreen(screen.lines(), colours(os.environ)).shown() as ahead:
        from demine.terminal.textual_app import SceneApp

        late.app = game = SceneApp(screen, ahead)
        game.run()
    return 130 if game.interrupted else game.return_code or 0


def prepare() -> None:
    """Let Textual see the terminal as demine does; raises `TerminalError` where there is none."""
    lost = obstacle()
    if lost is not None:
        raise lost
    if not os.environ.get("NO_COLOR"):
        os.environ.pop("NO_COLOR", None)  # empty it asks for nothing, and Textual obeys it
    # Textual guesses by itself, and otherwise: over SSH nobody hears of COLORTERM.
    os.environ.setdefault("TEXTUAL_COLOR_SYSTEM", SYSTEMS[colours(os.environ)])
