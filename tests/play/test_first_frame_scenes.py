"""The first frame of every window: to the pixel what is played a moment later."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("PySide6.QtWidgets")

from demine.desktop import colour_scheme
from demine.logic.event import Verb
from demine.logic.rules import BEGINNER, EXPERT, Rules
from demine.play.game_session import GameSession
from demine.play.unsaved_games_at_exit import opened_store
from demine.scene.preferences import Preferences, StartOptions
from demine.scene.translation import detect_language, set_language
from tests.desktop.dialogs_desk import app  # noqa: F401  (a fixture)
from tests.hand import wait_for
from tests.play.start_windows import Classic, Desktop, HaltedStart, StartingWindow

CELL = 24
NEW = StartOptions(new=True)
SCENES = pytest.mark.parametrize("scene", [Classic, Desktop], ids=lambda scene: scene.name)


@pytest.fixture(params=[Classic, Desktop], ids=lambda scene: scene.name)
def start(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> Iterator[StartingWindow]:
    """A window that nobody sees; language and colours are the system's before and after."""
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    request.getfixturevalue("app")
    set_language(detect_language())
    window: StartingWindow = request.param()
    yield window
    window.close()
    set_language("en")
    colour_scheme.apply_colour_scheme(Preferences(theme="light"))


def remember(**settings: object) -> None:
    """Keep settings as a player leaves them."""
    with opened_store() as (store, _):
        for name, value in settings.items():
            store.settings.set(name, value)


# An untouched board


@pytest.mark.parametrize(
    "wishes",
    [
        StartOptions(),
        NEW,
        StartOptions(rules=EXPERT),
        StartOptions(rules=BEGINNER, seed=7),
        StartOptions(rules=Rules.parse("7x5/3")),
        StartOptions(rules=Rules.parse("5x4/3"), settings={"cell": 12}),
        StartOptions(rules=Rules.parse("200x150/2000"), settings={"cell": 20}),
        StartOptions(rules=Rules.parse("200x150/20000"), settings={"cell": 20}),
        StartOptions(rules=Rules.parse("200x150/2000"), settings={"cell": 20, "minimap": False}),
        *(
            StartOptions(settings={"theme": look})
            for look in ("classic", "light", "dark", "contrast")
        ),
        StartOptions(settings={"theme": "classic", "cell": 30}),
        StartOptions(settings={"language": "zh_CN"}),
        StartOptions(rules=EXPERT, seed=3, settings={"language": "zh_CN"}),
        StartOptions(rules=EXPERT, seed=3, settings={"language": "zh_CN", "theme": "light"}),
        StartOptions(settings={"digits": "plain", "palette": "strong"}),
    ],
    ids=str,
)
def test_it_is_what_comes(start: StartingWindow, wishes: StartOptions) -> None:
    assert start.first(wishes)
    first = start.pixels()
    assert len(np.unique(first)) > 5
    np.testing.assert_array_equal(start.loaded(wishes), first)


def test_it_keeps_to_the_settings(start: StartingWindow) -> None:
    remember(theme="dark", rules=str(EXPERT), cell=19)
    assert start.first(NEW)
    first = start.pixels()
    np.testing.assert_array_equal(start.loaded(NEW), first)


@pytest.mark.parametrize(
    "wishes",
    [StartOptions(rules=Rules.parse("9x9/10 guess-free")), StartOptions(fullscreen=True)],
    ids=str,
)
def test_what_is_not_known_is_not_shown(start: StartingWindow, wishes: StartOptions) -> None:
    assert not start.first(wishes)


def test_a_game_that_goes_on_is_not_shown_as_untouched(start: StartingWindow) -> None:
    with opened_store() as (store, _):
        assert GameSession.begin(store, StartOptions(), Preferences()).play(Verb.OPEN, 4, 4)
    assert not start.first(StartOptions())


# The picture of the last moment


def test_a_picture_is_shown_once(start: StartingWindow) -> None:
    assert not start.recalled(StartOptions())
    start.keep()
    assert start.recalled(StartOptions())
    assert not start.recalled(StartOptions())


@pytest.mark.parametrize(
    "wishes", [StartOptions(rules=BEGINNER), NEW, StartOptions(settings={"theme": "dark"})], ids=str
)
def test_wishes_make_another_picture(start: StartingWindow, wishes: StartOptions) -> None:
    start.keep()
    assert not start.recalled(wishes)


def test_other_records_make_another_picture(start: StartingWindow, data_dir: Path) -> None:
    start.keep()
    (data_dir / "demine.db").write_bytes(b"changed since")
    assert not start.recalled(StartOptions())


def test_another_language_makes_another_picture(
    start: StartingWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    start.keep()
    monkeypatch.setenv("DEMINE_LANG", "zh_CN")
    assert not start.recalled(StartOptions())


@pytest.mark.parametrize("nonsense", [b"", b"\xff\xfe nothing of ours", b"{}", b"[" * 9999])
@pytest.mark.parametrize("suffix", ["png", "txt", "place"])
def test_nonsense_is_no_picture(
    start: StartingWindow, data_dir: Path, suffix: str, nonsense: bytes
) -> None:
    start.keep()
    path = data_dir / "cache" / f"{start.file}.{suffix}"
    if path.exists():  # not every window keeps its place
        path.write_bytes(nonsense)
        assert not start.recalled(StartOptions())


def test_a_folder_that_cannot_be_written_is_no_matter(
    start: StartingWindow, data_dir: Path
) -> None:
    data_dir.write_text("not a folder")
    start.keep()
    assert not start.recalled(StartOptions())


# In processes of their own

PROBE = """
import sys
from demine.scene.preferences import StartOptions
wishes, slow = StartOptions(), set()
{}
heavy = {{"numpy", "sqlite3", "subprocess", "html", "demine.logic.game"}}
print(*slow | heavy & set(sys.modules))
"""


@SCENES
def test_nothing_slow_is_loaded_before_it(data_dir: Path, scene: type[StartingWindow]) -> None:
    screens = {"QT_QPA_PLATFORM": "offscreen", "SDL_VIDEODRIVER": "dummy"}
    done = subprocess.run(
        [sys.executable, "-c", PROBE.format(scene.program)],
        env={**os.environ, **screens, "PYGAME_HIDE_SUPPORT_PROMPT": "1"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == "\n"


@pytest.fixture(params=[Classic, Desktop], ids=lambda scene: scene.name)
def halted(request: pytest.FixtureRequest, xvfb: str, data_dir: Path) -> Iterator[HaltedStart]:
    """A window on a real screen that stands still after its first frame."""
    process = HaltedStart(request.param, xvfb, CELL)
    yield process
    process.end()


def test_an_act_quicker_than_the_board_is_heard(halted: HaltedStart) -> None:
    first = halted.hand.look()
    width, height = halted.hand.size()
    halted.hand.click(width // 2, height - 9 * CELL // 2)
    assert np.array_equal(halted.hand.look(), first)
    halted.go_on()
    wait_for(lambda: not np.array_equal(halted.hand.look(), first), "an opening")


def test_nothing_moves_when_the_rest_comes(halted: HaltedStart) -> None:
    first = halted.hand.look()
    halted.go_on()
    # The icon is the last thing that is made.
    wait_for(halted.hand.has_icon, "an icon")
    np.testing.assert_array_equal(halted.hand.look(), first)


def test_ctrl_c_at_the_first_frame_ends_it(halted: HaltedStart) -> None:
    halted.process.send_signal(signal.SIGINT)
    halted.go_on()
    _, said = halted.process.communicate(timeout=20)
    assert (halted.process.returncode, said) == (130, "")
