"""The player beside reference pictures: every look, both languages."""

from __future__ import annotations

import pytest

from demine.desktop.dialogs.choose_counters import CountersDialog
from demine.scene.themes import THEMES
from tests.desktop.dialogs_desk import pixels, shown, until
from tests.desktop.test_pictures import (
    letters,  # noqa: F401  (a fixture)
    picture_of,
)
from tests.desktop.watch_desk import watching
from tests.pictures import compare

pytestmark = pytest.mark.usefixtures("app", "letters")


@pytest.mark.parametrize("language", ["en", "zh_CN"])
@pytest.mark.parametrize("look", list(THEMES))
def test_a_game_being_watched(look: str, language: str, regenerate: bool) -> None:
    with watching(theme=look, language=language) as window:
        window.resize(640, 560)
        window.playback.seek(window.playback.end * 0.4)
        window.set_path_mode("whole")
        until(lambda: window.counters._values[2].text() != "–")
        compare(
            picture_of(window),
            f"desktop/watch-{look}-{language}",
            regenerate,
            mean=0.6,
            worst=255,
        )


@pytest.mark.parametrize("look", list(THEMES))
def test_a_mistake_and_the_risks(look: str, regenerate: bool) -> None:
    with watching(theme=look) as window:
        window.resize(640, 560)
        window.run_command("mistake")
        until(lambda: not window.jumps.waiting)
        window.run_command("chances")
        until(
            lambda: (found := window.shown_overlay()) is not None and bool((found.risk < 100).any())
        )
        window.refresh()
        compare(
            picture_of(window), f"desktop/watch-mistake-{look}", regenerate, mean=0.6, worst=255
        )


@pytest.mark.parametrize("language", ["en", "zh_CN"])
def test_the_choice_of_counters(language: str, regenerate: bool) -> None:
    with watching(language=language) as window:
        dialog = shown(CountersDialog(window, window.counters.counters))
        dialog.resize(640, 460)
        compare(
            pixels(dialog), f"desktop/watch-counters-{language}", regenerate, mean=0.6, worst=255
        )
