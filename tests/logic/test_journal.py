"""Journals: a game as text and back, at every moment; anything else is refused with its line."""

from __future__ import annotations

import json
import tracemalloc
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from demine.logic.errors import DemineError, JournalError
from demine.logic.event import Act, Lay, Touch, Verb, parse_event
from demine.logic.game import BaseGame, Origin, play_event
from demine.logic.journal import event_line, format_journal, header_line, parse_journal
from demine.logic.rules import BEGINNER, Rules
from tests.logic.boards import game_on, games, played, refusal_of

read = partial(parse_journal, BaseGame)

LAYOUT = "4x3/2\n*...\n....\n...*"


def sample() -> BaseGame:
    """A game with one of everything: notes, a touch, openings, undo, help, a pause, a chord."""
    game = game_on(LAYOUT, seed=5)
    played(game, "flag 0,0; flag 0,3")
    game.touch(Touch(0, "left", "press", 30, 12))
    played(game, "open 0,1; open 1,0; flag 1,1; undo; hint 2,2; pause; resume; chord 0,1")
    return game


@given(games())
def test_journals_round_trip(game: BaseGame) -> None:
    text = format_journal(game)
    other = parse_journal(BaseGame, text)
    assert other == game
    assert other.board == game.board
    assert (other.status, other.time_ms, other.unranked) == (
        game.status, game.time_ms, game.unranked,
    )  # fmt: skip
    assert format_journal(other) == text


@given(games(acts=20))
@settings(max_examples=40)
def test_a_journal_cut_off_is_the_game_up_to_then(game: BaseGame) -> None:
    lines = format_journal(game).splitlines(keepends=True)
    for length in range(1, len(lines) + 1):
        assert parse_journal(BaseGame, "".join(lines[:length])).events == game.events[: length - 1]
    assert len(lines) == len(game.events) + 1


@given(games(acts=12), st.data())
def test_a_journal_goes_on_where_it_was_left(game: BaseGame, data: st.DataObject) -> None:
    other = parse_journal(BaseGame, format_journal(game))
    t = game.events[-1].t if game.events else 0
    row = data.draw(st.integers(0, game.rules.height - 1))
    col = data.draw(st.integers(0, game.rules.width - 1))
    for verb in (Verb.OPEN, Verb.FLAG, Verb.CHORD):
        act = Act(t, verb, row, col)
        assert game.can(act) == other.can(act)
    if game.can(Act(t, Verb.OPEN, row, col)):
        assert game.play(Act(t, Verb.OPEN, row, col)) == other.play(Act(t, Verb.OPEN, row, col))
        assert game == other
        assert game.board == other.board


def test_a_journal_is_json_lines() -> None:
    game = sample()
    head, *lines = format_journal(game).splitlines()
    assert json.loads(head) == {"demine": 1, "rules": "4x3/2", "seed": 5, "origin": "seed"}
    assert [json.loads(line)[1] for line in lines] == [
        "lay", "flag", "flag", "press", "open", "open", "flag", "undo", "hint", "pause", "resume",
        "chord",
    ]  # fmt: skip
    assert [event_line(event) for event in game.events] == lines
    assert header_line(game) == head
    assert format_journal(game).endswith("]\n")


def test_a_header_holds_what_events_do_not() -> None:
    game = BaseGame(
        BEGINNER, 2**127, origin=Origin.AGAIN, start=(3, 4), facts={"player": "雷\n", "n": 1.5}
    )
    header = header_line(game)
    assert header == (
        '{"demine":1,"rules":"9x9/10","seed":170141183460469231731687303715884105728,'
        '"origin":"again","start":[3,4],"facts":{"player":"雷\\n","n":1.5}}'
    )
    assert parse_journal(BaseGame, header) == game
    assert parse_journal(BaseGame, header + "\n") == game


def test_line_ends_do_not_matter() -> None:
    text = format_journal(sample())
    assert (
        parse_journal(BaseGame, text.replace("\n", "\r\n"))
        == parse_journal(BaseGame, text.rstrip("\n"))
        == parse_journal(BaseGame, text)
    )


HEADER = '{"demine":1,"rules":"4x3/2","seed":5}'


@pytest.mark.parametrize(
    ("header", "reason"),
    [
        ("", "'' is not a journal header"),
        ("[]", "'[]' is not a journal header"),
        ("{}", "'{}' is not a journal header"),
        ("demine", "'demine' is not a journal header"),
        ('{"rules":"9x9/10","seed":1}', "is not a journal header"),
        ('{"demine":3}', "this is journal version 3, and only versions up to 2 can be read"),
        ('{"demine":true}', "this is journal version True, and only versions up to 2 can be read"),
        ('{"demine":1.0}', "this is journal version 1.0, and only versions up to 2 can be read"),
        ('{"demine":[[1]]}', "this is journal version list, and only versions up to 2 can be read"),
        ('{"demine":1}', "the header has no rules"),
        ('{"demine":1,"rules":["9x9/10"]}', "the header has no rules"),
        ('{"demine":1,"rules":"9x9/10"}', "seed in the header is not a whole number"),
        ('{"demine":1,"rules":"9x9/10","seed":1.0}', "seed in the header is not a whole number"),
        ('{"demine":1,"rules":"9x9/10","seed":true}', "seed in the header is not a whole number"),
        ('{"demine":1,"rules":"9x9/10","seed":-1}', "a seed is a whole number from 0 up to"),
        ('{"demine":1,"rules":"9x9/10","seed":1' + "0" * 300 + "}", "up to 2**128 - 1"),
        ('{"demine":1,"rules":"9x9/99","seed":1}', "99 mines do not fit on 9x9"),
        ('{"demine":1,"rules":"9x9/9","seed":1,"seed":2}', "is not a journal header"),
        ('{"demine":1,"rules":"9x9/9","seed":1,"colour":2}', "is not an entry of a header"),
        ('{"demine":1,"rules":"9x9/9","seed":1,"origin":"x"}', "'x' is not an origin of a game"),
        ('{"demine":1,"rules":"9x9/9","seed":1,"origin":[["x"]]}', "not an origin of a game"),
        ('{"demine":1,"rules":"9x9/9","seed":1,"origin":null}', "None is not an origin of a game"),
        ('{"demine":1,"rules":"9x9/9","seed":1,"start":[9,0]}', "row 10, column 1 is outside"),
        ('{"demine":1,"rules":"9x9/9","seed":1,"start":[-1,0]}', "row 0, column 1 is outside"),
        ('{"demine":1,"rules":"9x9/9","seed":1,"start":[1.0,0]}', "list is not a cell"),
        ('{"demine":1,"rules":"9x9/9","seed":1,"start":"1,0"}', "'1,0' is not a cell"),
        ('{"demine":1,"rules":"9x9/9","seed":1,"facts":[]}', "the facts are not a JSON object"),
        ('{"demine":1,"rules":"9x9/9","seed":1,"facts":null}', "the facts are not a JSON object"),
        ('{"demine":1,"rules":"9x9/9","seed":1,"facts":{"a":[]}}', "the fact 'a' is neither"),
        ('{"demine":1,"rules":"9x9/9","seed":1,"facts":{"a":NaN}}', "the fact 'a' is neither"),
        ('{"demine":1,"rules":"9x9/9","seed":1,"facts":{"a":1e999}}', "the fact 'a' is neither"),
        ('{"demine":1,"rules":"9x9/9","seed":1,"facts":{"a":"\\ud800"}}', "the fact 'a' is"),
        ('{"demine":1,"rules":"9x9/9","seed":1,"facts":{"\\ud800":1}}', "not the name of a fact"),
        ('{"demine":1,"rules":"9x9/9","seed":1,"facts":{"a":1,"a":2}}', "is not a journal header"),
        ('{"demine":1,"rules":"9x9/9","seed":1,"facts":' + "[" * 9000, "is not a journal header"),
        ('{"a":' * 9000, "is not a journal header"),
        ('{"demine":1,"rules":"9x9/9","seed":' + "9" * 5000 + "}", "is not a journal header"),
        ("\ufeff" + HEADER, "is not a journal header"),
    ],
    ids=lambda text: ascii(text[:60]),
)  # fmt: skip
def test_headers_that_are_none(header: str, reason: str) -> None:
    with pytest.raises(JournalError) as caught:
        parse_journal(BaseGame, header)
    assert str(caught.value).startswith("line 1: ")
    assert reason in str(caught.value)
    assert len(str(caught.value)) < 400


@pytest.mark.parametrize("depth", [100, 300, 500, 700, 900, 950, 980, 990, 995, 1000, 2000])
def test_deep_lists_are_refused_at_any_depth(depth: int) -> None:
    deep = "[" * depth + "]" * depth
    for entry in ("demine", "origin", "start", "facts", "rules", "seed", "x"):
        header = {"demine": 1, "rules": "9x9/9", "seed": 1, entry: "DEEP"}
        with pytest.raises(JournalError):
            parse_journal(BaseGame, json.dumps(header).replace('"DEEP"', deep))
    with pytest.raises(JournalError):
        parse_journal(BaseGame, f"{HEADER}\n{deep}")


LAY = '[0,"lay","4x3:gBA"]'


@pytest.mark.parametrize(
    ("lines", "reason"),
    [
        ([LAY, '[0,"open",0,0]', '[1,"open",0,1]'], "line 4: the game is over"),
        (['[0,"boom"]'], "line 2: '[0,\"boom\"]' is not an event"),
        (["", LAY], "line 2: '' is not an event"),
        ([LAY, LAY], "line 3: the mines have already been laid"),
        ([LAY, '[0,"open",9,9]'], "line 3: row 10, column 10 is outside the 4x3 board"),
        ([LAY, '[5,"open",0,1]'], "line 3: the first cell opens at 0 ms, not at 5"),
        ([LAY, '[-5,"open",0,1]'], "line 3: the first cell opens at 0 ms, not at -5"),
        (['[0,"open",0,1]'], "line 2: a cell is opened before the mines are laid"),
        (
            [LAY, '[0,"open",0,1]', '[-1,"flag",2,2]'],
            "line 4: time cannot run backwards from 0 to -1",
        ),
        (['[0,"undo"]'], "line 2: there is nothing to undo"),
        (['[0,"resume"]'], "line 2: the game is not paused"),
        (['[0,"lay","3x3:iIA"]'], "line 2: the layout has shape (3, 3), but the rules"),
        (['[0,"lay","4x3:AAA"]'], "line 2: the layout has 0 mines, the rules 4x3/2"),
        ([LAY, '[0,"open",0,1]', '[1,"chord",0,1]'], "line 4: the 1 at row 1, column 2 has 0"),
        ([HEADER], "line 2: "),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_events_the_rules_refuse(lines: list[str], reason: str) -> None:
    assert refusal_of(read, "\n".join([HEADER, *lines])).startswith(reason)


def test_an_unfinished_line_is_refused_with_its_number() -> None:
    text = format_journal(sample())
    for cut in range(len(text) - 1):
        if text[cut] != "\n" and text[cut - 1] != "\n":
            assert refusal_of(read, text[:cut])[:5] in ("line ", "") or not cut


@given(games(most=5, acts=12), st.data())
@settings(max_examples=150)
def test_a_damaged_journal_is_a_game_or_a_refusal(game: BaseGame, data: st.DataObject) -> None:
    lines = format_journal(game).splitlines()
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, len(lines) - 1))
        damage(lines, at, data)
    check_damaged("\n".join(lines))


def damage(lines: list[str], at: int, data: st.DataObject) -> None:
    """Cut, repeat, drop, swap or edit one line."""
    line = lines[at]
    kind = data.draw(st.sampled_from(["cut", "repeat", "drop", "swap", "edit", "number"]))
    place = data.draw(st.integers(0, len(line)))
    if kind == "cut":
        lines[at] = line[:place]
    elif kind == "repeat":
        lines.insert(at, line)
    elif kind == "drop" and len(lines) > 1:
        del lines[at]
    elif kind == "swap":
        lines[at], lines[-1] = lines[-1], lines[at]
    elif kind == "edit":
        lines[at] = line[:place] + data.draw(st.text(max_size=3)) + line[place + 1 :]
    else:
        number = str(data.draw(st.integers(-(2**70), 2**70) | st.floats()))
        lines[at] = "".join(
            number if sign.isdigit() and i == place else sign for i, sign in enumerate(line)
        )


def check_damaged(text: str) -> None:
    if not refusal_of(read, text):
        game = parse_journal(BaseGame, text)
        assert parse_journal(BaseGame, format_journal(game)) == game


@given(st.binary(max_size=200))
def test_any_bytes_are_refused(data: bytes) -> None:
    text = data.decode("latin-1")
    assert refusal_of(read, text)
    assert refusal_of(read, f"{HEADER}\n{text}") or not text.strip("\n\r\t ")


JSON: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5)
    | st.sampled_from(["9x9/10", "open", "lay", "fresh", "3x3:iIA"]),
    lambda inner: st.lists(inner, max_size=4)
    | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=8,
)  # fmt: skip
ENTRIES = st.sampled_from(["demine", "rules", "seed", "origin", "start", "facts"])


@given(st.dictionaries(ENTRIES, JSON), st.booleans())
def test_any_json_is_a_header_or_a_refusal(entries: dict[str, Any], sound: bool) -> None:
    if sound:
        entries = {"demine": 1, "rules": "9x9/10", "seed": 1} | {
            name: value for name, value in entries.items() if name in ("origin", "start", "facts")
        }
    check_damaged(json.dumps(entries))


@given(st.lists(JSON, max_size=5))
def test_any_json_is_an_event_or_a_refusal(fields: list[Any]) -> None:
    line = json.dumps(fields)
    if not refusal_of(parse_event, line):
        assert parse_event(str(parse_event(line))) == parse_event(line)
    check_damaged(f"{HEADER}\n{line}")


@pytest.mark.parametrize("rules", ["8192x8192/10", "67108864x1/3"])
def test_a_short_text_takes_little_memory(rules: str) -> None:
    tracemalloc.start()
    try:
        game = parse_journal(BaseGame, json.dumps({"demine": 1, "rules": rules, "seed": 1}))
        game.play(Act(0, Verb.FLAG, 0, 1))
        assert game.board.flags == 1
        with pytest.raises(JournalError):
            parse_journal(
                BaseGame, json.dumps({"demine": 1, "rules": rules, "seed": 1}) + f"\n{LAY}"
            )
        del game
        resident = resident_kib()
        games = [
            parse_journal(BaseGame, json.dumps({"demine": 1, "rules": rules, "seed": n}))
            for n in range(3)
        ]
        assert len(games) == 3
        assert resident_kib() - resident < 50_000
    finally:
        tracemalloc.stop()


def resident_kib() -> int:
    """Memory of this process that is really there, where the system tells; else 0."""
    try:
        status = Path("/proc/self/status").read_text(encoding="ascii")
    except OSError:
        return 0
    return next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmRSS"))


def test_times_stay_in_bounds_when_the_first_cell_opens() -> None:
    game = BaseGame(Rules(4, 3, 2), 1)
    game.play(Act(-(2**53), Verb.FLAG, 2, 3))
    late = Act(2**53, Verb.OPEN, 0, 0)
    assert not game.can(late)
    with pytest.raises(DemineError, match="too long after the first event"):
        game.play(late)
    game.play(Act(0, Verb.OPEN, 0, 0))
    assert game.events[0].t == -(2**53)
    assert parse_journal(BaseGame, format_journal(game)) == game


def test_follow_takes_every_kind_of_event() -> None:
    game, other = sample(), BaseGame(Rules(4, 3, 2), 5)
    for event in game.events:
        play_event(other, event)
    assert other == game
    assert {type(event) for event in game.events} == {Act, Lay, Touch}
