"""A client that wants to know or gain more than a race allows: it gets nowhere."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from starlette.applications import Starlette

from demine.logic.event import Act
from demine.play import race as race_rules
from demine.web import app
from demine.web.services import Services
from demine.web.websocket import race_connection
from tests.web.doors_app import serve
from tests.web.races.race_site import Racer
from tests.web.stored_rows import journal

RULES = "9x9/12"
MOMENTS = re.compile(
    r'("(?:phase_ms|away_ms|clock_ms|time_ms|total_ms|now|pong)":)\d+|\d{4}-\d\d-\d\dT[\d:.]+Z|\b\d+\.\d{3}\b'
)
IDS = re.compile(r"[0-9a-f]{8}-[0-9a-f-]{27}")
DOORS = ("races/{race}", "games/{game}", "games/{game}/watch", "games/{game}/journal",
         "games/{game}/review", "history", "records", "setup")  # fmt: skip


def board(*mines_at_the_right: int) -> NDArray[np.bool_]:
    """A board whose left part is open from the start, behind a wall of mines from the other cells.

    Given are the rows of the mines in the last column. All cells beside the wall are numbers.
    """
    mines = np.zeros((9, 9), bool)
    mines[:, 6] = True
    mines[list(mines_at_the_right), 8] = True
    return mines


BOARDS = board(0, 3, 6), board(1, 4, 7)
LEFT = 6 * 9
"""How many cells are open from the start, on both boards."""


@pytest.fixture
def application(tmp_path: Path) -> Starlette:
    return app.make_app(tmp_path / "server.sqlite")


@pytest.fixture
def racers(application: Starlette, monkeypatch: pytest.MonkeyPatch) -> Iterator[list[Racer]]:
    monkeypatch.setattr(race_rules, "COUNTDOWN_MS", 200)
    monkeypatch.setattr(race_connection.RaceNews, "least_s", 0.0)
    with serve(application) as address, ExitStack() as stack:
        found = [stack.enter_context(Racer(address)) for _ in range(6)]
        found[0].ask("GET", "/api/setup")  # answered once everything is there
        yield found


def deal(application: Starlette, mines: NDArray[np.bool_]) -> None:
    """Have the next race played on a board."""

    async def dealt(*_: object) -> NDArray[np.bool_]:
        return mines

    services: Services = application.state.services
    services.solver.deal = dealt  # type: ignore[assignment, method-assign]


def start(racers: list[Racer], **chosen: object) -> list[dict[str, Any]]:
    """Have two race, and a third one look on."""
    first, second, spectator = racers
    race = spectator.race = first.make(rules=RULES, **chosen)
    for racer in (first, second):
        racer.come_and_be_ready(race)
    spectator.look()
    states = [racer.until_phase("running") for racer in racers]
    for racer, state in zip((first, second), states, strict=False):
        racer.play(state["game"])
    return states


def has(seat: int, **facts: object) -> Callable[[dict[str, Any]], bool]:
    """Whether a seat is so."""

    def is_so(state: dict[str, Any]) -> bool:
        found = next(each for each in state["seats"] if each["seat"] == seat)
        return all(found[name] == value for name, value in facts.items())

    return is_so


def tell_all(racers: list[Racer], seat: int, **facts: object) -> None:
    """Wait until everybody has heard that a seat is so."""
    is_so = has(seat, **facts)
    for racer in racers:
        states = [json.loads(text) for text in racer.heard if text.startswith('{"v"')]
        if not is_so(states[-1]):
            racer.until(is_so)


def traffic(racer: Racer, since: int) -> list[str]:
    """What a racer has heard, without moments and names, and repetitions in a row."""
    told = [IDS.sub("ID", MOMENTS.sub(r"\g<1>0", text)) for text in racer.heard[since:]]
    return [text for at, text in enumerate(told) if at == 0 or text != told[at - 1]]


def raced(
    racers: list[Racer], mine_costs: str, mines: NDArray[np.bool_]
) -> tuple[list[str], list[str]]:
    """Race on a board; return what the first racer and a spectator heard before the end."""
    first, second, spectator = racers
    states = start(racers, mine_costs=mine_costs)
    tell_all(racers, 0, away_ms=None, opened=LEFT)
    tell_all(racers, 1, away_ms=None, opened=LEFT)
    since = len(first.heard), len(spectator.heard)
    first.act("flag", 1, 6)
    for count, row in enumerate((0, 4, 8), start=1):
        second.act("open", row, 7)
        tell_all(racers, 1, opened=LEFT + count)
    if mine_costs == "time":
        second.act("open", *map(int, np.argwhere(mines[:, 7:])[0] + [0, 7]))
        tell_all(racers, 1, mines=1)
    first.act("open", 0, 6)  # a mine of both boards
    # That it costs the race is noticed a moment later, before or after what the other one does.
    tell_all(racers, 0, mines=1, status="failed" if mine_costs == "race" else "racing")
    second.act("open", 2, 8)
    tell_all(racers, 1, opened=LEFT + 4)
    for door in DOORS:
        first.ask("GET", "/api/" + door.format(race=first.race, game=states[0]["game"]))
    heard = traffic(first, since[0]), traffic(spectator, since[1])
    for racer in (first, second):
        racer.act("resign")
    first.until_phase("over")
    return heard


@pytest.mark.parametrize("mine_costs", ["time", "race"])
def test_all_that_is_sent_is_the_same_on_boards_that_differ_where_one_has_not_been(
    application: Starlette, racers: list[Racer], mine_costs: str
) -> None:
    """Whoever has opened the left part hears the same, whatever the mines at the right are."""
    heard = []
    for players, mines in zip((racers[:3], racers[3:]), BOARDS, strict=True):
        deal(application, mines)
        heard.append(raced(players, mine_costs, mines))
    assert heard[0] == heard[1]
    assert len(heard[0][0]) > len(DOORS) + 4
    assert len(heard[0][1]) > 4


def test_replayed_acts_tampered_times_and_a_second_tab_gain_nothing(
    application: Starlette, racers: list[Racer], tmp_path: Path
) -> None:
    deal(application, BOARDS[0])
    racers = racers[:3]
    first, second, _ = racers
    states = start(racers)
    honest = second.act("open", 0, 7)
    cheat, game = first.playing, states[0]["game"]
    assert cheat is not None
    mine = {"seq": first.number + 1, "verb": "open", "cell": [0, 6]}
    for sent in (mine, mine, {**mine, "cell": [8, 7]}, {**mine, "seq": first.number + 9}):
        cheat.send(json.dumps(sent))
    answers = [first.hear(cheat) for _ in range(4)]
    # Numbers that were answered are answered again and not played; one with a gap is refused.
    assert [answer["seq"] for answer in answers] == [answers[0]["seq"]] * 4
    assert answers[3]["refused"]["what"] == "gap"
    first.number += 1
    # The same mine in another tab costs nothing more, and nothing less.
    tab = first.socket(f"/ws/games/{game}?client=b")
    hello = first.hear(tab)["hello"]
    tab.send(json.dumps({**mine, "seq": hello["next_seq"]}))
    first.hear(tab)
    tell_all(racers, 0, mines=1)
    # An act counts when it arrives, whatever time it claims, and answers to pings do not help.
    for claimed in (0, 10**9):
        cheat.send(json.dumps({"pong": claimed}))
        first.number += 1
        act = {"seq": first.number, "verb": "open", "cell": [2 + (claimed > 0), 7], "t": claimed}
        cheat.send(json.dumps(act))
        while first.hear(cheat).get("ack") != first.number:
            pass
    played = journal(tmp_path / "server.sqlite", game)
    times = [event.t for event in played.events if isinstance(event, Act)]
    assert times == sorted(times)
    others = journal(tmp_path / "server.sqlite", states[1]["game"])
    assert times[-2] >= max(event.t for event in others.events if isinstance(event, Act))
    assert honest["clock_ms"] <= times[-2]
    assert len(played.board.blown) == 1
    # Whoever has left plays no more, and does not come back.
    assert first.wish("leave").status_code == 200
    first.until(has(0, status="left"))
    first.number += 1
    cheat.send(json.dumps({"seq": first.number, "verb": "open", "cell": [5, 7]}))
    while (answer := first.hear(cheat)).get("ack") != first.number:
        pass
    assert "refused" in answer
    for do in ("join", "ready", "wait"):
        first.wish(do)
    assert second.until(has(0, status="left"))["phase"] == "running"
