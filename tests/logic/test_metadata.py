"""Facts: whatever a journal can hold, and nothing else."""

from __future__ import annotations

import pytest
from hypothesis import given

from demine.logic.errors import JournalError
from demine.logic.game import BaseGame
from demine.logic.journal import format_journal, parse_journal
from demine.logic.metadata import MAX_FACTS, Fact, checked_facts
from demine.logic.rules import BEGINNER
from tests.logic.boards import facts


@given(facts())
def test_facts_stay_with_the_game(known: dict[str, Fact]) -> None:
    game = BaseGame(BEGINNER, 1, facts=known)
    assert game.facts == known
    assert parse_journal(BaseGame, format_journal(game)).facts == known


def test_facts_are_the_games_own() -> None:
    known: dict[str, Fact] = {"player": "A\n\u2028\u0085é雷"}
    game = BaseGame(BEGINNER, 1, facts=known)
    known["player"] = "B"
    assert game.facts == {"player": "A\n\u2028\u0085é雷"}
    assert len(format_journal(game).splitlines()) == 1
    assert parse_journal(BaseGame, format_journal(game)) == game
    with pytest.raises(TypeError):
        game.facts["player"] = "C"  # type: ignore[index]


@pytest.mark.parametrize(
    "value",
    [float("nan"), float("inf"), -float("inf"), 2**53 + 1, pytest.param(10**5000, id="endless"),
     "\ud800", b"x", [1], {}, ()],
)  # fmt: skip
def test_values_no_journal_could_hold(value: Fact) -> None:
    with pytest.raises(JournalError, match=r"^the fact 'x' is neither text nor a plain number"):
        checked_facts({"x": value})


@pytest.mark.parametrize("name", [1, None, "\udfff", ("a",)])
def test_names_no_journal_could_hold(name: str) -> None:
    with pytest.raises(JournalError, match="is not the name of a fact"):
        checked_facts({name: 1})


def test_facts_have_an_end() -> None:
    assert len(checked_facts({str(n): n for n in range(MAX_FACTS)})) == MAX_FACTS
    with pytest.raises(JournalError, match="at most 256 facts"):
        checked_facts({str(n): n for n in range(MAX_FACTS + 1)})
