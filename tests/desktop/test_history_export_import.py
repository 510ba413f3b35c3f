"""Folders of games: out and in again, other programs' formats, what is bad, what is known."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from demine.desktop.history_export_import import Report, export_games, import_games
from demine.game import Game
from demine.logic.event import Act, Verb
from demine.logic.rules import BEGINNER
from demine.replay.errors import ReplayError
from demine.replay.load_save import save
from demine.replay.read_write_folder import LIST_FILE
from demine.replay.registry import writable_game_format_names
from demine.store import Store, StoreError
from tests.samples import needed
from tests.samples import path as sample
from tests.store.playing import hit, keep_win, opened, win


@pytest.fixture
def store() -> Iterator[Store]:
    """Two wins, a loss, and a game of a chosen seed."""
    with Store.memory() as store:
        keep_win(store, 2_500)
        keep_win(store, 1_234)
        for origin in ("fresh", "seed"):
            live = store.begin(opened(origin=origin))
            hit(live.game, 900)
            live.record()
        yield store


def ids(store: Store) -> list[str]:
    return [row.id for row in store.games(limit=-1)]


def told(report: Report) -> tuple[int, int, int]:
    return report.done, report.known, len(report.bad)


def test_an_export_of_ones_own_comes_back_as_it_was(store: Store, tmp_path: Path) -> None:
    report = export_games(store, ids(store), tmp_path / "out", "journal")
    assert told(report) == (4, 0, 0)
    assert not report.lost
    with Store.memory() as other:
        assert told(import_games(other, tmp_path / "out")) == (4, 0, 0)
        assert other.games(limit=-1) == store.games(limit=-1)
        assert other.records() == store.records()
        assert told(import_games(other, tmp_path / "out")) == (0, 4, 0)
    assert told(import_games(store, tmp_path / "out")) == (0, 4, 0)


def test_journals_without_the_list_or_changed_are_somebody_elses(
    store: Store, tmp_path: Path
) -> None:
    target = tmp_path / "out"
    export_games(store, ids(store), target, "journal")
    changed, *_ = sorted(target.glob("*won*"))
    changed.write_text(changed.read_text() + "\n")
    with Store.memory() as other:
        import_games(other, target)
        assert sorted(row.unranked for row in other.games()) == ["", "", "imported", "seed"]
    (target / LIST_FILE).unlink()
    with Store.memory() as other:
        assert told(import_games(other, target)) == (4, 0, 0)
        assert {row.unranked for row in other.games()} == {"imported"}
        assert other.records() == ()
        assert other.load_game(other.games()[0].id).origin in ("fresh", "seed")
    # What was played here is known by its events, whatever the list says.
    assert told(import_games(store, target)) == (0, 4, 0)


def test_imported_games_stay_imported_through_every_export(store: Store, tmp_path: Path) -> None:
    export_games(store, ids(store), tmp_path / "one", "journal")
    (tmp_path / "one" / LIST_FILE).unlink()
    with Store.memory() as other, Store.memory() as third:
        import_games(other, tmp_path / "one")
        export_games(other, ids(other), tmp_path / "two", "journal")
        import_games(third, tmp_path / "two")
        assert {row.unranked for row in third.games()} == {"imported"}
        with (tmp_path / "all.jsonl").open("w+", encoding="utf-8") as stream:
            other.export(stream)
            stream.seek(0)
            with Store.memory() as fourth:
                fourth.import_(stream)
                assert {row.unranked for row in fourth.games()} == {"imported"}
                assert fourth.records() == ()


@pytest.mark.parametrize("form", writable_game_format_names())
def test_every_format_goes_out_and_comes_in_once(store: Store, tmp_path: Path, form: str) -> None:
    report = export_games(store, ids(store), tmp_path, form)
    assert report.done + len(report.bad) == 4
    assert report.done
    with Store.memory() as other:
        assert import_games(other, tmp_path).done == report.done
        found = sorted((row.rules.split()[0], row.status, row.acts) for row in other.games())
        assert set(found) <= {(row.rules.split()[0], row.status, row.acts) for row in store.games()}
        assert told(import_games(other, tmp_path)) == (0, report.done, 0)


def test_what_a_format_does_not_hold_is_told(tmp_path: Path) -> None:
    with Store.memory() as store:
        live = store.begin(opened())
        live.game.play(Act(50, Verb.RESIGN))
        live.record()
        (lost,) = export_games(store, ids(store), tmp_path, "rawvf").lost
        assert "given up" in str(lost.lost[0])


def test_bad_files_are_listed_and_the_rest_comes(store: Store, tmp_path: Path) -> None:
    (tmp_path / "deep").mkdir()
    export_games(store, ids(store)[:1], tmp_path / "deep", "journal")
    (tmp_path / "noise.avf").write_bytes(b"\x00\x01noise")
    (tmp_path / "empty").touch()
    unfinished = opened()
    save(unfinished, tmp_path / "going-on.jsonl")
    save(unfinished, tmp_path / "board.mbf")
    (tmp_path / LIST_FILE).write_text("[nonsense")
    with Store.memory() as other:
        report = import_games(other, tmp_path)
        assert told(report) == (1, 0, 4)
        names = {Path(bad.name).name for bad in report.bad}
        assert names == {"noise.avf", "empty", "going-on.jsonl", "board.mbf"}
        assert other.resume() is None


def test_a_stop_keeps_what_was_read(store: Store, tmp_path: Path) -> None:
    export_games(store, ids(store), tmp_path, "journal")
    seen: list[tuple[int, int]] = []
    with Store.memory() as other:
        report = import_games(
            other, tmp_path, lambda done, count: seen.append((done, count)), lambda: len(seen) > 1
        )
        assert report.stopped
        assert told(report) == (2, 0, 0)
        assert seen == [(1, 4), (2, 4)]
    report = export_games(store, ids(store), tmp_path / "x", "journal", should_stop=lambda: True)
    assert report.stopped
    assert report.done == 0


def test_a_second_export_writes_nothing_over(store: Store, tmp_path: Path) -> None:
    export_games(store, ids(store), tmp_path, "journal")
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    export_games(store, ids(store), tmp_path, "journal")
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before
    first = min(path for path in tmp_path.iterdir() if path.name != LIST_FILE)
    first.write_bytes(b"mine")
    export_games(store, ids(store), tmp_path, "journal")
    assert first.read_bytes() == b"mine"
    assert len(list(tmp_path.iterdir())) == len(before) + 1


def test_a_folder_that_is_none_is_an_error(store: Store, tmp_path: Path) -> None:
    with pytest.raises(ReplayError, match="no such file or folder"):
        import_games(store, tmp_path / "nowhere")
    (tmp_path / "file").touch()
    with pytest.raises(ReplayError):
        export_games(store, ids(store), tmp_path / "file", "journal")


def test_a_batch_that_the_store_refuses_is_listed(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    export_games(store, ids(store), tmp_path, "journal")
    with Store.memory() as other:

        def full(*_: object, **__: object) -> int:
            raise StoreError("no room")

        monkeypatch.setattr("demine.store.importing.game_rows.write_game", full)
        assert told(import_games(other, tmp_path)) == (0, 0, 4)
        assert other.games() == ()


def test_dates_come_from_the_file_itself(tmp_path: Path) -> None:
    game = Game.from_journal(opened().journal())
    facts = {"ended": "2019-05-06T07:08:09+00:00", "player": "A"}
    dated = Game(game.rules, game.seed, origin="share", facts=facts)
    for event in game.events:
        getattr(dated, {"Lay": "lay", "Act": "play"}[type(event).__name__])(event)
    win(dated, 3000)
    save(dated, tmp_path / "old.jsonl")
    with Store.memory() as store:
        import_games(store, tmp_path)
        (row,) = store.games()
        assert row.finished_at == "2019-05-06T07:08:09.000000Z"
        assert store.load_game(row.id).facts["player"] == "A"
        assert str(BEGINNER) != row.rules


@needed
def test_replays_of_other_programs_come_in(tmp_path: Path) -> None:
    folder = sample("manifest.json").parent
    for kind in ("avf", "evf", "rmv", "mvf"):
        first = min((folder / kind).rglob(f"*.{kind}"), key=lambda path: path.stat().st_size)
        shutil.copy(first, tmp_path)
    with Store.memory() as store:
        report = import_games(store, tmp_path)
        assert report.done + len(report.bad) == 4
        assert report.done >= 2
        assert {row.unranked for row in store.games()} == {"imported"}
        assert store.compute_missing_statistics() == report.done
        assert all(row.bv for row in store.games())
