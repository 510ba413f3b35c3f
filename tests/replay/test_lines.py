"""No fact ends a line of a text format or begins one, whatever any reader takes for its end."""

from __future__ import annotations

import pytest

from demine.game import Game
from demine.logic.metadata import Fact
from demine.replay.load_save import convert, load
from tests.outside import EVERY, evil_game, survival_of_play_out

FORMS = ("journal", "rawvf", "board", "ptta")
NAMES = (
    "player", "nick", "country", "token", "identifier", "skin", "source", "comment", "author",
    "mode", "started", "ended", "level", "format", "program", "version", "checksum",
)  # fmt: skip
ENDS = [*filter(lambda letter: len(f"a{letter}b".splitlines()) > 1, EVERY), "\n", "\r\n", "\n\n"]
"""All that ends a line for Python; \\n and \\r do for everybody."""


def written(form: str, facts: dict[str, Fact]) -> bytes:
    """A game with these facts in a format."""
    game = Game("4x4/3 first=any", 7, facts=facts)
    survival_of_play_out(game)
    return convert(game, form)[0]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("form", FORMS)
def test_a_fact_stays_on_its_line(form: str, name: str) -> None:
    plain = written(form, {name: "x"}).decode().splitlines()
    for end in ENDS:
        for forged in ("Status: lost", "Board:", "[real]", "rows: 9", "Events:", '[0,"resign"]'):
            found = written(form, {name: f"x{end}{forged}{end}"}).decode().splitlines()
            changed = [line for line, other in zip(found, plain, strict=True) if line != other]
            assert len(changed) <= 1


@pytest.mark.parametrize("form", FORMS)
def test_a_game_with_evil_facts_comes_back_as_it_was(form: str) -> None:
    game = evil_game()
    back = load(convert(game, form)[0])
    assert (back.board.mine_map == game.board.mine_map).all()
    if form in {"journal", "rawvf"}:
        assert back.status is game.status
        assert back.facts.get("claimed_won", True) is True
