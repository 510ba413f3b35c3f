"""Every statistic is a typed attribute: what type checkers, `help` and `dir` say of it is so."""

from __future__ import annotations

import pydoc
import re
from typing import Any, cast

import numpy as np
import pytest

from demine.game import Game
from demine.logic.event import Lay
from demine.logic.layout import deal
from demine.logic.rules import BEGINNER, EXPERT, Rules
from demine.statistics.compute import stats
from demine.statistics.definitions import TABLE, Statistic, Statistics, Value
from demine.statistics.recording_type import Recording

TYPES: dict[str, tuple[type, ...]] = {
    "int": (int,), "float": (float,), "int | None": (int, type(None)),
    "float | None": (float, type(None)),
}  # fmt: skip


def seen_type(name: str) -> str:
    """What a type checker takes an attribute for; it holds the computation to that too."""
    declared = re.fullmatch(r"Statistic\[(.*)\]", Statistics.__annotations__[name])
    assert declared is not None, name
    return declared[1]


def games() -> list[Statistics]:
    """Games in which each statistic has a value once, and none once if it can have none."""
    won = Game(Rules(5, 3, 2, first="safe"), 7)
    mine_map = np.zeros((3, 5), np.bool_)
    mine_map[0, 0] = mine_map[2, 2] = True
    won.lay(Lay(0, mine_map))
    won.open(0, 4)
    won.flag(0, 0, t=300)
    won.open(2, 0, t=1500)
    lost = Game(EXPERT, 1)
    lost.open(8, 8)
    row, col = np.argwhere(lost.board.mine_map)[0].tolist()
    lost.open(row, col, t=2000)
    ready = Game(BEGINNER, 1)
    ready.lay(Lay(0, deal(BEGINNER, 1)))
    nothing = np.zeros(0, np.int32)
    only_mines = Recording(
        np.ones((2, 2), np.bool_), nothing.astype(np.int64), nothing.astype(np.uint8),
        nothing, nothing,
    )  # fmt: skip
    at_start = stats(won, at=0), stats(lost, at=0)
    return [stats(won), stats(lost), stats(ready), stats(only_mines), *at_start]


def test_the_types_are_those_of_the_values() -> None:
    met: dict[str, set[type]] = {name: set() for name in TABLE}
    for said in games():
        for name in TABLE:
            value = getattr(said, name)
            assert type(value) in TYPES[seen_type(name)], (name, value)
            met[name].add(type(value))
    for name, row in TABLE.items():
        can_be_none = seen_type(name).endswith("| None")
        assert can_be_none == bool(row.none_if), name
        assert row.whole == seen_type(name).startswith("int"), name
        if can_be_none and not row.slow:
            assert type(None) in met[name], f"{name} was never None"
        assert met[name] - {type(None)}, f"{name} had no value in any game"


def test_none_is_where_it_says() -> None:
    large = stats(deal(Rules(200, 100, 3000), 1))
    for name, row in TABLE.items():
        if row.slow and row.none_if:
            assert large[name] is None, name
    assert large.obv is None


def test_help_and_dir_tell_of_every_statistic() -> None:
    text = pydoc.plain(pydoc.render_doc(Statistics))
    shown = dir(stats(deal(BEGINNER, 1)))
    for name, row in TABLE.items():
        assert re.search(rf"^ \|  {name}$", text, re.MULTILINE), name
        assert name in shown
        assert row.definition in str(row.__doc__)
        assert isinstance(getattr(Statistics, name), Statistic)
    assert "None if time is 0." in text


def test_a_statistic_is_read_only() -> None:
    said = cast("Any", stats(deal(BEGINNER, 1)))
    with pytest.raises(AttributeError, match="'bv' is computed"):
        said.bv = 3
    with pytest.raises(AttributeError, match="nonsense"):
        _ = said.nonsense
    value: Value = said.bv
    assert value == said["bv"]


def test_statistics_made_of_others_are_missing_where_no_game_is() -> None:
    for said in (stats(deal(BEGINNER, 1)), Statistics.from_dict({"time": 2.0, "bv_solved": 3})):
        with pytest.raises(KeyError, match="bv_s"):
            _ = said["bv_s"]
        assert "bv_s" not in said
