"""A win that cannot be written at once, in the classic window: kept later, however it is left."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Future
from pathlib import Path

import pygame
import pytest

from demine.classic.app import wait_until_games_saved
from demine.classic.scene import Scene
from demine.classic.window import Window
from demine.logic.event import Verb
from demine.logic.rules import BEGINNER
from demine.play.game_session import GameSession
from demine.scene.preferences import Preferences, StartOptions
from demine.store import Store
from demine.store.database_paths import spill_files
from tests.classic.desk import SECONDS, Table
from tests.store.holding import held, results_of
from tests.store.playing import safe_cells

Sit = Callable[..., Table]


def open_all_but(table: Table, left: int) -> None:
    """Open the safe cells but so many."""
    if not table.game.begun:
        table.open(4, 4)
    while len(safe_cells(table.game)) > left:
        table.open(*safe_cells(table.game)[0])


@pytest.mark.parametrize("how", ["f2 and quit", "quit", "quit under the lock"])
def test_a_win_under_a_lock_is_in_the_records(sit: Sit, data_dir: Path, how: str) -> None:
    table, path = sit(), data_dir / "demine.db"
    open_all_but(table, 1)
    with held(path) as holder:
        open_all_but(table, 0)
        if how == "f2 and quit":
            table.hand.key("f2")
            table.hidden()
        if how != "quit under the lock":
            holder.kill()
            holder.wait()
        table.hand.key("ctrl+q")
        assert table.process.wait(2 * SECONDS) == 0
        assert len(spill_files(path)) == (how == "quit under the lock")
    assert "won" in results_of(path)
    assert spill_files(path) == []


def test_a_start_under_a_lock_ends_in_the_records(sit: Sit, data_dir: Path) -> None:
    path = data_dir / "demine.db"
    Store.open(path).close()
    with held(path, "ALONE") as holder:
        table = sit()
        open_all_but(table, 0)
        holder.kill()
        holder.wait()
        table.hand.key("ctrl+q")
        assert table.process.wait(2 * SECONDS) == 0
    assert results_of(path) == ["won"]
    assert spill_files(path) == []


def test_where_no_place_takes_it_the_window_stays_until_closed_again(
    window: Window, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("not a folder")
    monkeypatch.setenv("XDG_STATE_HOME", str(blocked))
    monkeypatch.setattr("tempfile.tempdir", str(blocked))
    monkeypatch.setattr("demine.play.unsaved_games_at_exit.TRY_FOR_S", 0.2)
    said: list[str] = []
    with Store.open_or_wait(blocked / "demine.db") as store:
        session = GameSession.begin(store, StartOptions(rules=BEGINNER), Preferences())
        session.play(Verb.OPEN, 4, 4)
        scene = Scene(window, session, Preferences(), (800, 600), never)
        show = scene.show_page

        def listen(title: str, rows: Sequence[tuple[str, str]]) -> None:
            said[:] = [text for _, text in rows]
            if len(rows) > 1:  # there is nothing more to be done by itself
                pygame.event.post(pygame.event.Event(pygame.QUIT))
            show(title, rows)

        monkeypatch.setattr(scene, "show_page", listen)
        wait_until_games_saved(window, scene, store, {})
        assert not store.retry_queue.has_unsaved_games
    assert "cannot be saved anywhere" in said[0]
    assert "Close again" in said[-1]


def never(_name: str, /, *_args: object, **_how: object) -> Future[object]:
    """Answer no question."""
    return Future()
