"""Help over the socket: hints, risks, a word after a loss, and the luck of a game."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import numpy as np
import pytest
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Origin

import demine
from demine import Game
from demine.scene.overlay import Mark
from demine.scene.sight import sight
from demine.solver.proof.clash import find_clash
from demine.web.app import make_app
from demine.web.limits import HELP_RATE
from tests.web.doors_app import browser, serve

FIRST = (4, 4)
COVERED = (8, 8)


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server with a solver."""
    folder: Path = tmp_path_factory.mktemp("help")
    with serve(make_app(folder / "server.sqlite")) as found:
        yield found


class Play:
    """A game over the socket, beside the same game in this process."""

    def __init__(self, socket: ClientConnection, rules: str, seed: int) -> None:
        self.socket = socket
        self.game = Game(rules, seed)
        self.number = 0
        self.hello = self.hear()["hello"]

    def hear(self) -> dict[str, Any]:
        heard: dict[str, Any] = json.loads(self.socket.recv(20))
        return heard

    def say(self, **message: object) -> None:
        self.number += 1
        self.socket.send(json.dumps({"seq": self.number, "t": 0, **message}))

    def open(self, cell: tuple[int, int]) -> dict[str, Any]:
        self.say(verb="open", cell=cell)
        self.game.open(*cell)
        return self.hear()

    def ask(self, kind: str, **more: object) -> tuple[dict[str, Any] | None, dict[str, Any]]:
        """Return what changed by the help, if anything did, and the help."""
        self.say(ask=kind, **more)
        heard = self.hear()
        return (None, heard) if "help" in heard else (heard, self.hear())


@pytest.fixture
def play(address: str) -> Iterator[Play]:
    with browser(address) as client:
        yield from play_of(client, address)


def play_of(client: httpx.Client, address: str) -> Iterator[Play]:
    """A new game of a player."""
    made = client.post("/api/games", json={"rules": "9x9/10", "seed": 7})
    cookie = "; ".join(f"{name}={value}" for name, value in client.cookies.items())
    at = f"{address.replace('http', 'ws')}/ws/games/{made.json()['id']}?client=a"
    headers = {"Cookie": cookie, "Accept-Language": "en"}
    with connect(at, additional_headers=headers, origin=Origin(address)) as socket:
        yield Play(socket, "9x9/10", 7)


def test_before_the_first_cell_help_says_where_to_begin(play: Play) -> None:
    changed, help_ = play.ask("hint")
    assert changed is None
    assert help_ == {"help": 1, "kind": "hint", "text": "Start anywhere: the first cell is safe"}


def test_a_hint_is_true_and_makes_the_game_practice(play: Play) -> None:
    play.open(FIRST)
    changed, help_ = play.ask("hint", near=[8, 8])
    assert changed is not None
    assert changed["unranked"] == "hint"
    marks = {(row, col): Mark(kind) for row, col, kind in help_["marks"]}
    (cell,) = [cell for cell, kind in marks.items() if kind is Mark.SAFE]
    assert not play.game.board.mine_map[cell]
    assert not play.game.board.open_map[cell]
    assert help_["text"].startswith(f"Row {cell[0] + 1}, column {cell[1] + 1} is safe.")
    because = [cell for cell, kind in marks.items() if kind is Mark.BECAUSE]
    assert because
    assert all(play.game.board.open_map[cell] for cell in because)
    # The acts go on, and the numbers of questions count among theirs.
    answer = play.open(cell)
    assert answer["ack"] == play.number
    assert answer["cells"]


def test_risks_are_told_of_covered_cells_alone(play: Play) -> None:
    play.open(FIRST)
    _, help_ = play.ask("chances")
    board = play.game.board
    risks = {(row, col): percent for row, col, percent, _ in help_["risks"]}
    assert set(risks) == {(int(r), int(c)) for r, c in np.argwhere(~board.open_map)}
    assert all(not board.mine_map[cell] for cell, percent in risks.items() if percent == 0)
    assert all(board.mine_map[cell] for cell, percent in risks.items() if percent == 100)
    assert help_["text"] == "Lowest risk 0%"  # a finger cannot point


def test_whether_to_guess_is_a_word_alone_and_makes_the_game_practice(play: Play) -> None:
    play.open(FIRST)
    must = not demine.deduce(play.game).safe.any()
    changed, help_ = play.ask("may_guess", near=[2**53, 2**53])
    assert changed is not None
    assert changed["unranked"] == "hint"
    said = "Yes, you have to guess" if must else "No need to guess"
    assert help_.pop("text").startswith(said)
    assert help_ == {"help": 2, "kind": "may_guess"}


def test_a_draft_is_checked_with_all_numbers_and_flags(play: Play) -> None:
    play.open(FIRST)
    scene = sight(play.game)
    certain = demine.deduce(play.game)
    mines, safe = (
        [(row, col) for row, col in np.argwhere(each).tolist()]
        for each in (certain.mines, certain.safe)
    )
    _, help_ = play.ask("clash", assumed=[[*cell, True] for cell in mines])
    assert help_ == {"help": 2, "kind": "clash", "text": "All of this can be true"}
    wrong = [*safe[0], True]
    changed, help_ = play.ask("clash", assumed=[[*mines[0], True], wrong])
    clash = find_clash(scene, 10, [(mines[0], True), (safe[0], True)])
    assert clash is not None
    assert changed is not None
    assert changed["unranked"] == "hint"
    assert help_["text"] == str(clash)
    marked = {(row, col) for row, col, kind in help_["marks"] if kind == Mark.BECAUSE}
    assert marked == {(clue.row, clue.col) for clue in clash.numbers}
    # The server knows the flags.
    play.say(verb="flag", cell=safe[0])
    play.hear()
    assert "cannot" in play.ask("clash")[1]["text"]


@pytest.mark.parametrize(
    ("assumed", "what", "said"),
    [
        ([[9, 0, True]], "scene", "row 10, column 1 is outside the 9x9 board"),
        ([[2**53, 0, False]], "scene", "outside the 9x9 board"),
        ([[*FIRST, True]], "scene", "row 5, column 5 is open already"),
        ([[*COVERED, True], [*COVERED, False]], "draft", "a draft assumes one thing about a cell"),
        ([[*COVERED, True]] * 257, "draft", "at most 256 assumptions can be checked"),
    ],
)
def test_a_draft_that_is_none_is_refused_and_costs_nothing(
    play: Play, assumed: list[object], what: str, said: str
) -> None:
    play.open(FIRST)
    changed, help_ = play.ask("clash", assumed=assumed)
    assert changed is None
    assert help_["refused"]["what"] == what
    assert said in help_["refused"]["message"]
    play.say(verb="flag", cell=COVERED)
    assert play.hear().get("unranked") != "hint"


def test_what_was_found_of_a_position_that_is_past_is_dropped(play: Play) -> None:
    play.open(FIRST)
    safe = np.argwhere(~play.game.board.mine_map & ~play.game.board.open_map)
    play.say(ask="hint")
    for row, col in safe[:3].tolist():
        play.say(verb="open", cell=[row, col])
    heard = [play.hear() for _ in range(4)]
    if not any(message.get("text") for message in heard):  # the acts were quicker
        assert {"help": 2, "kind": "hint"} in heard
    assert [message["ack"] for message in heard if "ack" in message] == [3, 4, 5]


def test_a_loss_is_followed_by_a_word_and_by_its_luck(play: Play) -> None:
    play.open(FIRST)
    row, col = np.argwhere(play.game.board.mine_map)[0].tolist()
    assert play.open((row, col))["status"] == "lost"
    word, luck = play.hear(), play.hear()
    assert (word["help"], word["kind"]) == (0, "judgement")
    assert word["text"]
    assert (luck["help"], luck["kind"]) == (0, "luck")
    assert "guess" in luck["text"]
    for kind in ("hint", "may_guess", "clash"):
        changed, help_ = play.ask(kind, **({"assumed": [[0, 0, True]]} if kind == "clash" else {}))
        assert changed is None
        assert help_["text"] == "The game is over: nothing left to find"


def test_a_number_that_is_missing_is_refused(play: Play) -> None:
    play.number += 5
    _, help_ = play.ask("hint")
    assert help_["refused"]["what"] == "gap"


def test_no_player_has_the_solver_for_themselves(play: Play) -> None:
    play.open(FIRST)
    asked = int(HELP_RATE.burst) + 1
    for _ in range(asked):
        play.say(ask="chances")
    refused = []
    while asked:
        message = play.hear()
        asked -= "help" in message
        refused += [message["refused"]] if message.get("refused") else []
    assert {each["what"] for each in refused} == {"too_many"}
    texts = {each["message"] for each in refused}
    assert "at most 4 questions to the solver can wait for an answer" in texts
    assert any(text.startswith("too many requests: try again in") for text in texts)
