"""Running sums: equal to a full recount after anything that happens to games."""

from __future__ import annotations

import gzip
import io
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any, TypeAlias, TypeVar

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from demine.logic.event import Act, Verb
from demine.store import Store, checksums, schema
from demine.store.damage_checks import verify_checksums, verify_sums
from demine.store.errors import UnusableDatabase
from demine.store.game_rows import select_games, uuid_text
from demine.store.history import HistoryFilter
from demine.store.merge_databases import copy_in_batches
from demine.store.notices import NoticeKind
from demine.store.opening_report import RunBatch
from demine.store.transactions import open_in_memory, run_transaction
from tests.store.playing import SMALL, hit, keep_win, opened, win
from tests.store.running_sums import check_sums, check_sums_of_file

T = TypeVar("T")
Step: TypeAlias = tuple[Any, int, tuple[Any, ...], bool]
RULES = ("9x9/10", "30x16/99")
STATUSES = ("running", "won", "lost", "resigned", "damaged")
UNRANKED = ("", "seed", "hint")
RESULTS = (None, "won", "won", "won", "lost", "resigned")


@pytest.fixture(name="connection")
def fixture_connection() -> Iterator[sqlite3.Connection]:
    """An empty database."""
    with closing(open_in_memory()) as connection:
        yield connection


def unranked(time_ms: object) -> str:
    """Why a game that took so long is not ranked."""
    assert isinstance(time_ms, int)
    return UNRANKED[time_ms % len(UNRANKED)]


def write(connection: sqlite3.Connection, key: int, values: tuple[object, ...]) -> None:
    """Write a sealed row over one with the same key: rules, status, result, time, end."""
    rules, status, result, time_ms, end = values
    game_id = uuid_text(key.to_bytes(16), version=4)
    moment = f"2026-01-01T00:00:{end:02}.000Z"
    connection.execute("DELETE FROM games WHERE id = ?", (game_id,))
    num = connection.execute(
        "INSERT INTO games (id, rules, header, status, unranked, result, time_ms, hits, acts,"
        " began_at, seen_at, finished_at) VALUES (?, ?, '', ?, ?, ?, ?, 0, 0, ?, ?, ?)",
        (game_id, rules, status, unranked(time_ms), result, time_ms, moment, moment, moment),
    ).lastrowid
    assert num is not None
    checksums.update_game_checksum(connection, num)


def change(connection: sqlite3.Connection, key: int, values: tuple[object, ...]) -> None:
    """Change the row with a key, if there is one."""
    game_id = uuid_text(key.to_bytes(16), version=4)
    rules, status, result, time_ms, end = values
    connection.execute(
        "UPDATE games SET rules = ?, status = ?, unranked = ?, result = ?, time_ms = ?,"
        " finished_at = ? WHERE id = ?",
        (
            *(rules, status, unranked(time_ms), result, time_ms),
            *(f"2026-01-01T00:00:{end:02}.000Z", game_id),
        ),
    )
    connection.execute(f"{checksums.UPDATE_CHECKSUMS_SQL} WHERE id = ?", (game_id,))


def delete(connection: sqlite3.Connection, key: int, _: tuple[object, ...]) -> None:
    """Delete the row with a key, if there is one."""
    game_id = uuid_text(key.to_bytes(16), version=4)
    connection.execute("DELETE FROM games WHERE id = ?", (game_id,))


STEPS = st.lists(
    st.tuples(
        st.sampled_from([write, write, write, change, delete]),
        st.integers(0, 9),
        st.tuples(
            st.sampled_from(RULES),
            st.sampled_from(STATUSES),
            st.sampled_from(RESULTS),
            st.integers(0, 9),
            st.integers(0, 30),
        ),
        st.booleans(),
    ),
    max_size=40,
)


@settings(max_examples=150)
@given(steps=STEPS)
def test_sums_equal_a_full_recount_after_any_changes(steps: list[Step]) -> None:
    with closing(open_in_memory()) as connection:
        for act, key, values, checks in steps:
            act(connection, key, values)
            if checks:
                check_sums(connection)
        check_sums(connection)
        verify_checksums(connection)


@settings(max_examples=60)
@given(theirs=STEPS, mine=STEPS, in_order=st.booleans())
def test_an_import_adds_up_what_the_triggers_would(
    theirs: list[Step],
    mine: list[Step],
    in_order: bool,
) -> None:
    with ExitStack() as stack:
        source, alone, at_once = (stack.enter_context(closing(open_in_memory())) for _ in range(3))
        for connection, steps, first in ((source, theirs, 5), (alone, mine, 0), (at_once, mine, 0)):
            for place, (act, key, values, _) in enumerate(steps):
                end = place if in_order else values[-1]
                later = 30 if in_order and connection is source else 0
                act(connection, first + key, (*values[:-1], end // 2 + later))
        counts = [
            copy_in_batches(source, runs_in(target), importing_owner=owner, pause_s=0.0)
            for target, owner in ((alone, ""), (at_once, "me"))
        ]
        assert counts[0] == counts[1]
        if in_order:
            # Games that end at the same moment may come in either order, and leave streaks stale.
            fresh = "SELECT * FROM sums WHERE NOT stale"
            ours, triggers = (
                {row[0]: tuple(row) for row in target.execute(fresh)} for target in (at_once, alone)
            )
            both = ours.keys() & triggers.keys()
            assert [ours[each] for each in both] == [triggers[each] for each in both]
        for target in (alone, at_once):
            check_sums(target)
            verify_checksums(target)
        kept_up = "SELECT rules, ended, games, wins, streak, best_streak FROM sums ORDER BY rules"
        counts_kept = "SELECT rules, status, unranked, games FROM game_counts"
        for sql in ("SELECT games, seals FROM tally", counts_kept, kept_up):
            assert at_once.execute(sql).fetchall() == alone.execute(sql).fetchall()
        assert not at_once.execute("SELECT * FROM arrivals").fetchall()


def runs_in(target: sqlite3.Connection) -> RunBatch:
    """What runs batches in transactions of a database that no other program has open."""

    def run(work: Callable[[sqlite3.Connection, set[str]], T]) -> T:
        return run_transaction(
            target, lambda connection: work(connection, set()), "BEGIN IMMEDIATE", durable=False
        )

    return run


@settings(max_examples=60)
@given(results=st.lists(st.tuples(st.sampled_from(RESULTS), st.booleans()), max_size=30))
def test_playing_and_undoing_the_last_game_never_counts_again(
    results: list[tuple[str | None, bool]],
) -> None:
    with closing(open_in_memory()) as connection:
        for place, (result, is_undone) in enumerate(results):
            write(connection, place, (RULES[0], result or "won", result, 5, place))
            if is_undone:  # an undo writes the whole row again, and so does the second end
                write(connection, place, (RULES[0], "running", result and "lost", 5, place))
                change(connection, place, (RULES[0], "won", result and "lost", 5, place))
            assert not connection.execute("SELECT 1 FROM sums WHERE stale").fetchone()
        check_sums(connection)


def test_a_game_that_replaces_an_arrival_under_its_number_is_counted(
    connection: sqlite3.Connection,
) -> None:
    for time_ms in (5, 4):
        write(connection, 1, (RULES[0], "won", "won", time_ms, 1))
        connection.execute(
            "INSERT OR REPLACE INTO arrivals SELECT num, id, 'other program', 0 FROM games"
        )
    assert connection.execute("SELECT num, time_ms FROM games").fetchall() == [(1, 4)]
    check_sums(connection)
    verify_checksums(connection)


def test_sums_hold_for_games_that_are_played_exported_and_imported(tmp_path: Path) -> None:
    path, stream = tmp_path / "demine.db", io.StringIO()
    with Store.open(path) as store, Store.memory() as older:
        for time_ms in (5, 3, 9):
            keep_win(older, time_ms)
        for time_ms in (4, 8):
            keep_win(store, time_ms)
        live = store.begin(opened())
        hit(live.game, 7)
        live.record()
        live.play(Act(7, Verb.UNDO))
        win(live.game, 8)
        live.record()
        older.export(stream)
        store.import_(io.StringIO(stream.getvalue()))
        store.begin(opened()).abandon(3)
        (record,) = store.records()
        assert (record.games, record.wins, record.best_ms) == (7, 5, 3)
        assert (record.streak, record.best_streak) == (0, 5)
    check_sums_of_file(path)


@pytest.mark.parametrize(
    ("verify", "sql"),
    [
        # Sums of other games than the tally counts.
        (verify_sums, "UPDATE tally SET games = games + 1"),
        (verify_sums, "DELETE FROM sums"),
        (verify_sums, "UPDATE sums SET ended = ended + 1, games = games + 1"),
        # Counts of other games than the sums.
        (verify_sums, "DELETE FROM game_counts"),
        (verify_sums, "UPDATE game_counts SET rules = '8x9/10' WHERE rules = '9x9/10'"),
        (verify_sums, "UPDATE game_counts SET games = games + iif(rules = '9x9/10', 2, 0)"),
        (verify_sums, "UPDATE game_counts SET status = 'wom'"),
        (verify_sums, "UPDATE game_counts SET unranked = 'hins' WHERE unranked = 'hint'"),
        # Sums that are not those of the games.
        (verify_checksums, "UPDATE sums SET ended = ended + iif(rules = '9x9/10', 1, -1)"),
        (verify_checksums, "UPDATE sums SET wins = wins - 1"),
        (verify_checksums, "UPDATE game_counts SET status = 'lost'"),
        (verify_checksums, "UPDATE game_counts SET unranked = '' WHERE rules = '9x9/10'"),
        (verify_checksums, "UPDATE sums SET streak = -1"),
        (verify_checksums, "UPDATE sums SET best_streak = 'many'"),
    ],
)
def test_wrong_sums_are_damage(
    connection: sqlite3.Connection, verify: Callable[[sqlite3.Connection], None], sql: str
) -> None:
    for key, rules in enumerate(RULES):
        write(connection, key, (rules, "won", "won", 5, 1))
    verify(connection)
    connection.execute(sql)
    with pytest.raises(UnusableDatabase):
        verify(connection)


def damage_index(path: Path, name: str, rules: str) -> None:
    """Change a letter of the rules in the entries of an index; its root page holds them all."""
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        (page,) = connection.execute(
            "SELECT rootpage FROM sqlite_master WHERE name = ?", (name,)
        ).fetchone()
    content = bytearray(path.read_bytes())
    place = content.index(rules.encode(), (page - 1) * 4096, page * 4096)
    content[place] ^= 1
    path.write_bytes(content)


def test_a_damaged_index_of_the_format_before_counts_nothing_wrongly(tmp_path: Path) -> None:
    path, sound = tmp_path / "demine.db", tmp_path / "sound.db"
    golden = Path(__file__).with_name("format_4.db.gz")
    for each in (path, sound):
        each.write_bytes(gzip.decompress(golden.read_bytes()))
    with Store.open(sound) as store:
        best = store.records()
    damage_index(path, "games_counted", best[0].rules)
    with Store.open(path) as store:
        assert store.records() == best
        assert NoticeKind.DAMAGED in {notice.kind for notice in store.take_notices()}


def test_a_damaged_index_of_a_large_database_is_noticed_when_there_is_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("demine.store.open_database.FULLY_CHECKED_BYTES", 0)
    monkeypatch.setattr("demine.store.self_replacing_database.VERIFIED_AT_ONCE_BYTES", 0)
    path = tmp_path / "demine.db"
    with Store.open(path) as store:
        for time_ms in range(5):
            keep_win(store, time_ms)
        best = store.records()
    damage_index(path, "games_counted", str(SMALL))
    with Store.open(path) as store:
        store.verify_all_games()
        assert [notice.kind for notice in store.take_notices()] == [NoticeKind.DAMAGED]
        assert store.records() == best


@pytest.mark.parametrize("table", ["sums", "game_counts"])
def test_a_wrong_byte_in_a_sum_is_noticed_whatever_the_size(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, table: str
) -> None:
    monkeypatch.setattr("demine.store.open_database.FULLY_CHECKED_BYTES", 0)
    monkeypatch.setattr("demine.store.self_replacing_database.VERIFIED_AT_ONCE_BYTES", 0)
    path = tmp_path / "demine.db"
    with Store.open(path) as store:
        for time_ms in (4, 8):
            keep_win(store, time_ms)
        best = store.record_of(SMALL)
        won = HistoryFilter(status="won")
    with closing(sqlite3.connect(path)) as connection:
        (page,) = connection.execute(
            "SELECT rootpage FROM sqlite_master WHERE name = ?", (table,)
        ).fetchone()
    content = bytearray(path.read_bytes())
    place = content.index(str(SMALL).encode(), (page - 1) * 4096, page * 4096)
    for offset in range(len(str(SMALL)) + 8):  # the numbers of a sum, or status and games
        changed = bytearray(content)
        changed[place + offset] ^= 1
        copy = tmp_path / f"{offset}.db"
        copy.write_bytes(changed)
        with Store.open(copy) as store:
            notices = store.take_notices()
            found = store.record_of(SMALL)
            assert len(store.history(won)) == 2
            kinds = {notice.kind for notice in (*notices, *store.take_notices())}
            assert found == best, offset
            assert kinds <= {NoticeKind.DAMAGED}


@pytest.mark.parametrize("is_stopped", [False, True])
def test_a_large_database_is_verified_whole_when_there_is_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_stopped: bool
) -> None:
    monkeypatch.setattr("demine.store.open_database.FULLY_CHECKED_BYTES", 0)
    monkeypatch.setattr("demine.store.self_replacing_database.VERIFIED_AT_ONCE_BYTES", 0)
    path = tmp_path / "demine.db"
    with Store.open(path) as store:
        for time_ms in range(9):
            keep_win(store, 1000 + time_ms)
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("UPDATE games SET hits = 5 WHERE num = 4")
    with Store.open(path) as store:
        assert len(store.games(limit=3)) == 3
        assert store.take_notices() == ()
        if is_stopped:
            monkeypatch.setattr("demine.store.damage_checks._STEPS_BETWEEN_QUESTIONS", 1)
        store.verify_all_games(lambda: is_stopped)
        kinds = [notice.kind for notice in store.take_notices()]
        assert kinds == ([] if is_stopped else [NoticeKind.DAMAGED])
        assert len(store.games(limit=3)) == 3


def test_a_database_of_the_format_before_is_brought_up_to_date(tmp_path: Path) -> None:
    path = tmp_path / "demine.db"
    golden = Path(__file__).with_name("format_4.db.gz")
    path.write_bytes(gzip.decompress(golden.read_bytes()))
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA user_version").fetchone() == (4,)
        columns = "id, rules, status, unranked, result, time_ms, hits, acts, began_at, finished_at"
        sql = f"SELECT {columns} FROM games ORDER BY id"
        before = connection.execute(sql).fetchall()
        figures = connection.execute("SELECT count(*) FROM figures").fetchone()
    with Store.open(path) as store:
        rows = store._database.read_verified(lambda c: select_games(c, "ORDER BY id"))
        assert [tuple(getattr(row, name) for name in columns.split(", ")) for row in rows] == before
        assert sum(row.bv is not None for row in rows) == figures[0] == 20
        assert {row.id for row in store.games(limit=-1)} == set(store.history().game_ids())
        assert all(store.load_game(row.id) for row in rows)
        assert not store.take_notices()
        assert store.resume() is not None
    check_sums_of_file(path)
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA user_version").fetchone() == (schema.VERSION,)
