"""Ranked boards on a real server: one attempt, its clock, and nothing told before midnight."""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from starlette.applications import Starlette

from demine.logic.daily_board import Daily
from demine.logic.event import Lay
from demine.logic.ranked_board import RankedBoard
from demine.solver.deal.make_layout import make_layout
from demine.statistics.board_3bv import three_bv
from demine.web import app
from demine.web.database.administration import Administration
from demine.web.database.place import DatabasePlace
from demine.web.latency import MOST_MS
from tests.web.browser.served_site import ServedSite
from tests.web.doors_app import serve
from tests.web.ranked.ranked_site import (
    BOARD,
    DAY,
    LEVEL,
    PATH,
    Calendar,
    RankedPlayer,
    keep_board,
    random_mines,
)
from tests.web.stored_rows import change, journal, rows
from tests.web.waiting import until

MINES = random_mines(1)


@pytest.fixture
def calendar(monkeypatch: pytest.MonkeyPatch) -> Calendar:
    monkeypatch.setattr(app, "_RANKED_S", 0.02)
    return Calendar()


@pytest.fixture
def application(place: DatabasePlace, calendar: Calendar) -> Starlette:
    return app.make_app(place, today=calendar)


@pytest.fixture
def site(application: Starlette, place: DatabasePlace) -> Iterator[str]:
    with serve(application) as address:
        with RankedPlayer(address) as player:
            until(lambda: len(player.ask("GET", "/api/daily").json()["boards"]) == 3)
        keep_board(place, MINES)
        yield address


@pytest.fixture
def players(site: str) -> Iterator[list[RankedPlayer]]:
    with ExitStack() as stack:
        yield [stack.enter_context(RankedPlayer(site)) for _ in range(3)]


def board_of(player: RankedPlayer, day: str = "") -> dict[str, Any]:
    """What is told of the board of the level."""
    told = player.ask("GET", f"/api/daily?day={day}").json()["boards"]
    found: dict[str, Any] = next(each for each in told if each["level"] == LEVEL)
    return found


def lose(player: RankedPlayer, mines: NDArray[np.bool_] = MINES) -> None:
    row, col = map(int, np.argwhere(mines)[0])
    player.act("open", *BOARD.start)
    assert player.act("open", row, col)["status"] == "lost"


def test_digest_beforehand_and_the_secret_afterwards(
    players: list[RankedPlayer], calendar: Calendar
) -> None:
    player = players[0]
    calendar.turn(-1)
    tomorrow = board_of(player, str(DAY))
    assert tomorrow["secret"] is None
    assert player.ask("POST", PATH).json()["error"]["what"] == "not_today"
    calendar.turn(1)
    assert board_of(player) == tomorrow
    calendar.turn(1)
    over = board_of(player, str(DAY))
    assert over["digest"] == tomorrow["digest"]
    secret = bytes.fromhex(over["secret"])
    text = f"demine ranked 1 digest {DAY} {LEVEL} ".encode()
    assert hashlib.sha256(text + secret).hexdigest() == tomorrow["digest"]
    assert not any(each["secret"] for each in player.ask("GET", "/api/daily").json()["boards"])


def test_one_attempt_however_often_and_at_once_it_is_begun(
    players: list[RankedPlayer], place: DatabasePlace
) -> None:
    player, other, _ = players
    player.ask("PUT", "/api/me")
    player.begin()
    with ThreadPoolExecutor(16) as threads:
        answers = threads.map(lambda _: player.http.post(PATH, json={}).json(), range(16))
        begun = [answer["game"] for answer in answers]
    assert len(set(begun)) == 1
    assert rows(place, "SELECT count(*) FROM games") == [(1,)]
    lose(player)
    assert player.http.post(PATH, json={}).json()["game"] == begun[0]
    assert board_of(player)["mine"]["status"] == "lost"
    # What others have is not theirs, and their own is another one.
    assert other.begin() != begun[0]
    assert other.ask("GET", f"/api/games/{begun[0]}").status_code == 404
    (num,) = rows(place, "SELECT num FROM games WHERE id=?", begun[0])[0]
    assert rows(place, "SELECT count(*) FROM ranked_attempts WHERE game=?", num) == [(1,)]


def test_new_players_at_once_have_an_attempt_each(site: str) -> None:
    with ExitStack() as stack:
        many = [stack.enter_context(RankedPlayer(site)) for _ in range(8)]
        with ThreadPoolExecutor(8) as threads:
            games = list(threads.map(lambda player: player.begin(), many))
    assert len(set(games)) == 8


def test_two_tabs_play_one_game(players: list[RankedPlayer]) -> None:
    player = players[0]
    game = player.begin()
    tab = player.socket(f"/ws/games/{game}?client=b")
    player.hear(tab)
    player.act("open", *BOARD.start)
    assert player.hear(tab)["status"] == "running"
    row, col = map(int, np.argwhere(MINES)[0])
    assert player.act("open", row, col)["status"] == "lost"
    tab.send('{"seq": 1, "verb": "undo"}')
    heard = player.hear(tab)
    while heard.get("ack") != 1:
        heard = player.hear(tab)
    assert (heard["status"], "refused" in heard) == ("lost", True)


def test_no_undo_pause_or_help_during_the_day_or_after_it(
    players: list[RankedPlayer], calendar: Calendar
) -> None:
    player = players[0]
    game = player.begin()
    player.act("open", *BOARD.start)
    assert player.act("undo")["refused"]["what"] == "act"
    assert player.act("pause")["refused"]["what"] == "act"
    assert player.playing is not None
    # A question has a number as an act has, also one that is refused.
    player.number += 1
    player.playing.send(json.dumps({"seq": player.number, "ask": "chances"}))
    while "help" not in (told := player.hear(player.playing)):
        pass
    assert told["refused"]["what"] == "shared_board"
    row, col = map(int, np.argwhere(MINES)[0])
    assert player.act("open", row, col)["status"] == "lost"
    calendar.turn()
    until(lambda: player.ask("GET", f"/api/games/{game}/watch").status_code == 200)
    assert player.act("undo")["status"] == "lost"


def test_a_win_is_ranked_and_is_the_fold_of_its_game(
    players: list[RankedPlayer], place: DatabasePlace
) -> None:
    player = players[0]
    game = player.win_attempt(MINES)
    folded = journal(place, game)
    mine = board_of(player)["mine"]
    assert (folded.status.value, folded.time_ms) == (mine["status"], mine["time_ms"])
    assert folded.unranked == ""
    assert folded.seed != BOARD.seed
    assert folded.facts["ranked"] == str(BOARD.daily)


def test_false_stamps_and_repeated_acts_of_two_tabs_gain_nothing(
    players: list[RankedPlayer], place: DatabasePlace
) -> None:
    player = players[0]
    game = player.begin()
    player.act("open", *BOARD.start)
    tabs = [player.socket(f"/ws/games/{game}?client={name}") for name in "bc"]
    for number, cell in enumerate(np.argwhere(~MINES).tolist(), 1):
        for stamp in (10**9, 0):  # the second message repeats the number of the first
            for said_before, tab in zip((1, 0), tabs, strict=True):
                message = {"seq": number + said_before, "verb": "open", "cell": cell, "t": stamp}
                tab.send(json.dumps(message))
    for tab in tabs:
        while player.hear(tab).get("status") != "won":
            pass
    ((time_ms, arrived_ms),) = rows(place, "SELECT time_ms, arrived_ms FROM games WHERE id=?", game)
    assert abs(time_ms - arrived_ms) <= MOST_MS
    assert places(player)["you"]["time_ms"] == time_ms == journal(place, game).time_ms


def test_the_clock_goes_on_while_nobody_looks_and_after_a_kill(tmp_path: Path) -> None:
    sooner = {"demine.web.app:_SWEEP_S": 0.05, "demine.web.open_games:_IDLE_S": 0.1}
    site = ServedSite(tmp_path, sooner)
    try:
        with RankedPlayer(site.address) as player:
            day = player.ask("GET", "/api/daily").json()["today"]
            path = f"/api/daily/{day}/{LEVEL}"
            until(lambda: player.ask("POST", path).status_code == 200)
            game = player.ask("POST", path).json()["game"]
            hello = player.play(game)
            player.act("open", *hello["start"])
            for _ in range(2):
                assert player.playing is not None
                player.playing.close()
                before = player.number
                # The game is forgotten meanwhile, and never paused.
                time.sleep(0.5)
                hello = player.play(game)
                assert (hello["status"], player.number) == ("running", before)
                assert hello["clock_ms"] >= 500
            clock = hello["clock_ms"]
            flagged = player.act("flag", *first_covered(hello["faces"]))
            assert flagged["clock_ms"] >= clock
            site.kill()
            site.start()
            player.address = site.address
            assert player.play(game)["clock_ms"] >= flagged["clock_ms"]
            assert player.act("pause")["refused"]["what"] == "act"
            assert player.ask("GET", f"/api/games/{game}").json()["status"] == "running"
            time.sleep(1)
            site.stop()
            site.start()
            player.address = site.address
            assert player.play(game)["clock_ms"] >= flagged["clock_ms"] + 1000
            assert player.act("resign")["status"] == "lost"
            assert player.ask("GET", f"/api/games/{game}/watch").status_code == 409
            assert player.ask("POST", path).json()["game"] == game
    finally:
        site.kill()


def first_covered(faces: list[str]) -> tuple[int, int]:
    text = next(row for row in faces if "9" in row)
    return faces.index(text), text.index("9")


def test_midnight_ends_what_goes_on_and_opens_everything(
    players: list[RankedPlayer], calendar: Calendar, place: DatabasePlace
) -> None:
    runner, loser, late = players
    running = runner.begin()
    runner.act("open", *BOARD.start)
    lost = loser.begin()
    lose(loser)
    late.begin()
    watch = f"/api/games/{lost}/watch"
    assert late.ask("GET", watch).json()["error"]["what"] == "not_yet"
    assert loser.ask("GET", f"/api/games/{lost}").json()["share"] is None
    assert rows(place, "SELECT bv FROM games WHERE id=?", lost) == [(None,)]
    calendar.turn()
    assert late.act("open", *BOARD.start)["refused"]["message"] == "the day of this board is over"
    assert late.ask("POST", PATH).json()["error"]["what"] == "not_today"
    assert loser.playing is not None
    shown = loser.hear(loser.playing)
    assert "".join(shown["faces"]).count("c") == MINES.sum() - 1
    until(lambda: board_of(runner, str(DAY))["mine"]["status"] == "resigned")
    assert board_of(late, str(DAY))["mine"]["status"] == "ready"
    for game in (running, lost):
        assert late.ask("GET", f"/api/games/{game}/watch").status_code == 200
    until(lambda: rows(place, "SELECT bv FROM games WHERE id=?", lost) == [(three_bv(MINES),)])
    assert lost in loser.http.get("/api/me/export").text


def test_an_attempt_stays_used_up_when_its_game_is_deleted(
    players: list[RankedPlayer], place: DatabasePlace
) -> None:
    player = players[0]
    game = player.begin()
    with Administration.open(place) as administration:
        administration.delete_game(game)
    assert player.ask("POST", PATH).status_code == 404
    assert board_of(player)["mine"] == {"game": None, "status": None, "time_ms": None}


def test_boards_are_laid_by_the_solver_and_are_those_of_their_secrets(
    application: Starlette, place: DatabasePlace
) -> None:
    with serve(application) as address, RankedPlayer(address) as player:
        until(lambda: len(player.ask("GET", "/api/daily").json()["boards"]) == 3)
        until(lambda: player.ask("POST", PATH).status_code == 200)
        lacking = "SELECT count(*) FROM ranked_boards WHERE lay IS NULL"
        until(lambda: rows(place, lacking) == [(0,)])
    found = rows(place, "SELECT day, level, secret, lay FROM ranked_boards")
    assert len(found) == 6
    for day, level, secret, lay in found:
        board = RankedBoard(Daily.parse(f"{day} {level}"), secret)
        mines = make_layout(board.daily.rules, board.seed, board.start)
        assert (Lay.parse(lay).mine_map == mines).all()


def places(player: RankedPlayer, **asked: object) -> dict[str, Any]:
    answer = player.http.get(f"{PATH}/places", params=asked)  # type: ignore[arg-type]
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


def test_leaderboard_tells_places_and_shows_no_board_before_midnight(
    players: list[RankedPlayer], calendar: Calendar, place: DatabasePlace
) -> None:
    ann, ben, cem = players
    for player, name, is_listed in ((ann, "Ann", True), (ben, "Ben", True), (cem, "Cem", False)):
        player.http.put("/api/me", json={"name": name, "is_listed": is_listed})
        game = player.win_attempt(MINES)
        time_ms = {"Ann": 2000, "Ben": 1000, "Cem": 1000}[name]
        change(place, "UPDATE games SET time_ms=? WHERE id=?", time_ms, game)
    found = places(ann)
    assert [(each["place"], each["name"]) for each in found["rows"]] == [(1, "Ben"), (2, "Ann")]
    assert (found["total"], found["you"]["place"], found["you"]["you"]) == (2, 2, True)
    assert all((each["game"], each["efficiency"]) == (None, None) for each in found["rows"])
    assert (places(cem)["you"]["place"], places(cem)["is_listed"]) == (1, False)
    assert [each["name"] for each in places(ann, after=1, count=1)["rows"]] == ["Ann"]
    refused = ann.http.get(f"{PATH}/places", params={"measure": "efficiency"})
    assert refused.json()["error"]["what"] == "not_yet"
    calendar.turn()
    until(lambda: places(ann, measure="efficiency")["total"] == 2)
    rows_after = places(ann, measure="efficiency")["rows"]
    assert all(each["efficiency"] > 0 and each["game"] for each in rows_after)
    assert ben.ask("GET", f"/api/games/{rows_after[0]['game']}/watch").status_code == 200


def test_friends_are_compared_and_banned_players_are_left_out(
    players: list[RankedPlayer], place: DatabasePlace
) -> None:
    ann, ben, cem = players
    for player, name in ((ann, "Ann"), (ben, "Ben"), (cem, "Cem")):
        player.http.put("/api/me", json={"name": name, "is_listed": player is not cem})
        player.win_attempt(MINES)
    token = cem.ask("POST", "/api/friends/link").json()["link"].rpartition("/")[2]
    assert ann.ask("POST", "/api/friends", token=token).status_code == 200
    assert {each["name"] for each in places(ann, friends=True)["rows"]} == {"Ann", "Cem"}
    ((banned,),) = rows(place, "SELECT id FROM players WHERE name='Ben'")
    with Administration.open(place) as administration:
        administration.ban(banned)
    assert [each["name"] for each in places(ann)["rows"]] == ["Ann"]
