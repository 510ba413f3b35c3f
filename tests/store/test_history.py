"""The paged history against plain sorting and filtering of the same games."""

from __future__ import annotations

import random
import sqlite3
from collections.abc import Callable, Iterable, Iterator
from datetime import datetime, timedelta, timezone
from typing import Any

import pytest

from demine.logic.event import Act, Verb
from demine.logic.rules import Rules
from demine.store import GameRow, Store, checksums
from demine.store.game_rows import State
from demine.store.history import COLUMNS, Column, HistoryFilter, SearchTerm, days_searched
from demine.store.utc_text import utc_text
from tests.store.local_time import has_zones, local_time
from tests.store.playing import SMALL, hit, keep_win, opened, win

OTHER = Rules(7, 7, 5, first="safe")


@pytest.fixture(scope="module")
def store() -> Iterator[Store]:
    """Forty games of two kinds, ended in every way."""
    rng, store = random.Random(5), Store.memory()
    for number in range(40):
        origin = rng.choice(["fresh", "fresh", "seed", "again"])
        live = store.begin(opened(rng.choice([SMALL, OTHER]), origin=origin))
        time_ms = rng.randrange(1000, 9000, 1000)
        if number % 4 == 3:
            live.game.play(Act(time_ms, Verb.RESIGN))
        else:
            (win if number % 4 else hit)(live.game, time_ms)
        live.record()
    store.begin(opened()).record(5)
    assert store.compute_missing_statistics() == 40
    yield store
    store.close()


KEYS: dict[Column, Callable[[GameRow], Any]] = {
    "ended": lambda row: row.finished_at,
    "rules": lambda row: (len(row.rules), row.rules),
    "result": lambda row: row.status,
    "time": lambda row: row.time_ms,
    "bv": lambda row: row.bv,
    "bv_s": lambda row: row.bv_s,
    "ioe": lambda row: row.ioe,
    "clicks": lambda row: row.clicks,
    "acts": lambda row: row.acts,
    "note": lambda row: row.unranked,
}


@pytest.fixture(params=["sorted at once", "by an index"])
def reading(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """How pages in another order than that of the ends are read."""
    if request.param == "by an index":
        monkeypatch.setattr("demine.store.history.SORTED_AT_ONCE", 0)
    return str(request.param)


def in_order(rows: Iterable[GameRow], column: Column, *, descending: bool) -> list[GameRow]:
    """Rows sorted plainly; `rows` come the newest first."""
    newest_first = list(rows)
    valued = [row for row in newest_first if KEYS[column](row) is not None]
    rest = [row for row in newest_first if KEYS[column](row) is None]
    return [*sorted(valued, key=KEYS[column], reverse=descending), *rest]


@pytest.mark.parametrize("column", COLUMNS)
@pytest.mark.parametrize("descending", [True, False])
@pytest.mark.usefixtures("reading")
def test_sorts_by_every_column_and_then_by_age(
    store: Store, column: Column, descending: bool
) -> None:
    history = store.history(column=column, descending=descending)
    wanted = in_order(store.games(limit=-1), column, descending=descending)
    assert history.page(0, 100) == tuple(wanted)
    assert history.game_ids() == tuple(row.id for row in wanted)
    assert len(history) == 40


FILTERS: dict[str, tuple[HistoryFilter, Callable[[GameRow], bool]]] = {
    "rules": (HistoryFilter(rules=str(OTHER)), lambda row: row.rules == str(OTHER)),
    "status": (HistoryFilter(status="lost"), lambda row: row.status == "lost"),
    "ranked": (HistoryFilter(ranked=True), lambda row: row.ranked),
    "unranked wins": (
        HistoryFilter(ranked=False, status="won"),
        lambda row: not row.ranked and row.status == "won",
    ),
    "reasons": (HistoryFilter(reasons=("again", "seed")), lambda row: not row.ranked),
    "terms": (HistoryFilter(terms=(SearchTerm("7x7"),)), lambda row: "7x7" in row.rules),
}


@pytest.mark.parametrize("column", COLUMNS)
@pytest.mark.parametrize("name", FILTERS)
@pytest.mark.usefixtures("reading")
def test_any_page_in_any_order_is_part_of_all_that_fits(
    store: Store, column: Column, name: str
) -> None:
    wanted, fits = FILTERS[name]
    for descending in (True, False):
        rows = [row for row in store.games(limit=-1) if fits(row)]
        if column != "ended" or descending:
            rows = in_order(rows, column, descending=descending)
        else:
            rows.reverse()
        history = store.history(wanted, column, descending=descending)
        assert 0 < len(history) == len(rows) < 40
        pages = [history.page(first, 3) for first in range(0, len(rows), 3)]
        assert sum(pages, ()) == tuple(rows)
        for first in (7, 2, 5, 0):
            assert history.page(first, 4) == tuple(rows[first : first + 4])


@pytest.mark.usefixtures("reading")
def test_games_without_statistics_come_last_the_newest_first() -> None:
    with Store.memory() as store:
        for _ in range(9):
            win((live := store.begin(opened())).game, 5)
            live.record()
        assert store.compute_missing_statistics(max_games=4) == 4
        newest_first = store.games(limit=-1)
        for descending in (True, False):
            history = store.history(column="ioe", descending=descending)
            assert history.page(4, 5) == newest_first[4:]
            assert {row and row.id for row in history.page(0, 4)} == {
                row.id for row in newest_first[:4]
            }


@pytest.mark.parametrize("column", COLUMNS)
@pytest.mark.usefixtures("reading")
def test_deleted_games_bring_none_twice_in_any_order(column: Column) -> None:
    with Store.memory() as store:
        for number in range(15):
            live = store.begin(opened(SMALL if number % 2 else OTHER))
            win(live.game, 1000 + number % 7)
            live.record()
        store.compute_missing_statistics()
        history = store.history(column=column)
        ids = history.game_ids()
        seen = [row and row.id for row in history.page(0, 5)]
        store._database.write(
            lambda connection: connection.executemany(
                "DELETE FROM games WHERE id = ?", [(game_id,) for game_id in ids[7:11]]
            )
        )
        win((live := store.begin(opened())).game, 1)
        live.record()
        seen += [row and row.id for first in (5, 10) for row in history.page(first, 5)]
        assert [game_id for game_id in seen if game_id] == [*ids[:7], *ids[11:]]
        assert history.page(15, 5) == ()


@pytest.mark.parametrize("column", COLUMNS)
@pytest.mark.usefixtures("reading")
def test_games_that_end_later_are_on_no_page_in_any_order(column: Column) -> None:
    with Store.memory() as store:
        for number in range(12):
            keep_win(store, 1000 + number % 5)
        store.compute_missing_statistics()
        history = store.history(column=column)
        ids = history.game_ids()
        for time_ms in (1, 9000):
            keep_win(store, time_ms)
        store.compute_missing_statistics()
        for first in (8, 4, 11):
            found = [row and row.id for row in history.page(first, 3)]
            assert found == list(ids[first : first + 3])


@pytest.fixture
def tied() -> Iterator[Store]:
    """Sixty games of two kinds, many of which ended at the same moment; some have no statistics."""
    rng = random.Random(8)
    with Store.memory() as store:
        for _ in range(60):
            origin = rng.choice(["fresh", "fresh", "seed", "again"])
            live = store.begin(opened(rng.choice([SMALL, OTHER]), origin=origin))
            rng.choice([win, win, hit])(live.game, rng.randrange(1000, 5000, 1000))
            live.record()
        store.compute_missing_statistics(max_games=50)
        moments = [f"2020-01-0{day}T00:00:00.000000+00:00" for day in range(1, 8)]

        def tie(connection: sqlite3.Connection) -> None:
            for (num,) in connection.execute("SELECT num FROM games").fetchall():
                moment = rng.choice(moments)
                connection.execute(
                    "UPDATE games SET finished_at = ?, seen_at = ? WHERE num = ?",
                    (moment, moment, num),
                )
                checksums.update_game_checksum(connection, num)

        store._database.write(tie)
        yield store


@pytest.mark.parametrize("name", [None, *FILTERS])
@pytest.mark.usefixtures("reading")
def test_pages_of_games_that_ended_at_the_same_moments_are_those_of_plain_sorting(
    tied: Store, name: str | None
) -> None:
    wanted, fits = FILTERS[name] if name else (HistoryFilter(), lambda _: True)
    chance = random.Random(2)
    rows = [row for row in tied.games(limit=-1) if fits(row)]
    histories = {
        (column, descending): tied.history(wanted, column, descending=descending)
        for column in COLUMNS
        for descending in (True, False)
    }
    deleted = frozenset(row.id for row in chance.sample(rows, 5))

    def check(gone: frozenset[str]) -> None:
        for (column, descending), history in histories.items():
            if column == "ended":
                expected = rows if descending else rows[::-1]
            else:
                expected = in_order(rows, column, descending=descending)
            assert len(history) == len(expected)
            pages = [history.page(first, 4) for first in range(0, len(rows), 4)]
            left = [row for row in expected if row.id not in gone]
            assert [row for row in sum(pages, ()) if row] == left
            first = chance.randrange(len(left))
            assert {row for row in history.page(first, 9) if row} <= set(left)

    check(frozenset())
    for time_ms in (1, 9000):
        keep_win(tied, time_ms)
        keep_win(tied, time_ms, OTHER)
    check(frozenset())
    tied._database.write(
        lambda connection: connection.executemany(
            "DELETE FROM games WHERE id = ?", [(game_id,) for game_id in deleted]
        )
    )
    check(deleted)


@pytest.mark.parametrize(
    ("wanted", "fits"),
    [
        (HistoryFilter(rules=str(OTHER)), lambda row: row.rules == str(OTHER)),
        (HistoryFilter(status="lost"), lambda row: row.status == "lost"),
        (HistoryFilter(ranked=True), lambda row: row.ranked),
        (
            HistoryFilter(ranked=False, status="won"),
            lambda row: not row.ranked and row.status == "won",
        ),
        (HistoryFilter(reasons=("again", "hint")), lambda row: row.unranked == "again"),
        (HistoryFilter(terms=(SearchTerm("7x7"),)), lambda row: "7x7" in row.rules),
        (HistoryFilter(terms=(SearchTerm("?", states=("won",)),)), lambda row: row.status == "won"),
        (
            HistoryFilter(terms=(SearchTerm("?", rules=(str(SMALL),)),)),
            lambda row: row.rules == str(SMALL),
        ),
        (
            HistoryFilter(terms=(SearchTerm("?", reasons=("seed", "again")), SearchTerm("x5/"))),
            lambda row: row.unranked in ("seed", "again") and "x5/" in row.rules,
        ),
    ],
)
def test_finds_what_is_wanted_and_nothing_else(
    store: Store, wanted: HistoryFilter, fits: Callable[[GameRow], bool]
) -> None:
    found = store.history(wanted).page(0, 100)
    assert found == tuple(row for row in store.games(limit=-1) if fits(row))
    assert 0 < len(found) < 40


def test_finds_a_game_by_its_local_date(store: Store) -> None:
    ended = store.games()[0].finished_at
    assert ended is not None
    local = datetime.fromisoformat(ended).astimezone()
    assert len(store.history(HistoryFilter(terms=(SearchTerm(local.strftime("%Y-%m-%d")),)))) > 0
    for length in range(1, 17):
        text = local.strftime("%Y-%m-%d %H:%M")[:length]
        assert store.games()[0] in store.history(HistoryFilter(terms=(SearchTerm(text),))).page(
            0, 99
        )
    assert len(store.history(HistoryFilter(terms=(SearchTerm("1999-01-01"),)))) == 0


@pytest.mark.parametrize("offset", [-12, -3.5, 0, 5.75, 14])
@pytest.mark.parametrize(
    "moment",
    ["2015-12-31T23:59:59", "2016-01-01T00:00:00", "2016-02-29T12:00:00", "2016-07-31T10:00:00"],
)
def test_the_days_of_a_searched_date_hold_it_in_every_time_zone(offset: float, moment: str) -> None:
    local = datetime.fromisoformat(moment).replace(tzinfo=timezone(timedelta(hours=offset)))
    ended = utc_text(local)
    written = local.strftime("%Y-%m-%d %H:%M")
    for length in range(5, len(written) + 1):
        days = days_searched(SearchTerm(written[:length]))
        assert days is not None
        assert days[0] <= ended <= days[1]
        span = datetime.fromisoformat(days[1]) - datetime.fromisoformat(days[0])
        assert span <= timedelta(369 if length < 7 else 36 if length < 10 else 3)


def end_at(store: Store, game_id: str, moment: datetime) -> None:
    """Give a game another end."""

    def write(connection: sqlite3.Connection) -> None:
        sql = "UPDATE games SET finished_at = ? WHERE id = ?"
        connection.execute(sql, (utc_text(moment), game_id))
        connection.execute(f"{checksums.UPDATE_CHECKSUMS_SQL} WHERE id = ?", (game_id,))

    store._database.write(write)


@has_zones
@pytest.mark.parametrize("zone", ["UTC", "Pacific/Kiritimati", "Etc/GMT+12"])
def test_finds_the_games_of_a_year_of_local_time(zone: str) -> None:
    with local_time(zone), Store.memory() as store:
        start = datetime.fromisoformat("2015-12-30T00:30Z")
        for number in range(48):
            end_at(store, keep_win(store, 900).id, start + timedelta(hours=2 * number))
        rows = store.games(limit=-1)
        years = [datetime.fromisoformat(row.finished_at or "").astimezone().year for row in rows]
        assert set(years) == {2015, 2016}
        for year in (2014, 2015, 2016):
            found = store.history(HistoryFilter(terms=(SearchTerm(str(year)),))).page(0, 99)
            wanted = [row for row, other in zip(rows, years, strict=True) if other == year]
            assert found == tuple(wanted)


@pytest.mark.parametrize(
    "text", ["2015", "15-07", "x2015-07", "2015-13", "2015-02-30", "0000-01", "9999-12-31", "٢٠١٥-"]
)
def test_what_is_no_date_is_looked_for_everywhere(text: str) -> None:
    assert days_searched(SearchTerm(text)) is None
    assert days_searched(SearchTerm("2015-07", states=("won",))) is None


def test_finds_games_between_two_moments(store: Store) -> None:
    ends = sorted(row.finished_at or "" for row in store.games(limit=-1))
    found = store.history(HistoryFilter(since=ends[10], until=ends[30])).page(0, 100)
    assert sorted(row.finished_at or "" for row in found if row) == ends[10:30]


def test_pages_join_into_the_whole(store: Store) -> None:
    history = store.history()
    pages = [history.page(first, 7) for first in range(0, 49, 7)]
    assert sum(pages, ()) == history.page(0, 100)
    assert pages[-1] == ()


@pytest.mark.parametrize(("column", "expected"), [("rules", [None, True]), ("ended", [True, None])])
def test_a_game_that_is_gone_leaves_a_hole(column: Column, expected: list[bool | None]) -> None:
    with Store.memory() as store:
        first, second = store.begin(opened()), store.begin(opened())
        for live in (first, second):
            win(live.game, 5)
            live.record()
        history = store.history(column=column)
        store._database.write(
            lambda connection: connection.execute("DELETE FROM games WHERE id = ?", (second.id,))
        )
        found = [row and row.id == first.id for row in history.page(0, 2)]
        assert found == expected


@pytest.mark.parametrize("wanted", [HistoryFilter(), HistoryFilter(status="won")])
@pytest.mark.parametrize("descending", [True, False])
@pytest.mark.parametrize("read_before", [(), (0, 10), (20, 10)])
def test_games_deleted_in_the_middle_bring_none_twice(
    wanted: HistoryFilter, descending: bool, read_before: tuple[int, ...]
) -> None:
    with Store.memory() as store:
        for _ in range(30):
            live = store.begin(opened())
            win(live.game, 5)
            live.record()
        history = store.history(wanted, descending=descending)
        ids = history.game_ids()
        for first in read_before:
            history.page(first, 10)
        store._database.write(
            lambda connection: connection.executemany(
                "DELETE FROM games WHERE id = ?", [(game_id,) for game_id in ids[8:15]]
            )
        )
        win((live := store.begin(opened())).game, 5)
        live.record()  # a later end moves nothing, with or without the others
        found = [row and row.id for first in (20, 0, 10) for row in history.page(first, 10)]
        assert (*found[10:], *found[:10]) == (*ids[:8], *ids[15:], *(None,) * 7)


@pytest.mark.parametrize("rules", [None, str(SMALL)])
@pytest.mark.parametrize("status", [None, "won"])
@pytest.mark.parametrize("descending", [True, False])
def test_any_page_is_part_of_the_whole(
    store: Store, rules: str | None, status: State | None, descending: bool
) -> None:
    wanted = HistoryFilter(rules=rules, status=status)
    history = store.history(wanted, descending=descending)
    whole = history.page(0, 1000)
    assert len(whole) == len(history) > 3
    assert tuple(row.id for row in whole if row) == history.game_ids()
    ends = [(row.finished_at, row.id) for row in whole if row]
    assert ends == sorted(ends, reverse=descending)
    chance = random.Random(3)
    for _ in range(60):
        first, count = chance.randrange(len(whole) + 2), chance.randrange(9)
        assert history.page(first, count) == whole[first : first + count]


def test_games_that_end_later_do_not_move_a_page() -> None:
    with Store.memory() as store:
        for _ in range(3):
            live = store.begin(opened())
            win(live.game, 5)
            live.record()
        history = store.history()
        before = history.page(0, 3)
        live = store.begin(opened())
        win(live.game, 5)
        live.record()
        assert len(history) == 3
        assert [history.page(first, 1)[0] for first in (2, 0, 1)] == [before[2], *before[:2]]


def test_results_are_the_counted_games_in_order(store: Store) -> None:
    counted = [row for row in store.games(SMALL, limit=-1, order="oldest") if row.result]
    wanted = tuple((row.id, row.result, row.time_ms, row.finished_at) for row in counted)
    assert store.counted_games(SMALL) == wanted
