"""Two windows at once: a game each, and one database however often it moves."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from demine.logic.event import Lay
from demine.store import NoticeKind, Store
from demine.store.database_paths import database_files
from tests.store.playing import digest, opened
from tests.store.processes import player


def test_two_windows_play_two_games_at_once(path: Path) -> None:
    with player(path, 1, "150") as one, player(path, 2, "150") as two:
        said = [one.rest(), two.rest()]
        assert (one.end(), two.end()) == (0, 0)
    # The window that closes later may resume what the other left.
    last: dict[str, dict[str, Any]] = {}
    for line in [*said[0][1:], *said[1][1:]]:
        last[line["id"]] = max(line, last.get(line["id"], line), key=lambda known: known["count"])
    assert len(last) >= 2
    with Store.open(path) as store:
        for game_id, line in last.items():
            events = store.load_game(game_id).events
            assert sum(not isinstance(event, Lay) for event in events) == line["count"]
            assert digest(events, line["count"]) == line["digest"]


def test_a_third_window_resumes_nothing_that_is_held(path: Path) -> None:
    with player(path, 1, "hold") as one, player(path, 2, "hold") as two:
        held = set()
        for child in (one, two):
            child.line()
            held.add(child.line()["id"])
        assert len(held) == 2
        with Store.open(path) as third:
            assert third.resume() is None
            one.kill()
            two.kill()
            assert {live.id for live in (third.resume(), third.resume()) if live} == held


def test_a_window_whose_database_was_set_aside_follows_into_the_new_one(path: Path) -> None:
    with Store.open(path) as one:
        live = one.begin(opened())
        kept = path.with_name("kept.db")
        for old, new in zip(database_files(path), database_files(kept), strict=True):
            if old.exists():
                old.rename(new)
        with Store.open(path) as two:
            # While the first may still close "its" log by name, the second keeps none.
            mode = two._database.read(lambda c: c.execute("PRAGMA journal_mode").fetchone())
            assert mode == ("delete",)
            other = two.begin(opened())
            live.tick(99)
            assert [notice.kind for notice in one.take_notices()] == [NoticeKind.REPLACED]
            assert {row.id for row in two.games(status="running")} == {live.id, other.id}
    with Store.open(path) as store:
        assert len(store.games(status="running")) == 2
        mode = store._database.read(lambda c: c.execute("PRAGMA journal_mode").fetchone())
        assert mode == ("wal",)
