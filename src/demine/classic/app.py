"""The classic window from opening to closing."""

from __future__ import annotations

from contextlib import closing, suppress
from typing import TYPE_CHECKING

import pygame

from demine.classic import first_frame
from demine.classic.window import Window, screen_size

if TYPE_CHECKING:
    from collections.abc import Callable

    from demine.classic.keyboard import Keyboard
    from demine.classic.scene import Scene
    from demine.scene.preferences import StartOptions
    from demine.store.store import Store

    Handlers = dict[int, Callable[[pygame.event.Event], object]]


def run(wishes: StartOptions) -> int:
    """Open the window, play until it is closed, and return the exit code.

    Raises `DisplayError` when no window can be shown here.
    """
    window = Window.open("demine")
    window.hear_signals()
    first_frame.show(window, wishes)
    return _play(window, wishes)


def _play(window: Window, wishes: StartOptions) -> int:
    # Arrays and records take longer to load than a window to open.
    from demine.classic.frame_painter import pixel_surface
    from demine.classic.keyboard import Keyboard
    from demine.classic.scene import Scene
    from demine.picture.app_icon import icon
    from demine.play.game_session import GameSession
    from demine.play.save_before_exit import opened_store
    from demine.play.timed_hints import LazySolver
    from demine.scene.preferences import Preferences, start_language
    from demine.scene.translation import set_language

    with opened_store() as (store, troubles), closing(LazySolver()) as solver:
        preferences = Preferences.from_settings({**store.settings.all(), **wishes.lasting_settings})
        set_language(start_language(preferences, wishes))
        session = GameSession.begin(store, wishes, preferences)
        session.troubles[:0] = troubles
        session.remember(wishes.lasting_settings)
        keyboard = Keyboard(preferences.key_map())
        scene = Scene(window, session, preferences, keyboard.keys, screen_size(), solver.ask)
        if wishes.fullscreen:
            scene.toggle_fullscreen()
        scene.tick()
        scene.draw()
        # The icon takes as long to draw as the board; nobody misses it for the first frame.
        pygame.display.set_icon(pixel_surface(icon(64)))
        on_event = event_handlers(window, scene, keyboard)
        while not scene.closed:
            for event in window.events(scene.patience()):
                on_event.get(event.type, bool)(event)
            scene.tick()
            scene.draw()
        session.close()
        keep_games(window, scene, store, on_event)
        picture = scene.last_picture()
        lasting = store.path is not None and not store.retry_queue and not session.passing
    if lasting:  # only now the records are as the next start will find them
        first_frame.save(picture)
    window.close()
    return 130 if window.interrupted else 0


def event_handlers(window: Window, scene: Scene, keyboard: Keyboard) -> Handlers:
    """Return who hears each of pygame's events."""

    def key_down(event: pygame.event.Event) -> None:
        if (command := keyboard.press(event)) is not None:
            scene.key(command)

    def resized(_: pygame.event.Event) -> None:
        window.refresh_surface()
        scene.resized()

    def focus_lost(_: pygame.event.Event) -> None:
        keyboard.forget()
        scene.lost_focus()

    return {
        pygame.QUIT: lambda _: scene.close(),
        pygame.MOUSEMOTION: lambda event: scene.move(event.pos),
        pygame.MOUSEBUTTONDOWN: lambda event: scene.press(
            event.button, event.pos, shift=keyboard.shift, ctrl=keyboard.ctrl
        ),
        pygame.MOUSEBUTTONUP: lambda event: scene.release(event.button, event.pos),
        pygame.MOUSEWHEEL: lambda event: scene.wheel(event.x, event.y, shift=keyboard.shift),
        pygame.KEYDOWN: key_down,
        pygame.KEYUP: keyboard.release,
        pygame.WINDOWFOCUSGAINED: lambda _: keyboard.forget(pygame.key.get_mods()),
        pygame.WINDOWFOCUSLOST: focus_lost,
        pygame.WINDOWLEAVE: lambda _: scene.move(None),
        pygame.WINDOWSIZECHANGED: resized,
        pygame.WINDOWEXPOSED: lambda _: scene.exposed(),
        pygame.WINDOWMAXIMIZED: lambda _: setattr(window, "maximised", True),
        pygame.WINDOWRESTORED: lambda _: setattr(window, "maximised", False),
    }


def keep_games(window: Window, scene: Scene, store: Store, on_event: Handlers) -> None:
    """Stay until the games are kept or put elsewhere.

    Where no place takes them they are in the clipboard, and who closes again leaves without them.
    """
    from demine.play.save_before_exit import EVERY_S, UnsavedGamesSaver
    from demine.scene.translation import tr

    parting, help_texts = UnsavedGamesSaver(store), [""]
    while store.retry_queue.has_unsaved_games and not (parting.step() and parting.stuck is None):
        if parting.stuck is not None and help_texts == [""]:
            help_texts = [_copy_games(store), tr("Close again to quit without saving.")]
        rows = [("!", text) for text in (parting.said, *help_texts) if text]
        scene.show_page(tr("Saving games"), rows)
        scene.draw()
        for event in window.events(EVERY_S):
            if event.type == pygame.QUIT and parting.stuck is not None:
                store.retry_queue.discard()
            elif pygame.WINDOWSHOWN <= event.type <= pygame.WINDOWCLOSE:
                on_event.get(event.type, bool)(event)


def _copy_games(store: Store) -> str:
    """Put what no place takes into the clipboard; return what to tell the player."""
    from demine.scene.translation import tr

    with suppress(pygame.error, AttributeError):  # there is no clipboard here
        pygame.scrap.put_text(store.retry_queue.export_unsaved())
        return tr(
            "Your games are in the clipboard as text. Save it to a file, then use demine records "
            "--import."
        )
    return ""
