"""One session at the window: from the store's opening to its closing."""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING, Final

import pygame

from demine.classic import first_frame
from demine.classic.clipboard import take_along
from demine.classic.keyboard import Keyboard
from demine.classic.paint import icon_surface
from demine.classic.scene import Scene
from demine.classic.window import screen_size
from demine.play.hint_timer import Solver
from demine.play.session import Session, opened
from demine.play.unsaved_games import EVERY_S, Parting
from demine.scene.preferences import Preferences, first_language
from demine.scene.translation import set_language, tr

if TYPE_CHECKING:
    from demine.classic.signals import Signals
    from demine.classic.window import Window
    from demine.scene.preferences import Wishes
    from demine.store.store import Store


def play(window: Window, wishes: Wishes, signals: Signals) -> int:
    """Play in an open window until it is closed, and return the exit code."""
    with opened() as (store, troubles), closing(Solver()) as solver:
        window.attend(signals)
        preferences = Preferences.read({**store.settings.all(), **wishes.lasting})
        set_language(first_language(preferences, wishes))
        session = Session.begin(store, wishes, preferences)
        session.troubles[:0] = troubles
        session.remember(wishes.lasting)
        keyboard = Keyboard(preferences.key_map())
        screen = screen_size()
        scene = Scene(window, session, preferences, keyboard.keys, screen, solver.ask)
        if wishes.fullscreen:
            scene.toggle_fullscreen()
        scene.tick()
        scene.draw()
        # The icon takes as long to draw as the board; nobody misses it for the first frame.
        window.dress(icon_surface())
        _loop(window, scene, keyboard)
        keep_all(window, scene, store)
        picture = scene.parting()
        lasting = store.path is not None and not store.waiting
    # Only now the records are as the next start will find them.
    if lasting and not session.passing:
        first_frame.save(picture)
    window.close()
    return 130 if signals.interrupted else 0


def _loop(window: Window, scene: Scene, keyboard: Keyboard) -> None:
    """Draw when something changed, sleep when nothing does."""
    while not scene.closed:
        for event in window.events(scene.patience()):
            if event.type in _ABOUT_WINDOW:
                _hear_window(window, scene, event)
            elif event.type in _KEYS:
                _hear_key(keyboard, scene, event)
            else:
                _hear_mouse(keyboard, scene, event)
        scene.tick()
        scene.draw()


def keep_all(window: Window, scene: Scene, store: Store) -> None:
    """Stay until the games are kept or put elsewhere.

    Where no place takes them they are in the clipboard, and who closes again leaves without them.
    """
    scene.rest()
    parting = Parting(store)
    helped: list[str] = []
    while store.waiting.at_stake and not (parting.step() and parting.stuck is None):
        if parting.stuck is not None:
            helped = helped or [take_along(store), tr("Close again to quit without saving.")]
        scene.say_parting([parting.said, *helped])
        scene.draw()
        for event in window.events(EVERY_S):
            if event.type == pygame.QUIT and parting.stuck is not None:
                store.waiting.give_up()
            elif event.type in _ABOUT_WINDOW:
                _hear_window(window, scene, event)


def _hear_key(keyboard: Keyboard, scene: Scene, event: pygame.event.Event) -> None:
    if event.type == pygame.KEYUP:
        keyboard.release(event)
    elif event.type == pygame.WINDOWFOCUSLOST:
        keyboard.forget()
        scene.lost_focus()
    elif event.type == pygame.WINDOWFOCUSGAINED:
        keyboard.listen()
    elif (command := keyboard.press(event)) is not None:
        scene.key(command)


def _hear_mouse(keyboard: Keyboard, scene: Scene, event: pygame.event.Event) -> None:
    if event.type == pygame.MOUSEBUTTONDOWN:
        scene.press(event.button, event.pos, shift=keyboard.shift, ctrl=keyboard.ctrl)
    elif event.type == pygame.MOUSEBUTTONUP:
        scene.release(event.button, event.pos)
    elif event.type == pygame.MOUSEMOTION:
        scene.move(event.pos)
    elif event.type == pygame.MOUSEWHEEL:
        scene.wheel(event.x, event.y, shift=keyboard.shift, ctrl=keyboard.ctrl)


def _hear_window(window: Window, scene: Scene, event: pygame.event.Event) -> None:
    if event.type == pygame.QUIT:
        scene.close()
    elif event.type == pygame.WINDOWSIZECHANGED:
        window.refresh_surface()
        scene.resized()
    elif event.type == pygame.WINDOWEXPOSED:
        scene.exposed()
    elif event.type == pygame.WINDOWLEAVE:
        scene.move(None)
    else:
        window.maximised = event.type == pygame.WINDOWMAXIMIZED


_ABOUT_WINDOW: Final = (
    pygame.QUIT,
    pygame.WINDOWSIZECHANGED,
    pygame.WINDOWEXPOSED,
    pygame.WINDOWLEAVE,
    pygame.WINDOWMAXIMIZED,
    pygame.WINDOWRESTORED,
)
_KEYS: Final = (
    pygame.KEYDOWN,
    pygame.KEYUP,
    pygame.WINDOWFOCUSLOST,
    pygame.WINDOWFOCUSGAINED,
)
