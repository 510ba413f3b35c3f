"""What `demine admin` does to the database of a server that runs, and of one that does not."""

from __future__ import annotations

import json
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path
from typing import Any, cast
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from demine.cli.actions.admin import _CHANGES
from demine.cli.admin_actions import ACTIONS
from demine.web.database import sqlite_file
from demine.web.database.administration import Administration, restore
from demine.web.errors import DatabaseError, NotFound
from tests.web.browser.served_site import ServedSite

SECONDS = 60.0
NOBODY = "0" * 36


class Visitor:
    """A browser without pages: a cookie, requests, and one game."""

    def __init__(self, site: ServedSite) -> None:
        self.site, self.cookie = site, ""
        self.game = self.ask("POST", "/api/games", {"rules": "9x9/10", "seed": 7})["id"]
        self.id = self.ask("PUT", "/api/me", {"name": "Mine\tSweeper"})["id"]

    def ask(self, method: str, path: str, body: object = None) -> dict[str, Any]:
        data = None if body is None else json.dumps(body).encode()
        headers = {"Content-Type": "application/json", "Cookie": self.cookie}
        request = Request(self.site.address + path, data, headers, method=method)
        with urlopen(request, timeout=SECONDS) as answer:
            self.cookie = (answer.headers["Set-Cookie"] or self.cookie).partition(";")[0]
            return cast("dict[str, Any]", json.load(answer))

    def refusal(self, method: str, path: str, body: object = None) -> tuple[int, str]:
        """The status and the name of a refusal."""
        with pytest.raises(HTTPError) as caught:
            self.ask(method, path, body)
        return caught.value.code, json.load(caught.value)["error"]["what"]

    def play(self, verb: str = "open", seq: int = 1) -> None:
        """Open the middle, or do what is done to no cell."""
        with self.socket() as socket:
            cell = {"cell": [4, 4]} if verb == "open" else {}
            socket.send(json.dumps({"seq": seq, "verb": verb, **cell}))
            while (answer := json.loads(socket.recv(timeout=SECONDS))).get("ack") != seq:
                pass
            assert answer.get("refused") is None

    def socket(self) -> Any:
        address = self.site.address.replace("http", "ws", 1)
        return connect(
            f"{address}/ws/games/{self.game}?client=a",
            additional_headers={"Cookie": self.cookie},
            compression=None,
        )


def end_of(socket: Any) -> str:
    """Why the server ends a connection, in a word."""
    with suppress(ConnectionClosed):
        while True:
            socket.recv(timeout=SECONDS)
    return str(socket.close_reason)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServedSite]:
    folder = tmp_path_factory.mktemp("site")
    served = ServedSite(folder, {"demine.web.app:_SWEEP_S": 0.1})
    yield served
    served.stop()


@pytest.fixture
def visitor(site: ServedSite) -> Visitor:
    return Visitor(site)


@pytest.fixture
def database(site: ServedSite) -> Path:
    return site.folder / "server.sqlite"


def admin(path: Path, *arguments: str) -> tuple[int, str, str]:
    """Run `demine admin`; return its exit code, its output, and its errors."""
    done = subprocess.run(
        [sys.executable, "-m", "demine", "--lang", "en", "admin", *arguments,
         "--database", str(path)],
        capture_output=True, encoding="utf-8", check=False,
    )  # fmt: skip
    return done.returncode, done.stdout, done.stderr


def last_entry(path: Path) -> dict[str, Any]:
    with Administration.open(path) as opened:
        return opened.log()[0].to_dict()


def test_every_action_is_carried_out_by_something() -> None:
    elsewhere = {
        "players",
        "log",
        "suspicion",
        "export-games",
        "prune",
        "restore",
        "downgrade",
        "transfer",
    }
    assert set(ACTIONS) == {*_CHANGES, *elsewhere}


def test_players_are_found_by_name_and_id(visitor: Visitor, database: Path) -> None:
    visitor.play()
    with Administration.open(database) as opened:
        by_id, by_name = opened.players(visitor.id), opened.players("SWEEPER")
        assert opened.players("%") == []
    assert [(each.id, each.games) for each in by_id] == [(visitor.id, 1)]
    assert by_id[0] in by_name
    code, out, _ = admin(database, "players", visitor.id)
    assert (code, out.count("\n")) == (0, 2)
    assert "Mine Sweeper" in out
    (shown,) = json.loads(admin(database, "players", visitor.id, "--json")[1])["players"]
    assert shown["name"] == "Mine Sweeper"


def test_a_name_is_deleted(visitor: Visitor, database: Path) -> None:
    code, out, _ = admin(database, "delete-name", visitor.id, "--why", "an insult")
    assert (code, out) == (0, "The name Mine Sweeper is deleted.\n")
    assert visitor.ask("GET", "/api/me")["name"] == ""
    entry = last_entry(database)
    assert (entry["action"], entry["subject"], entry["detail"], entry["why"]) == (
        "delete-name", visitor.id, "Mine Sweeper", "an insult",
    )  # fmt: skip


def test_a_deleted_game_ends_for_who_plays_it(visitor: Visitor, database: Path) -> None:
    with visitor.socket() as socket:
        assert admin(database, "delete-game", visitor.game)[:2] == (0, "The game is deleted.\n")
        socket.send(json.dumps({"seq": 1, "verb": "open", "cell": [4, 4]}))
        assert end_of(socket) == "not_found"
    assert visitor.refusal("GET", f"/api/games/{visitor.game}") == (404, "not_found")
    with Administration.open(database) as opened, pytest.raises(NotFound, match="no such game"):
        opened.delete_game(visitor.game)


def test_a_banned_player_neither_plays_nor_sends_but_takes_games_along(
    visitor: Visitor, database: Path
) -> None:
    visitor.play()
    visitor.play("resign", 2)
    with visitor.socket() as socket:
        assert admin(database, "ban", visitor.id, "--why", "cheats")[0] == 0
        assert end_of(socket) == "banned"
    with visitor.socket() as socket:
        assert end_of(socket) == "banned"
    assert visitor.refusal("POST", "/api/games", {}) == (403, "banned")
    assert visitor.refusal("PUT", "/api/me", {"name": "again"}) == (403, "banned")
    request = Request(visitor.site.address + "/api/me/export", headers={"Cookie": visitor.cookie})
    with urlopen(request, timeout=SECONDS) as answer:
        assert visitor.game in answer.read().decode()
    assert admin(database, "unban", visitor.id)[0] == 0
    assert visitor.ask("POST", "/api/games", {"rules": "9x9/10"})["id"]


def test_pruning_leaves_what_somebody_may_miss(visitor: Visitor, database: Path) -> None:
    played, empty = Visitor(visitor.site), Visitor(visitor.site)
    played.play()
    for each in (played, empty):
        each.ask("PUT", "/api/me", {"name": ""})
    old = "2020-01-01T00:00:00.000000Z"
    with closing(sqlite3.connect(database, timeout=SECONDS)) as connection, connection:
        connection.execute("UPDATE games SET seen_at = ?", [old])
        connection.execute("UPDATE players SET created_at = ?", [old])
    with Administration.open(database) as opened:
        before = {each.id for each in opened.players()}
        promised = opened.find_prunable(30)
        assert {each.id for each in opened.players()} == before
        assert opened.prune(30) == promised
        left = {each.id for each in opened.players()}
    assert {visitor.id, played.id} <= left
    assert empty.id not in left
    assert visitor.refusal("GET", f"/api/games/{visitor.game}") == (404, "not_found")
    assert played.ask("GET", f"/api/games/{played.game}")["status"] == "running"


@pytest.mark.parametrize(
    "days", ["0", "-1", "1.5", "٣", "9" * 5000, "0" * 9 + "19999999999", "365001"]
)
def test_pruning_takes_a_number_of_days(database: Path, days: str) -> None:
    code, out, error = admin(database, "prune", "--", days)
    assert (code, out, error.count("\n")) == (2, "", 1)


def test_a_backup_of_a_running_server_is_restored(
    visitor: Visitor, database: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite_file, "_BUSY_MS", 200)
    visitor.play()
    copy, elsewhere = tmp_path / "copy.sqlite", tmp_path / "elsewhere" / "server.sqlite"
    assert admin(database, "backup", str(copy))[0] == 0
    assert [each.name for each in tmp_path.iterdir()] == ["copy.sqlite"]
    visitor.play("pause", 2)
    with pytest.raises(DatabaseError, match="another program is using it"):
        restore(database, copy)
    assert restore(elsewhere, copy) is None
    kept = restore(elsewhere, copy, "a test")
    assert kept is not None
    assert sorted(each.name for each in elsewhere.parent.iterdir()) == sorted(
        [kept.name, "server.sqlite", "server.sqlite.lock"]
    )
    assert last_entry(elsewhere)["why"] == "a test"
    again = ServedSite(elsewhere.parent)
    try:
        other = Visitor(again)
        other.cookie, other.game = visitor.cookie, visitor.game
        assert other.ask("GET", f"/api/games/{visitor.game}")["status"] == "running"
    finally:
        again.stop()


def test_what_is_no_backup_is_left_alone(site: ServedSite, tmp_path: Path) -> None:
    path, source = tmp_path / "server.sqlite", tmp_path / "backup"
    with Administration.open(site.folder / "server.sqlite") as opened:
        opened.back_up(path)
    before = path.read_bytes()
    whole = bytearray(before)
    whole[5000:9000] = b"\xff" * 4000
    unreadable = before.replace(b"(player, finished_at, id)", b"(player, finished\xffat, id)")
    for content in (b"", b"no database" * 999, bytes(whole), before[:4096], unreadable):
        source.write_bytes(content)
        with pytest.raises(DatabaseError):
            restore(path, source)
        assert path.read_bytes() == before
        assert not list(tmp_path.glob("*.copy"))
    for same in (path, tmp_path / "." / "server.sqlite"):
        with pytest.raises(DatabaseError, match="is the database itself"):
            restore(path, same)
    with Administration.open(path) as opened:
        with pytest.raises(DatabaseError, match="is the database itself"):
            opened.back_up(path)
        with pytest.raises(DatabaseError, match="not a folder"):
            opened.back_up(path / "copy")


def test_a_database_of_another_version_is_for_the_server(site: ServedSite, tmp_path: Path) -> None:
    path = tmp_path / "server.sqlite"
    with Administration.open(site.folder / "server.sqlite") as opened:
        opened.back_up(path)
    for version, said in (("0001", "start the server once"), ("9999", "newer demine")):
        with closing(sqlite3.connect(path)) as connection, connection:
            connection.execute("UPDATE alembic_version SET version_num = ?", [version])
        with pytest.raises(DatabaseError, match=said), Administration.open(path):
            pass
    code, out, error = admin(tmp_path / "none", "players")
    assert (code, out, error.count("\n")) == (2, "", 1)
    assert "no database of a server" in error
    assert not (tmp_path / "none").exists()


@pytest.mark.parametrize(
    "arguments",
    [("ban",), ("log", "x"), ("ban", NOBODY), ("delete-name", NOBODY), ("delete-game", NOBODY),
     ("ban", "x", "--json"), ("ban", "x", "--dry-run"), ("burn", "x"),
     ("log", "--since", "2026-11-21")],
)  # fmt: skip
def test_bad_usage_is_one_line_and_changes_nothing(
    database: Path, arguments: tuple[str, ...]
) -> None:
    with Administration.open(database) as opened:
        before = opened.log()
    code, out, error = admin(database, *arguments)
    assert (code, out, error.count("\n")) == (2, "", 1)
    with Administration.open(database) as opened:
        assert opened.log() == before
