"""What cannot be kept at once is kept later: a lock, a full disk, a start that fails."""

from __future__ import annotations

from pathlib import Path

import pytest

from demine.logic.event import Act, Verb
from demine.play.unsaved_games_at_exit import opened_store
from demine.store import Store, StoreError
from demine.store.utc_text import utc_now_text
from tests.store import session_steps
from tests.store.holding import fill, held, small_disk
from tests.store.playing import SMALL, hit, keep_win, safe_cells, win
from tests.store.playing import opened as begun
from tests.store.session_steps import (
    ManualTime,
    results_in,
    session_in_play,
    troubles_of,
    win_session,
)

hasty, path = session_steps.hasty, session_steps.path
elsewhere, time = session_steps.elsewhere, session_steps.time


# A lock in the middle of a game


@pytest.mark.parametrize("how", ["IMMEDIATE", "EXCLUSIVE"])
def test_a_win_under_a_lock_is_kept_at_the_next_tick_without_it(
    path: Path, time: ManualTime, how: str
) -> None:
    with Store.open(path) as store:
        session = session_in_play(store, time)
        before = len(store.games())
        with held(path, how):
            win_session(session)
            ended = session.game
            time.now += 5
            session.save_if_due()
            assert len(store.games()) == before
            assert session.seconds_until_save_due() <= 1
            assert store.retry_queue.has_unsaved_games
        time.now += 5
        session.save_if_due()
        assert not store.retry_queue
        assert "is using it" in troubles_of(session)[0]
        assert "everything is saved" in troubles_of(session)[-1]
        assert "win" in session.result_text() or "best" in session.result_text()
        (row,) = store.games(limit=1)
        assert (row.result, row.status) == ("won", "won")
        assert store.load_game(row.id) == ended
    assert "won" in results_in(path)


@pytest.mark.parametrize("leave", ["new", "again", "daily", "share"])
def test_games_left_under_a_lock_are_kept_later_and_in_order(
    path: Path, time: ManualTime, leave: str
) -> None:
    from demine.logic.daily_board import Daily
    from demine.store.daily import today_utc

    with Store.open(path) as store:
        session = session_in_play(store, time)
        first = session.game
        code = session.game.share()
        with held(path):
            if leave == "new":
                session.begin_new_game(SMALL)  # resigns the first
            elif leave == "again":
                session.restart_same_board()
            elif leave == "daily":
                session.switch_to_daily(Daily(today_utc(), "beginner"))
            else:
                session.begin_shared_board(code)
            session.begin_new_game(SMALL)
            session.play(Verb.OPEN, 0, 0)
            win_session(session)
            second = session.game
            session.begin_new_game(SMALL)
            assert store.retry_queue.has_unsaved_games
        time.now += 5
        session.save_if_due()
        games = {row.id: row for row in store.games(order="oldest")}
        kept = [store.load_game(game_id) for game_id in games]
        assert first in kept
        assert second in kept
        assert kept.index(first) < kept.index(second)
        ended = [row.finished_at or "" for row in games.values()]
        assert ended == sorted(ended)


def test_an_end_has_the_date_of_the_end_and_not_of_the_keeping(path: Path) -> None:
    with Store.open(path) as store:
        live = store.begin(begun())
        with held(path):
            win(live.game, 500)
            with pytest.raises(StoreError):
                live.record()
            between = utc_now_text()
        store.retry_queue.retry()
        assert live.ending is not None
        assert (live.ending.row.finished_at or "") < between


def test_a_loss_that_was_never_kept_and_is_taken_back_stays_a_loss(path: Path) -> None:
    with Store.open(path) as store:
        live = store.begin(begun())
        with held(path):
            hit(live.game, 500)
            with pytest.raises(StoreError):
                live.record()
        live.play(Act(600, Verb.UNDO))
        row = store.game_row(live.id)
        assert (row.status, row.result) == ("running", "lost")
        assert row.finished_at is not None


def test_a_lock_that_lasts_makes_nobody_wait_at_every_act(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.undo()
    asked: list[float] = []
    with Store.open(path) as store:
        live = store.begin(begun(SMALL))
        connection = store._database._connection
        assert connection is not None
        with held(path):
            for _ in range(2):
                with pytest.raises(StoreError, match="another window"):
                    live.tick(live.clock_ms + 1)
                asked.append(connection.execute("PRAGMA busy_timeout").fetchone()[0])
        live.tick(live.clock_ms + 1)
        asked.append(connection.execute("PRAGMA busy_timeout").fetchone()[0])
    assert asked == [20, 20, 2000]


def test_a_store_closed_after_the_lock_keeps_all_games_it_knows(path: Path) -> None:
    store = Store.open(path)
    games = [store.begin(begun()) for _ in range(3)]
    with held(path):
        for live in games:
            win(live.game, 900)
            with pytest.raises(StoreError):
                live.record()
    store.close()
    assert results_in(path) == ["won"] * 3


def test_choices_under_a_lock_are_kept_later(path: Path, time: ManualTime) -> None:
    with Store.open(path) as store:
        session = session_in_play(store, time)
        with held(path):
            session.save_settings({"theme": "dark", "zoom": 3})
            session.save_settings({"theme": "night"})
        time.now += 5
        session.save_if_due()
        assert store.settings.all() == {"theme": "night", "zoom": 3}


# A disk without room


def test_a_win_on_a_full_disk_is_kept_when_there_is_room(tmp_path: Path, time: ManualTime) -> None:
    with small_disk(tmp_path / "disk") as disk, Store.open(disk / "demine.db") as store:
        session = session_in_play(store, time)
        before = len(store.games())
        ballast = fill(disk)
        for _ in range(30):  # until the room that the log still had is gone
            win_session(session)
            session.begin_new_game(SMALL)
            session.play(Verb.OPEN, 0, 0)
        assert store.retry_queue.has_unsaved_games
        ballast.unlink()
        time.now += 5
        session.save_if_due()
        assert not store.retry_queue
        assert len(store.games(limit=-1)) >= before + 30
        store.close()
        assert len(results_in(disk / "demine.db")) >= before + 30


def test_twenty_wins_from_a_start_without_room_come_into_the_file(
    tmp_path: Path, time: ManualTime
) -> None:
    with small_disk(tmp_path / "disk") as disk:
        ballast = fill(disk)
        path = disk / "demine.db"
        with opened_store(str(path)) as (store, troubles):
            assert "kept in memory until" in str(troubles[0])
            session = session_in_play(store, time)
            session.save_settings({"theme": "dark"})
            for _ in range(20):
                win_session(session)
                session.begin_new_game(SMALL)
                session.play(Verb.OPEN, 0, 0)
            assert len(store.games(limit=-1)) >= 20  # the records show them all the same
            assert store.retry_queue.has_unsaved_games
            ballast.unlink()
            time.now += 5
            session.save_if_due()
            assert store.retry_queue.reason_in_memory is None
            assert any("had to wait" in each for each in troubles_of(session))
            # What is in the file now is seen from outside.
            with Store.open(path) as other:
                wins = [row for row in other.games(limit=-1) if row.result == "won"]
                assert len(wins) >= 20
                assert other.settings.get("theme") == "dark"
            session.play(Verb.FLAG, *safe_cells(session.game)[0])
            game = session.game
            session.close()
        with Store.open(path) as store:
            live = store.resume()
            assert live is not None
            assert live.game == game


# A start that fails


def test_a_start_under_a_lock_moves_into_the_file_when_it_is_free(
    path: Path, time: ManualTime
) -> None:
    with Store.open(path) as store:
        keep_win(store, 7000)
    with held(path, "ALONE") as holder, opened_store(str(path)) as (store, troubles):
        assert [type(each) for each in troubles] == [StoreError]
        session = session_in_play(store, time)
        win_session(session)
        session.begin_new_game(SMALL)
        session.play(Verb.OPEN, 0, 0)
        holder.kill()
        holder.wait()
        time.now += 5
        session.save_if_due()
        assert store.retry_queue.reason_in_memory is None
        assert {"won"} <= {row.result for row in store.games()}
        assert len([row for row in store.games(limit=-1) if row.time_ms == 7000]) == 1
    assert results_in(path).count("won") >= 2


def test_the_first_act_in_the_file_is_as_sure_as_any_other(path: Path, time: ManualTime) -> None:
    Store.open(path).close()
    with held(path, "ALONE") as holder, opened_store(str(path)) as (store, _):
        session = session_in_play(store, time)
        holder.kill()
        holder.wait()
        session.play(Verb.FLAG, *safe_cells(session.game)[0])
        with Store.open(path) as other:
            (row,) = other.games(status="running")
            assert other.load_game(row.id) == session.game
