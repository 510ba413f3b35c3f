"""A running game, kept act by act, resumed, ended, and kept through trouble."""

from __future__ import annotations

import os
import random
import sqlite3
import threading
import zlib
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from demine.game import Game
from demine.logic.event import Act, Touch, Verb
from demine.logic.game import Status, play_event
from demine.logic.journal import event_line
from demine.logic.rules import EXPERT, Goal, Rules
from demine.store import LiveGame, NoticeKind, Store, StoreError, checksums
from demine.store.game_rows import append_events
from tests.store.playing import SMALL, hit, keep_win, opened, random_event, safe_cells, win


@pytest.fixture
def store(path: Path) -> Iterator[Store]:
    with Store.open(path) as store:
        yield store


def again(path: Path) -> Game | None:
    """The game that a program started now would resume."""
    with Store.open(path) as store:
        live = store.resume()
        return None if live is None else live.game


def stored_lines(path: Path) -> list[str]:
    connection = sqlite3.connect(path)
    try:
        return [line for (line,) in connection.execute("SELECT line FROM events ORDER BY seq")]
    finally:
        connection.close()


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(seed=st.integers(0, 2**32), goal=st.sampled_from(Goal))
def test_every_event_is_in_the_database_when_record_returns(
    tmp_path: Path, seed: int, goal: Goal
) -> None:
    rng = random.Random(seed)
    path = tmp_path / f"{seed}-{goal}.db"
    with Store.open(path) as store:
        live = store.begin(Game(Rules(7, 6, 4, goal=goal), seed, origin="fresh"))
        t = 0
        while not live.game.status.over and len(live.game.events) < 60:
            t += rng.randrange(9)
            begun = live.game.begun
            play_event(live.game, random_event(live.game, rng, t))
            t = 0 if live.game.begun and not begun else t
            live.record(t)
            if not live.game.status.over:
                assert stored_lines(path) == [event_line(event) for event in live.game.events]
        assert store.load_game(live.id) == live.game
        board = live.game.board
    with Store.open(path) as store:
        resumed = store.resume()
        if resumed is not None:
            assert resumed.game == live.game
            assert resumed.game.board == board
            assert resumed.clock_ms == t


def test_the_opening_act_gives_earlier_events_new_times(store: Store, path: Path) -> None:
    live = store.begin(Game(EXPERT))
    live.play(Act(300, Verb.FLAG, 4, 5))
    live.touch(Touch(900, "left", "press", 1, 1))
    live.play(Act(1000, Verb.OPEN, 0, 0))
    lines = stored_lines(path)
    assert lines[:2] == ['[-700,"flag",4,5]', '[-100,"press","left",1,1]']
    assert lines[-1] == '[0,"open",0,0]'


def test_a_journal_becomes_one_of_version_2_when_an_act_names_its_player(path: Path) -> None:
    game = opened(seed=7)
    mine = next(zip(*map(list, game.board.mine_map.nonzero()), strict=True))
    with Store.open(path) as store:
        live = store.begin(game)
        live.play(Act(40, Verb.FLAG, *mine))
        assert '"demine":1,' in game.journal()
        live.play(Act(50, Verb.FLAG, *mine, player="Ann"))
        live.play(Act(60, Verb.FLAG, *mine))
        assert stored_lines(path) == [event_line(event) for event in game.events]
    found = again(path)
    assert found == game
    assert [each.player for each in found.events if isinstance(each, Act)] == ["", "", "Ann", ""]
    assert '"demine":2,' in found.journal()


def test_touches_wait_for_the_next_tick(store: Store, path: Path) -> None:
    live = store.begin(opened())
    stored = len(stored_lines(path))
    live.touch(Touch(10, "left", "press", 1, 1))
    assert len(stored_lines(path)) == stored
    live.tick(1000)
    assert len(stored_lines(path)) == stored + 1
    assert store.game_row(live.id).time_ms == live.clock_ms == 1000


def test_a_tick_with_nothing_new_writes_nothing(store: Store, path: Path) -> None:
    live = store.begin(opened())
    live.tick(5)
    log = path.with_name("demine.db-wal")
    size = log.stat().st_size
    live.tick(5)
    assert log.stat().st_size == size


def test_a_paused_game_with_notes_and_undone_acts_resumes_as_it_was(path: Path) -> None:
    with Store.open(path) as store:
        live = store.begin(opened(EXPERT))
        row, col = safe_cells(live.game)[0]
        live.play(Act(10, Verb.FLAG, row, col))
        live.play(Act(20, Verb.UNDO))
        row, col = safe_cells(live.game)[-1]
        live.play(Act(30, Verb.QUESTION, row, col))
        live.play(Act(40, Verb.PAUSE))
    game = again(path)
    assert game is not None
    assert (game, game.status, game.undone) == (live.game, Status.PAUSED, True)
    assert game.board.question_map[row, col]
    game.play(Act(40, Verb.RESUME))
    game.play(Act(50, Verb.UNDO))
    assert not game.board.question_map[row, col]


def test_only_the_rules_asked_for_are_resumed(path: Path) -> None:
    with Store.open(path) as store:
        store.begin(opened(SMALL))
        store.begin(opened(EXPERT))
    with Store.open(path) as store:
        live = store.resume(SMALL)
        assert live is not None
        assert live.game.rules == SMALL
        assert store.resume(SMALL) is None


def test_the_latest_game_is_resumed_first(path: Path) -> None:
    with Store.open(path) as store:
        first, second = store.begin(opened()), store.begin(opened())
        second.tick(1)
        first.tick(2)
        ids = [first.id, second.id]
        assert [row.id for row in store.games(status="running")] == ids
    with Store.open(path) as store:
        live = [store.resume(), store.resume(), store.resume()]
        assert [one and one.id for one in live] == [*ids, None]


def test_a_won_game_is_packed_and_ranked(store: Store, path: Path) -> None:
    first = keep_win(store, 3000)
    assert first.ending is not None
    assert first.ending.row.result == "won"
    assert first.ending.record is not None
    assert first.ending.record.before_ms is None
    assert stored_lines(path) == []
    assert store.load_game(first.id) == first.game
    second = keep_win(store, 2500)
    assert second.ending is not None
    assert second.ending.record is not None
    assert second.ending.record.gain_ms == 500
    assert second.record() is second.ending
    third = keep_win(store, 2500)
    assert third.ending is not None
    assert third.ending.record is None
    assert store.new_record(SMALL, 2499) is not None
    assert store.new_record(SMALL, 2500) is None


def test_touches_after_the_end_do_not_lengthen_the_game(store: Store) -> None:
    live = store.begin(opened())
    win(live.game, 700)
    live.game.touch(Touch(9000, "left", "release", 0, 0))
    live.record()
    assert live.ending is not None
    assert live.ending.row.time_ms == 700


def test_a_loss_that_is_undone_goes_on_and_still_counts(store: Store, path: Path) -> None:
    live = store.begin(opened())
    hit(live.game, 500)
    live.record()
    assert live.ending is not None
    lost = live.ending.row
    assert (lost.status, lost.result, lost.hits) == ("lost", "lost", 1)
    assert store.resume() is None
    live.play(Act(600, Verb.UNDO))
    row = store.game_row(live.id)
    assert (row.status, row.result, row.unranked) == ("running", "lost", "undo")
    assert row.finished_at == lost.finished_at
    assert stored_lines(path)[-1] == '[600,"undo"]'
    win(live.game, 800)
    live.record()
    row = store.game_row(live.id)
    assert (row.status, row.result, row.finished_at) == ("won", "lost", lost.finished_at)
    record = store.record_of(SMALL)
    assert (record.games, record.wins, record.best_ms) == (1, 0, None)


def test_a_game_revived_from_a_loss_is_resumed(path: Path) -> None:
    with Store.open(path) as store:
        live = store.begin(opened())
        hit(live.game, 500)
        live.record()
        live.play(Act(600, Verb.UNDO))
    with Store.open(path) as store:
        resumed = store.resume()
        assert resumed is not None
        assert resumed.game == live.game
        win(resumed.game, 900)
        resumed.record()
        assert store.game_row(live.id).result == "lost"


def test_an_abandoned_game_is_resigned_and_one_never_begun_forgotten(store: Store) -> None:
    live = store.begin(opened())
    ending = live.abandon(4000)
    assert ending is not None
    assert (ending.row.status, ending.row.time_ms) == ("resigned", 4000)
    assert live.abandon() is ending
    unopened = store.begin(Game(SMALL))
    unopened.play(Act(5, Verb.FLAG, 1, 1))
    assert unopened.abandon() is None
    assert [row.id for row in store.games()] == [live.id]
    assert store.games(status="running") == ()


def test_a_game_over_that_was_not_packed_is_finished_by_the_next_start(path: Path) -> None:
    with Store.open(path) as store:
        live = store.begin(opened())
    kept = len(live.game.events)
    win(live.game, 800)

    # What a program leaves that keeps the last act and is killed before it ends the game.
    def keep(inside: sqlite3.Connection) -> None:
        append_events(inside, 1, kept, live.game.events[kept:])
        checksums.update_game_checksum(inside, 1)

    with Store.open(path) as store:
        store._database.write(keep)
        assert store.resume() is None
        row = store.game_row(live.id)
        assert (row.status, row.result, row.time_ms) == ("won", "won", 800)
        assert store.load_game(live.id) == live.game


@pytest.mark.parametrize("line", ['[5,"open",99,99]', "no json", '[1,"undo"]', '[3,"chord",0,0]'])
def test_a_game_that_does_not_fold_is_kept_and_told_of(path: Path, line: str) -> None:
    with Store.open(path) as store:
        broken, good = store.begin(Game(SMALL)), store.begin(opened())
        broken.play(Act(3, Verb.FLAG, 0, 0))
    connection = sqlite3.connect(path)
    sql = "UPDATE events SET line = ?, crc = ? WHERE line LIKE '%flag%'"
    connection.execute(sql, (line, zlib.crc32(line.encode())))
    connection.commit()
    connection.close()
    with Store.open(path) as store:
        found = [store.resume(), store.resume()]
        assert [live and live.game for live in found] == [good.game, None]
        (notice,) = store.take_notices()
        assert notice.kind is NoticeKind.GAME
        assert store.game_row(broken.id).status == "damaged"
        with pytest.raises(StoreError, match="damaged"):
            store.load_game(broken.id)


def test_a_changed_event_is_noticed_by_its_checksum(path: Path) -> None:
    with Store.open(path) as store:
        live = store.begin(Game(SMALL))
        live.play(Act(3, Verb.FLAG, 0, 0))
    connection = sqlite3.connect(path)
    connection.execute("UPDATE events SET line = '[3,\"flag\",0,1]'")
    connection.commit()
    connection.close()
    with Store.open(path) as store:
        assert store.resume() is None
        (notice,) = store.take_notices()
        assert "event 0 has a wrong checksum" in str(notice)


def touch_for_long(live: LiveGame) -> None:
    for t in range(5000):
        live.touch(Touch(t, "left", "press", t, t))
        live.tick(t)


def test_without_room_the_game_goes_on_and_is_kept_when_there_is_room(path: Path) -> None:
    with Store.open(path) as store:
        live = store.begin(opened(EXPERT))
        connection = store._database._connection
        assert connection is not None
        (pages,) = connection.execute("PRAGMA page_count").fetchone()
        connection.execute(f"PRAGMA max_page_count = {pages}")
        with pytest.raises(StoreError, match="full"):
            touch_for_long(live)
        kept = len(stored_lines(path))
        assert kept < len(live.game.events)
        with pytest.raises(StoreError, match="full"):
            live.play(Act(6000, Verb.FLAG, 15, 29))
        connection.execute("PRAGMA max_page_count = 100000")
        live.play(Act(6001, Verb.UNDO))
        assert len(stored_lines(path)) == len(live.game.events)
    assert again(path) == live.game


@pytest.mark.parametrize("what", ["zeroes", "gone", "replaced", "cut", "other file"])
def test_damage_under_a_running_game_does_not_lose_it(path: Path, what: str) -> None:
    with Store.open(path) as store:
        keep_win(store, 900)
        live = store.begin(opened())
        store._database.checkpoint()
        harm(path, what)
        row, col = safe_cells(live.game)[0]
        live.play(Act(77, Verb.FLAG, row, col))
        live.tick(1234)
        # What SQLite had in memory may hide the damage until somebody else looks.
        store.games()
        game = live.game
    with Store.open(path) as store:
        notices = store.take_notices()
        assert all(notice.set_aside_path and notice.set_aside_path.exists() for notice in notices)
        resumed = store.resume()
        assert resumed is not None
        assert resumed.game == game
        assert resumed.clock_ms == 1234


def harm(path: Path, what: str) -> None:
    """Do something to a database that is open."""
    if what == "gone":
        path.unlink()
    elif what == "replaced":
        path.rename(path.with_name("elsewhere.db"))
        path.write_bytes(b"another file")
    elif what == "other file":
        path.rename(path.with_name("elsewhere.db"))
    else:
        with path.open("r+b") as stream:
            if what == "cut":
                stream.truncate(5000)
            else:
                stream.write(b"\0" * path.stat().st_size)
        os.truncate(path.with_name("demine.db-wal"), 0)


def test_a_game_deleted_behind_our_back_is_written_again(store: Store, path: Path) -> None:
    live = store.begin(opened())
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA foreign_keys = ON")
    connection.execute("DELETE FROM games")
    connection.commit()
    connection.close()
    live.tick(50)
    assert stored_lines(path) == [event_line(event) for event in live.game.events]
    assert store.game_row(live.id).time_ms == 50


def test_threads_share_a_store(store: Store) -> None:
    live = [store.begin(opened()) for _ in range(4)]

    def play(number: int) -> None:
        for t in range(50):
            live[number].touch(Touch(t, "left", "press", t, number))
            live[number].tick(t)

    threads = [threading.Thread(target=play, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for one in live:
        assert store.load_game(one.id) == one.game


def test_a_large_board_is_kept(path: Path) -> None:
    with Store.open(path) as store:
        live = store.begin(opened(Rules(900, 700, 90_000)))
        live.tick(3)
    assert again(path) == live.game
