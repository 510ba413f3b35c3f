"""Training on a server: sets, answers that are kept on the server, and requests of attackers."""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import Any

import httpx
import numpy as np
import pytest

from demine.game import Game
from demine.logic.event import Act
from demine.play.drills.question import DrillQuestion
from demine.scene.cell_faces import Face
from demine.store import Store
from demine.web.app import make_app
from demine.web.database.place import DatabasePlace
from tests.web.doors_app import browser, serve

TOLD = {
    "id", "place", "count", "signs", "heading", "text", "origin", "rows", "cols", "faces", "looks",
    "faded", "may_be_a_guess",
}  # fmt: skip
"""All that a question says before it is answered."""


@pytest.fixture(scope="module")
def site(shared_place: DatabasePlace) -> Iterator[str]:
    with serve(make_app(shared_place)) as address:
        yield address


def careless_game() -> Game:
    """A game in which mines are opened that are certain, and needless guesses are made."""
    game = Game("9x9/10 lives=3", 7, origin="fresh")
    game.play(Act(0, "open", 4, 4))
    for t, (row, col) in enumerate(np.argwhere(~game.board.open_map).tolist()[:12], 1):
        act = Act(1000 * t, "open", row, col)
        if game.can(act):
            game.play(act)
    if not game.status.over:
        game.play(Act(20_000, "resign", -1, -1))
    return game


def export_of(game: Game) -> bytes:
    text = io.StringIO()
    with Store.memory() as store:
        running = store.begin(Game(game.rules, game.seed, origin="fresh"))
        for event in game.events:
            if isinstance(event, Act):
                running.play(event)
        store.export(text)
    return text.getvalue().encode()


def step(player: httpx.Client, kind: str = "own", *, begin: bool = True) -> dict[str, Any]:
    answer = player.post("/api/train", json={"set": kind, "begin": begin})
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


def give(player: httpx.Client, question_id: str, cell: object) -> httpx.Response:
    return player.post("/api/train/answer", json={"id": question_id, "cell": cell})


def covered(question: dict[str, Any]) -> list[tuple[int, int]]:
    cols = question["cols"]
    return [divmod(at, cols) for at, face in enumerate(question["faces"]) if face == Face.COVERED]


def test_a_set_asks_ten_drills_and_ends_with_what_it_came_to(site: str) -> None:
    with browser(site) as player:
        told = step(player)
        seen = []
        while "question" in told:
            question = told["question"]
            assert set(question) == TOLD
            assert max(question["faces"]) <= Face.COVERED
            seen.append(question["id"])
            answer = give(player, question["id"], covered(question)[0]).json()
            assert len(answer["marks"]) == len(question["faces"])
            assert any(answer["marks"])
            told = step(player, begin=False)
        assert len(set(seen)) == 10
        summary = told["summary"]
        assert len(summary["rows"]) == 10
        assert summary["progress"]["rows"]
        assert "10" in summary["notes"][0]
        again = step(player)
        assert again["question"]["count"] == 10


def test_drills_are_of_the_players_own_games(site: str) -> None:
    with browser(site) as player:
        done = player.post("/api/me/import", content=export_of(careless_game())).json()
        assert done["added"] == 1
        told, origins = step(player), []
        while "question" in told:
            origins.append(told["question"]["origin"])
            give(player, told["question"]["id"], covered(told["question"])[0])
            told = step(player, begin=False)
        assert any("your own game" in each for each in origins)
        assert any("a made board" in each for each in origins)


def test_a_question_stays_until_it_is_answered_and_the_first_answer_counts(site: str) -> None:
    with browser(site) as player:
        first = step(player)["question"]
        assert step(player, begin=False)["question"]["id"] == first["id"]
        cells = covered(first)
        answered = give(player, first["id"], cells[0]).json()
        assert give(player, first["id"], cells[-1]).json() == answered
        after = step(player, begin=False)["question"]
        assert after["signs"] == [answered["is_right"]]
        assert give(player, first["id"], cells[-1]).json() == answered
        (row,) = player.get("/api/train/progress").json()["rows"]
        assert row[1] == "1"


def test_answers_that_cannot_be_are_refused(site: str) -> None:
    with browser(site) as player, browser(site) as other:
        question = step(player)["question"]
        rows, cols = question["rows"], question["cols"]
        opened = divmod(next(at for at, face in enumerate(question["faces"]) if face < 9), cols)
        for cell in [(rows, 0), (0, cols), (-1, 0), (1 << 40, 0), opened, [1], "4 4", {"a": 1}]:
            assert give(player, question["id"], cell).status_code == 400
        assert give(player, "x" * 41, [0, 0]).status_code == 400
        assert give(player, "nothing", [0, 0]).status_code == 404
        assert give(other, question["id"], covered(question)[0]).status_code == 404
        step(other)
        assert give(other, question["id"], covered(question)[0]).status_code == 404
        assert player.post("/api/train", json={"set": "foreign"}).status_code == 400
        assert step(player)["question"]["signs"] == []


def test_the_drill_of_the_day_is_the_same_for_everybody(site: str) -> None:
    shown = []
    for _ in range(2):
        with browser(site) as player:
            question = step(player, "daily")["question"]
            assert question.pop("count") == 1
            del question["id"]
            shown.append(question)
            assert "summary" not in step(player, "daily", begin=False)
    assert shown[0] == shown[1]


def test_who_deletes_themselves_leaves_no_drills(site: str) -> None:
    with browser(site) as player:
        question = step(player)["question"]
        give(player, question["id"], covered(question)[0])
        assert player.delete("/api/me").status_code == 200
        assert give(player, question["id"], covered(question)[0]).status_code == 404
        assert player.get("/api/train/progress").json()["rows"] == []


def test_what_a_solver_answers_is_the_question_asked_here() -> None:
    from demine.play.drills.made_games import drills_of_made_game
    from demine.play.drills.solver_questions import solved_question

    drill = next(drills_of_made_game(Game("9x9/10").rules, 1))
    for turn in range(4):
        solved = solved_question(drill.game.rules, None, drill.key, turn + 8)
        plain = DrillQuestion(drill, solved.turn)
        assert np.array_equal(solved.faces, plain.faces)
        assert solved.solution.right == plain.solution.right
