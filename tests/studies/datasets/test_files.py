"""The files of a dataset: the same bytes wherever they are made, and whole whatever happens."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

import numpy as np
import pytest

import demine
from demine.cli.main import run
from demine.replay.errors import ReplayError
from demine.studies.datasets.folder import MANIFEST, read_manifest
from demine.studies.datasets.make import Dataset
from demine.studies.errors import StudyError
from demine.studies.process_pool import KillableProcessPool
from tests.hand import wait_for

parquet: Any = pytest.importorskip("pyarrow.parquet")
RULES: Final = "8x8/12"
SIZE: Final[dict[str, Any]] = {"positions": 70, "shard": 20, "seed": 5, "random": 0.05}


def contents(folder: Path) -> dict[str, str]:
    """The name and a digest of each file of a folder."""
    return {each.name: sha256(each.read_bytes()).hexdigest() for each in folder.iterdir()}


@pytest.fixture(scope="module")
def wanted(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small dataset, made in one thread."""
    folder = tmp_path_factory.mktemp("dataset") / "one"
    assert demine.dataset(RULES, folder, **SIZE) == Dataset(folder, 70, 70, 4, 5)
    return folder


def test_bytes_are_the_same_in_threads(wanted: Path, tmp_path: Path) -> None:
    with ThreadPoolExecutor(3) as threads:
        demine.dataset(RULES, tmp_path / "threads", **SIZE, executor=threads, workers=3)
    assert contents(tmp_path / "threads") == contents(wanted)


def test_bytes_are_the_same_in_processes_of_which_one_is_killed(
    wanted: Path, tmp_path: Path
) -> None:
    pool = KillableProcessPool(2)
    victims = [pool.submit(os.getpid).result()]

    def kill(_done: int, _of: int) -> None:
        while victims:
            os.kill(victims.pop(), signal.SIGTERM)

    folder = tmp_path / "processes"
    try:
        demine.dataset(RULES, folder, **SIZE, executor=pool, workers=2, progress=kill)
    finally:
        pool.shutdown(cancel_futures=True)
    assert not victims
    assert contents(folder) == contents(wanted)


def test_the_manifest_names_the_files_and_what_they_are_of(wanted: Path) -> None:
    facts = read_manifest(wanted)
    assert facts["complete"] is True
    assert (facts["demine"], facts["rules"], facts["policy"]) == (demine.__version__, RULES, "fast")
    assert (facts["seed"], facts["start"], facts["random"]) == (5, [2, 2], 0.05)
    assert [each["positions"] for each in facts["shards"]] == [20, 20, 20, 10]
    found = contents(wanted)
    del found[MANIFEST]
    assert {each["file"]: each["sha256"] for each in facts["shards"]} == found
    assert list(facts["columns"]) == parquet.read_table(wanted).column_names
    note = parquet.read_metadata(wanted / "positions-00003.parquet").metadata[b"demine.dataset"]
    assert json.loads(note) == {key: facts[key] for key in json.loads(note)}


def test_parquet_and_npz_hold_the_same(tmp_path: Path) -> None:
    more = {**SIZE, "mines": True}
    for form in ("parquet", "npz"):
        demine.dataset(RULES, tmp_path / form, **more, format=form)
    arrays = [np.load(path) for path in sorted((tmp_path / "npz").glob("*.npz"))]
    table = parquet.read_table(tmp_path / "parquet")
    assert table.column_names == arrays[0].files
    assert table.num_rows == 70
    for name in table.column_names:
        values = np.concatenate([each[name] for each in arrays])
        column = table[name].combine_chunks()
        if values.ndim == 3:
            found = column.flatten().to_numpy().reshape(-1, 8, 8)
        else:
            found = column.to_numpy(zero_copy_only=False)
        assert found.dtype == values.dtype
        np.testing.assert_array_equal(found, values)
    assert (
        table["win_chance"].null_count
        == np.isnan(np.concatenate([each["win_chance"] for each in arrays])).sum()
    )


def test_a_killed_run_is_finished_by_another(wanted: Path, tmp_path: Path) -> None:
    folder = tmp_path / "killed"
    command = [
        "dataset", RULES, "--positions", "70", "--shard", "20", "--seed", "5", "--random", "0.05",
        "-o", str(folder), "--workers", "1",
    ]  # fmt: skip
    # The second file is never written: the process is killed while it waits.
    script = (
        "import sys, threading\n"
        "from demine.cli.main import run\n"
        "from demine.studies.datasets import folder\n"
        "real, sums = folder.atomic_write, []\n"
        "def write(path):\n"
        "    if path.name.startswith('positions-'):\n"
        "        sums.append(path)\n"
        "        if len(sums) == 3: threading.Event().wait()\n"
        "    return real(path)\n"
        "folder.atomic_write = write\n"
        "run(sys.argv[1:])\n"
    )
    process = subprocess.Popen([sys.executable, "-c", script, *command])
    try:
        wait_for((folder / "positions-00001.parquet").exists, "the second file")
    finally:
        process.send_signal(signal.SIGKILL)
        process.wait(30)
    (folder / f".{MANIFEST}.0123456789ab").write_bytes(b"half")
    (folder / ".positions-00002.parquet.0123456789ab").write_bytes(b"half")
    assert read_manifest(folder)["complete"] is False
    assert run([*command]) == 2
    assert run([*command, "--resume"]) == 0
    assert contents(folder) == contents(wanted)
    before = {path: path.stat().st_mtime_ns for path in folder.glob("*.parquet")}
    assert run([*command, "--resume"]) == 0
    assert {path: path.stat().st_mtime_ns for path in folder.glob("*.parquet")} == before


def test_stopping_keeps_what_is_done(wanted: Path, tmp_path: Path) -> None:
    heard: list[tuple[int, int]] = []
    folder = tmp_path / "stopped"
    stopped = demine.dataset(
        RULES,
        folder,
        **SIZE,
        progress=lambda done, of: heard.append((done, of)),
        stop=lambda: bool(heard),
    )
    assert not stopped.is_complete
    assert heard[-1] == (stopped.positions, 70) == (20, 70)
    assert [each["file"] for each in read_manifest(folder)["shards"]] == ["positions-00000.parquet"]
    assert demine.dataset(RULES, folder, **SIZE, resume=True).is_complete
    assert contents(folder) == contents(wanted)


def test_damaged_and_missing_files_are_made_again(wanted: Path, tmp_path: Path) -> None:
    folder = tmp_path / "copy"
    demine.dataset(RULES, folder, **SIZE)
    with (folder / "positions-00001.parquet").open("r+b") as file:
        file.write(b"damage")
    (folder / "positions-00002.parquet").unlink()
    assert demine.dataset(RULES, folder, **SIZE, resume=True).is_complete
    assert contents(folder) == contents(wanted)


@pytest.mark.parametrize("name", ["positions-00042.parquet", "notes.txt"])
def test_files_of_others_are_not_taken_into_it(name: str, tmp_path: Path) -> None:
    folder = tmp_path / "mixed"
    demine.dataset(RULES, folder, **SIZE)
    (folder / name).write_bytes((folder / "positions-00000.parquet").read_bytes())
    before = contents(folder)
    with pytest.raises(StudyError, match=f"holds '{name}', which is not of this dataset"):
        demine.dataset(RULES, folder, **SIZE, resume=True)
    assert contents(folder) == before


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"seed": 6}, r"is a different one \(seed: 5 there, 6 here\)"),
        ({"positions": 80}, r"\(positions: 70 there, 80 here\)"),
        ({"policy": "strong"}, r"\(policy: fast there, strong here\)"),
        ({"mines": True}, r"\(columns: "),
        ({"format": "npz"}, r"\(format: parquet there, npz here\)"),
    ],
)
def test_another_dataset_is_left_alone(wanted: Path, change: dict[str, Any], message: str) -> None:
    before = contents(wanted)
    with pytest.raises(StudyError, match=message):
        demine.dataset(RULES, wanted, **{**SIZE, **change}, resume=True)
    with pytest.raises(StudyError, match="has a dataset already"):
        demine.dataset(RULES, wanted, **{**SIZE, **change})
    assert contents(wanted) == before


def test_folders_of_others_are_left_alone(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    for folder, message in (
        (tmp_path, "is not a dataset, and not empty"),
        (tmp_path / "file", "there is a file of that name"),
        (tmp_path / "file" / "below", "part of its path is not a folder"),
        (tmp_path / ("x" * 300), "its name is too long"),
    ):
        with pytest.raises(StudyError, match=message):
            demine.dataset(RULES, folder, **SIZE)
    with pytest.raises(StudyError, match="there is nothing to resume"):
        demine.dataset(RULES, tmp_path / "new", **SIZE, resume=True)
    assert [path.name for path in tmp_path.iterdir() if path.is_file()] == ["file"]


@pytest.mark.parametrize(
    "text", ["", "[]", "{", '{"shards": 5}', '{"shards": [{"file": 1, "sha256": "a"}]}', "[" * 9000]
)
def test_a_damaged_manifest_is_told(text: str, tmp_path: Path) -> None:
    (tmp_path / MANIFEST).write_text(text)
    with pytest.raises(StudyError, match="is damaged, or not the manifest of a dataset"):
        demine.dataset(RULES, tmp_path, **SIZE, resume=True)


@pytest.mark.skipif(sys.platform == "win32", reason="limits of processes")
def test_a_full_disk_ends_it_and_nothing_half_is_left(tmp_path: Path) -> None:
    folder = tmp_path / "full"
    script = (
        "import resource, signal, sys\n"
        "from demine.cli.main import run\n"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (3000, 3000))\n"
        "sys.exit(run(sys.argv[1:]))\n"
    )
    words = ["dataset", RULES, "--positions", "70", "--seed", "5", "-o", str(folder)]
    ended = subprocess.run(
        [sys.executable, "-c", script, "--lang", "en", *words, "--workers", "1"],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert ended.returncode == 2
    assert len(ended.stderr.splitlines()) == 1
    assert str(folder) in ended.stderr
    assert [path.name for path in folder.iterdir()] == [MANIFEST]
    assert read_manifest(folder)["shards"] == []


def test_a_folder_that_goes_away_is_told(tmp_path: Path) -> None:
    folder = tmp_path / "gone"

    def remove(_done: int, _of: int) -> None:
        for path in folder.iterdir():
            path.unlink()
        folder.rmdir()

    with pytest.raises(ReplayError, match="there is no folder"):
        demine.dataset(RULES, folder, **SIZE, progress=remove)
