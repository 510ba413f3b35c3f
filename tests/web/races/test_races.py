"""Races on a real server: everybody sees the same, nobody sees too much, and nothing is lost."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from starlette.applications import Starlette

from demine.logic.rules import Rules
from demine.play import race as race_rules
from demine.play.race import MINE_COST_MS, Race, RaceEvent
from demine.web import app
from demine.web.database.administration import Administration
from demine.web.database.place import DatabasePlace
from demine.web.limits import Places
from demine.web.races import registry
from demine.web.services import Services
from tests.web.browser.served_site import ServedSite
from tests.web.doors_app import serve
from tests.web.races.race_site import Racer, mines_of
from tests.web.stored_rows import journal, rows
from tests.web.waiting import SECONDS, until

COUNTDOWN_MS = 200
RULES = "9x9/12"


@pytest.fixture
def application(place: DatabasePlace) -> Starlette:
    return app.make_app(place)


@pytest.fixture
def site(application: Starlette, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    monkeypatch.setattr(race_rules, "COUNTDOWN_MS", COUNTDOWN_MS)
    monkeypatch.setattr(app, "_SWEEP_S", 0.1)
    with serve(application) as address:
        yield address


@pytest.fixture
def racers(site: str) -> Iterator[list[Racer]]:
    with ExitStack() as stack:
        yield [stack.enter_context(Racer(site)) for _ in range(8)]


def start(racers: list[Racer], **chosen: object) -> tuple[str, list[dict[str, Any]]]:
    """Have all players begin a race; returns its id and how it stands for each of them."""
    race = racers[0].make(rules=RULES, **chosen)
    for racer in racers:
        racer.come_and_be_ready(race)
    states = [racer.until_phase("running") for racer in racers]
    for racer, state in zip(racers, states, strict=True):
        racer.play(state["game"])
    return race, states


def cells_of(state: dict[str, Any], seat: int) -> NDArray[np.bool_]:
    """The open cells of a seat as far as they are told."""
    text = next(each["cells"] for each in state["seats"] if each["seat"] == seat)
    bits = np.unpackbits(np.frombuffer(base64.b64decode(text), np.uint8))
    size = state["height"] * state["width"]
    return bits[:size].astype(bool).reshape(state["height"], state["width"])


def seat_of(state: dict[str, Any], seat: int) -> dict[str, Any]:
    found: dict[str, Any] = next(each for each in state["seats"] if each["seat"] == seat)
    return found


def test_eight_players_race_at_once_and_the_result_is_the_fold_of_their_games(
    racers: list[Racer], place: DatabasePlace
) -> None:
    race, states = start(racers)
    mines = mines_of(place, race)
    assert sorted(state["seat"] for state in states) == list(range(8))
    first, *others, last = racers
    mine = tuple(map(int, np.argwhere(mines)[0]))
    assert first.act("open", *mine)["status"] == "running"
    with ThreadPoolExecutor(len(racers)) as threads:
        won = list(threads.map(lambda racer: racer.win(mines), [first, *others]))
    assert {answer["status"] for answer in won} == {"won"}
    assert last.act("resign")["status"] == "lost"
    over = last.until_phase("over")
    assert seat_of(over, 0)["mines"] == 1
    assert [seat["status"] for seat in over["seats"]] == ["finished"] * 7 + ["left"]
    totals = []
    for seat in over["seats"]:
        game = journal(place, seat["game"])
        assert (game.board.mine_map == mines).all()
        assert game.unranked == "share"
        assert last.ask("GET", f"/api/games/{seat['game']}/watch").status_code == 200
        if seat["status"] == "finished":
            assert seat["time_ms"] == game.time_ms
            assert seat["mines"] == len(game.board.blown)
            totals.append(seat["total_ms"])
            assert seat["total_ms"] == game.time_ms + len(game.board.blown) * MINE_COST_MS
    assert totals == sorted(totals)
    lines = rows(place, "SELECT line FROM race_events ORDER BY seq")
    places = Race.fold(RaceEvent.parse(line) for (line,) in lines).places
    assert [(place, seat.number) for place, seat in places] == [
        (seat["place"], seat["seat"]) for seat in over["seats"]
    ]


def test_nothing_that_is_sent_tells_a_racer_or_spectator_of_mines(
    racers: list[Racer], place: DatabasePlace
) -> None:
    """All traffic is searched; of others only cells are told that one has opened oneself."""
    race, _ = start(racers[:2], mine_costs="race")
    mines = mines_of(place, race)
    first, second, spectator = racers[:3]
    spectator.race = race
    spectator.look()
    safe = [tuple(map(int, cell)) for cell in np.argwhere(~mines)]
    for cell in safe[: len(safe) // 2]:
        first.act("open", *cell)
    at_start = cells_of(second.until(lambda state: seat_of(state, 0)["opened"] > 20), 0)
    game = journal(place, second.ask("GET", f"/api/races/{race}").json()["game"])
    assert not (at_start & ~game.board.open_map).any()
    seen = spectator.until(lambda state: seat_of(state, 0)["opened"] > 20)
    assert not (cells_of(seen, 0) & ~game.board.open_map).any()
    assert cells_of(seen, 1).sum() == game.board.open_map.sum()
    lost = first.act("open", *map(int, np.argwhere(mines)[0]))
    assert lost["status"] == "lost"
    # The one mine that was hit is shown, and no other one: the other player still races.
    assert "".join(lost["faces"]).count("d") == 1
    assert "c" not in "".join(lost["faces"])
    own = first.ask("GET", f"/api/races/{race}").json()["game"]
    for path in ("watch", "journal", "statistics", "review", "chances?act=1"):
        assert first.ask("GET", f"/api/games/{own}/{path}").status_code == 409, path
    assert first.ask("GET", f"/api/games/{own}").json()["share"] is None
    assert first.ask("POST", "/api/games", again=own).status_code == 409
    assert first.ask("GET", "/api/me/export").status_code == 200
    first.playing.close()  # type: ignore[union-attr]
    assert "c" not in "".join(first.play(own)["faces"])
    texts = secrets_of(place, race)
    for racer in racers[:3]:
        for heard in racer.heard:
            assert not any(text in heard for text in texts)
            if heard.startswith('{"v"'):
                told = json.loads(heard)
                for seat in told["seats"]:
                    if seat["cells"]:
                        assert not (cells_of(told, seat["seat"]) & mines).any()
    assert second.act("resign")["status"] == "lost"
    first.until_phase("over")
    while "c" not in "".join(first.hear(first.playing).get("faces") or ()):  # type: ignore[arg-type]
        pass  # now everybody may see them


def secrets_of(place: DatabasePlace, race: str) -> list[str]:
    ((line, seed),) = rows(place, "SELECT lay, seed FROM races WHERE id=?", race)
    return [json.loads(line)[2].partition(":")[2], str(seed)]


def test_a_lost_connection_is_seen_and_a_player_comes_back(
    racers: list[Racer], place: DatabasePlace
) -> None:
    race, _ = start(racers[:2])
    first, second = racers[:2]
    first.looking.close()  # type: ignore[union-attr]
    second.until(lambda state: seat_of(state, 0)["away_ms"] is not None)
    first.look()
    second.until(lambda state: seat_of(state, 0)["away_ms"] is None)
    first.until(lambda state: state["seat"] == 0)
    assert first.win(mines_of(place, race))["status"] == "won"


def test_two_tabs_are_one_player_and_one_of_them_may_close(
    racers: list[Racer], place: DatabasePlace
) -> None:
    race, _ = start(racers[:2])
    first, second = racers[:2]
    other_tab = first.socket(f"/ws/races/{race}")
    first.hear(other_tab)
    first.looking.close()  # type: ignore[union-attr]
    first.looking = other_tab
    assert second.act("resign")["status"] == "lost"
    state = first.until(lambda state: seat_of(state, 1)["status"] == "left")
    assert state["phase"] == "running"
    assert seat_of(state, 0)["away_ms"] is None
    assert not rows(place, "SELECT line FROM race_events WHERE line LIKE '%away\",0%'")


def test_who_stays_away_has_left(
    racers: list[Racer], monkeypatch: pytest.MonkeyPatch, place: DatabasePlace
) -> None:
    _, states = start(racers[:2])
    monkeypatch.setattr(race_rules, "RETURN_MS", 300)
    first, second = racers[:2]
    second.looking.close()  # type: ignore[union-attr]
    state = first.until(lambda state: seat_of(state, 1)["status"] == "left")
    assert state["phase"] == "running"
    refused = second.act("open", 0, 0).get("refused")
    assert refused is not None
    assert journal(place, states[1]["game"]).resigned


def test_what_is_not_for_races_is_refused(racers: list[Racer]) -> None:
    race, states = start(racers[:2])
    first, stranger = racers[0], racers[3]
    for verb in ("pause", "undo"):
        assert first.act(verb)["refused"]["what"] == "act", verb
    assert first.playing is not None
    first.playing.send(json.dumps({"seq": first.number + 1, "ask": "hint"}))
    assert first.hear(first.playing)["refused"]["what"] == "shared_board"
    position = first.ask("POST", f"/api/games/{states[0]['game']}/position")
    assert position.status_code == 422, position.text
    # A foreign game, a race that is not one's own, and a wrong moment.
    assert stranger.ask("GET", f"/api/games/{states[0]['game']}").status_code == 404
    socket = stranger.socket(f"/ws/games/{states[0]['game']}")
    assert stranger.last_word(socket)["bye"] == "not_found"
    for do in ("join", "ready", "wait", "leave"):
        assert stranger.wish(do, race).json()["error"]["what"] == "race", do
    assert first.wish("ready").json()["error"]["what"] == "race"
    assert first.ask("POST", f"/api/races/{race}/rematch").status_code == 409
    assert stranger.ask("POST", f"/api/races/{race}/rematch").status_code == 422
    assert stranger.ask("GET", "/api/races/none").status_code == 404


def test_a_race_has_a_page_and_its_games_name_it(racers: list[Racer]) -> None:
    race, states = start(racers[:2])
    page = racers[2].ask("GET", f"/race/{race}")
    assert (page.status_code, page.headers["content-type"]) == (200, "text/html; charset=utf-8")
    assert racers[2].ask("GET", "/race/none").status_code == 404
    assert racers[0].play(states[0]["game"])["race"] == race
    own = racers[0].ask("POST", "/api/games", rules=RULES).json()["id"]
    assert racers[0].play(own)["race"] is None


def test_a_new_name_is_told_at_once(racers: list[Racer], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(app, "_SWEEP_S", SECONDS)
    start(racers[:2])
    assert racers[0].http.put("/api/me", json={"name": "Ann"}).status_code == 200
    racers[1].until(lambda state: seat_of(state, 0)["name"] == "Ann")


def test_a_hostile_socket_is_closed_and_nobody_else_notices(racers: list[Racer]) -> None:
    race, _ = start(racers[:2])
    hostile = racers[3]
    hostile.race = race
    for said in ('{"do":"start"}', "[]", "{", '{"ping":"a"}', '{"ping":1,"verb":"open"}', b"x"):
        hostile.look()
        assert hostile.looking is not None
        hostile.looking.send(said)
        assert hostile.last_word(hostile.looking)["bye"] == "malformed", said
    socket = hostile.socket(f"/ws/races/{race}")
    socket.send('{"ping": 7}')
    while hostile.hear(socket).get("pong") != 7:
        pass
    assert racers[0].act("flag", 0, 0)["ack"]


def test_a_rematch_is_one_race_whoever_asks_first(racers: list[Racer]) -> None:
    race, _ = start(racers[:2])
    first, second = racers[:2]
    assert first.wish("leave").status_code == 200
    assert second.wish("leave").status_code == 200
    first.until_phase("over")
    again = [racer.ask("POST", f"/api/races/{race}/rematch").json() for racer in (first, second)]
    assert again[0]["race"] == again[1]["race"] != race
    assert again[0]["rules"] == again[1]["rules"]
    assert second.until(lambda state: state["rematch"] is not None)["rematch"] == again[0]["race"]
    second.come_and_be_ready(again[0]["race"])
    first.come_and_be_ready(again[0]["race"])
    assert first.until_phase("running")["game"]


def test_a_race_that_is_over_is_forgotten_and_read_again(
    application: Starlette, racers: list[Racer], monkeypatch: pytest.MonkeyPatch
) -> None:
    race, _ = start(racers[:2])
    first, second = racers[:2]
    first.act("resign")
    second.act("resign")
    over = first.until_phase("over")
    services: Services = application.state.services
    for racer in racers[:2]:
        assert racer.looking is not None
        racer.looking.close()
    until(lambda: not len(services.races))
    assert not services.open_games.umpires
    again = first.ask("GET", f"/api/races/{race}").json()
    assert again["seats"] == over["seats"]
    assert (again["phase"], again["seat"]) == ("over", 0)
    # To read it takes a turn, which not everybody gets at the same time.
    until(lambda: not len(services.races))
    monkeypatch.setattr(services.long_work, "_of_players", Places(0, "{most}"))
    assert first.ask("GET", f"/api/races/{race}").status_code == 429


def test_spectators_without_a_player_are_not_counted_as_one(
    application: Starlette, racers: list[Racer], monkeypatch: pytest.MonkeyPatch
) -> None:
    race = racers[0].make(rules=RULES)
    limits = application.state.services.limits
    monkeypatch.setattr(limits, "sockets_of_players", Places(1, "{most}"))
    spectators = [racers[1].socket(f"/ws/races/{race}") for _ in range(3)]
    assert {racers[1].hear(each)["seat"] for each in spectators} == {None}
    monkeypatch.setattr(limits, "watchers_of_races", Places(3, "{most}"))
    over_the_limit = [racers[2].socket(f"/ws/races/{race}") for _ in range(4)]
    assert racers[2].last_word(over_the_limit[-1])["bye"] == "too_many"


def test_one_player_may_have_few_races_and_a_server_no_more_than_it_bears(
    racers: list[Racer], monkeypatch: pytest.MonkeyPatch
) -> None:
    for _ in range(registry.MOST_RACES_OF_PLAYER):
        racers[0].make(rules=RULES)
    refused = racers[0].ask("POST", "/api/races", rules=RULES)
    assert (refused.status_code, refused.json()["error"]["what"]) == (429, "too_many")
    race = racers[1].make(rules=RULES)
    assert racers[0].wish("join", race).status_code == 429
    monkeypatch.setattr(registry, "MOST_RACES", 2)
    assert racers[2].ask("POST", "/api/races", rules=RULES).status_code == 503


def test_boards_that_nobody_can_race_on_are_refused(racers: list[Racer]) -> None:
    unfit = dict.fromkeys(("100x100/900", "9x9/80"), "unfit_for_races")
    for rules, what in {**unfit, "nonsense": "rules"}.items():
        answer = racers[0].ask("POST", "/api/races", rules=rules)
        assert (answer.status_code, answer.json()["error"]["what"]) == (422, what), rules


def test_a_deleted_player_leaves_the_race_and_no_name_behind(
    application: Starlette, racers: list[Racer]
) -> None:
    services: Services = application.state.services
    racers[1].ask("POST", "/api/games")
    assert racers[1].http.put("/api/me", json={"name": "Somebody"}).status_code == 200
    race, states = start(racers[:2])
    assert seat_of(racers[0].ask("GET", f"/api/races/{race}").json(), 1)["name"] == "Somebody"
    assert {state["game"] for state in states} <= set(services.open_games.umpires)
    assert racers[1].http.delete("/api/me").status_code == 200
    state = racers[0].until(lambda state: seat_of(state, 1)["status"] == "left")
    assert seat_of(state, 1)["name"] == ""
    assert states[1]["game"] not in services.open_games.umpires


def test_a_race_survives_a_killed_server(tmp_path: Path) -> None:
    site = ServedSite(tmp_path, {"demine.play.race:COUNTDOWN_MS": COUNTDOWN_MS})
    place = tmp_path / "server.sqlite"
    with ExitStack() as stack:
        racers = [stack.enter_context(Racer(site.address)) for _ in range(3)]
        race, states = start(racers)
        mines = mines_of(place, race)
        for cell in np.argwhere(~mines)[:10]:
            racers[0].act("open", *map(int, cell))
        assert racers[1].win(mines)["status"] == "won"
        before = journal(place, states[0]["game"])
        mine = map(int, np.argwhere(mines)[0])
        clock = racers[0].act("flag", *mine)["clock_ms"]
        site.kill()
        site.start()
        try:
            racers[0].look()
            state = racers[0].until(
                lambda state: (
                    seat_of(state, 0)["away_ms"] is None
                    and seat_of(state, 2)["away_ms"] is not None
                    and seat_of(state, 1)["status"] == "finished"
                )
            )
            assert state["phase"] == "running"
            hello = racers[0].play(states[0]["game"])
            assert clock <= hello["clock_ms"] < clock + 60_000
            assert hello["seq"] == before.event_count + 1
            assert racers[0].win(mines)["status"] == "won"
            racers[2].look()
            # The clock is that of the race also for who has not played yet.
            assert racers[2].play(states[2]["game"])["clock_ms"] >= clock
            assert racers[2].act("resign")["status"] == "lost"
            over = racers[2].until_phase("over")
        finally:
            site.stop()
        for seat in over["seats"][:2]:
            assert seat["time_ms"] == journal(place, seat["game"]).time_ms


def test_a_stopped_server_says_so_to_everybody_at_a_race(tmp_path: Path) -> None:
    site = ServedSite(tmp_path)
    with Racer(site.address) as first, Racer(site.address) as spectator:
        spectator.race = first.make(rules=RULES)
        for racer in (first, spectator):
            racer.look()
            racer.until_phase("lobby")
        site.stop()
        for racer in (first, spectator):
            assert racer.last_word(racer.looking) == {"bye": "restart", "message": ""}  # type: ignore[arg-type]
    assert "Traceback" not in (tmp_path / "server.log").read_text(encoding="utf-8")


def test_the_rules_of_a_race_are_guess_free_with_as_many_lives_as_a_mine_costs(
    racers: list[Racer],
) -> None:
    for costs, lives in (("time", 9), ("race", 1)):
        racers[0].make(rules=RULES, mine_costs=costs)
        told = racers[0].ask("GET", f"/api/races/{racers[0].race}").json()
        rules = Rules.parse(told["rules"])
        assert (rules.guess_free, rules.lives) == (True, lives)
        assert (told["most_mines"], told["title"]) == (lives, "9 × 9, 12 mines, guess-free")


def test_nobody_waits_for_a_racer_who_was_banned(racers: list[Racer], place: DatabasePlace) -> None:
    excluded, other = racers[:2]
    _, (state, _) = start([excluded, other])
    player = excluded.ask("GET", "/api/me").json()["id"]
    with Administration.open(place) as opened:
        opened.ban(player)
    assert excluded.playing is not None
    assert excluded.last_word(excluded.playing)["bye"] == "banned"
    other.until(lambda now: seat_of(now, state["seat"])["status"] == "left")


def test_a_deleted_name_is_shown_no_more(racers: list[Racer], place: DatabasePlace) -> None:
    rude, other = racers[:2]
    player = rude.http.put("/api/me", json={"name": "Rude"}).json()["id"]
    race = rude.make(rules=RULES)
    other.come_and_be_ready(race)
    other.until(lambda now: seat_of(now, 0)["name"] == "Rude")
    with Administration.open(place) as opened:
        opened.delete_name(player)
    other.until(lambda now: seat_of(now, 0)["name"] == "")
