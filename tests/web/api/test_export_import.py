"""Games and settings that are carried between the desktop and a server, both ways."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

import httpx
import pytest

from demine.game import Game
from demine.logic.daily_board import Daily
from demine.logic.event import Act
from demine.store import Store
from demine.store.drills import DrillKey, DrillReview
from demine.web.app import make_app
from demine.web.database.place import DatabasePlace
from tests.web.doors_app import new_player, serve


@pytest.fixture(scope="module")
def site(shared_place: DatabasePlace) -> Iterator[str]:
    with serve(make_app(shared_place)) as address:
        yield address


@pytest.fixture
def player(site: str) -> Iterator[httpx.Client]:
    with new_player(site) as opened:
        yield opened


def play(store: Store, seed: int, *, lose: bool = False, seeded: bool = False) -> Game:
    """Play a game in a store: a second for each act, to a win or onto a mine."""
    origin = {} if seeded else {"origin": "fresh"}
    game = Game("9x9/10 first=safe", seed=seed, **origin)  # type: ignore[arg-type]
    live = store.begin(game)
    live.play(Act(0, "open", 4, 4))
    mines = game.board.mine_map
    for at, (row, col) in enumerate(zip(*(mines if lose else ~mines).nonzero(), strict=True)):
        if not game.status.over and not game.board.open_map[row, col]:
            live.play(Act(1000 * (at + 1), "open", int(row), int(col)))
    return game


def exported(store: Store) -> bytes:
    text = io.StringIO()
    store.export(text)
    return text.getvalue().encode()


def entries(export: bytes) -> list[dict[str, Any]]:
    return [json.loads(line) for line in export.splitlines()]


def history(store: Store) -> list[dict[str, Any]]:
    """All that a store says of its games; `header`, journals and events are compared besides."""
    return [asdict(row) for row in store.games(limit=-1, order="oldest")]


def test_desktop_to_server_and_back(player: httpx.Client) -> None:
    with Store.memory() as store:
        for seed in range(4):
            play(store, seed, lose=seed == 2)
        play(store, 9, seeded=True)
        store.settings.update({"theme": "classic", "sound": False})
        store.compute_missing_statistics()
        export, rows = exported(store), history(store)
        record = store.record_of(rows[0]["rules"])
        journals = {row["id"]: store.load_game(row["id"]).journal() for row in rows}
    assert player.post("/api/me/import", content=export).json()["added"] == 5
    again = player.post("/api/me/import", content=export).json()
    assert (again["added"], again["known"]) == (0, 5)
    me = player.get("/api/me").json()
    assert (me["games"], me["preferences"]["theme"], me["preferences"]["sound"]) == (
        5, "classic", False,
    )  # fmt: skip
    cells = player.get("/api/records").json()["rows"][0]["cells"]
    assert cells[2:4] == [str(record.games), str(record.wins)] == ["4", "3"]
    taken = player.get("/api/me/export")
    assert taken.headers["content-disposition"] == 'attachment; filename="demine-games.jsonl"'
    with Store.memory() as other:
        counts = other.import_(io.BytesIO(taken.content))
        assert (counts.games, counts.unreadable) == (5, 0)
        other.compute_missing_statistics()
        assert history(other) == rows
        assert other.record_of(record.rules) == record
        assert other.settings.get("theme") == "classic"
        for game_id, journal in journals.items():
            assert other.load_game(game_id).journal() == journal


def test_lines_are_believed_nothing_that_was_not_played(player: httpx.Client) -> None:
    with Store.memory() as store:
        play(store, 1, lose=True)
        lines = entries(exported(store))
    from demine.store.json_lines import _entry_checksum

    forged = next(entry for entry in lines if "game" in entry)
    forged |= {"status": "won", "result": "won", "time_ms": 1, "unranked": ""}
    forged["seal"] = _entry_checksum(forged)
    body = b"".join(json.dumps(line).encode() + b"\n" for line in lines)
    with Store.memory() as other:
        other.import_(io.BytesIO(body))
        assert other.games()[0].status == "lost"
    assert player.post("/api/me/import", content=body).json()["added"] == 1
    (row,) = player.get("/api/history").json()["rows"]
    assert row["status"] == "lost"
    assert player.get("/api/records").json()["rows"][0]["cells"][3] == "0"


def test_games_under_way_show_no_mines(player: httpx.Client) -> None:
    made = player.post("/api/games", json={"rules": "9x9/10"}).json()["id"]
    assert made not in player.get("/api/me/export").text
    assert player.get("/api/me").json()["games"] == 0  # nobody has touched that board
    with Store.memory() as store:
        store.begin(Game("9x9/10", seed=1, origin="fresh")).play(Act(0, "open", 4, 4))
        answer = player.post("/api/me/import", content=exported(store)).json()
    assert (answer["added"], answer["left"]) == (0, 1)


def test_a_game_that_is_somebody_elses_becomes_a_copy(site: str) -> None:
    with Store.memory() as store:
        play(store, 1)
        export = exported(store)
    kept = []
    for _ in range(2):
        with new_player(site) as player:
            for added in (1, 0):
                answer = player.post("/api/me/import", content=export).json()
                assert answer["added"] == added
            kept.append(player.get("/api/history").json()["rows"][0]["id"])
            assert player.get(f"/api/games/{kept[-1]}/watch").status_code == 200
    assert kept[0] != kept[1]
    with new_player(site) as third:
        third.post("/api/me/import", content=export)
        third.delete("/api/me")
        assert third.get("/api/me").json()["id"] is None


@pytest.mark.parametrize(
    ("body", "said"),
    [
        (b"", "export"),
        (b"hello\n", "export"),
        (b'{"demine": "store", "version": 99}\n', "99"),
        (b'{"demine": "store", "version": 1}\n', "Line 2"),
        (b'{"demine": "store", "version": 1}\n{"game": "../../etc/passwd"}\n', "Line 2"),
        (b'{"demine": "store", "version": 1}\n' + b"[" * 100_000 + b"\n", "Line 2"),
        (b'{"demine": "store", "version": 1}\n\xff\n', "Line 2"),
        (b'{"demine": "store", "version": 1}\n{"end": {"settings": 0, "games": 3}}\n', "Line 2"),
    ],
)
def test_other_files_are_refused_in_words(player: httpx.Client, body: bytes, said: str) -> None:
    answer = player.post("/api/me/import", content=body)
    assert (answer.status_code, answer.json()["error"]["what"]) == (422, "unreadable")
    assert said in answer.json()["error"]["message"]
    assert player.get("/api/me").json()["games"] == 0


def test_a_wrong_line_brings_in_nothing(player: httpx.Client) -> None:
    with Store.memory() as store:
        play(store, 1)
        play(store, 2)
        good = exported(store)
    journal = json.dumps(entries(good)[-2]["journal"]).encode()
    body = good.replace(journal, b'"{}"')
    assert body != good
    assert player.post("/api/me/import", content=body).status_code == 422
    assert player.get("/api/me").json()["games"] == 0


def test_language_of_what_a_process_says(player: httpx.Client) -> None:
    player.put("/api/me", json={"language": "zh_CN"})
    said = player.post("/api/me/import", content=b"hello\n").json()["error"]["message"]
    assert any("\u4e00" <= letter <= "\u9fff" for letter in said)


def test_daily_games_stay_daily(player: httpx.Client) -> None:
    game = Game.from_daily(Daily.parse("2026-01-02 beginner"))
    with Store.memory() as store:
        live = store.begin(game)
        start = game.start
        assert start is not None
        live.play(Act(0, "open", *start))
        live.play(Act(900, "resign"))
        export, attempt = exported(store), store.daily_attempts("beginner")[0]
    player.post("/api/me/import", content=export)
    with Store.memory() as other:
        other.import_(io.BytesIO(player.get("/api/me/export").content))
        assert [str(each) for each in other.daily_attempts("beginner")] == [str(attempt)]


def test_drills_and_answers_come_along(player: httpx.Client, site: str) -> None:
    with Store.memory() as store:
        play(store, 3, lose=True)
        game_id = store.games()[0].id
        asked = DrillKey(game_id, 2, 1, 1, "safe", "1-2/edge")
        store.add_drills(game_id, [asked, asked._replace(act=3)])
        moments = [f"2026-11-0{day}T10:00:00.000000Z" for day in (1, 2)]
        gone = DrillKey("00000000-0000-4000-8000-000000000009", 5, 0, 0, "safe", "1-1/edge")
        reviews = [DrillReview(each, at, True, 900) for each in (asked, gone) for at in moments]
        store.add_drill_reviews(reviews)
        unknown = asked._replace(act=7, kind="none"), asked._replace(act=7, pattern="none")
        store.add_drills(game_id, unknown)
        export = exported(store)
    wanted = [each for each in entries(export) if "drill" in each and each["act"] != 7]
    assert len(wanted) == 3
    back = b""
    for _ in range(2):  # again, which adds nothing
        player.post("/api/me/import", content=export).raise_for_status()
        back = player.get("/api/me/export").content
        found = [each for each in entries(back) if "drill" in each]
        assert sorted(map(str, found)) == sorted(map(str, wanted))
    assert entries(back)[-1]["end"]["drills"] == 3
    with new_player(site) as other:
        other.post("/api/me/import", content=export).raise_for_status()
        copied = entries(other.get("/api/me/export").content)
    (copy,) = [each["game"] for each in copied if "game" in each]
    assert copy != game_id
    games = [each["drill"] for each in copied if "drill" in each]
    assert sorted(games) == sorted([copy, copy, gone.game])


def test_only_so_many_drills_are_brought_in(
    player: httpx.Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("demine.web.database.drills.MOST_DRILLS", 3)
    monkeypatch.setattr("demine.web.database.drills.MOST_REVIEWS", 2)
    with Store.memory() as store:
        keys = [DrillKey(f"9x9/10 #{seed}", 2, 1, 1, "safe", "1-2/edge") for seed in range(9)]
        store.add_drill_reviews([DrillReview(key, "2026-11-01T10:00:00Z", True, 9) for key in keys])
        export = exported(store)
    player.post("/api/me/import", content=export).raise_for_status()
    found = [each for each in entries(player.get("/api/me/export").content) if "drill" in each]
    assert len(found) == 3
    assert sum(len(each["reviews"]) for each in found) == 2
