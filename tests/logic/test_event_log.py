"""Events whose touches are columns: the same events as a list holds."""

from __future__ import annotations

import copy
import pickle
import tracemalloc

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from demine.logic.errors import ActError
from demine.logic.event import MAX_TIME, Act, Event, Lay, Touch, Verb
from demine.logic.event_log import KINDS, EventLog, Touches, acts, indexed_non_touches, non_touches
from demine.logic.game import BaseGame, Status
from demine.logic.journal import format_journal, parse_journal
from demine.logic.rules import Rules

MANY = 200_000


@st.composite
def histories(draw: st.DrawFn) -> list[Event]:
    """Events in order of time."""
    mines = np.zeros((2, 3), np.bool_)
    events: list[Event] = []
    for t in sorted(draw(st.lists(st.integers(-50, 50), max_size=20))):
        sort = draw(st.integers(0, 5))
        if sort == 0:
            events.append(Act(t, draw(st.sampled_from([Verb.OPEN, Verb.FLAG])), 0, 1))
        elif sort == 1:
            events.append(Lay(t, mines))
        else:
            button, action = draw(st.sampled_from(KINDS))
            events.append(Touch(t, button, action, draw(st.integers(-9, 9)), t))
    return events


@given(histories(), st.integers(0, 20))
def test_a_log_holds_what_it_was_made_of(events: list[Event], cut: int) -> None:
    log = EventLog.of(events[:cut]).extended(events[cut:])
    assert list(log) == events
    assert log == tuple(events)
    assert tuple(events) == log
    assert list(reversed(log)) == events[::-1]
    assert [log[at] for at in range(-len(events), len(events))] == events + events
    assert log.times_ms.tolist() == [event.t for event in events]
    assert log.act_count == len(acts(events))
    assert EventLog.of(log) is log
    assert pickle.loads(pickle.dumps(log)) == log
    assert log[:0] == ()
    assert log != [*events, Act(99, Verb.PAUSE)]


@given(histories(), st.slices(20))
def test_a_log_is_cut_as_a_list_is(events: list[Event], cut: slice) -> None:
    assert list(EventLog.of(events)[cut]) == events[cut]


@given(histories())
def test_logs_and_lists_tell_acts_apart_alike(events: list[Event]) -> None:
    log = EventLog.of(events)
    assert list(non_touches(log)) == list(non_touches(events))
    assert list(indexed_non_touches(log)) == list(indexed_non_touches(events))
    assert acts(log) == acts(events) == [each for each in events if isinstance(each, Act)]


def test_a_place_beyond_the_end_is_an_error() -> None:
    log = EventLog.of([Touch(0, "", "move", 1, 2)])
    for place in (1, -2):
        with pytest.raises(IndexError):
            log[place]


def test_what_was_made_is_a_touch_like_any_other() -> None:
    touch = Touch(3, "left", "press", 4, 5)
    made = EventLog.of([touch])[0]
    assert (made, hash(made), str(made), copy.copy(made)) == (touch, hash(touch), str(touch), touch)


def columns(*times: int, x: int = 0) -> Touches:
    t = np.array(times, np.int64)
    return Touches(t, np.zeros(t.size, np.uint8), np.full(t.size, x, np.int64), t)


def test_touches_are_checked_together() -> None:
    for bad in ({"x": 2**60}, {"x": -MAX_TIME - 1}):
        with pytest.raises(ActError, match="x is too large for a game"):
            columns(1, **bad)
    with pytest.raises(ActError, match="cannot run backwards from 7 to 5 ms"):
        EventLog(columns(3, 7, 5), (), np.empty(0, np.int64))


def started() -> BaseGame:
    game = BaseGame(Rules(3, 2, 1), 0)
    game.lay(Lay(0, np.array([[True, False, False], [False, False, False]])))
    game.play(Act(0, Verb.OPEN, 0, 2))
    return game


def test_touches_kept_at_once_are_those_kept_one_by_one() -> None:
    game, single = started(), BaseGame(Rules(3, 2, 1), 0)
    game._add_touches(columns(0, 0, 9), np.array([1, 3]))
    for event in (*game.events[:3], Act(0, Verb.OPEN, 0, 2), *game.events[4:]):
        if isinstance(event, Lay):
            single.lay(event)
        elif isinstance(event, Touch):
            single.touch(event)
        else:
            single.play(event)
    assert game == single
    assert parse_journal(BaseGame, format_journal(game)) == game == pickle.loads(pickle.dumps(game))
    assert repr(game) == repr(single)
    assert (game.time_ms, game.status) == (9, Status.RUNNING)
    with pytest.raises(ActError, match="touches have already been kept"):
        game._add_touches(columns(9), np.array([1, 3]))


def test_a_game_goes_on_after_its_log() -> None:
    game = BaseGame(Rules(3, 2, 1), 0)
    game.lay(Lay(-9, np.array([[True, False, False], [False, False, False]])))
    game._add_touches(columns(-5, 4), np.array([0]))
    with pytest.raises(ActError, match="from 4 to 3"):
        game.touch(Touch(3, "", "move", 0, 0))
    game.touch(Touch(6, "", "move", 0, 0))
    before = game.events
    assert [event.t for event in before] == [-9, -5, 4, 6]
    game.play(Act(6, Verb.OPEN, 1, 0))
    assert [event.t for event in game.events] == [-15, -11, -2, 0, 0]
    assert len(before) == 4
    assert game.first_cell() == (1, 0)


def test_to_count_the_acts_of_a_read_game_makes_no_objects() -> None:
    game = BaseGame(Rules(30, 30, 99), 1)
    game.open(4, 4)
    for t in range(2000):
        game.flag(29, 29, t=t)
    read = parse_journal(BaseGame, format_journal(game))
    tracemalloc.start()
    try:
        assert EventLog.of(read.events).act_count == 2001
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 20_000


def test_a_log_of_many_touches_is_small() -> None:
    t = np.arange(MANY)
    tracemalloc.start()
    game = started()
    game._add_touches(Touches(t, np.zeros(MANY, np.uint8), t, t), np.array([0, 1]))
    size = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    assert len(game.events) == MANY + 2
    assert size < 16 * MANY
