"""docs/statistics.md says what the table says, and what it says of the example is so."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from demine.game import Game
from demine.scene.translation import set_language
from demine.statistics.compute import stats
from demine.statistics.definitions import TABLE, Statistic, Statistics, Value

PAGE = Path(__file__).resolve().parents[2] / "docs" / "statistics.md"


def example() -> Statistics:
    found = re.search(r"```jsonl\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)
    assert found is not None
    return stats(Game.from_journal(found[1]))


def shown(value: Value) -> str:
    return "–" if value is None else f"{value:.6g}"


def rows(about: str) -> str:
    said = example()
    lines = ["| name | unit | definition | source | example |", "|---|---|---|---|---|"]
    for row in TABLE.values():
        if row.about == about:
            cells = (f"`{row.name}`", row.unit, row.definition, row.source, shown(said[row.name]))
            lines.append(f"| {' | '.join(cells)} |".replace("|  |", "| |"))
    return "\n".join(lines)


@pytest.mark.parametrize("about", ["board", "game"])
def test_the_page_holds_the_table(about: str, regenerate: bool) -> None:
    text = PAGE.read_text("utf-8")
    between = re.compile(rf"(<!-- {about}: [^\n]*\n)(.*?)(<!-- end -->)", re.DOTALL)
    if regenerate:
        text = between.sub(lambda found: f"{found[1]}\n{rows(about)}\n\n{found[3]}", text)
        PAGE.write_text(text, "utf-8")
    found = between.search(text)
    assert found is not None
    assert found[2].strip() == rows(about)


def test_every_definition_is_one_sentence_of_its_own() -> None:
    definitions = [row.definition for row in TABLE.values()]
    assert len(set(definitions)) == len(definitions)
    for row in TABLE.values():
        assert row.source
        assert "|" not in row.definition
        assert (row.board is None) == (row.about == "game")
        assert (row.game is None and row.others is None) == (row.about == "board")
        assert row.name.isidentifier()
        assert not hasattr(dict, row.name)


def test_a_forgotten_part_is_an_error_at_once() -> None:
    whole: dict[str, Any] = {
        "title_message": "N", "explanation_message": "It is n.", "definition": "n",
        "source": "n", "game": lambda _moment: 1,
    }  # fmt: skip
    assert Statistic(**whole).about == "game"
    for part in whole:
        with pytest.raises((TypeError, ValueError), match=part if part != "game" else "missing"):
            Statistic(**{name: value for name, value in whole.items() if name != part})
        with pytest.raises(ValueError, match="is missing"):
            Statistic(**{**whole, part: "" if part != "game" else None})
    with pytest.raises(ValueError, match="is missing"):
        Statistic(**whole, board=lambda _layout: 1)


def test_every_statistic_is_said_in_chinese() -> None:
    english = {row.name: row.explanation() for row in TABLE.values()}
    set_language("zh_CN")
    try:
        for row in TABLE.values():
            assert row.explanation() != english[row.name], row.name
    finally:
        set_language("en")
