"""What plots of progress read, against plain arithmetic over the same rows."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime, timedelta
from statistics import fmean

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from demine.store import Store, records
from demine.store.errors import UnusableDatabase
from demine.store.game_rows import uuid_text
from demine.store.transactions import open_in_memory
from demine.store.utc_text import utc_text
from tests.store.local_time import has_zones, local_time
from tests.store.playing import SMALL, hit, keep_win, opened

RULES = "9x9/10"
BASES = ("2011-12-28T00:00Z", "2017-10-13T12:00Z", "2018-02-16T12:00Z", "2024-03-09T00:00Z")
"""Days are skipped, begin at one o'clock, last 25 hours, and are as usual, somewhere."""
ZONES = ("UTC", "Asia/Kathmandu", "America/St_Johns", "America/Sao_Paulo", "Pacific/Apia")
Row = tuple[str, int, "str | None", int, "float | None", "float | None"]

figures = st.one_of(st.none(), st.floats(0.01, 9))
rows_played = st.lists(
    st.tuples(
        st.sampled_from(BASES),
        st.integers(0, 6 * 24 * 4),
        st.sampled_from(("won", "won", "lost", "resigned", None)),
        st.integers(0, 90_000),
        figures,
        figures,
    ),
    max_size=30,
)


@contextmanager
def database(rows: list[Row]) -> Iterator[sqlite3.Connection]:
    """Games that ended so many quarters of an hour after a moment, some with statistics."""
    with closing(open_in_memory()) as connection:
        for number, (base, quarters, result, time_ms, bv_s, ioe) in enumerate(rows):
            moment = utc_text(datetime.fromisoformat(base) + timedelta(minutes=15 * quarters))
            connection.execute(
                "INSERT INTO games (id, rules, header, status, unranked, result, time_ms, hits,"
                " acts, began_at, seen_at, finished_at)"
                " VALUES (?, ?, '', ?, '', ?, ?, 0, 0, ?, ?, ?)",
                (
                    *(uuid_text(number.to_bytes(16), version=4), RULES, result or "won"),
                    *(result, time_ms, moment, moment, moment),
                ),
            )
            if bv_s is not None or number % 2:
                connection.execute(
                    "INSERT INTO figures (num, edition, bv_s, ioe) VALUES (?, 1, ?, ?)",
                    (number + 1, bv_s, ioe),
                )
        yield connection


def mean(found: list[float | None]) -> float | None:
    """The mean of the values there are."""
    there = [value for value in found if value is not None]
    return fmean(there) if there else None


@settings(max_examples=60)
@given(rows=rows_played)
def test_results_are_those_of_the_counted_games(rows: list[Row]) -> None:
    with database(rows) as connection:
        games = list(records.counted_games(connection, RULES))
        found = records.counted_results(connection, RULES)
        assert found.is_won.tolist() == [result == "won" for _, result, *_ in games]
        times = [time_ms for _, result, time_ms, _ in games if result == "won"]
        assert found.win_times_ms.tolist() == times
        wins = records.counted_wins(connection, RULES)
        assert [win[2] for win in wins] == times
        alone = [records.counted_win(connection, RULES, place) for place in range(len(wins) + 1)]
        assert alone == [*wins, None]


@has_zones
@pytest.mark.parametrize("zone", ZONES)
@settings(max_examples=30)
@given(rows=rows_played)
def test_days_are_the_wins_gathered_by_local_time(zone: str, rows: list[Row]) -> None:
    with local_time(zone), database(rows) as connection:
        wins = records.counted_wins(connection, RULES)
        days = records.wins_by_day(connection, RULES)
        local = [datetime.fromisoformat(win[1]).astimezone().date() for win in wins]
        assert [day.day for day in days] == sorted(set(local))
        for day in days:
            of_day = [win for win, date in zip(wins, local, strict=True) if date == day.day]
            assert day.wins == len(of_day)
            assert day.best_ms == min(win[2] for win in of_day)
            assert day.bv_s == pytest.approx(mean([win[3] for win in of_day]))
            assert day.ioe == pytest.approx(mean([win[4] for win in of_day]))


def test_a_store_answers_for_rules_however_they_are_spelt() -> None:
    with Store.memory() as store:
        for time_ms in (900, 700):
            keep_win(store, time_ms)
        hit((live := store.begin(opened())).game, 5)
        live.record()
        found = store.counted_results(f" {SMALL} ")
        assert found.is_won.tolist() == [True, True, False]
        assert found.win_times_ms.tolist() == [900, 700]
        assert store.counted_win(SMALL, 1) == store.counted_wins(SMALL)[1]
        (day,) = store.wins_by_day(SMALL)
        assert (day.wins, day.best_ms) == (2, 700)
        assert not store.counted_results("9x9/10").is_won.size
        assert store.wins_by_day("9x9/10") == ()


@pytest.mark.parametrize("value", ["many", "12-3", -5, b"7"])
def test_a_damaged_time_is_no_time(value: object) -> None:
    rows: list[Row] = [(BASES[0], 1, "won", 9, None, None), (BASES[0], 2, "lost", 9, None, None)]
    with database(rows) as connection:
        connection.execute("PRAGMA ignore_check_constraints = ON")
        connection.execute("UPDATE games SET time_ms = ? WHERE num = 1", (value,))
        if value == b"7":  # text once it is joined
            assert records.counted_results(connection, RULES).win_times_ms.tolist() == [7]
            return
        with pytest.raises(UnusableDatabase):
            records.counted_results(connection, RULES)


@pytest.mark.parametrize("moment", ["yesterday", "2026-13-01T00:00:00.000000Z"])
def test_a_damaged_end_is_on_no_day(moment: str) -> None:
    with database([(BASES[0], 1, "won", 9, None, None)]) as connection:
        connection.execute("UPDATE games SET finished_at = ?", (moment,))
        with pytest.raises(UnusableDatabase):
            records.wins_by_day(connection, RULES)


def test_wins_many_years_apart_are_found_without_a_look_at_each_day() -> None:
    with database([(BASES[0], 1, "won", 9, None, None)] * 2) as connection:
        connection.execute(
            "UPDATE games SET finished_at = '0002-01-02T12:00:00.000000Z' WHERE num = 1"
        )
        seen: list[str] = []
        connection.set_trace_callback(seen.append)
        assert [day.wins for day in records.wins_by_day(connection, RULES)] == [1, 1]
        assert len(seen) < 9


def test_the_last_day_of_all_ends() -> None:
    with database([(BASES[0], 1, "won", 9, None, None)]) as connection:
        last = utc_text(datetime.max.replace(tzinfo=UTC) - timedelta(days=2))
        connection.execute("UPDATE games SET finished_at = ?", (last,))
        assert [day.wins for day in records.wins_by_day(connection, RULES)] == [1]
