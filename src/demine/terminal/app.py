"""Runs the terminal scene from opening to closing."""

from __future__ import annotations

import os
from contextlib import closing
from typing import TYPE_CHECKING

from demine.terminal.terminal_theme import ASCII
from demine.terminal.tty_capabilities import (
    SYSTEMS,
    colour_count,
    has_dark_background,
    needs_ascii,
    terminal_obstacle,
)

if TYPE_CHECKING:
    from demine.scene.preferences import StartOptions
    from demine.terminal.text_scene import TextScene
    from demine.terminal.textual_app import SceneApp


def run(options: StartOptions) -> int:
    """Play in the terminal until the player leaves, and return the exit code.

    Raises `TerminalError` if there is no usable terminal.
    """
    prepare_for_textual()
    from demine.play.garbage_collection import start_collecting
    from demine.play.lazy_solver import LazySolver
    from demine.play.start_session import start_session
    from demine.terminal.scene import Display, Scene

    with start_session(options) as started, closing(LazySolver()) as solver:
        session, preferences, store, settings = started
        app_proxy = AppProxy()
        plain = settings.get(ASCII)
        scene = Scene(
            store,
            session,
            preferences,
            solver.ask,
            app_proxy.wake,
            app_proxy.copy,
            Display(
                colours=colour_count(os.environ),
                ascii_only=plain if isinstance(plain, bool) else needs_ascii(os.environ),
                dark=has_dark_background(os.environ),
            ),
            app_proxy.show_over,
        )
        start_collecting()
        try:
            return run_scene(scene, app_proxy)
        finally:
            session.close()


class AppProxy:
    """Passes a scene's requests to the Textual app, which is created after the scene."""

    def __init__(self) -> None:
        self.app: SceneApp[TextScene] | None = None

    def wake(self) -> None:
        """Update the screen soon; may be called from any thread."""
        if self.app is not None:
            self.app.wake()

    def show_over(self, scene: TextScene) -> None:
        """Show another scene until it is closed."""
        if self.app is not None:
            self.app.show_over(scene)

    def copy(self, text: str) -> None:
        """Copy a text to the clipboard, if the terminal allows it."""
        if self.app is not None:
            self.app.copy_to_clipboard(text)


def run_scene(scene: TextScene, app_proxy: AppProxy) -> int:
    """Show a scene until it is closed, at first without Textual; return the exit code."""
    from shutil import get_terminal_size

    from demine.terminal.first_frame import StartupScreen

    scene.resized(*get_terminal_size())
    scene.tick()
    with StartupScreen(scene.lines(), colour_count(os.environ)).showing() as startup_screen:
        from demine.terminal.textual_app import SceneApp

        app_proxy.app = game = SceneApp(scene, startup_screen)
        game.run()
    return 130 if game.interrupted else game.return_code or 0


def prepare_for_textual() -> None:
    """Make Textual use as many colours as demine; raise `TerminalError` without a terminal."""
    obstacle = terminal_obstacle()
    if obstacle is not None:
        raise obstacle
    if not os.environ.get("NO_COLOR"):
        os.environ.pop("NO_COLOR", None)  # an empty NO_COLOR means nothing, but Textual obeys it
    # Textual's own guess differs: over SSH, COLORTERM is not passed on.
    os.environ.setdefault("TEXTUAL_COLOR_SYSTEM", SYSTEMS[colour_count(os.environ)])
