"""What files come to: facts, losses, clicks in place of keys, and texts of unknown encoding."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from demine.game import Game
from demine.logic.errors import LayoutError
from demine.logic.event import Act, Verb
from demine.logic.game import Status
from demine.logic.metadata import LazyFacts
from demine.logic.rules import BEGINNER, EXPERT, First, Rules
from demine.replay import ReplayError
from demine.replay.big_endian_reader import BigEndianReader
from demine.replay.board_changes import CellDisplay
from demine.replay.errors import Flaw, Loss, damaged_file_error
from demine.replay.load_save import convert
from demine.replay.model import (
    FACTS,
    Layout,
    Replay,
    contradicted_claim_losses,
    level_name,
    losses_of_facts,
)
from demine.replay.reduce_to_mouse import as_mouse_recording, losses
from demine.replay.registry import writable_replay_formats
from demine.replay.text_encoding import decode_guessing
from demine.scene.cell_faces import Face
from demine.scene.translation import Catalogue
from demine.statistics.board_3bv import three_bv
from demine.statistics.play_recording import play_recording
from demine.statistics.recording_from_game import recording_from_game
from demine.statistics.recording_type import Recording, Signal
from tests.logic.boards import game_on, played
from tests.statistics.hands import hand, recordings

if TYPE_CHECKING:
    from demine.logic.metadata import Fact

LAYOUT = "4x3/2\n*...\n....\n...*\n"


def test_an_error_says_where_and_what() -> None:
    error = damaged_file_error("AVF", 12, Flaw("the file ends"))
    assert str(error) == "AVF, byte 12: the file ends"
    assert (error.format, error.offset, str(error.reason)) == ("AVF", 12, "the file ends")
    plain = ReplayError("nothing")
    assert (plain.format, plain.offset, plain.reason) == ("", None, None)
    assert Catalogue("zh").explain(error) != str(error)


def test_what_is_shown_begins_as_faces_do() -> None:
    assert [CellDisplay(int(face)).name for face in Face][9:] == [face.name for face in Face][9:]


def test_facts_are_made_out_once() -> None:
    asked = []

    def make() -> dict[str, str | int | float | bool | None]:
        asked.append(1)
        return {"player": "Ada"}

    facts = LazyFacts(make)
    assert not asked
    assert dict(facts) == {"player": "Ada"}
    assert (len(facts), facts["player"], repr(facts)) == (1, "Ada", "Facts({'player': 'Ada'})")
    assert asked == [1]


@pytest.mark.parametrize(
    ("rules", "level"),
    [("8x8/10", 0), (str(BEGINNER), 0), ("16x16/40", 1), (str(EXPERT), 2), ("16x30/99", 3)],
)
def test_levels(rules: str, level: int) -> None:
    parsed = Rules.parse(rules)
    board = np.zeros(parsed.shape, np.bool_)
    board.flat[: parsed.mines] = True
    assert level_name(board) == ("beginner", "intermediate", "expert", "custom")[level]


def test_facts_without_a_place() -> None:
    assert (
        losses_of_facts({"a": 1, "b": "", "c": None, "d": False}, {"a"})[0].params["names"] == "d"
    )
    assert losses_of_facts({"a": 1}, {"a"}) == ()


def test_a_game_as_a_replay() -> None:
    game = played(game_on(LAYOUT), "flag 1,1; undo; hint 0,1; open 0,3; pause; resume; resign")
    replay = Replay.of(game)
    assert (replay.format, replay.course.won) == ("", False)
    assert [str(loss) for loss in replay.lost] == [
        "what was undone, and that it was",
        "that help was shown",
        "when the game was paused",
        "that the game was given up",
    ]
    assert np.array_equal(replay.game().board.open_map, game.board.open_map)
    with pytest.raises(LayoutError):
        Replay.of(Game(EXPERT))


def test_modes_and_goals() -> None:
    board = "4x3/2 goal=flag guess-free\n*...\n....\n...*\n"
    replay = Replay.of(played(game_on(board), "open 0,3"))
    assert replay.facts["mode"] == "classic-guess-free"
    assert [str(loss) for loss in replay.lost] == ["that only flags were to win the game"]


def test_what_is_said_of_a_game_that_flags_win() -> None:
    board = "4x1/1 goal=flag first=any\n..*.\n"
    opens = ["open 0,0", "open 0,3"]
    said = {
        "that flags won the game": [*opens, "flag 0,2"],
        "that the game was not won: flags were still to win it": opens,
        "that only flags were to win the game": opens[:1],
    }
    for sentence, acts in said.items():
        game = game_on(board)
        for act in acts:
            played(game, act)
        replay = Replay.of(game)
        assert [str(loss) for loss in replay.lost] == [sentence]
        # What a replay comes back as, where opening every safe cell wins.
        assert (replay.game().status is Status.WON) == ("only" not in sentence)


def test_a_game_knows_the_size_of_its_recorders_cells() -> None:
    tall = Recording(
        np.array([[False, True]]), np.array([0, 9]), np.array([Signal.LC, Signal.LR], np.uint8),
        np.array([20, 25], np.int32), np.array([30, 35], np.int32), 42,
    )  # fmt: skip
    game = Replay("EVF", "4", tall, {"cell_px": 42}).game()
    again = Replay.of(game)
    assert (again.recording.cell, again.facts["cell_px"]) == (42, 42)
    assert again.recording.x.tolist() == [20, 25]
    assert not again.lost
    # Journals of version 1 kept such touches at 16 pixels a cell, and still do.
    header, *lines = game.journal().splitlines()
    first = header.replace('"cell_px":42,', "", 1).replace('{"demine":2', '{"demine":1')
    old = Replay.of(Game.from_journal("\n".join([first, *lines])))
    assert (old.recording.cell, old.facts["cell_px"]) == (16, 16)
    assert [str(loss) for loss in old.lost] == [
        "the pointer's path at 42 pixels a cell: it was kept at 16"
    ]


def test_only_a_journal_holds_who_did_what() -> None:
    game = game_on(LAYOUT)
    game.play(Act(0, Verb.OPEN, 0, 3, player="Ann"))
    replay = Replay.of(game)
    assert [str(loss) for loss in replay.lost] == ["which player did what"]
    assert convert(game, "journal")[1] == ()


def test_claims_that_are_not_written_are_told() -> None:
    made = Replay("", "", recording_from_game(played(game_on(LAYOUT), "open 0,3")))
    course, bv = made.course, three_bv(made.recording.mine_map)
    true: dict[str, Fact] = {
        "claimed_ms": course.time_ms, "claimed_won": course.won, "claimed_bv": bv, "no_flag": True,
    }  # fmt: skip
    wrong = {"claimed_ms": course.time_ms + 10, "claimed_bv": bv + 1, "no_flag": False}
    assert contradicted_claim_losses(replace(made, facts=true)) == ()
    (loss,) = contradicted_claim_losses(replace(made, facts={**true, **wrong}))
    assert str(loss) == (
        "claims that its clicks contradict: "
        f"claimed_ms {course.time_ms + 10} -> {course.time_ms}, claimed_bv {bv + 1} -> {bv}, "
        "no_flag false -> true"
    )
    for writer in writable_replay_formats():
        facts: dict[str, Fact] = {**true, **wrong}
        found = writer.losses(replace(made, facts=facts))
        assert any(str(each) == str(loss) for each in found), writer.name
        back = writer.read(writer.write(replace(made, facts=facts)))
        # Some formats have no room for who won or for the style.
        said = {name: back.facts.get(name, true[name]) for name in true}
        assert {"claimed_ms", "claimed_bv"} <= set(back.facts), writer.name
        assert said == true, writer.name


def test_a_board_without_a_game() -> None:
    game = played(game_on(LAYOUT), "open 0,3")
    layout = Layout.of(game)
    assert [str(loss) for loss in layout.lost] == ["what was played on the board"]
    again = layout.game()
    assert (again.status, again.rules.first) == (Status.READY, First.ANY)
    assert np.array_equal(again.board.mine_map, game.board.mine_map)
    assert Layout.of(again).lost == ()
    with pytest.raises(LayoutError):
        Layout.of(Game(EXPERT))


def clicked(text: str, **choices: int) -> tuple[list[str], list[str]]:
    """The signals that a hand comes to, and what is lost."""
    replay = Replay("", "", hand(LAYOUT, text, **choices))
    made = as_mouse_recording(replay)
    again = play_recording(made)
    assert again.opened.tolist() == replay.course.opened.tolist()
    assert again.flags[-1:].tolist() == replay.course.flags[-1:].tolist()
    names = [Signal(code).name for code in made.signal.tolist()]
    return [name for name in names if name != "MV"], [str(loss) for loss in losses(replay)]


KEYS = "what was done by key or finger: stored as clicks"
PLAIN = "how the buttons were pressed: stored as plain clicks"


def test_clicks_take_the_place_of_keys() -> None:
    assert clicked("lc 1,1; lr 1,1") == (["LC", "LR"], [])
    assert clicked("open 1,1; open 1,1") == (["LC", "LR"], [KEYS])
    assert clicked("flag 0,0; open 1,1; chord 1,1") == (
        ["RC", "RR", "LC", "LR", "LC", "RC", "RR", "LR"],
        [KEYS],
    )


def test_question_marks_by_key() -> None:
    """The mouse comes to them by way of a flag."""
    assert clicked("question 0,0; open 1,1")[0] == ["RC", "RR"] * 2 + ["LC", "LR"]
    assert clicked("flag 0,0; question 0,0; flag 0,0; open 1,1")[0][:8] == ["RC", "RR"] * 4


def test_keys_that_turn_buttons_into_others() -> None:
    signals, lost = clicked("tr 0,0; lr 0,0; lc 1,1; lr 1,1; sc 1,1; lr 1,1")
    assert signals == ["RC", "RR", "LC", "LR", "MC", "MR"]
    assert lost == ["that keys were held: stored as other buttons"]


def test_buttons_give_way_where_clicks_between_them_mean_another_thing() -> None:
    signals, lost = clicked("lc 1,1; open 1,2; lr 1,1")
    assert signals == ["LC", "LR", "LC", "LR"]
    assert lost == [KEYS, PLAIN]


def test_flags_that_openings_took_away() -> None:
    signals, lost = clicked("rc 0,2; rr 0,2; lc 0,3; lr 0,3", flags_hold=0)
    assert signals == ["RC", "RR", "RC", "RR", "LC", "LR"]
    assert lost == [PLAIN]


def test_left_clicks_that_chorded() -> None:
    signals, lost = clicked("rc 0,0; rr 0,0; lc 1,1; lr 1,1; lc 1,1; lr 1,1", left_chords=1)
    assert signals == ["RC", "RR", "LC", "LR", "LC", "RC", "RR", "LR"]
    assert lost == [PLAIN]


@given(recordings())
def test_any_hand_as_a_mouse(told: Recording) -> None:
    if (told.signal == Signal.CC).any():
        return
    replay = Replay("", "", told)
    made = as_mouse_recording(replay)
    assert (made.signal < Signal.SC).all()
    assert made.t[:1].tolist() in ([0], [])
    assert play_recording(made).opened.tolist() == replay.course.opened.tolist()


@pytest.mark.parametrize(
    ("raw", "text", "certain"),
    [
        (b"", "", True),
        (b"Ada", "Ada", True),
        ("小雷".encode(), "小雷", True),
        ("小雷 (x)".encode("gb18030"), "小雷 (x)", False),
        ("Jürgen".encode("cp1252"), "Jürgen", False),
        ("Łódź".encode("cp1250"), "£ódŸ", False),
        (b"\x81", "\x81", False),
    ],
)
def test_texts(raw: bytes, text: str, certain: bool) -> None:
    assert decode_guessing(raw) == (text, certain)


@given(st.binary(max_size=12))
def test_any_bytes_are_a_text(raw: bytes) -> None:
    text, certain = decode_guessing(raw)
    assert not certain or text.encode() == raw
    text.encode()


def test_bytes_in_order() -> None:
    reader = BigEndianReader("X", bytes(range(1, 22)) + b"ab\0", 0)
    assert (reader.u8(), reader.u16(), reader.u24()) == (1, 0x0203, 0x040506)
    assert (reader.u32(), reader.u64()) == (0x0708090A, 0x0B0C0D0E0F101112)
    assert (reader.take(3), reader.remaining) == (b"\x13\x14\x15", 3)
    assert reader.until(b"\0", 2) == b"ab"
    for read in (reader.u8, reader.u16, lambda: reader.until(b"\0", 9)):
        with pytest.raises(ReplayError) as caught:
            read()
        assert caught.value.offset == 24
    assert BigEndianReader("X", bytes((2, 1, 1, 1))).read_mine_list(
        2, 2, 2, index_base=1
    ).tolist() == [
        [True, True],
        [False, False],
    ]


def test_a_loss_is_a_sentence() -> None:
    assert str(Loss("these facts: {names}", names="skin")) == "these facts: skin"


def test_acts_do_not_run_on() -> None:
    game = game_on(LAYOUT)
    game.play(Act(0, Verb.OPEN, 0, 3))
    assert Replay.of(game).recording.t.tolist() == [0]


def test_the_page_about_formats_names_every_fact() -> None:
    page = (Path(__file__).resolve().parents[2] / "docs" / "formats.md").read_text("utf-8")
    for name, meaning in FACTS.items():
        assert f"| `{name}` | {meaning} |" in page
