"""Words, looks, places, keys and forms, without a terminal."""

from __future__ import annotations

from itertools import product
from pathlib import Path
from typing import cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from demine.logic.rules import Rules
from demine.replay.load_save import load
from demine.scene.cell_faces import Face
from demine.scene.colours import contrast
from demine.scene.key_bindings import KeyMap
from demine.scene.overlay import UNKNOWN, Mark
from demine.scene.preferences import Preferences
from demine.scene.themes import THEMES, with_palette
from demine.scene.translation import set_language
from demine.terminal.forms import ChoiceField, Form, NumberField
from demine.terminal.palette256 import PALETTE, nearest_xterm_colour, xterm_colours
from demine.terminal.screen_layout import SMALL, CellSize, ScreenLayout
from demine.terminal.setup_forms import setup_form
from demine.terminal.terminal_theme import CellState, TerminalTheme
from demine.terminal.text_pages import Table, page_of_statistics
from demine.terminal.text_width import centred, cut, fitted, printable_text, width, wrapped
from demine.terminal.textual_app import key_names
from demine.terminal.tty_capabilities import colour_count, has_dark_background, needs_ascii

TEXTS = st.text(st.sampled_from("ab 1，。“”雷数é…·"), max_size=60)


@given(TEXTS, st.integers(0, 40))
def test_words_keep_to_their_room(text: str, room: int) -> None:
    assert width(cut(text, room)) <= room
    assert width(fitted(text, room)) == room
    assert width(centred(text, room)) == room


@given(TEXTS, st.integers(2, 40))
def test_wrapping_loses_nothing(text: str, room: int) -> None:
    lines = wrapped(text, room)
    assert all(width(line) <= room for line in lines)
    assert "".join(lines).replace(" ", "") == text.replace(" ", "")


def test_no_text_moves_the_cursor() -> None:
    assert printable_text("a\x1b[2Jb\r\nc", ascii_only=False) == "a?[2Jb??c"
    assert printable_text("3 × 4 · …", ascii_only=True) == "3 x 4 | ..."


# Looks


@pytest.mark.parametrize(("many", "plain"), list(product([0, 16, 256, 1 << 24], [False, True])))
@pytest.mark.parametrize("palette", ["", "okabe-ito"])
@pytest.mark.parametrize("name", list(THEMES))
def test_every_face_and_mark_is_told_apart(name: str, palette: str, many: int, plain: bool) -> None:
    theme = with_palette(THEMES[name], palette) if palette else THEMES[name]
    terminal_theme = TerminalTheme(theme, colours=many, ascii_only=plain)
    faces = [terminal_theme.cell(CellState(face))[0] for face in Face]
    assert len(set(faces)) == len(Face)
    if many <= 16:
        assert len({text for text, _ in faces}) == len(Face)
    for face in (Face.COVERED, Face.TWO, Face.FLAG):
        marks = {terminal_theme.cell(CellState(face, mark=mark)) for mark in Mark}
        # A safe cell and one that was missed are never on one board.
        assert len(marks) >= len(Mark) - 1
        bare = {terminal_theme.cell(CellState(face, mark=mark))[0][0] for mark in Mark}
        assert len(bare) == len(Mark) - 1
        assert terminal_theme.cell(CellState(face, cursor=True)) != terminal_theme.cell(
            CellState(face)
        )
    assert all(width(text) == SMALL.cols for text, _ in faces)
    if plain:
        assert all(text.isascii() for text, _ in faces)


def test_greys_stay_grey_in_256_colours() -> None:
    for name in THEMES:
        terminal_theme = TerminalTheme(THEMES[name], colours=256, ascii_only=False)
        for style in (terminal_theme.plain, terminal_theme.button):
            assert style.fg is not None
            assert style.bg is not None
            for rgb, number in zip((style.fg, style.bg), xterm_colours(style), strict=True):
                assert number is not None
                if max(rgb) - min(rgb) <= 16:
                    assert len(set(PALETTE[number])) == 1, (name, rgb)


@pytest.mark.parametrize("palette", ["", "okabe-ito"])
@pytest.mark.parametrize("name", list(THEMES))
def test_256_colours_keep_contrast_and_chequers(name: str, palette: str) -> None:
    theme = with_palette(THEMES[name], palette) if palette else THEMES[name]
    terminal_theme = TerminalTheme(theme, colours=256, ascii_only=False)
    for face, mark, odd in product(Face, Mark, (False, True)):
        ((_, style),) = terminal_theme.cell(CellState(face, mark=mark, odd_square=odd))
        letter, ground = xterm_colours(style)
        assert style.fg is not None
        assert style.bg is not None
        assert letter is not None
        assert ground is not None
        found = contrast(PALETTE[letter], PALETTE[ground])
        assert found >= 0.8 * min(4.5, contrast(style.fg, style.bg)), (face, mark, odd)
    for face in (Face.COVERED, Face.ZERO):
        assert (
            xterm_colours(terminal_theme.cell(CellState(face))[0][1])[1]
            != xterm_colours(terminal_theme.cell(CellState(face, odd_square=True))[0][1])[1]
        )


@given(st.sampled_from(sorted(PALETTE)))
def test_what_is_among_256_colours_stays_what_it_is(number: int) -> None:
    assert PALETTE[nearest_xterm_colour(PALETTE[number])] == PALETTE[number]


@pytest.mark.parametrize("name", list(THEMES))
def test_risks_can_be_read(name: str) -> None:
    terminal_theme = TerminalTheme(THEMES[name], colours=1 << 24, ascii_only=False)
    for risk, odd in product(range(101), (False, True)):
        state = CellState(Face.COVERED, risk=risk, odd_square=odd)
        ((text, style),) = terminal_theme.cell(state)
        assert text == ("**" if risk == 100 else f"{risk:02d}")
        assert style.fg is not None
        assert style.bg is not None
        assert contrast(style.fg, style.bg) >= 4.5


@pytest.mark.parametrize("name", list(THEMES))
def test_the_mine_that_was_hit_stays_the_one(name: str) -> None:
    terminal_theme = TerminalTheme(THEMES[name], colours=1 << 24, ascii_only=False)
    for mark, cursor in product((Mark.NONE, Mark.MISTAKE), (False, True)):
        ((text, style),) = terminal_theme.cell(CellState(Face.BLOWN, mark=mark, cursor=cursor))
        assert style.bg == THEMES[name].blown
        assert text.startswith("[") == (cursor and mark is Mark.NONE)


# Places


@given(
    st.integers(1, 200),
    st.integers(1, 80),
    st.integers(1, 300),
    st.integers(1, 300),
    st.data(),
)
def test_a_cell_seen_is_found_where_it_is(
    cols: int, rows: int, height: int, wide: int, data: st.DataObject
) -> None:
    cell = data.draw(st.integers(0, height - 1)), data.draw(st.integers(0, wide - 1))
    layout = ScreenLayout(cols, rows, (height, wide)).scrolled_to(cell)
    x = layout.border_x + 1 + layout.cell.cols * (cell[1] - layout.left)
    y = layout.first_row_y + layout.cell.rows * (cell[0] - layout.top)
    for column, line in product(range(layout.cell.cols), range(layout.cell.rows)):
        assert layout.cell_at(x + column, y + line) == cell
        across, down = layout.board_point(x + column, y + line)
        assert (down // 16, across // 16) == cell
    assert layout.cell_at(x - 1, y) != cell
    assert layout.cell_at(x, y - 1) != cell


@given(st.integers(20, 200), st.integers(10, 80), st.integers(1, 30), st.integers(1, 40))
def test_cells_grow_only_where_the_whole_board_and_its_words_fit(
    cols: int, rows: int, height: int, wide: int
) -> None:
    layout = ScreenLayout(cols, rows, (height, wide))
    assert ScreenLayout(cols, rows, (height, wide), may_grow=False).cell == SMALL
    if layout.cell != SMALL:
        assert layout.shows_whole_board
        assert layout.note_rows >= 3
    # Header and board lie in the middle together, below the tools.
    assert layout.header_y >= 1
    assert layout.first_row_y == layout.header_y + 3


@pytest.mark.parametrize(
    ("size", "shape", "cell"),
    [
        ((80, 24), (9, 9), (2, 1)),
        ((80, 26), (9, 9), (4, 2)),
        ((100, 40), (9, 9), (6, 3)),
        ((124, 44), (16, 30), (4, 2)),
        ((121, 44), (16, 30), (2, 1)),
        ((200, 60), (16, 30), (6, 3)),
    ],
)
def test_the_levels_fill_a_larger_terminal(
    size: tuple[int, int], shape: tuple[int, int], cell: tuple[int, int]
) -> None:
    assert ScreenLayout(*size, shape).cell == cell


@pytest.mark.parametrize("size", [(4, 2), (6, 3)])
def test_a_larger_cell_says_what_a_small_one_says(size: tuple[int, int]) -> None:
    terminal_theme = TerminalTheme(THEMES["dark"], colours=256, ascii_only=False)
    for face, mark, risk, cursor in product(Face, Mark, (UNKNOWN, 7, 100), (False, True)):
        state = CellState(face, mark=mark, risk=risk, cursor=cursor)
        ((small, _),) = terminal_theme.cell(state)
        pieces = terminal_theme.cell(state, CellSize(*size))
        assert [width(text) for text, _ in pieces] == [size[0]] * size[1]
        said = "".join(text for text, _ in pieces)
        assert said.replace(" ", "").strip("[]") == small.replace(" ", "").strip("[")
        assert said.startswith("[") == (cursor and size[1] == 2)
        assert len({style for _, style in pieces}) == 1


@pytest.mark.parametrize("shape", [(9, 9), (16, 16), (16, 30)])
def test_every_level_fits_eighty_by_twenty_four(shape: tuple[int, int]) -> None:
    layout = ScreenLayout(80, 24, shape)
    assert layout.shows_whole_board
    assert layout.note_rows >= 3


def test_a_board_comes_before_the_words_below_it() -> None:
    for rows in range(7, 40):
        layout = ScreenLayout(80, rows, (16, 30), footer_rows=3)
        assert layout.note_rows >= 1
        assert layout.visible_rows >= min(4, rows - 6)
        assert layout.note_rows >= 3 or layout.visible_rows <= 4


# Keys


@pytest.mark.parametrize(
    ("key", "character", "names"),
    [
        ("h", "h", ("h",)),
        ("H", "H", ("shift+h",)),
        ("upper_h", "H", ("shift+h",)),
        ("question_mark", "?", ("?",)),
        ("plus", "+", ("+",)),
        ("space", " ", ("space",)),
        ("enter", "\r", ("enter",)),
        ("f2", None, ("f2",)),
        ("f14", None, ("shift+f2",)),
        ("shift+f2", None, ("shift+f2",)),
        ("ctrl+up", None, ("ctrl+up",)),
        ("backspace", "\x7f", ("backspace", "ctrl+h")),
        ("ctrl+j", "\n", ("ctrl+j", "enter")),
        ("雷", "雷", ("雷",)),
        ("unheard_of", None, ()),
    ],
)
def test_keys_have_the_names_of_every_scene(
    key: str, character: str | None, names: tuple[str, ...]
) -> None:
    assert key_names(key, character) == names


def test_own_keys_are_free() -> None:
    assert KeyMap().lookup("a") is None
    assert KeyMap().lookup("o") is None


# Forms


def test_a_form_takes_digits_and_steps() -> None:
    told: list[str] = []
    number, choice = NumberField("n", "N", "12"), ChoiceField("c", "C", [(1, "one"), (2, "two")])
    form = Form("F", [number, choice], lambda _: "", lambda _, name: told.append(name))
    form.type_digit("3")
    form.type_digit("x")
    form.type_digit("４")  # an input method's
    assert number.value == 34
    form.step_value(-1)
    form.erase_digit()
    assert number.value == 3
    form.erase_digit()
    assert number.value == 0
    form.step_value(-1)
    assert number.value == 0
    for digit in "123456789":
        form.type_digit(digit)
    assert number.value == 12345678
    form.move_selection(1)
    form.step_value(-1)
    form.type_digit("1")
    assert form.values() == {"n": 12345678, "c": 2}
    assert set(told) == {"n", "c"}


# The terminal


@pytest.mark.parametrize(
    ("environ", "many"),
    [
        ({"TERM": "xterm-256color", "COLORTERM": "truecolor"}, 1 << 24),
        ({"TERM": "xterm-256color", "COLORTERM": "truecolor", "NO_COLOR": "1"}, 0),
        ({"TERM": "xterm-256color", "NO_COLOR": ""}, 256),
        ({"TERM": "tmux-256color"}, 256),
        ({"TERM": "xterm-kitty"}, 256),
        ({"TERM": "linux"}, 16),
        ({"TERM": "vt220"}, 0),
    ],
)
def test_colours(environ: dict[str, str], many: int) -> None:
    assert colour_count(environ) == many


@pytest.mark.parametrize(
    ("environ", "plain"),
    [
        ({"TERM": "linux", "LANG": "zh_CN.UTF-8"}, True),
        ({"TERM": "xterm", "LANG": "zh_CN.GBK"}, True),
        ({"TERM": "xterm", "LANG": "de_DE.UTF-8"}, False),
        ({"TERM": "xterm", "LC_ALL": "C.utf8", "LANG": "en_US.ISO-8859-1"}, False),
        ({"TERM": "xterm", "LC_ALL": "C", "LANG": "de_DE.UTF-8"}, True),
        ({"TERM": "xterm", "LANG": "POSIX"}, True),
        # Python itself says C.UTF-8 where it finds C.
        ({"TERM": "xterm", "LANG": "C", "LC_CTYPE": "C.UTF-8"}, True),
        ({"TERM": "xterm", "LC_CTYPE": "C.UTF-8"}, False),
        ({"TERM": "xterm", "LANG": "C", "LC_CTYPE": "de_DE.UTF-8"}, False),
        ({"TERM": "xterm"}, False),
    ],
)
def test_letters(environ: dict[str, str], plain: bool) -> None:
    assert needs_ascii(environ) is plain


def test_the_ground() -> None:
    assert has_dark_background({})
    assert has_dark_background({"COLORFGBG": "15;0"})
    assert not has_dark_background({"COLORFGBG": "0;default;15"})


@pytest.mark.parametrize(("language", "said"), [("en", "Left clicks"), ("zh_CN", "左键")])
def test_statistics_are_called_by_words(language: str, said: str) -> None:
    game = load(Path(__file__).parents[1] / "golden" / "expert-won.jsonl")
    set_language(language)
    try:
        lines = ["".join(line) for line in page_of_statistics(game).lines(78)]
    finally:
        set_language("en")
    assert any(line.startswith(said) for line in lines)
    assert not any("_" in line.split("  ")[0] for line in lines)
    # Units begin in one column, right behind the figures.
    (table,) = (each for each in page_of_statistics(game).blocks if isinstance(each, Table))
    assert len({width(unit) for _, _, unit in table.rows}) == 1
    assert max(map(width, lines)) <= 78


def test_a_board_too_large_to_be_guess_free_is_not_begun() -> None:
    begun: list[Rules] = []
    form = setup_form(Rules(300, 300, 9000), Preferences(), begun.append)
    cast("ChoiceField", form["guess_free"]).step(1)
    assert not form.try_accept()
    assert "65536 cells" in form.trouble
    assert not begun
    cast("ChoiceField", form["guess_free"]).step(1)
    assert form.try_accept()
    assert begun == [Rules(300, 300, 9000)]


def test_a_board_longer_than_is_offered_is_begun_only_where_one_is_played() -> None:
    begun: list[Rules] = []
    form = setup_form(Rules(9, 9, 10), Preferences(), begun.append)
    cast("NumberField", form["height"]).text = "7456540"
    assert not form.try_accept()
    assert form.trouble == "A board is 1 to 1000 cells high."
    set_language("zh_CN")
    try:
        form = setup_form(Rules(9, 9, 10), Preferences(), begun.append)
        cast("NumberField", form["height"]).text = "7456540"
        assert not form.try_accept()
        assert form.trouble == "棋盘高 1 到 1000 格。"
    finally:
        set_language("en")
    form = setup_form(Rules(9, 2000, 10), Preferences(), begun.append)
    assert form.try_accept()
    assert begun == [Rules(9, 2000, 10)]
