"""Every command in every scene: the same act, the same words, or an absence declared as data.

The controller alone says what is right. A scene may leave commands out by its `ABSENT`; one that is
in no table of a scene fails here.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, replace
from importlib import import_module
from typing import TYPE_CHECKING, Final, TypeAlias, cast

import numpy as np
import pygame
import pytest

from demine.logic.event import Act, Verb
from demine.logic.rules import BEGINNER
from demine.play.controller import Controller
from demine.play.game_session import GameSession
from demine.play.lazy_solver import LazySolver
from demine.scene.key_bindings import Command
from demine.scene.mouse_automaton import Cell
from demine.scene.preferences import Preferences, StartOptions
from demine.scene.translation import set_language
from demine.solver.service.server import QUESTIONS
from demine.store import Store
from tests.desktop.dialogs_desk import app

if TYPE_CHECKING:
    from demine.classic.window import Window

__all__ = ["app"]

CHOSEN: Final = Preferences(theme="light", motion=False, pause_unfocused=False)
SEED: Final = 7
Acts: TypeAlias = tuple[tuple[str, int, int], ...]


@dataclass
class Seat:
    """A scene with a player at it."""

    controller: Controller
    do: Callable[[Command], bool]
    """Carries a command out; returns whether the scene did so by its own means."""
    settle: Callable[[], object]
    """Lets the scene take up what was answered."""
    absent: frozenset[Command] = frozenset()


@dataclass(frozen=True)
class Outcome:
    """What a command came to."""

    acts: Acts
    rules: str
    status: str
    cursor: Cell | None
    line: str
    hint: str
    preferences: Preferences


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Let every scene's solver answer at once; commands may change the language."""

    def ask(_: LazySolver, name: str, /, *args: object, **kwargs: object) -> Future[object]:
        future: Future[object] = Future()
        module, function = QUESTIONS[name].split(":")
        future.set_result(getattr(import_module(module), function)(*args, **kwargs))
        return future

    monkeypatch.setattr(LazySolver, "ask", ask)
    set_language("en")
    yield
    set_language("en")


@contextmanager
def begun() -> Iterator[tuple[Store, GameSession]]:
    """A session at a beginner's board."""
    with Store.memory() as store:
        yield store, GameSession.begin(store, StartOptions(rules=BEGINNER, seed=SEED), CHOSEN)


# The scenes


@contextmanager
def alone(_: pytest.MonkeyPatch) -> Iterator[Seat]:
    """No scene: the controller, with a speaker that works."""

    class Silent:
        def is_available(self) -> bool:
            return True

        def play(self, sound: object) -> None:
            del sound

    with begun() as (_store, session):
        controller = Controller(
            session, CHOSEN, ask=LazySolver().ask, wake=lambda: None, speaker=Silent
        )
        yield Seat(controller, lambda command: not controller.run_command(command), controller.tick)


@contextmanager
def terminal(_: pytest.MonkeyPatch) -> Iterator[Seat]:
    """The terminal scene, without a terminal."""
    from demine.terminal.scene import Display, Scene
    from demine.terminal.text_pages import ABSENT

    with begun() as (store, session):
        scene = Scene(
            store,
            session,
            CHOSEN,
            LazySolver().ask,
            lambda: None,
            lambda _text: None,
            Display(colours=256, ascii_only=False, dark=False),
        )
        scene.resized(80, 24)

        def do(command: Command) -> bool:
            scene.run_command(command)
            return command in scene._actions

        yield Seat(scene.controller, do, scene.tick, ABSENT)


@contextmanager
def desktop(monkeypatch: pytest.MonkeyPatch) -> Iterator[Seat]:
    """The desktop's window, on no screen; pages that wait for the player are not opened."""
    from PySide6.QtCore import QEvent
    from PySide6.QtWidgets import QApplication

    from demine.desktop.system_sound_player import Speaker
    from demine.desktop.window.dialog_opener import DialogOpener
    from tests.desktop.room import room

    monkeypatch.setattr(Speaker, "is_available", lambda _: True)
    monkeypatch.setattr(Speaker, "play", lambda _speaker, _sound: None)
    show, shown = DialogOpener.open_dialog_of, list[Command | str]()

    def page(pages: DialogOpener, command: Command | str) -> None:
        shown.append(command)
        if command in (Command.SHARE, Command.RESULT):
            show(pages, command)
        assert command in pages._openers

    monkeypatch.setattr(DialogOpener, "open_dialog_of", page)
    with room("9x9/10") as window:

        def do(command: Command) -> bool:
            window.run_command(command)
            return command in shown or command in window._actions

        # The window opens under the pointer where an earlier test left it.
        QApplication.processEvents()
        QApplication.sendEvent(window.board, QEvent(QEvent.Type.Leave))
        yield Seat(window.controller, do, QApplication.processEvents)


@contextmanager
def classic(monkeypatch: pytest.MonkeyPatch) -> Iterator[Seat]:
    """The classic scene, in a window that is no more than a picture."""
    from demine.classic.scene import ABSENT, Scene, Speaker

    monkeypatch.setattr(Speaker, "is_available", lambda _: True)
    monkeypatch.setattr(Speaker, "play", lambda _speaker, _sound: None)
    pygame.font.init()  # the real window does so
    with begun() as (_store, session):
        window = cast("Window", Picture())
        scene = Scene(window, session, CHOSEN, (1024, 768), LazySolver().ask)

        def do(command: Command) -> bool:
            scene.handle_command(command)
            return command in scene._commands

        yield Seat(scene.controller, do, scene.tick, ABSENT)


class Picture:
    """A window of the classic scene that nobody sees."""

    program_may_choose_size = is_shown = is_focused = True
    size = (1, 1)

    def show(self, size: tuple[int, int]) -> None:
        """Take a size."""
        self.size = size

    def toggle_fullscreen(self) -> None:
        """Stay as it is."""

    def wake(self) -> None:
        """Sleep on."""


SCENES: Final = {"terminal": terminal, "desktop": desktop, "classic": classic}
SHOW_CURSOR: Final = {"terminal"}
"""The scenes that show the cursor from the start, as the keyboard is the main hand there."""
Open = Callable[[pytest.MonkeyPatch], AbstractContextManager[Seat]]

# The moments


def untouched(controller: Controller) -> None:
    """Nobody has done anything."""
    del controller


def running(controller: Controller) -> None:
    """An opening is open, and the cursor is on a cell."""
    controller.act_at(Command.ACT, (4, 4))
    controller.move_cursor((0, 0))


def flagged(controller: Controller) -> None:
    """More than the first click is done."""
    running(controller)
    row, col = np.argwhere(controller.session.game.board.mine_map)[0]
    controller.act_at(Command.FLAG, (int(row), int(col)))


def left(controller: Controller) -> None:
    """A game was left for a new board that nobody has touched."""
    flagged(controller)
    controller.run_command(Command.NEW)


def paused(controller: Controller) -> None:
    """The game is paused."""
    running(controller)
    controller.run_command(Command.PAUSE)


def lost(controller: Controller) -> None:
    """A mine blew."""
    running(controller)
    row, col = np.argwhere(controller.session.game.board.mine_map)[0]
    controller.act_at(Command.ACT, (int(row), int(col)))


MOMENTS: Final = (untouched, running, flagged, left, paused, lost)
LEAVING: Final = (
    Command.NEW,
    Command.AGAIN,
    Command.BEGINNER,
    Command.INTERMEDIATE,
    Command.EXPERT,
)
"""The keys that begin another board at once."""


def come_to(seat: Seat) -> Outcome:
    """How things stand at a scene now; times are left out."""
    seat.settle()
    controller, frame = seat.controller, seat.controller.frame()
    game = controller.session.game
    acts = (event for event in game.events if isinstance(event, Act))
    return Outcome(
        acts=tuple((act.verb, act.row, act.col) for act in acts),
        rules=str(game.rules),
        status=game.status,
        cursor=frame.cursor,
        line=re.sub(r"[\d.]+ s", "# s", frame.line()),
        hint=frame.hint,
        preferences=controller.preferences,
    )


def without_pause(acts: Acts) -> Acts:
    """Acts without a pause at their end."""
    return acts[:-1] if acts and acts[-1][0] is Verb.PAUSE else acts


@pytest.mark.parametrize("moment", MOMENTS)
@pytest.mark.parametrize("command", Command)
@pytest.mark.parametrize("scene", SCENES)
@pytest.mark.usefixtures("app")
def test_a_command_means_the_same_in_every_scene(
    monkeypatch: pytest.MonkeyPatch,
    scene: str,
    command: Command,
    moment: Callable[[Controller], None],
) -> None:
    with alone(monkeypatch) as right:
        if scene in SHOW_CURSOR:
            right.controller.show_cursor()
        moment(right.controller)
        before = come_to(right)
        left_to_the_scene = right.do(command)
        expected = come_to(right)
    set_language("en")
    with SCENES[scene](monkeypatch) as seat:
        moment(seat.controller)
        if Command.HINT in seat.absent:  # nobody tells there how a game was lost, either
            before, expected = replace(before, hint=""), replace(expected, hint="")
        assert come_to(seat) == before
        own = seat.do(command)
        found = come_to(seat)
    if command in seat.absent:
        assert (found.acts, found.rules) == (before.acts, before.rules)
    elif left_to_the_scene:
        assert own
        # A page over the board pauses.
        acts = found.acts if expected.status == "paused" else without_pause(found.acts)
        assert (acts, found.rules) == (expected.acts, expected.rules)
    else:
        assert found == expected


@pytest.mark.parametrize("leaving", LEAVING)
@pytest.mark.parametrize("scene", SCENES)
@pytest.mark.usefixtures("app")
def test_no_single_key_destroys_a_game(
    monkeypatch: pytest.MonkeyPatch, scene: str, leaving: Command
) -> None:
    with SCENES[scene](monkeypatch) as seat:
        controller = seat.controller
        flagged(controller)
        before, game = come_to(seat), controller.session.game
        clock, events = controller.session.clock_ms, game.events
        seat.do(leaving)
        assert controller.session.game is not game
        assert "New game. Ctrl+Z brings the last one back." in come_to(seat).line
        seat.do(Command.UNDO)
        found = come_to(seat)
        assert controller.session.game is game
        assert "Last game restored" in found.line
        assert game.events == events
        assert clock <= controller.session.clock_ms < clock + 60_000
        came_back = replace(found, line=before.line, cursor=before.cursor)
        assert came_back == replace(before, preferences=found.preferences)
        # The rules are noted only where they differ from what is stored.
        assert found.preferences.rules in (before.preferences.rules, before.rules)
        seat.do(leaving)
        controller.act_at(Command.FLAG, (0, 0))
        seat.do(Command.UNDO)
        assert controller.session.game is not game
        assert game.resigned


@pytest.mark.parametrize("leaving", LEAVING)
@pytest.mark.parametrize("scene", SCENES)
@pytest.mark.usefixtures("app")
def test_a_first_click_is_left_without_a_word(
    monkeypatch: pytest.MonkeyPatch, scene: str, leaving: Command
) -> None:
    with SCENES[scene](monkeypatch) as seat:
        running(seat.controller)
        game = seat.controller.session.game
        seat.do(leaving)
        assert "back" not in come_to(seat).line
        assert game.resigned


@pytest.mark.parametrize("leaving", LEAVING)
@pytest.mark.parametrize("scene", SCENES)
@pytest.mark.usefixtures("app")
def test_a_daily_attempt_is_left_when_asked_twice(
    monkeypatch: pytest.MonkeyPatch, scene: str, leaving: Command
) -> None:
    with SCENES[scene](monkeypatch) as seat:
        controller = seat.controller
        controller.resume_or_begin_todays_daily(Command.BEGINNER)
        game = controller.session.game
        assert game.start is not None
        controller.act_at(Command.ACT, game.start)
        seat.do(leaving)
        assert controller.session.game is game
        assert "Give up the daily board? Press again to confirm" in come_to(seat).line
        seat.do(leaving)
        assert controller.session.game is not game
        seat.do(Command.UNDO)
        assert controller.session.game is game
        assert controller.session.is_counted_daily_attempt


@pytest.mark.parametrize("command", [Command.SHARE, Command.RESULT])
@pytest.mark.parametrize("moment", MOMENTS)
@pytest.mark.usefixtures("app")
def test_what_scenes_copy_themselves_is_told_in_the_same_words(
    monkeypatch: pytest.MonkeyPatch, command: Command, moment: Callable[[Controller], None]
) -> None:
    lines = set()
    for scene in SCENES.values():
        with scene(monkeypatch) as seat:
            moment(seat.controller)
            seat.do(command)
            if command not in seat.absent:
                lines.add(come_to(seat).line)
    assert len(lines) == 1


@pytest.mark.parametrize("scene", SCENES)
@pytest.mark.usefixtures("app")
def test_what_is_absent_is_a_command(monkeypatch: pytest.MonkeyPatch, scene: str) -> None:
    with SCENES[scene](monkeypatch) as seat:
        assert set(Command) > seat.absent
