"""What a damaged store still has comes over, page by page, however often that is cut off."""

from __future__ import annotations

import random
import shutil
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from demine.store import GameRow, NoticeKind, Store, StoreNotice, schema
from demine.store.database_paths import database_files, set_aside_files
from tests.store.older import make_older
from tests.store.playing import SMALL, hit, keep_win, opened, win
from tests.store.processes import environment

GAMES = 150
OPEN = "import sys; from demine.store import Store; Store.open(sys.argv[1]).close()"


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A closed store with many wins and losses, settings, and one game unfinished."""
    path = tmp_path_factory.mktemp("sound") / "demine.db"
    with Store.open(path) as store:
        store.settings.update({"theme": "dark", "zoom": 2})
        for number in range(GAMES):
            live = store.begin(opened())
            (hit if number % 5 == 0 else win)(live.game, 1000 + number)
            live.record()
        store.begin(opened())
    return path


@pytest.fixture
def copy(sound: Path, tmp_path: Path) -> Path:
    path = tmp_path / "demine.db"
    shutil.copyfile(sound, path)
    return path


def rows_of(store: Store) -> dict[str, GameRow]:
    found = [*store.games(limit=-1), *store.games(status="running", limit=-1)]
    return {row.id: row for row in found}


def rows_at(path: Path) -> dict[str, GameRow]:
    with Store.open(path) as store:
        return rows_of(store)


def only(store: Store) -> StoreNotice:
    (notice,) = store.take_notices()
    assert notice.kind is NoticeKind.DAMAGED
    return notice


@pytest.mark.parametrize("share", [0.3, 0.5, 0.7, 0.9, 0.99])
def test_a_cut_store_gives_what_it_has_and_says_how_much(
    sound: Path, copy: Path, share: float
) -> None:
    before = rows_at(sound)
    Store.open(empty := copy.with_name("empty.db")).close()
    content, furniture = copy.read_bytes(), empty.stat().st_size
    # A share of what the games take: every table has a page in front of them.
    copy.write_bytes(content[: furniture + int((len(content) - furniture) * share)])
    with Store.open(copy) as store:
        notice = only(store)
        after = rows_of(store)
        unlike = {each: row for each, row in after.items() if row != before[each]}
        assert len(unlike) <= int(str(notice.params["changed"]))
        for each, row in unlike.items():  # rebuilt from a journal, which holds no dates
            dates = {name: getattr(row, name) for name in ("began_at", "seen_at", "finished_at")}
            assert replace(before[each], **dates) == row
        assert len(after) == notice.params["games"]
        # The game that still runs is in no count.
        there = len(after) + int(str(notice.params["missing"]))
        assert there in (len(before), len(before) - 1) if share >= 0.5 else there <= len(before)
        unreadable = 0
        for row in store.games(limit=-1):
            try:
                store.load_game(row.id)
            except Exception:  # noqa: BLE001 (its own journal is lost)
                unreadable += 1
        assert unreadable <= int(str(notice.params["changed"]))
        # Of what lay in front of the cut, hardly anything is lost.
        assert share < 0.5 or len(after) > (share - 0.2) * len(before)


def test_no_bit_of_the_header_locks_the_player_out(sound: Path, copy: Path) -> None:
    before = rows_at(sound)
    content = sound.read_bytes()
    rng = random.Random(4)
    for place in range(100):
        damaged = bytearray(content)
        damaged[place] ^= 1 << rng.randrange(8)
        if place % 3 == 0:
            damaged[place] = rng.randrange(256)
        copy.write_bytes(damaged)
        with Store.open(copy) as store:
            assert rows_of(store) == before, f"byte {place}"
            for notice in store.take_notices():
                assert notice.set_aside_path is not None
                assert notice.set_aside_path.read_bytes() == damaged
        for each in copy.parent.glob("demine.*"):
            each.unlink()


def test_trees_and_pages_may_be_broken_in_any_way(sound: Path, copy: Path) -> None:
    before = rows_at(sound)
    content = sound.read_bytes()
    rng = random.Random(11)
    for _ in range(60):
        damaged = bytearray(content)
        for _ in range(rng.choice((1, 2, 40))):
            damaged[rng.randrange(len(damaged))] ^= 1 << rng.randrange(8)
        copy.write_bytes(damaged)
        with Store.open(copy) as store:
            after = rows_of(store)
            told = store.take_notices()
            changed = sum(int(str(each.params.get("changed", 0))) for each in told)
            assert sum(before.get(each) != row for each, row in after.items()) <= changed
            assert told or after == before
        for each in copy.parent.glob("demine.*"):
            each.unlink()


def large(path: Path) -> dict[str, GameRow]:
    """A store that is not read through at every start."""
    with Store.open(path) as store:
        for number in range(400):
            keep_win(store, 1000 + number)
        before = rows_of(store)
    assert path.stat().st_size > 256 * 1024
    return before


def test_a_changed_game_in_a_large_store_is_never_shown(tmp_path: Path) -> None:
    path = tmp_path / "demine.db"
    before = large(path)
    victim = next(iter(before.values()))
    content = path.read_bytes()
    at = content.index(f"{victim.id}{victim.rules}".encode()) + len(victim.id)
    # Every place of it: the row and all indexes say the same wrong thing.
    path.write_bytes(content[:at] + b"6x5/9" + content[at + 5 :])
    with Store.open(path) as store:
        assert store.take_notices() == ()
        record = store.record_of(SMALL)
        assert record.games == len(before)
        assert rows_of(store) == before
        notice = only(store)
        # Its journal tells it as it was.
        assert (notice.params["missing"], notice.params["changed"]) == (0, 0)


def test_a_game_that_is_gone_from_a_large_store_is_missed(tmp_path: Path) -> None:
    path = tmp_path / "demine.db"
    before = large(path)
    connection = sqlite3.connect(path)
    connection.execute("DROP TRIGGER games_go")
    connection.execute("DELETE FROM games WHERE num = 7")
    trigger = next(sql for sql in schema.MIGRATIONS[3] if "games_go" in sql)
    connection.execute(trigger)
    connection.commit()
    connection.close()
    with Store.open(path) as store:
        assert len(store.games(limit=-1)) == len(before) - 1
        assert only(store).params["missing"] == 1


@pytest.mark.parametrize("number", [1, 2, 3])
def test_older_formats_are_read_for_ever_damaged_or_not(copy: Path, number: int) -> None:
    with Store.open(copy) as store:
        before = rows_of(store)
    make_older(copy, number)
    content = copy.read_bytes()
    with Store.open(copy) as store:
        assert store.take_notices() == ()
        assert rows_of(store) == before
    for each in copy.parent.glob("demine.*"):
        each.unlink()
    # Cut through the middle, and its number damaged.
    damaged = bytearray(content[: len(content) * 9 // 10])
    damaged[63] ^= 1
    copy.write_bytes(damaged)
    with Store.open(copy) as store:
        only(store)
        after = rows_of(store)
        assert len(after) > len(before) // 2
        assert set(after.items()) <= set(before.items())


# Killed


def killed_while(path: Path, pause: Callable[[], object]) -> bool:
    """Start a program on a store and kill it; return whether it was still at work."""
    child = subprocess.Popen([sys.executable, "-c", OPEN, str(path)], env=environment())
    pause()
    working = child.poll() is None
    child.kill()
    child.wait()
    return working


def wait_for(seen: Callable[[], object], rng: random.Random, most: float) -> None:
    for _ in range(2000):
        if seen():
            break
        time.sleep(0.002)
    time.sleep(rng.uniform(0, most))


def test_a_kill_in_a_salvage_forgets_nothing(sound: Path, copy: Path) -> None:
    before = rows_at(sound)
    rng = random.Random(8)
    damaged = bytearray(sound.read_bytes())
    damaged[63] ^= 1
    working = 0
    for _ in range(12):
        copy.write_bytes(damaged)
        working += killed_while(
            copy, lambda: wait_for(lambda: set_aside_files(copy, "damaged"), rng, 0.06)
        )
        with Store.open(copy) as store:
            store.take_notices()
            assert rows_of(store) == before
        with Store.open(copy) as store:
            assert store.take_notices() == ()
            assert rows_of(store) == before
        kept = set_aside_files(copy, "damaged")
        assert [each.read_bytes() for each in kept] == [bytes(damaged)]
        left = {each.name for each in copy.parent.iterdir()} - {each.name for each in kept}
        assert left == {"demine.db", "demine.db.lock"}
        for each in copy.parent.glob("demine.*"):
            each.unlink()
    assert working


def test_a_kill_in_a_migration_leaves_the_older_format_or_the_new_one(
    sound: Path, copy: Path
) -> None:
    before = rows_at(sound)
    make_older(copy, 3)
    older = copy.read_bytes()
    rng = random.Random(9)
    for _ in range(8):
        copy.write_bytes(older)
        killed_while(
            copy, lambda: wait_for(lambda: len(list(copy.parent.glob("*.*.lock"))) > 1, rng, 0.03)
        )
        with Store.open(copy) as store:
            assert store.take_notices() == ()
            assert rows_of(store) == before
        for each in copy.parent.glob("demine.*"):
            each.unlink()


def test_a_file_that_was_set_aside_and_never_salvaged_is_salvaged_once(
    sound: Path, copy: Path
) -> None:
    before = rows_at(sound)
    kept = copy.with_name("demine.damaged-20260101-000000.db")
    copy.rename(kept)
    with Store.open(copy) as store:
        assert only(store).set_aside_path == kept
        assert rows_of(store) == before
        (live,) = filter(None, [store.resume()])
        live.abandon(70)
        after = rows_of(store)
    with Store.open(copy) as store:
        assert store.take_notices() == ()
        assert rows_of(store) == after


def test_a_renaming_that_was_cut_off_is_finished(copy: Path) -> None:
    with Store.open(copy) as store:
        live = store.begin(opened())
        for each in database_files(copy):
            if each.exists():
                shutil.copyfile(each, each.with_name(f"late{each.name.removeprefix('demine')}"))
    late = copy.with_name("late.db")
    log = late.with_name("late.db-wal")
    assert log.stat().st_size
    # The log was moved, then came the kill: without it the database lacks its last acts.
    log.rename(late.with_name("late.damaged-20260101-000000.db-wal"))
    with Store.open(late) as store:
        only(store)
        assert store.game_row(live.id).status == "running"


@pytest.fixture(autouse=True)
def owner_only(tmp_path: Path) -> Iterator[None]:
    """No copy is left in a folder after any of this."""
    yield
    assert not list(tmp_path.glob("*.copy"))
