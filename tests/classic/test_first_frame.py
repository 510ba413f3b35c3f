"""The first picture of a board nobody has touched: to the pixel what is played a moment later."""

from __future__ import annotations

import os
import subprocess
import sys
from concurrent.futures import Future
from pathlib import Path

import numpy as np
import pygame
import pytest

from demine.classic.first_frame import show
from demine.classic.scene import Scene
from demine.classic.window import Window, screen_size
from demine.logic.event import Verb
from demine.logic.rules import BEGINNER, EXPERT, Rules
from demine.play.session import Session, opened
from demine.scene.key_bindings import Command
from demine.scene.preferences import Preferences, Wishes, first_language
from demine.scene.translation import set_language
from demine.store import Store
from tests.classic.desk import CELL
from tests.hand import Hand, wait_for
from tests.table import environment


def nobody(*_: object, **__: object) -> Future[object]:
    """Answers nothing."""
    return Future()


def comes(window: Window, wishes: Wishes) -> bytes:
    """What the window shows when everything is loaded."""
    with opened() as (store, _):
        preferences = Preferences.read({**store.settings.all(), **wishes.settings})
        set_language(first_language(preferences, wishes))
        session = Session.begin(store, wishes, preferences)
        session.remember(wishes.settings)
        scene = Scene(window, session, preferences, preferences.key_map(), screen_size(), nobody)
        scene.tick()
        scene.draw()
        session.close()
        return pygame.image.tobytes(window.surface, "RGB")


@pytest.mark.parametrize(
    "wishes",
    [
        Wishes(),
        Wishes(rules=EXPERT),
        Wishes(rules=BEGINNER, seed=7),
        Wishes(rules=Rules.parse("5x4/3"), settings={"cell": 12}),
        Wishes(rules=Rules.parse("200x150/20000"), settings={"cell": 20}),
        *(Wishes(settings={"theme": look}) for look in ("classic", "light", "dark", "contrast")),
        Wishes(rules=EXPERT, seed=3, settings={"language": "zh_CN"}),
    ],
    ids=str,
)
def test_it_is_what_comes(data_dir: Path, window: Window, wishes: Wishes) -> None:
    assert show(window, wishes)
    first = pygame.image.tobytes(window.surface, "RGB")
    assert len(set(first)) > 5
    assert comes(window, wishes) == first


def test_it_keeps_to_the_settings(data_dir: Path, window: Window) -> None:
    with opened() as (store, _):
        for name, value in {"theme": "dark", "rules": str(EXPERT), "cell": 19}.items():
            store.settings.set(name, value)
    assert show(window, Wishes(new=True))
    first = pygame.image.tobytes(window.surface, "RGB")
    assert comes(window, Wishes(new=True)) == first


@pytest.mark.parametrize(
    "wishes", [Wishes(rules=Rules.parse("9x9/10 guess-free")), Wishes(fullscreen=True)], ids=str
)
def test_what_is_not_known_is_not_shown(data_dir: Path, window: Window, wishes: Wishes) -> None:
    assert not show(window, wishes)


def test_a_game_that_goes_on_is_not_shown_as_untouched(data_dir: Path, window: Window) -> None:
    with opened() as (store, _):
        assert Session.begin(store, Wishes(), Preferences()).play(Verb.OPEN, 4, 4)
    assert not show(window, Wishes())


PROBE = """
import sys
from demine.classic.first_frame import show
from demine.classic.window import Window
from demine.scene.preferences import Wishes
assert show(Window.open("demine"), Wishes())
print(*{"numpy", "sqlite3", "json", "demine.logic.game"} & set(sys.modules))
"""


def test_nothing_slow_is_loaded_before_it(data_dir: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", PROBE],
        env={**os.environ, "SDL_VIDEODRIVER": "dummy", "PYGAME_HIDE_SUPPORT_PROMPT": "1"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.splitlines()[-1] == ""


HALTING = f"""
import sys
from demine.classic import first_frame
from demine.cli.main import run

show = first_frame.show

def halt(window, wishes):
    shown = show(window, wishes)
    sys.stdin.readline()
    return shown

first_frame.show = halt
sys.exit(run(["play", "--scene", "classic", "--new", "--cell", "{CELL}", "--theme", "light"]))
"""


def test_a_hand_quicker_than_the_board_is_heard(xvfb: str, data_dir: Path) -> None:
    process = subprocess.Popen(
        [sys.executable, "-c", HALTING], env=environment(DISPLAY=xvfb), stdin=subprocess.PIPE
    )
    hand = Hand(xvfb)
    try:
        hand.find("demine")
        wait_for(lambda: hand.look().std() > 1, "the first picture")
        hand.focus()
        first = hand.look()
        wide, high = hand.size()
        hand.click(wide // 2, high - 9 * CELL // 2)
        assert np.array_equal(hand.look(), first)
        assert process.stdin is not None
        process.stdin.write(b"\n")
        process.stdin.flush()
        wait_for(lambda: not np.array_equal(hand.look(), first), "an opening")
    finally:
        hand.close()
        process.kill()
        process.communicate()


def test_a_cursor_out_of_sight_comes_to_the_middle(window: Window) -> None:
    wishes = Wishes(rules=Rules.parse("200x150/20000"), settings={"cell": 20})
    preferences = Preferences.read(wishes.settings)
    with Store.memory() as store:
        session = Session.begin(store, wishes, preferences)
        scene = Scene(window, session, preferences, preferences.key_map(), screen_size(), nobody)
        scene.key(Command.ACT)
        shot = scene._shot()
        rows, cols = shot.view.visible()
        assert shot.cursor == (75, 100)
        assert abs(rows.start + rows.stop - 151) <= 2
        assert abs(cols.start + cols.stop - 201) <= 2
        scene.key(Command.RIGHT)
        assert scene._shot().view == shot.view
        session.close()


def test_looking_a_large_board_over_makes_no_other_board_tiny(window: Window) -> None:
    wishes = Wishes(rules=Rules.parse("500x500/50000"))
    with Store.memory() as store:
        session, keys = Session.begin(store, wishes, Preferences()), Preferences().key_map()
        scene = Scene(window, session, Preferences(), keys, screen_size(), nobody)
        for _ in range(9):
            scene.key(Command.ZOOM_OUT)
        assert scene._shot().view.cell < 8
        scene.key(Command.BEGINNER)
        assert scene._shot().view.cell >= 16
        session.close()
