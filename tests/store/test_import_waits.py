"""A long import lets others play, and comes whole or not at all, however it ends."""

from __future__ import annotations

import io
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from demine.game import Game
from demine.logic.event import Act, Verb
from demine.store import Store, StoreError, game_rows, merge_databases
from demine.store.importing import GameToImport
from tests.store.playing import keep_win, opened
from tests.store.processes import environment

KILLED = """
import os, signal, sys
from demine.store import Store, merge_databases
merge_databases._BATCH_S = 0.0
calls = []
def pause(seconds):
    calls.append(seconds)
    if len(calls) == 5:
        os.kill(os.getpid(), signal.SIGKILL)
merge_databases.time.sleep = pause
with Store.open(sys.argv[1]) as store:
    store.import_(sys.argv[2])
"""


@pytest.fixture
def export(tmp_path: Path) -> Path:
    """Twelve games, the last of them still running."""
    path = tmp_path / "export.jsonl"
    with Store.memory() as store:
        store.settings.set("theme", "dark")
        for number in range(11):
            keep_win(store, 1000 + number)
        store.begin(opened())
        with path.open("w") as stream:
            store.export(stream)
    return path


def between(monkeypatch: pytest.MonkeyPatch, do: Callable[[], object]) -> list[float]:
    """Have each game come in a transaction of its own, and something done in each pause."""
    pauses: list[float] = []

    def pause(seconds: float) -> None:
        pauses.append(seconds)
        do()

    monkeypatch.setattr(merge_databases, "_BATCH_S", 0.0)
    monkeypatch.setattr("demine.store.merge_databases.time.sleep", pause)
    return pauses


def test_others_keep_their_acts_in_the_middle_of_an_import(
    tmp_path: Path, export: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "demine.store.self_replacing_database._WRITE_WAIT_S", 0.0
    )  # whoever must wait, fails
    path = tmp_path / "demine.db"
    with Store.open(path) as one, Store.open(path) as two:
        live = two.begin(opened())
        pauses = between(monkeypatch, lambda: live.tick(live.clock_ms + 10))
        assert one.import_(export).games == 12
        assert len(pauses) == 11
        assert two.game_row(live.id).time_ms == 110
        assert len(two.games(limit=-1)) == 11
        assert two.settings.get("theme") == "dark"


def test_every_journal_is_read_before_the_first_is_written(
    tmp_path: Path, export: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "demine.db"
    lines = export.read_text().splitlines()
    lines[-2] = lines[-2].replace('"running"', '"running", "journal": "nonsense"')
    lines[-2] = lines[-2].replace('"journal":"', '"journal":"nonsense')
    pauses = between(monkeypatch, lambda: None)
    with Store.open(path) as store:
        with pytest.raises(StoreError, match="Nothing was imported"):
            store.import_(io.StringIO("\n".join(lines)))
        assert store.games() == ()
    assert pauses == []


def test_an_import_that_fails_in_the_middle_is_taken_back(
    tmp_path: Path, export: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "demine.db"
    with Store.open(path) as store, Store.open(path) as other:
        keep_win(store, 77)
        seen: list[int] = []

        def fail() -> None:
            seen.append(len(other.games(limit=-1)))
            if len(seen) == 6:
                raise StoreError("the disk is full")

        between(monkeypatch, fail)
        with pytest.raises(StoreError, match="the disk is full"):
            store.import_(export)
        assert seen[5] > 1
        assert [row.time_ms for row in store.games()] == [77]
        assert store.games(status="running") == ()
        assert store.settings.all() == {}
        # And once more, to its end.
        monkeypatch.undo()
        assert store.import_(export).games == 12
    with Store.open(path) as store:
        assert len(store.games(limit=-1)) == 12


def test_an_import_that_was_killed_is_taken_back_at_the_next_start(
    tmp_path: Path, export: Path
) -> None:
    path = tmp_path / "demine.db"
    with Store.open(path) as store:
        keep_win(store, 77)
    child = [sys.executable, "-c", KILLED, str(path), str(export)]
    assert subprocess.run(child, env=environment(), check=False).returncode < 0
    with Store.open(path) as store:
        assert [row.time_ms for row in store.games(limit=-1)] == [77]
        assert store.record_of(store.games()[0].rules).games == 1
        assert store.games(status="running") == ()
    assert sorted(each.name for each in tmp_path.iterdir()) == [
        "demine.db", "demine.db.lock", "export.jsonl",
    ]  # fmt: skip


def test_a_killed_import_of_a_database_leaves_no_copy(tmp_path: Path, export: Path) -> None:
    other = tmp_path / "other.db"
    with Store.open(other) as store:
        store.import_(export)
    path = tmp_path / "demine.db"
    script = KILLED.replace(
        "merge_databases.time.sleep = pause",
        "merge_databases.readable_row_numbers = lambda c: os.kill(os.getpid(), 9)",
    )
    child = [sys.executable, "-c", script, str(path), str(other)]
    assert subprocess.run(child, env=environment(), check=False).returncode < 0
    assert [each.name for each in tmp_path.glob("*.copy")]
    Store.open(path).close()
    assert list(tmp_path.glob("*.copy")) == []


def test_what_takes_time_of_a_file_is_done_before_others_must_wait(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "demine.db"
    with Store.memory() as source:
        game = source.load_game(keep_win(source, 900).id)
    with Store.open(path) as one, Store.open(path) as two:
        live = two.begin(Game(opened().rules))
        pack = game_rows.compress_journal

        def playing(text: str) -> bytes:
            live.play(Act(10, Verb.FLAG, 0, 0))
            return pack(text)

        monkeypatch.setattr("demine.store.self_replacing_database._WRITE_WAIT_S", 0.0)
        monkeypatch.setattr(game_rows, "compress_journal", playing)
        taken = one.importer().import_batch([GameToImport(game, "2026-11-21T12:00:00+00:00")])
        assert taken == ["new"]
        assert len(live.game.events) == 1
