"""Opening: new files, files that cannot be used, and what becomes of them."""

from __future__ import annotations

import gc
import os
import re
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from demine.store import NoticeKind, Store, StoreError, default_path, open_database, schema
from demine.store.database_paths import database_files, set_aside_path, set_database_aside
from demine.store.file_lock import FileLock
from tests.store.playing import keep_win, opened
from tests.store.processes import player

ASIDE = re.compile(r"demine\.(damaged|newer|foreign)-\d{8}-\d{6}(-\d+)?\.db")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "records" / "demine.db"


def names(path: Path) -> list[str]:
    return sorted(found.name for found in path.parent.iterdir())


def kept_aside(path: Path) -> list[Path]:
    return [found for found in path.parent.iterdir() if ASIDE.fullmatch(found.name)]


def pragma(path: Path, sql: str) -> object:
    connection = sqlite3.connect(path, isolation_level=None)
    try:
        return connection.execute(sql).fetchone()
    finally:
        connection.close()


def test_the_database_lies_where_the_environment_says(data_dir: Path) -> None:
    with Store.open() as store:
        assert store.path == data_dir / "demine.db" == default_path()
        assert store.take_notices() == ()


def test_without_a_word_it_lies_in_the_platforms_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DEMINE_DATA_DIR", "")
    assert default_path().name == "demine.db"
    assert "demine" in default_path().parent.parts


def test_a_new_database_has_our_mark_and_a_log(path: Path) -> None:
    with Store.open(path):
        assert pragma(path, "PRAGMA application_id") == (schema.APPLICATION_ID,)
        assert pragma(path, "PRAGMA user_version") == (schema.VERSION,)
        assert pragma(path, "PRAGMA journal_mode") == ("wal",)
    assert names(path) == ["demine.db", "demine.db.lock"]


def test_only_a_small_file_is_read_through_at_every_start(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Store.open(path) as store:
        keep_win(store, 900)
    read: list[sqlite3.Connection] = []
    monkeypatch.setattr(open_database, "check_everything", read.append)
    Store.open(path).close()
    assert len(read) == 1
    monkeypatch.setattr(open_database, "FULLY_CHECKED_BYTES", 0)
    Store.open(path).close()
    assert len(read) == 1


@pytest.mark.parametrize("size", [0, 4096])
def test_an_empty_database_is_furnished(path: Path, size: int) -> None:
    path.parent.mkdir()
    if size:
        pragma(path, "PRAGMA journal_mode = WAL")
    else:
        path.touch()
    assert path.stat().st_size == size
    with Store.open(path) as store:
        assert store.take_notices() == ()
        keep_win(store, 900)
    assert pragma(path, "PRAGMA user_version") == (schema.VERSION,)


def test_a_step_that_fails_leaves_the_format_as_it_was(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Store.open(path) as store:
        keep_win(store, 900)
    steps = (*schema.MIGRATIONS, ("ALTER TABLE games ADD COLUMN mood TEXT", "CREATE nonsense"))
    monkeypatch.setattr(schema, "MIGRATIONS", steps)
    monkeypatch.setattr(schema, "VERSION", len(steps))
    with pytest.raises(StoreError, match="nonsense"):
        Store.open(path)
    monkeypatch.setattr(schema, "MIGRATIONS", steps[:-1])
    monkeypatch.setattr(schema, "VERSION", len(steps) - 1)
    with Store.open(path) as store:
        assert len(store.games()) == 1
        assert store.take_notices() == ()


def test_an_older_format_is_brought_up_step_by_step(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Store.open(path) as store:
        keep_win(store, 900)
    steps = (*schema.MIGRATIONS, ("ALTER TABLE games ADD COLUMN mood TEXT",))
    monkeypatch.setattr(schema, "MIGRATIONS", steps)
    monkeypatch.setattr(schema, "VERSION", len(steps))
    with Store.open(path) as store:
        assert [row.time_ms for row in store.games()] == [900]
    assert pragma(path, "PRAGMA user_version") == (len(steps),)


def test_an_upgrade_waits_until_the_older_program_is_gone(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Store.open(path):
        with monkeypatch.context() as patch:
            patch.setattr(schema, "VERSION", schema.VERSION + 1)
            with pytest.raises(StoreError, match="older demine"):
                Store.open(path)
        assert names(path).count("demine.db") == 1


def make_newer(path: Path) -> None:
    """What a program of a later format would leave: one table more, and its own number."""
    pragma(path, "CREATE TABLE moods (num INTEGER PRIMARY KEY, mood TEXT)")
    pragma(path, "PRAGMA user_version = 77")


def beside(path: Path) -> Path:
    return path.with_name("demine.beside.db")


def test_a_newer_database_stays_in_place_and_games_go_beside_it(path: Path) -> None:
    with Store.open(path) as store:
        keep_win(store, 900)
        store.settings.set("theme", "dark")
    make_newer(path)
    before = path.read_bytes()
    for number in (1, 2):
        with Store.open(path) as store:
            (notice,) = store.take_notices()
            assert notice.kind is NoticeKind.NEWER
            assert "77" in str(notice)
            assert str(beside(path)) in str(notice)
            assert store.path == beside(path)
            keep_win(store, 100 * number)
            assert len(store.games()) == number
            with pytest.raises(StoreError, match="newer demine"):
                store.import_(path)
    assert path.read_bytes() == before
    assert kept_aside(path) == []
    # The newer program knows its tables, and takes the games in.
    pragma(path, "DROP TABLE moods")
    pragma(path, f"PRAGMA user_version = {schema.VERSION}")
    with Store.open(path) as store:
        (notice,) = store.take_notices()
        assert notice.kind is NoticeKind.MERGED
        assert notice.set_aside_path is not None
        assert notice.set_aside_path.is_file()
        assert sorted(row.time_ms for row in store.games()) == [100, 200, 900]
        assert store.settings.get("theme") == "dark"
    assert not beside(path).exists()
    with Store.open(path) as store:
        assert store.take_notices() == ()
        assert len(store.games()) == 3


@pytest.mark.parametrize("version", [2, schema.VERSION])
def test_tables_of_an_unknown_format_are_no_damage(path: Path, version: int) -> None:
    with Store.open(path) as store:
        keep_win(store, 900)
    pragma(path, "ALTER TABLE games ADD COLUMN mood TEXT")
    pragma(path, f"PRAGMA user_version = {version}")
    before = path.read_bytes()
    with Store.open(path) as store:
        (notice,) = store.take_notices()
        assert notice.kind is NoticeKind.NEWER
        keep_win(store, 77)
    assert path.read_bytes() == before


def test_games_beside_are_taken_in_when_nobody_plays_there(path: Path) -> None:
    with Store.open(path):
        pass
    with Store.open(beside(path)) as older:
        live = older.begin(opened())
        with Store.open(path) as store:
            assert store.take_notices() == ()
        live.tick(20)
    with Store.open(path) as store:
        assert [notice.kind for notice in store.take_notices()] == [NoticeKind.MERGED]
        found = store.resume()
        assert found is not None
        assert found.id == live.id


def test_a_newer_database_in_use_is_left_alone(path: Path) -> None:
    with Store.open(path) as newer:
        newer.begin(opened())
        make_newer(path)
        with Store.open(path) as store:
            assert store.path == beside(path)
        assert kept_aside(path) == []
        newer.settings.set("still", "there")
        assert newer.settings.get("still") == "there"


def test_another_programs_database_is_kept_aside(path: Path) -> None:
    path.parent.mkdir()
    pragma(path, "CREATE TABLE bookmarks (url TEXT)")
    with Store.open(path) as store:
        (notice,) = store.take_notices()
        assert notice.kind is NoticeKind.FOREIGN
        assert notice.set_aside_path is not None
        assert pragma(notice.set_aside_path, "SELECT count(*) FROM bookmarks") == (0,)


@pytest.mark.parametrize("content", [b"\0" * 5000, b"hello", os.urandom(20000)])
def test_what_is_no_database_is_kept_aside_byte_by_byte(path: Path, content: bytes) -> None:
    path.parent.mkdir()
    path.write_bytes(content)
    with Store.open(path) as store:
        (notice,) = store.take_notices()
        assert notice.kind in (NoticeKind.DAMAGED, NoticeKind.FOREIGN)
        assert notice.set_aside_path is not None
        assert notice.set_aside_path.read_bytes() == content
        keep_win(store, 900)
    with Store.open(path) as store:
        assert store.take_notices() == ()
        assert len(store.games()) == 1


def test_a_folder_in_the_players_place_is_kept_aside(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DEMINE_DATA_DIR", str(tmp_path))
    (tmp_path / "demine.db").mkdir()
    (tmp_path / "demine.db" / "letter").write_text("dear diary")
    with Store.open() as store:
        (notice,) = store.take_notices()
        assert notice.set_aside_path is not None
        assert (notice.set_aside_path / "letter").read_text() == "dear diary"


@pytest.mark.parametrize("reading", [False, True])
def test_another_folder_is_refused_and_stays_as_it_is(tmp_path: Path, reading: bool) -> None:
    (tmp_path / "letter").write_text("dear diary")
    with pytest.raises(StoreError, match="it is a folder"):
        Store.open(tmp_path, reading=reading)
    assert [each.name for each in tmp_path.iterdir()] == ["letter"]


def test_missing_tables_are_damage_and_the_rest_is_carried_over(path: Path) -> None:
    with Store.open(path) as store:
        keep_win(store, 900)
        store.settings.set("theme", "dark")
    pragma(path, "DROP TABLE settings")
    with Store.open(path) as store:
        (notice,) = store.take_notices()
        assert notice.kind is NoticeKind.DAMAGED
        assert "1 games and 0 settings" in str(notice)
        assert [row.time_ms for row in store.games()] == [900]


def test_names_of_what_is_kept_are_never_used_twice(path: Path) -> None:
    kept = set()
    for number in range(4):
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(b"damage %d" % number)
        with Store.open(path) as store:
            (notice,) = store.take_notices()
            assert notice.set_aside_path is not None
            kept.add(notice.set_aside_path)
    assert sorted(found.read_bytes() for found in kept) == [b"damage %d" % n for n in range(4)]


def test_the_log_moves_with_the_database_or_nothing_moves(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path.parent.mkdir()
    for member in database_files(path):
        member.write_text(member.name)
    kept = set_database_aside(path, "damaged")
    assert [member.read_text() for member in database_files(kept)] == [
        m.name for m in database_files(path)
    ]
    for old, new in zip(database_files(kept), database_files(path), strict=True):
        old.rename(new)
    rename = Path.rename

    def refuse(old: Path, new: Path) -> Path:
        if old == path:
            raise PermissionError("in use")
        return rename(old, new)

    monkeypatch.setattr(Path, "rename", refuse)
    with pytest.raises(PermissionError):
        set_database_aside(path, "damaged")
    assert [member.read_text() for member in database_files(path)] == [
        m.name for m in database_files(path)
    ]


def test_a_refused_renaming_is_an_error_and_changes_nothing(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path.parent.mkdir()
    path.write_bytes(b"damaged")

    def refuse(old: Path, new: Path) -> Path:
        raise PermissionError(13, "another program uses it")

    monkeypatch.setattr(Path, "rename", refuse)
    with pytest.raises(StoreError, match="access is denied"):
        Store.open(path)
    assert path.read_bytes() == b"damaged"
    assert set_aside_path(path, "damaged").name.startswith("demine.damaged-")


def test_a_file_in_place_of_the_folder_is_an_error(path: Path) -> None:
    path.parent.write_text("no folder")
    with pytest.raises(StoreError) as caught:
        Store.open(path)
    assert caught.value.params["path"] == path
    assert caught.value.params["reason"]


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="this user may write everywhere")
def test_a_read_only_folder_is_an_error(path: Path) -> None:
    path.parent.mkdir()
    path.parent.chmod(0o500)
    with pytest.raises(StoreError, match="cannot be saved"):
        Store.open(path)


def test_a_folder_in_place_of_the_lock_is_an_error(path: Path) -> None:
    (path.parent / "demine.db.lock").mkdir(parents=True)
    with pytest.raises(StoreError, match="cannot be saved"):
        Store.open(path)


def test_a_lock_file_full_of_litter_is_swept_away(path: Path) -> None:
    path.parent.mkdir()
    (path.parent / "demine.db.lock").write_bytes(os.urandom(9000))
    (path.parent / "demine.db.0123456789abcdef.lock").write_bytes(b"litter" * 999)
    with Store.open(path) as store:
        assert store.resume() is None
    assert names(path) == ["demine.db", "demine.db.lock"]


def test_a_locked_door_is_an_error_after_a_while(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("demine.store.self_replacing_database._OPEN_WAIT_S", 0.05)
    path.parent.mkdir()
    lock = FileLock.acquire(path.with_name("demine.db.lock"), 0)
    with pytest.raises(StoreError, match="another window"):
        Store.open(path)
    lock.release()
    Store.open(path).close()


def test_a_lock_ends_with_the_process_that_holds_it(path: Path) -> None:
    with player(path, 1, "hold") as child:
        child.line()
        said = child.line()
        (file,) = (name for name in path.parent.glob("demine.db.*.lock"))
        assert FileLock.try_acquire(file) is None
        with Store.open(path) as store:
            assert store.resume() is None
            child.kill()
            live = store.resume()
            assert live is not None
            assert live.id == said["id"]
            assert not file.exists()


def test_two_programs_that_find_the_damage_together_keep_one_file(path: Path) -> None:
    for round_ in range(3):
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(b"no database %d" % round_)
        before = len(kept_aside(path))
        with player(path, 1, "40") as one, player(path, 2, "40") as two:
            said = [one.rest(), two.rest()]
            assert (one.end(), two.end()) == (0, 0)
        assert sum(len(lines[0]["notices"]) for lines in said) == 1
        assert len(kept_aside(path)) == before + 1
        with Store.open(path) as store:
            for lines in said:
                assert store.game_row(lines[-1]["id"]).rules
        path.unlink()


def test_a_closed_store_says_so(path: Path) -> None:
    store = Store.open(path)
    store.close()
    store.close()
    with pytest.raises(StoreError, match="closed"):
        store.games()


def test_a_store_in_memory_does_everything_and_leaves_nothing(tmp_path: Path) -> None:
    with Store.memory() as store:
        assert store.path is None
        keep_win(store, 900)
        live = store.begin(opened())
        assert store.resume() is None
        live.abandon(10)
        assert [row.status for row in store.games()] == ["resigned", "won"]
    assert list(tmp_path.iterdir()) == []


def test_a_store_that_nobody_closed_is_told_of() -> None:
    def forget() -> None:
        Store.memory()
        gc.collect()

    with pytest.warns(ResourceWarning, match="unclosed database"):
        forget()


@pytest.mark.parametrize("arguments", [(), ("games.db",)])
def test_the_class_itself_names_what_makes_a_store(arguments: tuple[str, ...]) -> None:
    with pytest.raises(StoreError, match=r"Store\.open\(\), Store\.open\(path\) or Store\.memory"):
        Store(*arguments)  # type: ignore[arg-type]


PNG = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + b"\0" * 40


@pytest.mark.parametrize("way", [Store.open, Store.open_or_wait])
@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("letter.txt", b"Dear diary,\n"),
        ("photo.png", PNG),
        ("zeroes.bin", b"\0" * 5000),
        ("short", b"x"),
        ("cut.db", b"SQLite format 3\0"),
    ],
)
def test_a_file_of_somebody_else_stays_as_it_is(
    tmp_path: Path, name: str, content: bytes, way: Callable[[Path], Store]
) -> None:
    """Where a program or a link led to it; in the player's own place it has to make way."""
    (tmp_path / name).write_bytes(content)
    (tmp_path / "link").symlink_to(name)
    before = names(tmp_path / name)
    for given in (name, "link"):
        with pytest.raises(StoreError, match="is no database of demine's, so it stays as it is"):
            way(tmp_path / given)
    assert names(tmp_path / name) == before
    assert (tmp_path / name).read_bytes() == content


def test_another_programs_database_elsewhere_stays_as_it_is(tmp_path: Path) -> None:
    other = tmp_path / "places.sqlite"
    pragma(other, "CREATE TABLE bookmarks (url TEXT)")
    before = other.read_bytes()
    with pytest.raises(StoreError, match="no database of demine's"):
        Store.open(other)
    assert other.read_bytes() == before
    assert names(other) == ["places.sqlite"]


def test_special_files_elsewhere_stay_as_they_are(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "locked.txt").write_text("secret")
    (tmp_path / "locked.txt").chmod(0o444)
    (tmp_path / "folder").mkdir()
    before = names(tmp_path / "pipe")
    for name in ("pipe", "locked.txt", "folder"):
        with pytest.raises(StoreError):
            Store.open(tmp_path / name)
    assert names(tmp_path / "pipe") == before


@pytest.mark.parametrize("noise", [100, 16, 68])
def test_a_damaged_database_of_demine_elsewhere_is_still_saved(tmp_path: Path, noise: int) -> None:
    """Its tables say whose it is, though its header is noise."""
    path = tmp_path / "club.sqlite"
    with Store.open(path) as store:
        keep_win(store, 900)
    data = path.read_bytes()
    path.write_bytes(b"\xa5" * noise + data[noise:])
    with Store.open(path) as store:
        (notice,) = store.take_notices()
        assert notice.kind is NoticeKind.DAMAGED
        assert [row.time_ms for row in store.games()] == [900]


def test_an_empty_file_elsewhere_becomes_a_database(tmp_path: Path) -> None:
    (tmp_path / "new.db").touch()
    with Store.open(tmp_path / "new.db") as store:
        keep_win(store, 900)
        with Store.open(tmp_path / "new.db") as other:
            assert len(other.games()) == 1
        assert store.take_notices() == ()
