"""Journals are read at once: the same games and the same refusals as line by line."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from demine.logic import fast_replay, journal_events
from demine.logic.errors import DemineError, JournalError
from demine.logic.event import BUTTONS, MAX_TIME, Act, Event, Touch, parse_event
from demine.logic.event_log import EventLog
from demine.logic.game import BaseGame
from demine.logic.journal import format_journal, parse_journal
from tests.logic.boards import games, read_line_by_line, refusal_of
from tests.logic.test_journal import HEADER, LAY, damage, sample

read = partial(parse_journal, BaseGame)


def outcome(reader: Callable[[str], BaseGame], text: str) -> BaseGame | str:
    try:
        return reader(text)
    except DemineError as error:
        return str(error)


def both(text: str) -> BaseGame | str:
    """What a journal comes to, at once and line by line, which has to be the same."""
    at_once, by_line = outcome(read, text), outcome(read_line_by_line, text)
    assert at_once == by_line
    if isinstance(at_once, BaseGame) and isinstance(by_line, BaseGame):
        assert format_journal(at_once) == format_journal(by_line)
        assert at_once.board == by_line.board
        assert (at_once.status, at_once.time_ms, at_once.unranked) == (
            by_line.status, by_line.time_ms, by_line.unranked,
        )  # fmt: skip
    return at_once


NUMBERS = (
    st.integers(-20, 20)
    | st.sampled_from([10**14, 10**15 - 1, 10**15, -(10**15), MAX_TIME, -MAX_TIME, MAX_TIME + 1])
).map(str) | st.sampled_from(["-0", "01", "1.0", "1e3", "true", "", "٣", " 7", "7 "])


@st.composite
def touch_lines(draw: st.DrawFn) -> str:
    """A line of a touch, or nearly one."""
    t, x, y = (draw(NUMBERS) for _ in range(3))
    button = draw(st.sampled_from([*BUTTONS, "", "Left", "left,"]))
    action = draw(st.sampled_from(["press", "release"]))
    start = f'{t},"move"' if draw(st.booleans()) else f'{t},"{action}","{button}"'
    return f"[{start},{x},{y}]" + draw(st.sampled_from(["", "", "", "\r", " ", "\r\r", "\t", "]"]))


@given(games(most=5, acts=12), st.lists(st.tuples(st.integers(0, 40), touch_lines()), max_size=12))
@settings(max_examples=200)
def test_any_touches_among_acts(game: BaseGame, touches: list[tuple[int, str]]) -> None:
    lines = format_journal(game).splitlines()
    for place, line in touches:
        lines.insert(1 + place % len(lines), line)
    both("\n".join(lines))


@given(games(acts=20), st.lists(st.integers(-3, 9), min_size=1, max_size=30))
def test_a_hand_that_goes_on(game: BaseGame, waits: list[int]) -> None:
    t = game.events[-1].t if game.events else 0
    lines = format_journal(game).splitlines()
    for wait in waits:
        t += wait
        lines.append(str(Touch(t, "", "move", t, -t)))
    found = both("\n".join(lines) + "\n")
    assert isinstance(found, str) == any(wait < 0 for wait in waits[1 - bool(game.events) :])


@given(games(most=5, acts=12), st.data())
@settings(max_examples=150)
def test_damage(game: BaseGame, data: st.DataObject) -> None:
    lines = format_journal(game).splitlines()
    for _ in range(data.draw(st.integers(1, 3))):
        damage(lines, data.draw(st.integers(1, len(lines) - 1)) if lines[1:] else 0, data)
    both("\n".join(lines))


@given(st.text(max_size=40))
@example("")
@example("\n")
@example("\n\n[0")
@example('[0,"move",1,2]\n\n')
@example('[5,"move",1,2]\n[4,"move",1,2]\n[0,"boom"]')
@example('[5,"move",1,2]\n[6,"move",1,2]\n[3,"undo"]')
@example(f'[-{MAX_TIME},"flag",0,0]\n[9,"move",1,2]\n[8,"move",1,2]')
@example('[5,"move",1,2]\n[3,"undo"]\n[6,"move",1,2]\n[2,"move",1,2]\n[1,"move",1,2]')
@example(f'{LAY}\n[0,"open",0,1]\n[1,"move",1,2]\n[0,"move",3,2]\n[-1,"move",3,2]')
@example(f'{LAY}\n[0,"open",0,1]\n[1,"move",1,2]\n[1,"move",3,2]\n{LAY}')
def test_any_text(text: str) -> None:
    both(f"{HEADER}\n{text}")
    both(HEADER + text)
    both(text)


@pytest.mark.parametrize("change", [str, lambda text: text.replace("\n", "\r\n")])
def test_a_game_with_one_of_everything(change: Callable[[str], str]) -> None:
    text = change(format_journal(sample()))
    assert both(text) == sample()
    assert both(text.rstrip("\n")) == sample()


def test_a_game_goes_on_after_it_was_read() -> None:
    game, other = parse_journal(BaseGame, format_journal(sample())), sample()
    for each in (game, other):
        each.touch(Touch(9000, "", "move", 1, 2))
        each.play(Act(9001, "question", 2, 3))
        each.play(Act(9001, "undo"))
    assert game == other
    assert parse_journal(BaseGame, format_journal(game)) == other


def test_millions_of_characters_become_columns() -> None:
    head = [*format_journal(sample()).splitlines()]
    count = 50_000
    moves = [f'[{9000 + n},"move",{n % 50},-{n % 7}]' for n in range(count)]
    text = "\n".join([*head, *moves])
    game = parse_journal(BaseGame, text)
    events = game.events
    assert isinstance(events, EventLog)
    assert len(events) == len(head) - 1 + count
    assert events.touches.t[-count:].tolist() == list(range(9000, 9000 + count))
    assert np.array_equal(events.touches.x[-count:], np.arange(count) % 50)
    assert np.array_equal(events.touches.y[-count:], -(np.arange(count) % 7))
    assert list(events[: len(head) - 1]) == list(sample().events)
    moves[count - 2] = moves[0]
    line = len(head) + count - 1
    assert refusal_of(read, "\n".join([*head, *moves])) == (
        f"line {line}: time cannot run backwards from {9000 + count - 3} to 9000 ms"
    )


def test_lines_are_not_read_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    def noted(text: str) -> Event:
        asked.append(text)
        return parse_event(text)

    monkeypatch.setattr(journal_events, "parse_event", noted)
    head = format_journal(sample()).splitlines()
    moves = [f'[{9000 + n},"move",1,2]' for n in range(500)]
    assert len(parse_journal(BaseGame, "\n".join([*head, *moves])).events) == len(head) - 1 + 500
    # The mines alone are no numbers.
    assert asked == [line for line in head if '"lay"' in line]


def test_odd_lines_are_work(monkeypatch: pytest.MonkeyPatch) -> None:
    text = f"{HEADER}\n" + '[0,"\\u0066lag",1,1]\n' * 40
    game = parse_journal(BaseGame, text)
    assert len(game.events) == 40
    monkeypatch.setattr(fast_replay, "MOST_WORK", game.board.work.done - 1)
    with pytest.raises(JournalError, match="this takes more work"):
        parse_journal(BaseGame, text)
    assert parse_journal(BaseGame, text, trusted=True) == game
    usual = text.replace("\\u0066", "f")
    monkeypatch.setattr(fast_replay, "MOST_WORK", 0)
    assert parse_journal(BaseGame, usual) == game
