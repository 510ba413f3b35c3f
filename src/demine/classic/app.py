"""The classic window from opening to closing."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pygame

from demine.classic.keyboard import key_name
from demine.classic.scene import Scene
from demine.classic.window import Window, screen_size
from demine.scene.messages import set_language
from demine.scene.wishes import Preferences
from demine.store.sitting import Sitting, opened

if TYPE_CHECKING:
    from demine.scene.wishes import Wishes


def run(wishes: Wishes) -> int:
    """Open the window, play until it is closed, and return the exit code.

    Raises `DisplayError` when no window can be shown here.
    """
    window = Window.open("demine")
    with opened() as (store, troubles):
        kept = {} if store is None else store.settings.all()
        preferences = Preferences.read({**kept, **wishes.settings})
        if preferences.language:
            set_language(preferences.language)
        sitting = Sitting.begin(store, wishes, preferences)
        sitting.troubles[:0] = troubles
        sitting.remember(wishes.settings)
        scene = Scene(window, sitting, preferences, screen_size())
        if wishes.fullscreen:
            scene.toggle_fullscreen()
        _loop(window, scene)
    window.close()
    return 0


def _loop(window: Window, scene: Scene) -> None:
    """Draw when something changed, sleep when nothing does."""
    scene.draw()
    while not scene.closed:
        for event in window.events(scene.patience()):
            _hear(window, scene, event)
        scene.tick()
        scene.draw()


def _hear(window: Window, scene: Scene, event: pygame.event.Event) -> None:
    if event.type == pygame.QUIT:
        scene.close()
    elif event.type == pygame.KEYDOWN:
        scene.key(key_name(event.key, event.mod, event.unicode))
    elif event.type == pygame.MOUSEBUTTONDOWN:
        scene.press(event.button, event.pos)
    elif event.type == pygame.MOUSEBUTTONUP:
        scene.release(event.button, event.pos)
    elif event.type == pygame.MOUSEMOTION:
        scene.move(event.pos)
    elif event.type == pygame.MOUSEWHEEL:
        scene.wheel(event.x, event.y)
    elif event.type == pygame.WINDOWSIZECHANGED:
        window.refresh_surface()
        scene.resized()
    elif event.type == pygame.WINDOWEXPOSED:
        scene.exposed()
    elif event.type == pygame.WINDOWLEAVE:
        scene.move(None)
    elif event.type == pygame.WINDOWFOCUSLOST:
        scene.lost_focus()
