"""What files claim, held to their events; and a game that a chord on a zero wins."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from demine.cli.main import run
from demine.game import Game
from demine.logic.game import Status
from demine.logic.rules import Rules
from demine.replay import Contradiction, contradictions, load, read_replay
from demine.replay.claimed_statistics import CLAIM_CHECKS
from demine.replay.model import FACTS
from demine.reviews.review import review
from demine.reviews.watch_text import file_note_sentences, playback_line, set_contradiction_notes
from demine.scene.playback import Playback
from demine.scene.translation import set_language
from demine.statistics.compute import stats
from tests.logic.boards import played
from tests.replay.others import Raw

CLICKS = (
    (0, 4, 40, 8), (60, 5, 40, 8), (100, 2, 8, 8), (200, 3, 8, 8), (400, 4, 40, 8), (450, 5, 40, 8),
    (700, 2, 24, 8), (720, 4, 24, 8), (760, 5, 24, 8), (800, 3, 24, 8),
    (1000, 2, 136, 8), (1120, 3, 136, 8),
)  # fmt: skip
"""A flag cuts the opening and is taken off, a chord on a zero goes on, a proven cell wins."""
TRUE = {"Time": "0.920", "BBBV": "2", "Solved3BV": "2", "Status": "Won", "Style": "FL"}
SAID = {
    "Time": "the file claims a time of 0.910 s, but its events take 0.920 s",
    "BBBV": "the file claims a 3BV of 3, but that of its board is 2",
    "Solved3BV": "the file claims that 1 3BV were solved, but its events solve 2",
    "Status": "the file claims no win, but its events win the game",
    "Style": "the file claims that no flag was set, but one was",
}
WRONG = {"Time": "0.910", "BBBV": "3", "Solved3BV": "1", "Status": "Lost", "Style": "NF"}
NAMES = {
    "Time": "claimed_ms", "BBBV": "claimed_bv", "Solved3BV": "claimed_bv_solved",
    "Status": "claimed_won", "Style": "no_flag",
}  # fmt: skip


@pytest.fixture(autouse=True)
def english() -> object:
    """Commands set the language of the process."""
    yield
    set_language("en")


def replay(**changed: str) -> bytes:
    """A file of a won game, with some lines changed."""
    said = {"RawVF_Version": "Rev6.1", "Width": "9", "Height": "1", "Mines": "1"} | TRUE | changed
    options = [f"{name}: {value}" for name, value in said.items()]
    return Raw(options, ["000000*00"], CLICKS, ["won"]).data()


def sentences(found: tuple[object, ...]) -> list[str]:
    return list(map(str, found))


def test_a_game_that_a_chord_on_a_zero_won_is_won() -> None:
    game = load(replay())
    assert game.status is Status.WON
    assert game.notes == ()
    assert stats(game).bv_solved == 2
    found = review(game)
    assert found.status is Status.WON
    assert (found.guesses, found.contradicted) == ((), ())
    assert "Claims" not in str(found)


@pytest.mark.parametrize("wrong", WRONG)
def test_a_claim_that_the_events_contradict_is_told(wrong: str) -> None:
    data = replay(**{wrong: WRONG[wrong]})
    game = load(data)
    (note,) = game.notes
    assert isinstance(note, Contradiction)
    assert str(note) == SAID[wrong]
    assert note.name == NAMES[wrong]
    # The replay says so too, and so does the journal of the game, which has the same facts.
    assert sentences(contradictions(read_replay(data))) == [SAID[wrong]]
    again = load(game.journal().encode())
    assert again == game
    assert sentences(again.notes) == [SAID[wrong]]
    (told,) = review(game).to_dict()["contradicted"]
    assert told == note.to_dict()
    assert set(told) == {"name", "claimed", "found"}
    assert f"Claims: {SAID[wrong]}" in str(review(game))


def test_what_is_not_so_is_told_the_other_way_round_too() -> None:
    options = ["Width: 9", "Height: 1", "Mines: 1", "Status: Won", "Style: FL"]
    unfinished = Raw(options, ["000000*00"], CLICKS[2:4], ["won"]).data()
    assert sentences(load(unfinished).notes) == [
        "the file claims a win, but its events do not win the game",
        "the file claims that flags were set, but none was",
    ]


def test_every_claim_is_a_fact_of_the_formats() -> None:
    assert set(CLAIM_CHECKS) <= set(FACTS)
    assert {name for name in FACTS if name.startswith("claimed_")} <= set(CLAIM_CHECKS)


@pytest.mark.parametrize("fact", ["2", 2.5, None, True])
def test_what_is_no_claim_is_none(fact: object) -> None:
    game = Game(Rules.parse("4x2/1"), 7, facts={"claimed_ms": fact})  # type: ignore[dict-item]
    assert contradictions(game) == ()
    played(game, "open 0,0")
    assert contradictions(game) == ()


def test_other_goals_and_boards_without_mines_make_no_claims() -> None:
    flags = Game(Rules.parse("4x2/1 goal=flag"), 7, facts={"claimed_won": True})
    assert contradictions(flags) == ()
    played(flags, "open 0,0")
    assert contradictions(flags) == ()
    assert contradictions(Game(Rules.parse("9x9/9"), 7, facts={"claimed_bv": 3})) == ()


def test_the_3bv_of_a_huge_board_is_not_looked_for() -> None:
    game = Game(Rules.parse("600x600/1"), 7, facts={"claimed_bv": 3, "claimed_won": False})
    played(game, "open 0,0")
    assert [each.name for each in contradictions(game)] in ([], ["claimed_won"])


def test_stats_says_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    good, bad = tmp_path / "good.rawvf", tmp_path / "wrong.rawvf"
    good.write_bytes(replay())
    bad.write_bytes(replay(Time="0.910", Status="Lost"))
    assert run(["stats", str(good), str(bad), "--columns", "result,time", "--json"]) == 0
    out, err = capsys.readouterr()
    first, second = map(json.loads, out.splitlines())
    assert first == {"file": str(good), "result": "won", "time": 0.92}
    assert second["contradicted"] == [
        {"name": "claimed_ms", "claimed": 910, "found": 920},
        {"name": "claimed_won", "claimed": False, "found": True},
    ]
    assert err == f"demine stats: {bad}: {SAID['Time']}; {SAID['Status']}\n"
    assert run(["--lang", "zh", "stats", str(bad), "--csv"]) == 0
    out, err = capsys.readouterr()
    assert "contradicted" not in out
    assert "0.910" in err
    assert SAID["Time"] not in err


def test_review_says_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    bad = tmp_path / "wrong.rawvf"
    bad.write_bytes(replay(BBBV="3"))
    assert run(["review", str(bad)]) == 0
    assert re.search(rf"^Claims +{SAID['BBBV']}$", capsys.readouterr().out, re.MULTILINE)
    assert run(["review", "--json", str(bad)]) == 0
    assert json.loads(capsys.readouterr().out)["contradicted"] == [
        {"name": "claimed_bv", "claimed": 3, "found": 2}
    ]


def test_watch_says_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    bad, picture = tmp_path / "wrong.rawvf", tmp_path / "end.png"
    bad.write_bytes(replay(Status="Lost"))
    assert run(["watch", str(bad), "--png", str(picture)]) == 0
    assert capsys.readouterr().err == f"demine watch: {bad}: {SAID['Status']}\n"
    assert picture.exists()


def test_the_players_line_says_so_before_and_after_all_acts() -> None:
    # As of the history, whose games nobody noted.
    game = Game.from_journal(load(replay(Status="Lost")).journal())
    assert game.notes == ()
    set_contradiction_notes(game)
    playback = Playback(game)
    told = "The file claims no win, but its events win the game"
    assert file_note_sentences(game) == [told]
    faces = playback.snapshot().faces
    playback.seek(playback.start)
    playback.place = 0
    assert playback_line(playback, faces) == f"No moves yet. · {told}"
    playback.step(1)
    assert told not in playback_line(playback, faces)
    playback.seek(playback.end)
    assert playback_line(playback, faces).endswith(f" · {told}")
