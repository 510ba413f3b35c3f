"""What is not kept when a program ends: put elsewhere, and taken in by the next start."""

from __future__ import annotations

import io
import sys
import threading
from contextlib import ExitStack
from pathlib import Path

import pytest

from demine.game import Game
from demine.logic.event import Act, Verb
from demine.play.clock import Clock
from demine.play.game_session import GameSession
from demine.play.unsaved_games_at_exit import UnsavedGamesSaver, opened_store
from demine.scene.preferences import Preferences, StartOptions
from demine.store import NoticeKind, Store, StoreError
from demine.store.database_paths import spill_files, spill_folders
from tests.store import session_steps
from tests.store.holding import fill, held, small_disk
from tests.store.playing import SMALL, keep_win, safe_cells, win
from tests.store.playing import opened as begun
from tests.store.session_steps import ManualTime, results_in, session_in_play, win_session

hasty, path = session_steps.hasty, session_steps.path
elsewhere, time = session_steps.elsewhere, session_steps.time


# The end of the program


def test_a_lock_that_goes_while_the_program_closes_leaves_nothing_elsewhere(
    path: Path, time: ManualTime, elsewhere: Path
) -> None:
    with Store.open(path) as store:
        session = session_in_play(store, time)
        with held(path):
            win_session(session)
            parting = UnsavedGamesSaver(store, ManualTime())
            assert not parting.done_after_retry()
            assert "Still trying to save" in parting.message
            assert "another window" in parting.message
        assert parting.done_after_retry()
        assert not parting.failure
        assert "everything is saved" in parting.message
    assert "won" in results_in(path)
    assert spill_files(path) == []


def leave_a_win(path: Path, time: ManualTime) -> tuple[Game, Game, str]:
    """Win under a lock that stays, begin another game, and close; return both and what was said."""
    with held(path):
        with pytest.MonkeyPatch.context() as patch:
            heard = io.StringIO()
            patch.setattr(sys, "stderr", heard)
            with opened_store(str(path)) as (store, _):
                session = session_in_play(store, time)
                win_session(session)
                won = session.game
                session.begin_new_game(SMALL)
                session.play(Verb.OPEN, 0, 0)
                while session.game.status.over:
                    session.begin_new_game(SMALL)
                    session.play(Verb.OPEN, 0, 0)
                session.close()
        return won, session.game, heard.getvalue()


@pytest.fixture
def existing(path: Path) -> Path:
    Store.open(path).close()
    return path


def test_what_has_no_place_is_taken_in_by_the_next_start(existing: Path, time: ManualTime) -> None:
    won, running, said = leave_a_win(existing, time)
    (file,) = spill_files(existing)
    assert file.parent == existing.parent
    assert str(file) in said
    assert "Still trying to save" in said
    with Store.open(existing) as store:
        (notice,) = store.take_notices()
        assert notice.kind is NoticeKind.KEPT
        assert "could not be saved earlier" in str(notice)
        live = store.resume()
        assert live is not None
        assert live.game == running
        rows = [row for row in store.games(limit=-1) if store.load_game(row.id) == won]
        assert [row.result for row in rows] == ["won"]
    assert spill_files(existing) == []
    with Store.open(existing) as store:
        assert store.take_notices() == ()


def test_the_acts_of_a_running_game_under_a_lock_are_taken_in(existing: Path) -> None:
    store = Store.open(existing)
    live = store.begin(begun())
    with held(existing):
        for row, col in safe_cells(live.game)[:3]:
            with pytest.raises(StoreError):
                live.play(Act(50, Verb.FLAG, row, col))
        store.retry_queue.write_spill_file()
        with pytest.raises(StoreError):
            store.close()
    with Store.open(existing) as store:
        resumed = store.resume()
        assert resumed is not None
        assert (resumed.id, resumed.game) == (live.id, live.game)


def test_a_file_that_was_taken_in_before_changes_nothing(existing: Path, time: ManualTime) -> None:
    leave_a_win(existing, time)
    (file,) = spill_files(existing)
    content = file.read_bytes()
    with Store.open(existing) as store:
        live = store.resume()
        assert live is not None
        win(live.game, 9_000)
        live.record()
        before = store.games(limit=-1)
    file.write_bytes(content)
    with Store.open(existing) as store:
        assert store.games(limit=-1) == before
        assert store.games(status="running") == ()
    assert spill_files(existing) == []


def test_many_programs_that_start_at_once_take_a_game_in_once(
    existing: Path, time: ManualTime
) -> None:
    leave_a_win(existing, time)
    stores: list[Store] = []

    def start() -> None:
        stores.append(Store.open(existing))

    threads = [threading.Thread(target=start) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    with ExitStack() as stack:
        for store in stores:
            stack.enter_context(store)
        assert len(stores) == 6
        resumed = [live for live in (store.resume() for store in stores) if live]
        assert len(resumed) == 1
        assert sum(len(store.take_notices()) for store in stores) == 1
    assert spill_files(existing) == []


@pytest.mark.parametrize("harm", ["cut", "noise", "empty", "folder", "link", "line"])
def test_a_damaged_file_hurts_nobody(
    existing: Path, time: ManualTime, tmp_path: Path, harm: str
) -> None:
    leave_a_win(existing, time)
    (file,) = spill_files(existing)
    content = file.read_bytes()
    file.unlink()
    if harm == "folder":
        file.mkdir()
    elif harm == "link":
        (tmp_path / "linked").write_bytes(content)
        file.symlink_to(tmp_path / "linked")
    else:
        lines = content.splitlines(keepends=True)
        file.write_bytes(
            {
                "cut": content[: len(content) - 200],
                "noise": b"\xff\0\x93" * 4000,
                "empty": b"",
                "line": b"".join([*lines[:1], b'{"game": 7}\n', *lines[1:]]),
            }[harm]
        )
    with Store.open(existing) as store:
        notices = store.take_notices()
        keep_win(store, 4321)
        if harm == "line":
            assert any(row.result == "won" and row.time_ms != 4321 for row in store.games())
    if harm not in ("folder", "link"):
        assert NoticeKind.DAMAGED in {notice.kind for notice in notices}
        assert file.with_name(file.name + ".damaged").exists()
        with Store.open(existing) as store:
            assert store.take_notices() == ()
    else:
        assert file.exists()


def test_a_file_stays_while_another_program_plays_its_game(existing: Path) -> None:
    store = Store.open(existing)
    live = store.begin(begun())
    with held(existing):
        with pytest.raises(StoreError):
            live.play(Act(50, Verb.FLAG, *safe_cells(live.game)[0]))
        store.retry_queue.write_spill_file()
        with pytest.raises(StoreError):
            store.close()
    (file,) = spill_files(existing)
    hidden = file.rename(file.with_suffix(".hidden"))
    with Store.open(existing) as other:
        assert other.resume() is not None
        hidden.rename(file)
        Store.open(existing).close()
        assert spill_files(existing) == [file]
    Store.open(existing).close()
    assert spill_files(existing) == []


def test_without_room_beside_the_database_another_folder_takes_it(
    tmp_path: Path, time: ManualTime, elsewhere: Path
) -> None:
    with small_disk(tmp_path / "disk") as disk:
        path = disk / "demine.db"
        ballast = fill(disk)
        with opened_store(str(path)) as (store, _):
            session = session_in_play(store, time)
            win_session(session)
            won = session.game
        (file,) = spill_files(path)
        assert file.parent == elsewhere
        ballast.unlink()
        with Store.open(path) as store:
            assert any(store.load_game(row.id) == won for row in store.games(limit=-1))
        assert spill_files(path) == []


def test_where_no_place_takes_it_the_player_is_asked(
    tmp_path: Path, time: ManualTime, monkeypatch: pytest.MonkeyPatch
) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("not a folder")
    monkeypatch.setenv("XDG_STATE_HOME", str(blocked))
    monkeypatch.setattr("tempfile.tempdir", str(blocked))
    path = blocked / "demine.db"
    assert len(list(spill_folders(path))) == 3
    with opened_store(str(path)) as (store, _):
        session = session_in_play(store, time)
        win_session(session)
        later = ManualTime()
        parting = UnsavedGamesSaver(store, later)
        assert not parting.done_after_retry()
        later.now += 60
        assert parting.done_after_retry()
        assert parting.failure is not None
        assert "cannot be saved anywhere" in parting.message
        assert not parting.save_to(str(blocked / "deep" / "games.jsonl"))
        assert parting.failure is not None
        assert parting.save_to(str(tmp_path / "games.jsonl"))
        assert not store.retry_queue.has_unsaved_games
    with Store.open(tmp_path / "demine.db") as store:
        assert store.import_(tmp_path / "games.jsonl").games >= 1
        assert "won" in [row.result for row in store.games()]


def test_a_board_only_looked_at_holds_nobody_up(path: Path, time: ManualTime) -> None:
    Store.open(path).close()
    with held(path, "ALONE"), opened_store(str(path)) as (store, _):
        session = GameSession.begin(
            store, StartOptions(), Preferences(rules=str(SMALL)), Clock(time)
        )
        session.save_settings({"theme": "dark"})
        session.close()
        assert not store.retry_queue.has_unsaved_games
    assert spill_files(path) == []
