"""The history of a player on a server: searched, sorted and in pages, as the desktop's is."""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import Any, get_args

import httpx
import pytest

from demine.game import Game
from demine.logic.event import Act
from demine.store import Store
from demine.store.history import Column
from demine.web.app import make_app
from demine.web.database.place import DatabasePlace
from tests.web.doors_app import browser, serve

BOARDS = ("30x16/99", "9x9/10", "10x10/10", "9x9/10 guess-free")


@pytest.fixture(scope="module")
def player(shared_place: DatabasePlace) -> Iterator[httpx.Client]:
    """A player who has lost a game on each board and won the smallest one."""
    text = io.StringIO()
    with Store.memory() as store:
        for rules in BOARDS:
            game = store.begin(Game(rules, 7, origin="fresh"))
            game.play(Act(0, "open", 4, 4))
            game.play(Act(1000, "resign", -1, -1))
        store.begin(Game("4x4/15", 7, origin="fresh")).play(Act(0, "open", 0, 0))
        store.export(text)
    with serve(make_app(shared_place)) as address, browser(address) as opened:
        done = opened.post("/api/me/import", content=text.getvalue().encode()).json()
        assert (done["added"], done["left"]) == (5, 0)
        yield opened


def rules_found(player: httpx.Client, language: str = "en", **asked: str) -> list[str]:
    answer = player.get("/api/history", params=asked, headers={"Accept-Language": language})
    found: list[dict[str, Any]] = answer.json()["rows"]
    return [row["rules"] for row in found]


@pytest.mark.parametrize(
    ("word", "language", "found"),
    [
        ("expert", "en", {"30x16/99"}),
        ("beginner", "en", {"9x9/10", "9x9/10 guess-free"}),
        ("guess-free", "en", {"9x9/10 guess-free"}),
        ("高级", "zh-CN", {"30x16/99"}),
        ("10×10", "en", {"10x10/10"}),
        ("won", "en", {"4x4/15"}),
        ("nothing", "en", set()),
    ],
)
def test_a_word_finds_what_the_screen_says(
    player: httpx.Client, word: str, language: str, found: set[str]
) -> None:
    assert set(rules_found(player, language, find=word)) == found


def test_boards_are_sorted_by_their_size(player: httpx.Client) -> None:
    ordered = ["4x4/15", "9x9/10", "10x10/10", "30x16/99", "9x9/10 guess-free"]
    assert rules_found(player, sort="rules", order="asc") == ordered
    assert rules_found(player, sort="rules", order="desc") == ordered[::-1]


@pytest.mark.parametrize("column", get_args(Column))
def test_every_column_sorts_all_games(player: httpx.Client, column: str) -> None:
    for order in ("asc", "desc"):
        assert len(rules_found(player, sort=column, order=order)) == 5
