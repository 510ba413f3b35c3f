"""Events: one line of text each, and back."""

from __future__ import annotations

import copy
import json
import pickle
import re
import tracemalloc

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from demine.logic.errors import ActError, DemineError, JournalError, LayoutError
from demine.logic.event import (
    ACTIONS,
    BOARD_VERBS,
    BUTTONS,
    CELL_VERBS,
    MAX_PLAYER,
    MAX_TIME,
    Act,
    Event,
    Lay,
    Touch,
    Verb,
    parse_event,
    shifted_in_time,
)
from tests.logic.boards import mine_maps, refusal_of

PLAYERS = ("Ann", "小雷", '"', "\\", "a]", "x" * MAX_PLAYER, " ")
TIMES = st.integers(-MAX_TIME, MAX_TIME)
ACTS = st.one_of(
    st.builds(Act, TIMES, st.sampled_from(sorted(CELL_VERBS)), TIMES, TIMES),
    st.builds(Act, TIMES, st.sampled_from(sorted(set(Verb) - CELL_VERBS))),
    st.builds(
        Act,
        TIMES,
        st.sampled_from(sorted(CELL_VERBS)),
        TIMES,
        TIMES,
        player=st.sampled_from(PLAYERS),
    ),
    st.builds(Act, TIMES, st.just(Verb.UNDO), player=st.sampled_from(PLAYERS)),
)
TOUCHES = st.one_of(
    st.builds(Touch, TIMES, st.sampled_from(BUTTONS), st.sampled_from(ACTIONS[:2]), TIMES, TIMES),
    st.builds(Touch, TIMES, st.just(""), st.just("move"), TIMES, TIMES),
)
LAYS = st.builds(Lay, TIMES, mine_maps(20))
EVENTS = st.one_of(ACTS, TOUCHES, LAYS)
NAMES = {"Act": Act, "Touch": Touch, "Lay": Lay}


@given(EVENTS)
def test_text_and_repr_rebuild_the_event(event: Event) -> None:
    text = str(event)
    assert "\n" not in text
    assert parse_event(text) == event
    assert hash(parse_event(text)) == hash(event)
    assert type(parse_event(text)) is type(event)
    assert eval(repr(event), NAMES) == event
    assert type(event).parse(text) == event
    assert parse_event(f"  {text.replace(',', ' , ')} \r\n") == event or "lay" in text


@pytest.mark.parametrize("text", ['[7,"undo"', '[7,"move",1,2]', '[7,"lay","1x1:AA"]', "act"])
def test_text_of_another_kind_is_no_act(text: str) -> None:
    with pytest.raises(JournalError, match=re.escape(text[:5])):
        Act.parse(text)


@given(EVENTS)
def test_events_travel(event: Event) -> None:
    assert pickle.loads(pickle.dumps(event)) == event
    assert copy.deepcopy(event) == event


@given(EVENTS, st.integers(-1000, 1000))
def test_events_move_in_time_only(event: Event, shift: int) -> None:
    if abs(event.t + shift) <= MAX_TIME:
        moved = shifted_in_time(event, shift)
        assert moved.t == event.t + shift
        assert shifted_in_time(moved, -shift) == event


def test_texts_are_short_and_plain() -> None:
    assert str(Act(-250, Verb.FLAG, 3, 4)) == '[-250,"flag",3,4]'
    assert str(Act(9000, Verb.UNDO)) == '[9000,"undo"]'
    assert str(Touch(7, "shift+left", "release", 120, -3)) == '[7,"release","shift+left",120,-3]'
    assert str(Touch(7, "", "move", 0, 0)) == '[7,"move",0,0]'
    assert str(Lay(0, np.eye(3, dtype=np.bool_))) == '[0,"lay","3x3:iIA"]'
    assert repr(Act(5, Verb.CHORD, 1, 2)) == "Act(5, 'chord', 1, 2)"
    assert repr(Act(5, Verb.PAUSE)) == "Act(5, 'pause')"


def test_verbs_may_be_words() -> None:
    assert Act(0, "open", 1, 1) == Act(0, Verb.OPEN, 1, 1)
    assert type(Act(0, "open", 1, 1).verb) is Verb
    assert BOARD_VERBS < CELL_VERBS


def test_numbers_of_arrays_are_plain_numbers() -> None:
    # 15 * 30 does not fit into a uint8: a board would open another cell.
    act = Act(np.int32(5), Verb.OPEN, np.uint8(15), np.uint8(29))
    assert act == Act(5, Verb.OPEN, 15, 29)
    assert {type(value) for value in (act.t, act.row, act.col)} == {int}
    assert str(Act(True, Verb.OPEN, True, False)) == '[1,"open",1,0]'


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ((0.5, "open", 1, 1), "t must be a whole number, not 0.5"),
        ((0, "open", "1", 1), "row must be a whole number, not '1'"),
        ((0, "open", 1, None), "col must be a whole number, not None"),
        ((0, "open", 1, float("nan")), "col must be a whole number, not nan"),
        ((10**5000, "open", 1, 1), "t is too large for a game"),
        ((MAX_TIME + 1, "undo"), "t is too large for a game"),
        ((0, "open", -(2**70), 1), "row is too large for a game"),
        ((0, "undo", 3, 4), "undo takes no cell"),
        (
            (0, "boom", 1, 1),
            (
                "'boom' is not a verb: use open, flag, question, chord, undo, hint, pause, resume, "
                "resign"
            ),
        ),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_acts_no_journal_could_hold(fields: tuple[int, Verb, int, int], sentence: str) -> None:
    with pytest.raises(ActError) as caught:
        Act(*fields)
    assert str(caught.value) == sentence


@pytest.mark.parametrize("verb", [None, 3, [], ["open"], "OPEN", "", b"open", "x" * 10**6])
def test_verbs_that_are_none(verb: Verb) -> None:
    with pytest.raises(ActError) as caught:
        Act(0, verb, 1, 1)
    assert len(str(caught.value)) < 200


@pytest.mark.parametrize(
    "fields",
    [
        (0, "left", "press", 1.5, 2), (0, "left", "click", 1, 2), (0, "x1", "press", 1, 2),
        (0, "", "press", 1, 2), (0, "left", "move", 1, 2), (2**60, "left", "press", 1, 2),
        (0, "left", "press", 1, 2**80), (0, None, "press", 1, 2), (0, "left", [], 1, 2),
    ],
)  # fmt: skip
def test_touches_no_journal_could_hold(fields: tuple[int, str, str, int, int]) -> None:
    with pytest.raises(ActError):
        Touch(*fields)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "mines", [[True], [[[True]]], True, [[]], [], "mines", [[1], [1, 2]], None]
)
def test_mine_maps_that_are_none(mines: object) -> None:
    with pytest.raises(LayoutError):
        Lay(0, mines)  # type: ignore[arg-type]


def test_laid_mines_are_frozen() -> None:
    mines = np.eye(3, dtype=np.bool_)
    lay = Lay(0, mines)
    mines[:] = False
    assert lay.mine_map.trace() == 3
    with pytest.raises(ValueError, match="read-only"):
        lay.mine_map[0, 0] = False
    assert lay != Lay(1, lay.mine_map)
    assert lay != Lay(0, mines)
    assert lay != "lay"


@pytest.mark.parametrize(
    "text",
    [
        "", " ", "null", "[]", "[0]", "{}", "0", '"open"', "[0,1]", '[0,"open"]', '[0,"open",1]',
        '[0,"open",1,2,3]', '[0,"open",1.0,2]', '[0,"open",1e0,2]', '[0,"open",true,2]',
        '[0,"open","1",2]', '[0,"open",null,2]', '[0.0,"open",1,2]', '[true,"open",1,2]',
        '[null,"open",1,2]', '["0","open",1,2]', '[NaN,"open",1,2]', '[0,"open",NaN,2]',
        '[0,"open",Infinity,2]', '[1e999,"open",1,2]', '[0,"Open",1,2]', '[0,"boom",1,2]',
        '[0,"undo",1,2]', '[0,"undo",1]', '[0,"undo",null]', '[0,"lay"]', '[0,"lay",3]',
        '[0,"lay","3x3"]', '[0,"lay","3x3:"]', '[0,"lay","0x3:"]', '[0,"lay","03x3:iIA"]',
        '[0,"lay","-3x3:iIA"]', '[0,"lay","3x3:iIA="]', '[0,"lay","3x3:iIA","x"]',
        '[0,"lay","3x3:iIAA"]', '[0,"lay","3x3:iIB"]', '[0,"lay","٣x٣:iIA"]',
        '[0,"lay","999999999x999999999:AAAA"]', '[0,"press",1,2]', '[0,"press","left",1]',
        '[0,"press","",1,2]', '[0,"press","x",1,2]', '[0,"press",["left"],1,2]',
        '[0,"press",{},1,2]', '[0,"move","left",1,2]', '[0,"move"]', '[0,"release"]',
        '[0,"open",9007199254740993,1]', '[9007199254740993,"undo"]', '[0,"open",1,2',
        "[0,'open',1,2]", '[0,"open",1,2]]', '[0,"open",1,2][0,"undo"]', '[0,"open",1,2],',
        '[0,["open"],1,2]', '[[0],"open",1,2]', '\ufeff[0,"undo"]', "[0,\"undo\"]\x00", "\ud800",
        "[" * 100_000, "[" * 5000 + "]" * 5000,
        '[0,"open",' + "[" * 5000 + "]" * 5000 + ",1]", "[" + "9" * 5000 + ',"undo"]',
    ],
    ids=lambda text: ascii(text[:40]),
)  # fmt: skip
def test_lines_that_are_no_event(text: str) -> None:
    with pytest.raises(DemineError) as caught:
        parse_event(text)
    assert isinstance(caught.value, JournalError | LayoutError)
    assert len(str(caught.value)) < 600


@given(
    st.text(max_size=30)
    | st.from_regex(r'\[-?\d{1,3},"[a-z]{3,8}"(,-?\d{0,3}|,"\w*"){0,4}\]', fullmatch=True)
)
def test_any_line_is_an_event_or_a_refusal(text: str) -> None:
    if not refusal_of(parse_event, text):
        event = parse_event(text)
        assert parse_event(str(event)) == event


def test_a_line_cannot_name_more_memory_than_it_brings() -> None:
    tracemalloc.start()
    try:
        with pytest.raises(LayoutError):
            parse_event('[0,"lay","999999999x999999999:AAAA"]')
        assert tracemalloc.get_traced_memory()[1] < 100_000
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize(
    "name", ["x" * (MAX_PLAYER + 1), "a\nb", "\x1b[1m", "\u202e", "\ud800", "\x85", 7, None]
)
def test_what_is_no_name_of_a_player(name: object) -> None:
    with pytest.raises(ActError, match="is not a player's name"):
        Act(0, Verb.UNDO, player=name)  # type: ignore[arg-type]
    with pytest.raises(JournalError, match="is not an event"):
        parse_event(f'[0,"open",1,1,{json.dumps(name)}]')


@pytest.mark.parametrize(
    "line", ['[0,"open",1,1,"Ann","Bo"]', '[0,"open",1,"Ann"]', '[0,"undo",1,1,"Ann"]',
             '[0,"move",1,1,"Ann"]', '[0,"open",1,1,""]', '[0,"undo",""]'],
)  # fmt: skip
def test_a_name_has_one_place(line: str) -> None:
    with pytest.raises(JournalError, match="is not an event"):
        parse_event(line)
