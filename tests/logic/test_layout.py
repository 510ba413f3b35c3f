"""Layouts: dealt, checked, packed and written; hostile texts refused."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from demine.logic import layout
from demine.logic.errors import LayoutError, RulesError
from demine.logic.layout import (
    as_bool_array,
    checked_cell,
    checked_mine_map,
    checked_seed,
    deal,
    format_layout,
    keeps_first_click_promise,
    pack_mine_map,
    parse_layout,
    unpack_mine_map,
)
from demine.logic.neighbours import block_around
from demine.logic.rules import BEGINNER, EXPERT, First, Rules
from tests.logic.boards import Mines, mine_maps, playable, refusal_of


def rules_of(mines: Mines) -> Rules | None:
    """The rules of a mine map; None for a board of nothing but mines."""
    if mines.all():
        return None
    return Rules(mines.shape[1], mines.shape[0], np.count_nonzero(mines))


@given(playable(12), st.integers(0, 2**128 - 1), st.data())
def test_dealt_mines_keep_the_rules(rules: Rules, seed: int, data: st.DataObject) -> None:
    row = data.draw(st.integers(0, rules.height - 1))
    col = data.draw(st.integers(0, rules.width - 1))
    mines = deal(rules, seed, (row, col))
    assert mines.shape == rules.shape
    assert mines.dtype == np.bool_
    assert np.count_nonzero(mines) == rules.mines
    if rules.first is First.ZERO:
        assert not mines[block_around(row, col, *rules.shape)].any()
    if rules.first is First.SAFE:
        assert not mines[row, col]
    assert keeps_first_click_promise(rules, mines, (row, col))
    assert np.array_equal(mines, deal(rules, seed, (row, col)))


@given(st.integers(0, 2**48), st.integers(0, 8), st.integers(0, 8), st.integers(0, 8))
def test_first_clicks_of_one_seed_share_their_mines(
    seed: int, row: int, col: int, other: int
) -> None:
    one, two = (deal(BEGINNER, seed, cell) for cell in ((row, col), (other, col)))
    assert np.count_nonzero(one & ~two) <= 9


def test_cells_that_draw_the_same_key_do_not_become_too_many_mines(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def same(seed: int, count: int) -> Iterator[NDArray[np.uint64]]:
        yield np.full(count, seed, dtype=np.uint64)

    monkeypatch.setattr(layout, "_key_chunks", same)
    for key in (0, 5, 2**64 - 1):
        mines = deal(BEGINNER, key, (0, 0))
        assert np.count_nonzero(mines) == 10
        assert not mines[:2, :2].any()


def test_other_seeds_lay_other_boards() -> None:
    boards = {deal(EXPERT, seed, (8, 15)).tobytes() for seed in range(500)}
    assert len(boards) == 500


def test_a_seed_means_the_same_board_everywhere() -> None:
    # Another NumPy or another machine that draws other numbers is noticed here.
    assert format_layout(BEGINNER, deal(BEGINNER, 7, (4, 4))) == GOLDEN_BEGINNER
    digest = hashlib.sha256()
    for seed in (0, 1, 7, 2**48 - 1, 2**64, 2**128 - 1):
        digest.update(np.packbits(deal(EXPERT, seed, (8, 15))).tobytes())
        digest.update(np.packbits(deal(Rules(300, 301, 9000, "any"), seed, (0, 0))).tobytes())
    assert digest.hexdigest() == GOLDEN_DIGEST


GOLDEN_BEGINNER = """\
9x9/10
......*..
.........
.....**..
.........
.*.......
.*.....*.
.*.......
....*....
..*....*.
"""
GOLDEN_DIGEST = "c7ebbf6d8e154fa133ee8b6fc1a12887ef9fda7b0a622403f3a09ceb38a5ce97"


@pytest.mark.parametrize(
    "seed", [-1, 2**128, pytest.param(10**5000, id="endless"), 1.0, None, "7", float("nan")]
)
def test_seeds_that_are_none(seed: int) -> None:
    with pytest.raises(LayoutError, match="a seed is a whole number from 0 up to 2"):
        checked_seed(seed)
    with pytest.raises(LayoutError):
        deal(Rules(3, 3, 0), seed)


def test_seeds_of_any_integer_type() -> None:
    assert type(checked_seed(np.int64(5))) is int
    assert np.array_equal(deal(BEGINNER, np.uint8(5)), deal(BEGINNER, 5))  # type: ignore[arg-type]


@pytest.mark.parametrize("cell", [(-1, 0), (0, -1), (9, 0), (0, 9), (2**70, 0)])
def test_first_clicks_outside_the_board(cell: tuple[int, int]) -> None:
    with pytest.raises(LayoutError, match="is outside the 9x9 board"):
        deal(BEGINNER, 1, cell)
    with pytest.raises(LayoutError, match="is outside the 9x9 board"):
        checked_cell(BEGINNER, cell)


@given(mine_maps(20))
def test_packed_layouts_unpack(mines: Mines) -> None:
    text = pack_mine_map(mines)
    assert np.array_equal(unpack_mine_map(text, *mines.shape), mines)
    assert text.replace("-", "").replace("_", "").isalnum() or not text
    assert len(text) <= -(-mines.size // 6) + 2


@given(mine_maps(6), st.text(st.sampled_from("AB01-_=+/ é\n"), max_size=12))
def test_other_texts_do_not_unpack(mines: Mines, text: str) -> None:
    try:
        found = unpack_mine_map(text, *mines.shape)
    except LayoutError:
        return
    assert pack_mine_map(found) == text


@pytest.mark.parametrize(
    ("text", "shape"),
    [
        ("", (1, 1)), ("A", (1, 1)), ("AAA", (1, 1)), ("gA=", (1, 1)), ("gA==", (1, 1)),
        ("gB", (1, 1)), ("wA", (1, 1)), ("g ", (1, 1)), ("gé", (1, 1)), ("g+", (1, 6)),
        ("A" * 12, (8192, 8192)), ("", (2**40, 2**40)),
    ],
)  # fmt: skip
def test_packed_layouts_that_are_none(text: str, shape: tuple[int, int]) -> None:
    with pytest.raises(LayoutError):
        unpack_mine_map(text, *shape)


@given(mine_maps())
def test_layout_texts_parse_back(mines: Mines) -> None:
    rules = rules_of(mines)
    if rules is None:
        return
    text = format_layout(rules, mines)
    found_rules, found = parse_layout(text)
    assert found_rules == rules
    assert np.array_equal(found, mines)
    spaced = "\n".join([str(rules), *(" ".join(line) for line in text.splitlines()[1:])])
    assert np.array_equal(parse_layout(f"\n{spaced}\r\n\n")[1], mines)


def test_digits_are_safe_cells() -> None:
    rules, mines = parse_layout("3x2/2\n*2*\n0 8 .")
    assert str(rules) == "3x2/2"
    assert mines.tolist() == [[True, False, True], [False, False, False]]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("2x2/1\n*.\n..\n..", "the layout has 3 rows, the rules 2x2/1"),
        ("2x2/1\n*.", "the layout has 1 rows, the rules 2x2/1"),
        ("2x2/1", "the layout has 0 rows, the rules 2x2/1"),
        ("2x2/1\n*.\n...", "line 3 has 3 cells, the rules 2x2/1"),
        ("2x2/1\n*.\n.", "line 3 has 1 cells, the rules 2x2/1"),
        ("2x2/1\n**\n..", "the layout has 2 mines, the rules 2x2/1"),
        ("2x2/1\n*.\n.#", "line 3: '#' is neither * nor . nor a digit"),
        ("2x2/1\n*9\n..", "line 2: '9' is neither * nor . nor a digit"),
        ("2x2/1\n*٣\n..", "line 2: '٣' is neither * nor . nor a digit"),
        ("8192x8192/5\n*", "the layout has 1 rows, the rules 8192x8192/5"),
        ("67108864x1/5\n*", "line 2 has 1 cells, the rules 67108864x1/5"),
    ],
)
def test_layout_texts_that_are_none(text: str, sentence: str) -> None:
    with pytest.raises(LayoutError) as caught:
        parse_layout(text)
    assert str(caught.value) == sentence


@pytest.mark.parametrize("text", ["", "\n\n", "*..\n...", "3x3", "0x0/0\n"])
def test_a_layout_begins_with_its_rules(text: str) -> None:
    with pytest.raises(RulesError):
        parse_layout(text)


@given(
    st.text(max_size=60)
    | st.from_regex(r"[1-3]x[1-3]/[0-3]\n([*. 0-9#]{0,4}\n){0,4}", fullmatch=True)
)
def test_any_text_is_a_layout_or_a_refusal(text: str) -> None:
    if not refusal_of(parse_layout, text):
        rules, mines = parse_layout(text)
        assert np.array_equal(parse_layout(format_layout(rules, mines))[1], mines)


@pytest.mark.parametrize(
    "mines",
    [
        [[1, 0], [0]], "mines", None, [[1, 0, 0]], [1, 0, 0, 0], [[[1, 0], [0, 0]]],
        [[1, 1], [0, 0]], [["*", "."], [".", "."]], [[0, 0], [0, 0]], object(),
    ],
)  # fmt: skip
def test_arrays_that_do_not_fit_are_refused(mines: list[list[int]]) -> None:
    with pytest.raises(LayoutError):
        checked_mine_map(Rules(2, 2, 1), mines)


def test_checked_maps_are_copies_nobody_writes() -> None:
    given_map = np.array([[True, False], [False, False]])
    mines = checked_mine_map(Rules(2, 2, 1), given_map)
    given_map[:] = False
    assert mines[0, 0]
    for kept in (mines, as_bool_array(given_map)):
        with pytest.raises(ValueError, match="read-only"):
            kept[0, 0] = True


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r", "\x0b", "\u2028", " \n\t"])
@pytest.mark.parametrize("space", ["", " ", "\t", "\u3000"])
def test_any_ends_of_lines_and_spaces(end: str, space: str) -> None:
    rows = ["*.1", ".0*"]
    text = end.join(["3x2/2", *(space.join(row) for row in rows), ""])
    rules, mine_map = parse_layout(text)
    assert (rules.width, rules.height) == (3, 2)
    assert np.argwhere(mine_map).tolist() == [[0, 0], [1, 2]]


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        (["*..", "..", "?.."], "line 3 has 2 cells"),
        (["*..", "?.", "..."], "line 3: '?' is neither"),
        (["*..", "雷", "..?"], "line 3: '雷' is neither"),
        (["*..", "", "..?"], "line 3 has 0 cells"),
        (["*..", "...", "..99"], "line 4: '9' is neither"),
    ],
)
def test_the_first_wrong_row_is_named(rows: list[str], said: str) -> None:
    with pytest.raises(LayoutError, match=re.escape(said)):
        parse_layout("\n".join(["3x3/1", *rows]))
