"""Every screen in every look and in both languages, beside reference pictures."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray

from demine.classic.scene import ABSENT
from demine.logic.event import Verb
from demine.play.board_message import start_tip_line
from demine.scene.digit_palettes import PALETTES, palette_announcement
from demine.scene.help_page import help_rows
from demine.scene.key_bindings import Command, KeyMap
from demine.scene.preferences import Preferences
from demine.scene.themes import THEMES, theme, with_palette
from demine.scene.translation import languages, set_language
from tests.classic.desk import Table, chordable, mines_around, remaining
from tests.hand import wait_for
from tests.languages import KNOWN, PICTURED
from tests.pictures import compare, compare_soon

Sit = Callable[..., Table]


def scene_with_everything(table: Table) -> None:
    """Numbers plain, dim and crowded, flags, a question mark and a cursor; the clock stands."""
    table.open(4, 4)
    row, col = chordable(table.game)
    for mine in mines_around(table.game, row, col):
        table.flag(*mine)
    safe = remaining(table.game)
    table.flag(*safe[-1])
    table.hand.click(*table.middle(*safe[-1]), 3)
    table.follow(Verb.QUESTION, *safe[-1])
    table.flag(*safe[0])
    table.lose()
    table.hand.key("left")
    table.hand.key("left")


def still(table: Table, look: str) -> NDArray[np.uint8]:
    """The window without its lamps for time and its line of words, which tell how long it took."""
    picture = table.picture()
    layout = table.layout
    picture[layout.counters.y : layout.counters.bottom, layout.face.right :] = theme(look).panel
    picture[layout.line.y : layout.line.bottom] = theme(look).panel
    return picture


@pytest.mark.parametrize("look", list(THEMES))
def test_a_lost_game_in_every_theme(sit: Sit, look: str, regenerate: bool) -> None:
    table = sit(
        "beginner", "--seed", "7", "--cell", "24", "--questions", "--theme", look, look=look
    )
    scene_with_everything(table)
    wait_for(lambda: 255 in table.board()[0], "the cursor")
    compare_soon(lambda: still(table, look), f"classic/lost-{look}", regenerate)


@pytest.mark.parametrize("language", PICTURED)
def test_themes_and_languages_change_while_playing(
    sit: Sit, language: str, regenerate: bool
) -> None:
    table = sit(*BOARD, "--theme", "classic", "--lang", language, look="classic")
    table.flag(3, 3)
    compare_soon(table.picture, f"classic/ready-classic-{language}", regenerate)
    names = list(THEMES)
    for name in names[1:] + names[:1]:
        table.hand.key("t")
        table.look = theme(name)
        table.measure(24)
        table.expect()
        compare_soon(table.picture, f"classic/{name}-{language}", regenerate)
    table.hand.key("ctrl+l")
    other = [*KNOWN, KNOWN[0]][KNOWN.index(language) + 1]
    wait_for(lambda: table.says(languages()[other]), "the next language's name")


def test_palettes_change_while_playing(sit: Sit) -> None:
    table = sit(*BOARD, "--theme", "dark", look="dark")
    table.flag(3, 3)
    for name in [*PALETTES, ""]:
        table.hand.key("shift+t")
        table.look = with_palette(theme("dark"), name) if name else theme("dark")
        table.measure(24)
        wait_for(lambda name=name: table.says(palette_announcement(name)), "the palette's name")  # type: ignore[misc]
        table.expect()


@pytest.mark.parametrize("language", PICTURED)
def test_the_page_of_keys(sit: Sit, language: str, regenerate: bool) -> None:
    table = sit(*BOARD, "--lang", language)
    board = table.picture()
    table.hand.key("f1")
    page = other_than(table, board)
    compare(page, f"classic/keys-{language}", regenerate)
    table.hand.key("down")
    scrolled = other_than(table, page)
    table.hand.press(4)
    table.hand.release(4)
    wait_for(lambda: np.array_equal(table.picture(), page), "the first page by the wheel")
    table.hand.key("end")
    end = other_than(table, page)
    table.hand.key("down")
    table.hand.key("t")
    dark = other_than(table, end)
    assert not np.array_equal(scrolled, end)
    assert dark.mean() < 80
    table.hand.key("escape")
    table.look = theme("dark")
    table.measure(24)
    table.expect()


@pytest.mark.parametrize("language", list(languages()))
def test_the_page_names_every_key(language: str) -> None:
    before = set_language(language)
    try:
        rows = help_rows(KeyMap(), ABSENT, "elsewhere", ["trouble"])
    finally:
        set_language("en")
    assert before == language
    assert rows[0] == ("!", "trouble")
    heading = rows.index(("", ""))
    assert len(rows[1:heading]) == len(set(Command) - ABSENT)
    assert len(rows[heading + 2 :]) == len(ABSENT)
    assert all(key and meaning for key, meaning in rows[1:heading] + rows[heading + 2 :])


def test_what_is_absent_is_said(sit: Sit) -> None:
    table = sit(*BOARD)
    ready = start_tip_line(Preferences(), "Beginner · chosen seed")
    for key in ("h", "d", "ctrl+c", "+", "ctrl+,"):
        table.hand.key(key)
        wait_for(lambda: table.says("Only in the desktop window"), f"the word about {key}")
        table.hand.key("escape")
        wait_for(lambda: table.says(ready), "the tip, and what is played")


def other_than(table: Table, picture: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Wait for another picture."""
    wait_for(lambda: not np.array_equal(table.picture(), picture), "another picture")
    return table.picture()


BOARD = ("beginner", "--seed", "7", "--cell", "24")


@pytest.mark.parametrize("language", PICTURED)
def test_the_end_is_said_in_words(sit: Sit, language: str, regenerate: bool) -> None:
    table = sit(*BOARD, "--lang", language)
    table.open(4, 4)
    table.lose()
    words = table.words()
    left = int(np.flatnonzero((words != table.look.panel).any(axis=(0, 2)))[0])
    # The words go on with the time, which differs; what they begin with does not.
    compare(words[:, left : left + 50], f"classic/end-{language}", regenerate)


def test_a_pause_says_how_to_go_on(sit: Sit, regenerate: bool) -> None:
    table = sit(*BOARD, "--theme", "light", look="light")
    table.open(4, 4)
    table.hand.key("p")
    wait_for(lambda: table.says("Paused · Click or press P to resume"), "the words")
    compare_soon(lambda: still(table, "light"), "classic/paused", regenerate)
    table.hand.key("t")
    wait_for(lambda: not table.says("Paused · Click or press P to resume"), "the theme's name")
