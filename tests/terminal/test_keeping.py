"""A win that cannot be written at once, in the terminal: kept later, however it is left."""

from __future__ import annotations

from pathlib import Path

import pytest

from demine.game import Game
from demine.logic.event import Verb
from demine.logic.rules import BEGINNER
from demine.store import Store
from demine.store.database_paths import spill_files
from tests.store.holding import held, results_of
from tests.store.playing import safe_cells
from tests.terminal.conftest import Sit
from tests.terminal.teletype import LEFT, Teletype

SEEDED = ("beginner", "--seed", "7")


def open_all_but(table: Teletype, left: int) -> None:
    """Open the safe cells but so many."""
    game = table.game
    assert game is not None
    while not game.begun or len(safe_cells(game)) > left:
        row, col = safe_cells(game)[0] if game.begun else (4, 4)
        table.click(LEFT, table.spot(row, col))
        table.play(Verb.OPEN, row, col)
        table.expect()


@pytest.mark.parametrize("how", ["f2 and quit", "quit", "quit under the lock"])
def test_a_win_under_a_lock_is_in_the_records(sit: Sit, data_dir: Path, how: str) -> None:
    table, path = sit(*SEEDED, game=Game(BEGINNER, 7)), data_dir / "demine.db"
    table.expect()
    open_all_but(table, 1)
    with held(path) as holder:
        open_all_but(table, 0)
        if how == "f2 and quit":
            table.keys("f2")
            table.game = Game(BEGINNER, 7)
            table.expect()
        if how != "quit under the lock":
            holder.kill()
            holder.wait()
        assert table.leave() == 0
        assert len(spill_files(path)) == (how == "quit under the lock")
        if how == "quit under the lock":
            assert b"Still trying to save" in table.raw
            assert b"demine adds them at its next start" in table.raw.replace(b"\r\n", b" ")
    assert "won" in results_of(path)
    assert spill_files(path) == []


def test_a_start_under_a_lock_ends_in_the_records(sit: Sit, data_dir: Path) -> None:
    path = data_dir / "demine.db"
    Store.open(path).close()
    with held(path, "ALONE") as holder:
        table = sit(*SEEDED, game=Game(BEGINNER, 7))
        table.expect()
        table.wait_text("Games cannot be saved")
        open_all_but(table, 0)
        holder.kill()
        holder.wait()
        assert table.leave() == 0
    assert results_of(path) == ["won"]
    assert spill_files(path) == []
