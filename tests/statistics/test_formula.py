"""Formulas over statistics: arithmetic and nothing else."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from demine.statistics.formula import MAX_LENGTH, Formula, FormulaError

VALUES = {"bv": 100, "time": 20.0, "bv_s": 5.0, "zini": 80, "left": 0, "ioe": None}


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("bv", 100.0),
        ("bv / time", 5.0),
        (" (bv + zini) * 0.5", 90.0),
        ("time ** 1.7 / bv", 20.0**1.7 / 100),
        ("-bv + +time", -80.0),
        ("2 ** 3 ** 2", 512.0),
        ("bv / left", None),
        ("ioe + 1", None),
        ("9 ** 9 ** 9 ** 9", None),
        ("(0 - 8) ** 0.5", None),
        ("bv\n/ time", 5.0),
    ],
)
def test_what_it_comes_to(text: str, wanted: float | None) -> None:
    assert Formula(text).value(VALUES) == wanted


def test_it_says_which_statistics_it_needs() -> None:
    assert Formula("bv_s * time / (bv - bv_s)").names == {"bv_s", "time", "bv"}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "empty"),
        ("bv +", "character"),
        ("bv zini", "character"),
        ("bvs / time", "no statistic 'bvs' (character 1)"),
        ("bv * tim", "no statistic 'tim' (character 6)"),
        ("__import__('os')", "character 1"),
        ("bv.real", "not 'bv.real'"),
        ("bv if bv else zini", "not 'bv if bv else zini'"),
        ("'a' * 9", "not \"'a'\""),
        ("True", "not 'True'"),
        ("bv // 2", "not 'bv // 2'"),
        ("bv, zini", "character"),
        ("(bv := 3)", "character"),
        ("1j", "not '1j'"),
        ("bv)\n+(bv", "character"),
        ("bv) + (bv", "character"),
        ("  bvs", "(character 3)"),
        ("(" * 100 + "bv" + ")" * 100, "200 characters"),
        ("-" * 199 + "1", ""),
    ],
)
def test_what_is_refused_is_said_with_its_place(text: str, said: str) -> None:
    if text.startswith("---"):
        assert Formula(text).value({}) == -1.0
        return
    with pytest.raises(FormulaError) as error:
        Formula(text)
    assert said in str(error.value)


@given(st.text(max_size=MAX_LENGTH + 5))
def test_any_text_is_a_formula_or_refused(text: str) -> None:
    try:
        made = Formula(text)
    except FormulaError:
        return
    made.value(dict.fromkeys(made.names, 3))
