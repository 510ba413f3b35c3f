"""What the page is given to show a game that is over."""

from __future__ import annotations

import json

import numpy as np
import pytest

import demine
from demine.logic.event import Act, Touch
from demine.web.api import replay_data as watch


@pytest.fixture
def lost() -> demine.Game:
    game = demine.Game("9x9/10", seed=7)
    game.open(4, 4, t=0)
    covered = np.argwhere(demine.sight(game) == demine.Face.COVERED).tolist()
    row, col = next(cell for cell in covered if not game.board.mine_map[tuple(cell)])
    game.flag(row, col, t=500)
    game.flag(row, col, t=600)
    row, col = np.argwhere(game.board.mine_map)[0].tolist()
    game.open(row, col, t=900)
    return game


def test_the_changes_fold_to_the_board_that_the_player_saw(lost: demine.Game) -> None:
    data = json.loads(json.dumps(watch.watch_data(lost, "x")))
    faces = np.full(81, demine.Face.COVERED)
    replayed = demine.Game("9x9/10", seed=7)
    acts = [event for event in lost.events if isinstance(event, Act)]
    for told, act in zip(data["acts"], acts, strict=True):
        faces[told["changed"][::2]] = told["changed"][1::2]
        replayed.play(act)
        assert (faces.reshape(9, 9) == demine.sight(replayed)).all()
        assert (told["t"], told["cell"]) == (act.t, act.row * 9 + act.col)
    assert data["acts"][0]["text"] == "opens row 5, column 5"
    assert "takes the flag off" in data["acts"][2]["text"]
    assert (data["status"], data["time_ms"], data["start_ms"]) == ("lost", 900, 0)


def test_the_pointer_comes_at_sixteen_pixels_a_cell() -> None:
    game = demine.Game("9x9/10", seed=7)
    game.touch(Touch(-20, "", "move", 70, 71))
    game.touch(Touch(0, "left", "press", 72, 72))
    game.open(4, 4, t=0)
    pointer = watch.watch_data(game, "")["pointer"]
    assert pointer == {"t": [-20, 0], "x": [70, 72], "y": [71, 72], "presses": [1]}


def test_a_review_marks_the_cells_of_the_acts_that_it_judges(lost: demine.Game) -> None:
    review = demine.review(lost)
    data = json.loads(json.dumps(watch.review_data(lost, review)))
    last = data["acts"][-1]
    assert last["act"] == 3
    assert last["verdict"] == review.acts[-1].verdict.value
    assert last["mistake"]
    assert lost.events[-1].row * 9 + lost.events[-1].col in last["marks"][::2]  # type: ignore[union-attr]
    assert [head for head, _ in data["summary"]][:2] == ["Opening moves", "Luck"]


def test_risks_of_a_position_between_the_first_opening_and_the_end(lost: demine.Game) -> None:
    faces = watch.faces_after_act(lost, 0)
    assert faces is not None
    assert [watch.faces_after_act(lost, place) for place in (-1, 3, 99)] == [None] * 3
    data = watch.risk_data(demine.mine_probability(faces, 10), faces)
    covered = (faces == demine.Face.COVERED).reshape(-1)
    assert (np.array(data["risk"])[~covered] == -1).all()
    assert (np.array(data["risk"])[covered] >= 0).all()


def test_a_recording_that_is_too_large_is_refused(
    lost: demine.Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watch, "MOST_WORK", 81 * 5 - 1)
    with pytest.raises(watch.TooLargeToWatch, match="4 moves on 81 cells"):
        watch.watch_data(lost, "")


def test_statistics_come_with_titles_units_and_explanations(lost: demine.Game) -> None:
    data = watch.statistics_data(lost)
    assert data["headline"] == "Beginner, lost after 0.900 s".replace(",", " ·")
    time = data["figures"][0]
    assert (time["title"], time["value"]) == ("Time", "0.900 s")
    assert time["explanation"]
    assert {figure["name"] for figure in data["figures"]} >= {"bv", "ioe", "clicks"}
