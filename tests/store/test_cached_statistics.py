"""The statistics that are kept, against those worked out from the games themselves."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from demine.logic.event import Act, Verb
from demine.statistics.compute import stats
from demine.store import Store
from demine.store.cached_statistics import STATISTIC_NAMES
from tests.store.older import make_older
from tests.store.playing import hit, keep_win, opened, win


def lose(store: Store) -> str:
    """Play a game to a mine; return its id."""
    live = store.begin(opened())
    hit(live.game, 800)
    live.record()
    return live.id


def test_figures_are_the_statistics_of_the_game() -> None:
    with Store.memory() as store:
        ids = [keep_win(store, 1500).id, lose(store)]
        assert [store.game_row(each).bv for each in ids] == [None, None]
        assert store.compute_missing_statistics() == 2
        for each in ids:
            row, found = store.game_row(each), stats(store.load_game(each))
            assert [getattr(row, name) for name in STATISTIC_NAMES] == [
                found[name] for name in STATISTIC_NAMES
            ]
            assert row.bv
        assert store.compute_missing_statistics() == 0


def test_games_that_go_on_have_none_and_an_end_taken_back_takes_its_figures_along() -> None:
    with Store.memory() as store:
        store.begin(opened()).record(5)
        live = store.begin(opened())
        hit(live.game, 800)
        live.record()
        assert store.compute_missing_statistics() == 1
        before = store.game_row(live.id)
        live.play(Act(900, Verb.UNDO))
        assert store.game_row(live.id).clicks is None
        win(live.game, 2000)
        live.record()
        assert store.compute_missing_statistics() == 1
        assert store.game_row(live.id).bv == before.bv
        assert store.game_row(live.id).bv_solved == before.bv


def test_it_stops_when_told_and_goes_on_later() -> None:
    with Store.memory() as store:
        for time_ms in range(5):
            keep_win(store, 500 + time_ms)
        asked = iter([False, False, True, True, True])
        assert store.compute_missing_statistics(lambda: next(asked)) == 2
        assert [row.bv is not None for row in store.games()] == [True, True, False, False, False]
        assert store.compute_missing_statistics(max_games=1) == 1
        assert store.compute_missing_statistics() == 2


def test_a_lost_journal_has_no_figures_and_is_not_asked_again() -> None:
    with Store.memory() as store:
        live = keep_win(store, 700)
        store._database.write(lambda connection: connection.execute("DELETE FROM journals"))
        assert store.compute_missing_statistics() == 1
        assert store.game_row(live.id).bv is None
        assert store.compute_missing_statistics() == 0


def test_wins_come_with_their_figures() -> None:
    with Store.memory() as store:
        first, second = keep_win(store, 900), keep_win(store, 1100)
        lose(store)
        store.compute_missing_statistics()
        rows = [store.game_row(live.id) for live in (first, second)]
        assert store.counted_wins(first.game.rules) == tuple(
            (row.id, row.finished_at, row.time_ms, row.bv_s, row.ioe) for row in rows
        )


def test_a_file_of_the_first_format_is_brought_up_and_filled(path: Path) -> None:
    with Store.open(path) as store:
        ids = [keep_win(store, 900).id, lose(store)]
    make_older(path, 1)
    connection = sqlite3.connect(path)
    assert connection.execute("PRAGMA user_version").fetchone() == (1,)
    connection.close()
    with Store.open(path) as store:
        assert store.take_notices() == ()
        assert {row.id for row in store.games()} == set(ids)
        assert all(row.bv is None for row in store.games())
        assert store.compute_missing_statistics() == 2
        assert all(row.bv for row in store.games())
        assert store.record_of(store.game_row(ids[0]).rules).best_ms == 900
