"""Runs the classic window from opening to closing."""

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


def run(options: StartOptions) -> int:
    """Open the window, play until it is closed, and return the exit code.

    Raises `DisplayError` if no window can be shown here.
    """
    window = Window("demine")
    window.close_on_signals()
    first_frame.show(window, options)
    # NumPy and the records take longer to load than a window takes to open.
    from demine.classic.keyboard import Keyboard
    from demine.classic.scene import Scene
    from demine.play.garbage_collection import start_collecting
    from demine.play.lazy_solver import LazySolver
    from demine.play.start_session import start_session

    with start_session(options) as started, closing(LazySolver()) as solver:
        session, preferences, store, _ = started
        keyboard = Keyboard(preferences.key_map())
        scene = Scene(window, session, preferences, screen_size(), solver.ask)
        if options.fullscreen:
            scene.toggle_fullscreen()
        on_event = event_handlers(window, scene, keyboard)
        start_collecting()
        scene.tick()
        answer_events(window, scene, on_event, wait_s=0)
        # The icon takes as long to draw as the board; a press that waits is answered before.
        from demine.picture.app_icon import icon

        pygame.display.set_icon(pygame.image.frombuffer(icon(64).tobytes(), (64, 64), "RGBA"))
        while not scene.closed:
            answer_events(window, scene, on_event, scene.controller.seconds_until_redraw())
        session.close()
        wait_until_games_saved(window, scene, store, on_event)
        scene.controller.reset_for_exit(replace_ended_game=True)
        session.close()
        picture, resumes = scene.next_start_picture(), started.next_start_resumes_game
    if resumes:  # only now are the records as the next start will find them
        first_frame.save_for_next_start(picture)
    pygame.display.quit()
    return 130 if window.interrupted else 0


def answer_events(window: Window, scene: Scene, on_event: Handlers, wait_s: float) -> None:
    """Handle the events that are due, waiting up to `wait_s` seconds for the first, and draw."""
    for event in window.wait_for_events(wait_s):
        on_event.get(event.type, bool)(event)
    scene.tick()
    scene.draw()


def event_handlers(window: Window, scene: Scene, keyboard: Keyboard) -> Handlers:
    """Return the handler of each pygame event type."""

    def key_down(event: pygame.event.Event) -> None:
        if (command := keyboard.command_of_press(event)) is not None:
            scene.handle_command(command)

    def focus_lost(_: pygame.event.Event) -> None:
        keyboard.reset()
        scene.pointer.cancel_presses(releases_lost=True)

    return {
        pygame.QUIT: lambda _: scene.close(),
        pygame.MOUSEMOTION: lambda event: scene.pointer.move(event.pos),
        pygame.MOUSEBUTTONDOWN: lambda event: scene.press(
            event.button, event.pos, shift=keyboard.shift, ctrl=keyboard.ctrl
        ),
        pygame.MOUSEBUTTONUP: lambda event: scene.release(event.button, event.pos),
        pygame.MOUSEWHEEL: lambda event: scene.wheel(event.x, event.y, shift=keyboard.shift),
        pygame.KEYDOWN: key_down,
        pygame.KEYUP: keyboard.release,
        pygame.WINDOWFOCUSGAINED: lambda _: keyboard.reset(pygame.key.get_mods()),
        pygame.WINDOWFOCUSLOST: focus_lost,
        pygame.WINDOWLEAVE: lambda _: scene.pointer.move(None),
        pygame.WINDOWSIZECHANGED: lambda _: scene.resized(),
        pygame.WINDOWEXPOSED: lambda _: scene.painter.invalidate(),
        pygame.WINDOWMAXIMIZED: lambda _: setattr(window, "maximised", True),
        pygame.WINDOWRESTORED: lambda _: setattr(window, "maximised", False),
    }


def wait_until_games_saved(window: Window, scene: Scene, store: Store, on_event: Handlers) -> None:
    """Keep the window open until unsaved games are stored or the player closes it again.

    If they cannot be written anywhere, they are also copied to the clipboard.
    """
    from demine.play.unsaved_games_at_exit import RETRY_INTERVAL_S, UnsavedGamesSaver
    from demine.scene.translation import tr

    parting, copied = UnsavedGamesSaver(store), None
    while store.retry_queue.has_unsaved_games and not (
        parting.done_after_retry() and parting.failure is None
    ):
        if parting.failure is not None and copied is None:
            copied = False
            with suppress(pygame.error, AttributeError):  # no clipboard here
                pygame.scrap.put_text(store.retry_queue.export_unsaved())
                copied = True
        advice = parting.advice(copied=bool(copied))
        scene.show_page(tr("Saving games"), [("!", text) for text in advice])
        scene.draw()
        for event in window.wait_for_events(RETRY_INTERVAL_S):
            if event.type == pygame.QUIT and parting.failure is not None:
                store.retry_queue.discard()
            elif pygame.WINDOWSHOWN <= event.type <= pygame.WINDOWCLOSE:
                on_event.get(event.type, bool)(event)
