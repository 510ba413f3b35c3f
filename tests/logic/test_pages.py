"""The pages about rules and journals: their examples are games, their tables are true."""

from __future__ import annotations

import json
import re
from pathlib import Path

import numpy as np
import pytest

from demine.logic.event import BUTTONS, Verb, parse_event
from demine.logic.game import BaseGame, Origin, Status
from demine.logic.journal import format_journal, parse_journal
from demine.logic.layout import MAX_SEED
from demine.logic.rules import MAX_CELLS, PRESETS, First, Goal, most_mines
from demine.scene.diagram import FACE_LETTERS, parse_scene
from demine.scene.sight import sight

DOCS = Path(__file__).resolve().parent.parent.parent / "docs"
RULES = (DOCS / "rules.md").read_text(encoding="utf-8")
JOURNAL = (DOCS / "journal.md").read_text(encoding="utf-8")


def blocks(page: str, kind: str) -> list[str]:
    """The fenced blocks of a page that are of one kind."""
    fences = re.findall(r"^```(\w*)\n(.*?)^```$", page, re.DOTALL | re.MULTILINE)
    return [text for name, text in fences if name == kind]


def test_the_complete_journal_is_a_game_that_ends_as_shown() -> None:
    (text,) = blocks(JOURNAL, "jsonl")
    (diagram,) = (block for block in blocks(JOURNAL, "") if block[:1].isdigit())
    game = parse_journal(BaseGame, text)
    rules, faces = parse_scene(diagram)
    assert format_journal(game) == text
    assert game.rules == rules
    assert np.array_equal(sight(game), faces)
    assert game.status is Status.LOST
    assert len(game.facts) == 2


@pytest.mark.parametrize("verb", [*Verb, "lay", "press", "release", "move"])
def test_every_event_has_its_line_in_the_table(verb: str) -> None:
    assert f'`[t,"{verb}"' in JOURNAL


def test_the_lines_of_the_table_are_events_once_filled_in() -> None:
    table = re.findall(r"`(\[t,.*?\])`", JOURNAL)
    filled = {"t": "0", "button": '"left"', "row": "1", "col": "2", "x": "-3", "y": "4"}
    for line in table:
        text = line.replace("WIDTHxHEIGHT:LAYOUT", "3x3:iIA")
        words = [filled.get(word, word) for word in text[1:-1].split(",")]
        event = parse_event(f"[{','.join(words)}]")
        assert json.loads(str(event))[1] in line
    assert len(table) == len(Verb) + 4


def test_names_and_limits_are_the_codes_own() -> None:
    for button in BUTTONS:
        assert f'`"{button}"`' in JOURNAL
    for origin in Origin:
        assert f'`"{origin}"`' in JOURNAL
    for name, rules in PRESETS.items():
        assert f'"{name}" {rules}' in RULES
    for choice in (*First, *Goal):
        assert f'"{choice}"' in RULES
    assert f"1 to {MAX_CELLS:,} cells" in RULES
    assert MAX_SEED == 2**128
    assert f"up to {most_mines(9, 9, First.ZERO)} mines" in RULES


def test_every_letter_of_a_diagram_is_explained() -> None:
    section = RULES[RULES.index("A diagram is what a player sees") :]
    for letter in FACE_LETTERS.replace("2345678", "8"):
        assert f"`{letter}`" in section
