"""Whose the files are, what else may lie in their place, and where nothing can be written."""

from __future__ import annotations

import os
import shutil
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from demine.store import NoticeKind, Store, StoreError
from demine.store.quick_look import saved_language
from tests.store.playing import keep_win, opened
from tests.store.processes import environment

POSIX = pytest.mark.skipif(os.name == "nt", reason="files have no such modes here")
NO_LOCKS = """
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
static int refuse(int command) { return command == F_SETLK || command == F_SETLKW; }
#define WRAP(name) int name(int fd, int command, ...) { \\
    va_list rest; va_start(rest, command); void *given = va_arg(rest, void *); va_end(rest); \\
    if (refuse(command)) { errno = ENOLCK; return -1; } \\
    int (*real)(int, int, ...) = dlsym(RTLD_NEXT, #name); \\
    return real(fd, command, given); }
WRAP(fcntl)
WRAP(fcntl64)
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "house" / "records" / "demine.db"


def modes(folder: Path) -> set[int]:
    return {stat.S_IMODE(each.stat().st_mode) for each in folder.iterdir()}


@POSIX
def test_all_files_are_their_owners_alone(path: Path) -> None:
    before = os.umask(0)
    try:
        with Store.open(path) as store:
            store.begin(opened())
            keep_win(store, 900)
            assert len(list(path.parent.iterdir())) == 5
            assert modes(path.parent) == {0o600}
        damaged = bytearray(path.read_bytes())
        damaged[63] ^= 1
        path.write_bytes(damaged)
        path.chmod(0o644)  # as older programs made it
        with Store.open(path) as store:
            (notice,) = store.take_notices()
            assert notice.set_aside_path is not None
            assert modes(path.parent) == {0o600}
            assert len(store.games()) == 1
    finally:
        os.umask(before)
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    assert stat.S_IMODE(path.parent.parent.stat().st_mode) == 0o700


@POSIX
@pytest.mark.parametrize("suffix", ["", "-wal", "-journal", "-shm", ".lock"])
def test_a_pipe_in_place_of_a_file_is_an_error(path: Path, suffix: str) -> None:
    path.parent.mkdir(parents=True)
    os.mkfifo(path.with_name(path.name + suffix))
    with pytest.raises(StoreError, match="not a regular file"):
        Store.open(path)
    assert saved_language(path) == ""


@POSIX
def test_a_device_in_place_of_the_database_is_an_error(path: Path) -> None:
    path.parent.mkdir(parents=True)
    path.symlink_to("/dev/zero")
    with pytest.raises(StoreError, match="not a regular file"):
        Store.open(path)
    assert saved_language(path) == ""
    assert Path("/dev/zero").exists()


@pytest.mark.parametrize("running", [False, True])
def test_records_are_read_where_nothing_can_be_written(path: Path, running: bool) -> None:
    with Store.open(path) as store:
        keep_win(store, 900)
        if running:
            # As a kill leaves it: the last games are in the log.
            shutil.copytree(path.parent, path.parent.with_name("left"))
            path = path.parent.with_name("left") / "demine.db"
    for lock in path.parent.glob("*.lock"):
        lock.unlink()
    # No lock can be had, whoever asks, root too.
    path.with_name("demine.db.lock").mkdir()
    before = {each.name: each.stat().st_size for each in path.parent.iterdir()}
    with pytest.raises(StoreError):
        Store.open(path)
    with Store.open(path, reading=True) as store:
        assert [notice.kind for notice in store.take_notices()] == [NoticeKind.READ_ONLY]
        assert [row.time_ms for row in store.games()] == [900]
        assert store.records()[0].best_ms == 900
        assert store.load_game(store.games()[0].id).status.over
    assert {each.name: each.stat().st_size for each in path.parent.iterdir()} == before


@pytest.mark.skipif(
    sys.platform != "linux" or shutil.which("cc") is None, reason="needs a C compiler on Linux"
)
def test_a_disk_without_locks_is_named(tmp_path: Path) -> None:
    source, library = tmp_path / "locks.c", tmp_path / "locks.so"
    source.write_text(NO_LOCKS)
    subprocess.run(["cc", "-shared", "-fPIC", "-o", library, source, "-ldl"], check=True)
    script = (
        "import sys; from demine.store import Store, self_replacing_database as database; "
        "database._OPEN_WAIT_S = 0.2; Store.open(sys.argv[1])"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, str(tmp_path / "demine.db")],
        env={**environment(), "LD_PRELOAD": str(library)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert "does not support file locks" in done.stderr
    assert "another window" not in done.stderr
