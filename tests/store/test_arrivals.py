"""The list of games that an import brings: it costs no game, whatever lies in its place."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from demine.store import NoticeKind, Store, open_database
from tests.store.playing import keep_win, opened

GAMES = 60


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A database of some games and one under way, closed."""
    file = tmp_path / "demine.db"
    with Store.open(file) as store:
        for number in range(GAMES):
            keep_win(store, 900 + number)
        store.begin(opened())
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return file


def root(path: Path, table: str) -> int:
    """The page where a table begins, from 1."""
    with closing(sqlite3.connect(path)) as connection:
        sql = "SELECT rootpage FROM sqlite_master WHERE name = ?"
        (number,) = connection.execute(sql, (table,)).fetchone()
    return int(number)


def leaves_of(path: Path, table: str) -> list[int]:
    """The pages of a table's rows."""
    with closing(sqlite3.connect(path)) as connection:
        (size,) = connection.execute("PRAGMA page_size").fetchone()
    data = path.read_bytes()
    first = (root(path, table) - 1) * size
    cells = int.from_bytes(data[first + 3 : first + 5])
    places = (int.from_bytes(data[first + 12 + 2 * n :][:2]) for n in range(cells))
    return [int.from_bytes(data[first + place :][:4]) for place in places]


@pytest.mark.parametrize("size", [0, open_database.FULLY_CHECKED_BYTES])
def test_a_page_of_games_in_its_place_is_damage(
    path: Path, size: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(open_database, "FULLY_CHECKED_BYTES", size)
    leaf, place = leaves_of(path, "games")[0], root(path, "arrivals")
    data = bytearray(path.read_bytes())
    data[(place - 1) * 4096 : place * 4096] = data[(leaf - 1) * 4096 : leaf * 4096]
    path.write_bytes(data)
    with Store.open(path) as store:
        (notice,) = store.take_notices()
        assert notice.kind is NoticeKind.DAMAGED
        assert len(store.games(limit=-1)) == GAMES
        assert store.resume() is not None


@pytest.mark.parametrize("size", [0, open_database.FULLY_CHECKED_BYTES])
def test_a_root_among_the_games_is_damage(
    path: Path, size: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(open_database, "FULLY_CHECKED_BYTES", size)
    for other in (root(path, "games"), *leaves_of(path, "games")[:2]):
        copy = path.with_name(f"copy{other}.db")
        copy.write_bytes(path.read_bytes())
        with closing(sqlite3.connect(copy)) as connection:
            connection.execute("PRAGMA writable_schema = ON")
            sql = "UPDATE sqlite_master SET rootpage = ? WHERE name = 'arrivals'"
            connection.execute(sql, (other,))
            connection.commit()
        with Store.open(copy) as store:
            assert {notice.kind for notice in store.take_notices()} == {NoticeKind.DAMAGED}
            assert len(store.games(limit=-1)) == GAMES
            assert store.resume() is not None
