"""Whether a window can open is told before Qt is asked, and why not in words."""

from __future__ import annotations

import builtins
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from demine.desktop.display_check import find_display_error
from demine.game import Game
from demine.scene.display_error import DisplayError
from demine.scene.translation import explain, set_language
from demine.store import Store
from tests.desktop.desk import Desk, environment, seeded

Sit = Callable[..., Desk]
linux = pytest.mark.skipif(sys.platform != "linux", reason="only Linux has screens by name")


@pytest.fixture(autouse=True)
def nowhere(monkeypatch: pytest.MonkeyPatch) -> None:
    """Name no platform and no session."""
    for name in ("QT_QPA_PLATFORM", "XDG_SESSION_TYPE"):
        monkeypatch.delenv(name, raising=False)


@linux
def test_without_a_screen() -> None:
    lost = find_display_error()
    assert isinstance(lost, DisplayError)
    assert str(lost) == ("cannot open a window: neither DISPLAY nor WAYLAND_DISPLAY is set")


@linux
def test_a_screen_that_does_not_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DISPLAY", ":4095")
    assert str(find_display_error()) == "cannot open a window: the display ':4095' does not respond"


@linux
def test_a_screen_that_answers_is_named_to_qt(xvfb: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QT_QPA_PLATFORM", "")
    monkeypatch.setenv("DISPLAY", xvfb)
    monkeypatch.setenv("WAYLAND_DISPLAY", "nobody-there")
    assert find_display_error() is None
    assert os.environ["QT_QPA_PLATFORM"] == "xcb"


@linux
def test_a_platform_asked_for_by_name_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QT_QPA_PLATFORM", "offscreen")
    assert find_display_error() is None


@pytest.mark.parametrize(
    "name", ["nonsense", " ", ";", "xcbx:option", "nonsense;neither", "xcb\x1b"]
)
def test_a_platform_that_there_is_not(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QT_QPA_PLATFORM", name)
    first = name.partition(";")[0]
    assert str(find_display_error()) == (
        f"cannot open a window: Qt cannot use the platform {first!r} set in QT_QPA_PLATFORM"
    )


@linux
def test_a_platform_without_what_it_draws_on(monkeypatch: pytest.MonkeyPatch) -> None:
    """No framebuffer is here: Qt has the platform, and says so only by what comes of it."""
    monkeypatch.setenv("QT_QPA_PLATFORM", "linuxfb:fb=/dev/null")
    assert "Qt cannot use the platform 'linuxfb:fb=/dev/null'" in str(find_display_error())


def test_of_several_platforms_those_that_open_are_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QT_QPA_PLATFORM", "nonsense;offscreen")
    assert find_display_error() is None
    assert os.environ["QT_QPA_PLATFORM"] == "offscreen"


@linux
def test_a_named_platform_whose_screen_does_not_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QT_QPA_PLATFORM", "nonsense;xcb")
    monkeypatch.setenv("DISPLAY", ":4095")
    assert "Qt cannot use the platform 'nonsense'" in str(find_display_error())


def test_a_qt_that_does_not_load(xvfb: str, monkeypatch: pytest.MonkeyPatch) -> None:
    real = builtins.__import__

    def broken(name: str, *args: Any) -> Any:
        if name == "PySide6.QtWidgets":
            raise ImportError("libGL.so.1: cannot open shared object file")
        return real(name, *args)

    monkeypatch.setenv("DISPLAY", xvfb)
    monkeypatch.setattr(builtins, "__import__", broken)
    lost = find_display_error()
    assert lost is not None
    assert str(lost) == (
        "cannot open a window: Qt cannot be loaded: libGL.so.1: cannot open shared object file"
    )
    set_language("zh_CN")
    assert explain(lost).endswith("Qt 无法加载：libGL.so.1: cannot open shared object file")
    set_language("en")


def hidden(tmp_path: Path, module: str, body: str) -> dict[str, str]:
    """An environment in which a module is another one."""
    package = tmp_path / "first" / module
    package.mkdir(parents=True)
    (package / "__init__.py").write_text(body, encoding="utf-8")
    own = environment()["PYTHONPATH"]
    return {"PYTHONPATH": f"{package.parent}:{own}"}


def play(*arguments: str, **changes: str | None) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "demine", "play", *arguments],
        env=environment(**changes),
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def test_a_desktop_asked_for_is_refused_in_one_line(xvfb: str, tmp_path: Path) -> None:
    broken = hidden(tmp_path, "PySide6", "raise ImportError('libEGL.so.1: not there')\n")
    done = play("--scene", "desktop", DISPLAY=xvfb, **broken)
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert done.stderr.endswith(
        ": cannot open a window: Qt cannot be loaded: libEGL.so.1: not there\n"
    )


def test_another_scene_opens_instead_and_says_why(
    sit: Sit, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken = hidden(tmp_path, "PySide6", "raise ImportError('libEGL.so.1: not there')\n")
    desk = sit(*seeded(), scene=None, **broken)
    desk.expect()
    code, said = desk.stop()
    assert code == 130
    assert said == (
        "demine play: cannot open a window: Qt cannot be loaded: libEGL.so.1: not there;"
        " opening the classic scene\n"
    )


def test_a_wrong_platform_opens_another_scene(sit: Sit) -> None:
    desk = sit(*seeded(), scene=None, QT_QPA_PLATFORM="nonsense")
    desk.expect()
    code, said = desk.stop()
    assert code == 130
    assert said == (
        "demine play: cannot open a window: Qt cannot use the platform"
        " 'nonsense' set in QT_QPA_PLATFORM; opening the classic scene\n"
    )


def test_a_wrong_platform_is_refused_in_one_line(xvfb: str) -> None:
    done = play("--scene", "desktop", DISPLAY=xvfb, QT_QPA_PLATFORM="nonsense")
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)


def test_what_one_scene_left_goes_on_in_the_other(sit: Sit) -> None:
    options = ("--cell", "24", "--theme", "light")
    first = sit("beginner", *options)
    faces = first.play_a_little()
    first.kill()
    second = sit(*options, scene="classic")
    second.resume()
    second.expect_faces(faces)
    second.kill()
    third = sit(*options)
    third.resume()
    third.expect_faces(faces)


@pytest.mark.parametrize("scene", ["desktop", "classic"])
def test_a_folder_that_cannot_be_keeps_no_window_from_opening(sit: Sit, scene: str) -> None:
    desk = sit(*seeded(), scene=scene, DEMINE_DATA_DIR="~nobody-of-that-name/x")
    desk.expect()
    assert desk.stop() == (130, "")


@pytest.mark.parametrize("scene", ["desktop", "classic"])
def test_rules_of_the_command_line_are_those_played_last(sit: Sit, scene: str) -> None:
    rules = Game("7x6/5 first=any")
    options = ("--cell", "24", "--theme", "light")
    first = sit("7x6/5", "--first", "any", *options, scene=scene, game=rules)
    first.expect()
    first.stop()
    second = sit("--new", *options, scene=scene, game=rules)
    second.expect()
    second.stop()
    with Store.open() as store:
        assert store.settings.all()["rules"] == str(rules.rules)
