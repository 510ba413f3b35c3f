"""Rules: texts that parse back, and a sentence for every set of rules nobody could play."""

from __future__ import annotations

import copy
import dataclasses
import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from demine.logic.errors import DemineError, RulesError
from demine.logic.rules import (
    BEGINNER,
    CLASSIC_BEGINNER,
    EXPERT,
    INTERMEDIATE,
    MAX_CELLS,
    PRESETS,
    TEN,
    First,
    Goal,
    Rules,
    most_mines,
)
from tests.logic.boards import all_rules, refusal_of


def refusal(text: str) -> str:
    with pytest.raises(RulesError) as caught:
        Rules.parse(text)
    return str(caught.value)


@given(all_rules())
def test_text_and_repr_rebuild_the_rules(rules: Rules) -> None:
    assert Rules.parse(str(rules)) == rules
    assert eval(repr(rules), {"Rules": Rules}) == rules
    assert hash(Rules.parse(str(rules))) == hash(rules)


@given(all_rules())
def test_rules_travel(rules: Rules) -> None:
    assert pickle.loads(pickle.dumps(rules)) == rules
    assert copy.deepcopy(rules) == rules
    assert dataclasses.replace(rules) == rules


@given(all_rules(), st.sampled_from([" ", ",", ", ", "   "]), st.booleans())
def test_case_and_separators_do_not_matter(rules: Rules, separator: str, upper: bool) -> None:
    text = str(rules).replace(" ", separator)
    assert Rules.parse(f"  {text.upper() if upper else text}\n") == rules


@given(all_rules())
def test_numbers_of_cells_add_up(rules: Rules) -> None:
    assert rules.cells == rules.width * rules.height == rules.safe_cells + rules.mines
    assert np.zeros(rules.shape).size == rules.cells
    assert rules.safe_cells >= 1


def test_presets_are_what_players_know() -> None:
    sizes = {name: str(rules) for name, rules in PRESETS.items()}
    assert sizes == {
        "beginner": "9x9/10",
        "intermediate": "16x16/40",
        "expert": "30x16/99",
        "classic-beginner": "8x8/10",
        "ten": "10x10/33",
    }
    assert [Rules.parse(name) for name in sizes] == list(PRESETS.values())
    assert Rules.parse("Expert") == EXPERT == Rules(30, 16, 99)
    assert EXPERT.shape == (16, 30)


def test_presets_take_options() -> None:
    rules = Rules.parse("ten first=any goal=flag")
    assert rules == Rules(10, 10, 33, First.ANY, Goal.FLAG)
    assert Rules.parse("beginner guess-free").guess_free


@pytest.mark.parametrize("rules", [BEGINNER, INTERMEDIATE, EXPERT, CLASSIC_BEGINNER, TEN])
def test_presets_open_an_opening_first(rules: Rules) -> None:
    assert rules.first is First.ZERO


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("3x3/0", First.ZERO),
        ("3x3/1", First.SAFE),
        ("4x4/7", First.ZERO),
        ("4x4/8", First.SAFE),
        ("9x1/6", First.ZERO),
        ("9x1/7", First.SAFE),
        ("1x9/6", First.ZERO),
        ("2x9/12", First.ZERO),
        ("2x9/13", First.SAFE),
        ("1x1/0", First.ZERO),
    ],
)
def test_the_default_first_click_fits_the_density(text: str, first: First) -> None:
    assert Rules.parse(text).first is first
    assert f"first={first}" not in str(Rules.parse(text))


@given(st.integers(1, 12), st.integers(1, 12), st.sampled_from(First))
def test_as_many_mines_as_the_promise_allows(width: int, height: int, first: First) -> None:
    most = most_mines(width, height, first)
    assert Rules(width, height, most, first=first).mines == most
    with pytest.raises(RulesError):
        Rules(width, height, most + 1, first=first)


def test_any_integer_type_is_a_number() -> None:
    assert Rules(np.int64(30), np.uint8(16), np.int16(99)) == EXPERT
    assert type(Rules(np.uint8(30), 16, 99).width) is int
    assert str(Rules(True, True, False)) == "1x1/0"


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "no rules given: write WIDTHxHEIGHT/MINES, as in 30x16/99"),
        (" , ", "no rules given: write WIDTHxHEIGHT/MINES, as in 30x16/99"),
        ("0x9/0", "a board of 0x9 has no cells"),
        ("9x9/81", "81 mines do not fit on 9x9: one cell stays free, so 80 at most"),
        ("9x9/999999999", "999999999 mines do not fit on 9x9: one cell stays free, so 80 at most"),
        ("8193x8192/1", f"a board of 8193x8192 is too big: {MAX_CELLS} cells at most"),
        (
            "9x9/73 first=zero",
            (
                "with 73 mines on 9x9 the first cell cannot always open an opening: "
                "72 at most, or let it be merely safe (first=safe)"
            ),
        ),
        ("9x9/0 goal=flag", "goal=flag needs at least one mine to flag"),
        (
            "9x9/10 first=any guess-free",
            "a guess-free board needs a safe first cell: first=any is a guess",
        ),
        ("9x9/10 first=never", "'never' is not valid for first: use safe, zero, any"),
        ("9x9/10 goal=win", "'win' is not valid for goal: use open, flag"),
        (
            "9x9/10 quick",
            "'quick' is not a rule: use first=..., goal=..., flags=..., guess-free or lives=...",
        ),
        ("9x9/10 first=any first=any", "'first=any' appears twice"),
        ("9x9/10 guess-free guess_free", "'guess_free' appears twice"),
    ],
)
def test_impossible_rules_are_refused_with_a_sentence(text: str, sentence: str) -> None:
    assert refusal(text) == sentence


@pytest.mark.parametrize(
    "text",
    [
        "9x9", "9/9x9", "x9/9", "9x9/", "-9x9/10", "+9x9/10", "9.0x9/10", "9x9/10.0", "9 x 9 / 10",
        "1e1x9/10", "0x10x9/1", "1_0x9/10", "９x９/10", "٩x٩/١٠", "9x9/¹", "9X9\\10", "begin",
        "9x9/10 guess-free=yes", "9x9/10 first", "9x9/10 first=", "9x9/10 =zero", "9x9/10 zero",
        "99999999999999999999x1/0", "9x9/10\x009x9/10", "expert/99", "9x9/10;",
    ],
)  # fmt: skip
def test_what_is_no_text_of_rules(text: str) -> None:
    assert refusal(text)


def test_every_board_stays_playable_on_paper() -> None:
    assert Rules.parse("8192x8192/10").cells == MAX_CELLS
    assert Rules.parse("67108864x1/0").first is First.ZERO
    assert Rules.parse("9×9/10") == Rules.parse("9*9/10") == BEGINNER


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ((9.0, 9, 10), "width must be a whole number, not 9.0"),
        ((9, "9", 10), "height must be a whole number, not '9'"),
        ((9, 9, None), "mines must be a whole number, not None"),
        ((9, 9, -1), "a board cannot have -1 mines"),
        ((-3, -3, 1), "a board of -3x-3 has no cells"),
        ((10**5000, 1, 0), "width is too large for a board"),
        ((9, 9, -(10**5000)), "mines is too large for a board"),
        ((2**40, 2**40, 0), f"a board of {2**40}x{2**40} is too big: {MAX_CELLS} cells at most"),
        ((9, 9, float("nan")), "mines must be a whole number, not nan"),
    ],
)
def test_numbers_that_are_none(arguments: tuple[int, int, int], sentence: str) -> None:
    with pytest.raises(RulesError) as caught:
        Rules(*arguments)
    assert str(caught.value) == sentence
    assert isinstance(caught.value, ValueError)
    assert isinstance(caught.value, DemineError)


@given(st.text(max_size=40) | st.from_regex(r"\d{0,12}[x×*]?\d{0,12}/?\d{0,12} [a-z=-]{0,20}"))
def test_any_text_is_rules_or_a_refusal(text: str) -> None:
    if not refusal_of(Rules.parse, text):
        rules = Rules.parse(text)
        assert Rules.parse(str(rules)) == rules


@pytest.mark.parametrize(
    "words", ["x" * 10**6, "9x9/10 first=" + "y" * 10**6, "9x9/10 " + "z" * 10**6]
)
def test_a_refusal_does_not_repeat_a_flood(words: str) -> None:
    assert len(refusal(words)) < 300


def test_rules_are_frozen() -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        BEGINNER.mines = 1  # type: ignore[misc]
    assert len({Rules(9, 9, 10), BEGINNER, Rules(9, 9, 10, first="zero")}) == 1
    assert Rules(9, 9, 10, first=First.SAFE) != BEGINNER
