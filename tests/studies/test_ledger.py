"""A ledger keeps what is done through every damage, and counts nothing twice."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from demine.logic.rules import Rules
from demine.studies.errors import StudyError
from demine.studies.ledger import Ledger
from demine.studies.plan import StudyPlan
from tests.studies.samples import PAIR, SMALL, chunk, outcome

if TYPE_CHECKING:
    from pathlib import Path

TENTHS = [(first, 10) for first in range(0, 40, 10)]


def filled(path: Path, parts: list[tuple[int, int]], plan: StudyPlan = SMALL) -> Path:
    """A ledger of some games."""
    with Ledger.open(path, plan, rows=True) as ledger:
        for first, count in parts:
            ledger.add_chunk(chunk(plan, first, count))
    return path


def test_what_is_kept_is_there_again(tmp_path: Path) -> None:
    path = filled(tmp_path / "a.ledger", [(30, 10), (0, 10)])
    with Ledger.open(path, SMALL, resume=True, rows=True) as ledger:
        assert list(ledger.done) == [(0, 10), (30, 40)]
        ledger.add_chunk(chunk(SMALL, 10, 20))
        assert ledger.counts.without_time == outcome(SMALL)
        games = np.concatenate(
            [ledger.read_rows(part) for part in sorted(ledger.stored_rows, key=str)]
        )
        assert sorted(games["index"].ravel()) == list(range(40))
        assert ledger.damaged == 0


def test_nothing_counts_twice(tmp_path: Path) -> None:
    with Ledger.open(tmp_path / "a", SMALL, rows=True) as ledger:
        for first, count in [*TENTHS, (0, 10), (5, 20), (0, 40)]:
            ledger.add_chunk(chunk(SMALL, first, count))
        assert ledger.counts.without_time == outcome(SMALL)
        assert len(ledger.stored_rows) == 4
    # A file to which lines were added twice, as by two disks that were merged.
    text = (tmp_path / "a").read_bytes()
    (tmp_path / "a").write_bytes(text + text.split(b"\n", 1)[1])
    with Ledger.open(tmp_path / "a", SMALL, resume=True, rows=True) as ledger:
        assert ledger.counts.without_time == outcome(SMALL)


@pytest.mark.parametrize("lost", [1, 5, 100, 300])
def test_a_torn_last_line_is_cut_away(tmp_path: Path, lost: int) -> None:
    path = filled(tmp_path / "a", TENTHS)
    path.write_bytes(path.read_bytes()[:-lost])
    with Ledger.open(path, SMALL, resume=True, rows=True) as ledger:
        assert list(ledger.done) == [(0, 30)]
        assert path.read_bytes().endswith(b"\n")
        ledger.add_chunk(chunk(SMALL, 30, 10))
        assert ledger.counts.without_time == outcome(SMALL)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.data())
def test_damage_anywhere_loses_no_more_than_its_games(tmp_path: Path, data: st.DataObject) -> None:
    """Whatever byte is another one: an error, or a count that the missing games make whole."""
    path = filled(tmp_path / "a", TENTHS)
    rows = path.with_name("a-rows")
    file = data.draw(st.sampled_from([path, rows]))
    text = bytearray(file.read_bytes())
    place = data.draw(st.integers(0, len(text) - 1))
    text[place] ^= data.draw(st.integers(1, 255))
    file.write_bytes(text)
    head = path.read_bytes().find(b"\n") if file is path else 0
    try:
        ledger = Ledger.open(path, SMALL, resume=True, rows=True)
    except StudyError:
        assert file is path
        assert place <= head or text.find(b"\n") < head
        return
    with ledger:
        while (gap := ledger.done.first_gap(0, 40)) is not None:
            ledger.add_chunk(chunk(SMALL, gap[0], gap[1] - gap[0]))
        assert ledger.counts.without_time == outcome(SMALL)


def test_lost_rows_are_played_again(tmp_path: Path) -> None:
    path = filled(tmp_path / "a", TENTHS)
    path.with_name("a-rows").unlink()
    with Ledger.open(path, SMALL, resume=True, rows=True) as ledger:
        assert ledger.counts.games == 0
        assert ledger.damaged == 4


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"seed": 6}, "the seed: 5 there, 6 here"),
        ({"rules": Rules.parse("6x6/8")}, "the rules: 6x6/7 there, 6x6/8 here"),
        ({"start": (0, 1)}, "the first cell: 2, 2 there, 0, 1 here"),
        ({"policies": ("logic",)}, "the policy: safest there, logic here"),
        ({"games": 39}, "the number of games: 40 there, 39 here"),
    ],
)
def test_another_study_is_not_gone_on_with(
    tmp_path: Path, changed: dict[str, object], said: str
) -> None:
    path = filled(tmp_path / "a", TENTHS)
    before = path.read_bytes()
    with pytest.raises(StudyError, match=said):
        Ledger.open(path, replace(SMALL, **changed), resume=True, rows=True)  # type: ignore[arg-type]
    assert path.read_bytes() == before


def test_more_games_go_on(tmp_path: Path) -> None:
    path = filled(tmp_path / "a", TENTHS)
    more = replace(SMALL, games=60)
    with Ledger.open(path, more, resume=True, rows=True) as ledger:
        ledger.add_chunk(chunk(more, 40, 20))
        assert ledger.counts.without_time == outcome(more)


def test_a_grown_ledger_is_no_damaged_one(tmp_path: Path) -> None:
    """Read with as few games as it began with, it leaves out the later ones, and keeps them."""
    path = filled(tmp_path / "a", TENTHS)
    more = replace(SMALL, games=60)
    middle = replace(SMALL, games=50)
    with Ledger.open(path, more, resume=True, rows=True) as ledger:
        ledger.add_chunk(chunk(more, 40, 20))
    for plan, missing in ((SMALL, 0), (middle, 10), (more, 0)):
        with Ledger.open(path, plan, resume=True, rows=True) as ledger:
            assert ledger.damaged == 0
            assert ledger.counts.games == plan.games - missing
            if missing:
                ledger.add_chunk(chunk(plan, 40, missing))
            assert ledger.counts.without_time == outcome(plan)


@pytest.mark.parametrize("text", [b"\n", b"hello\n", b"00000000 {}\n", b"\xff" * 5000, b"PAR1"])
def test_what_is_no_ledger_is_refused_and_kept(tmp_path: Path, text: bytes) -> None:
    path = tmp_path / "a"
    path.write_bytes(text)
    with pytest.raises(StudyError, match="is not the ledger"):
        Ledger.open(path, SMALL, resume=True)
    assert path.read_bytes() == text
    with Ledger.open(path, SMALL) as ledger:
        assert ledger.moved_to is not None
        assert ledger.moved_to.read_bytes() == text


def test_an_unfinished_study_is_moved_aside(tmp_path: Path) -> None:
    path = filled(tmp_path / "a", TENTHS[:2])
    before = path.read_bytes()
    with Ledger.open(path, SMALL, rows=True) as ledger:
        aside = ledger.moved_to
        assert aside is not None
        assert ledger.counts.games == 0
        ledger.add_chunk(chunk(SMALL, 0, 10))
    assert aside.read_bytes() == before
    with Ledger.open(aside, SMALL, resume=True, rows=True) as ledger:
        assert list(ledger.done) == [(0, 20)]
    with Ledger.open(path, SMALL, rows=True) as ledger:
        assert ledger.moved_to not in {aside, None}
    assert aside.read_bytes() == before


def test_a_finished_one_is_not(tmp_path: Path) -> None:
    path = filled(tmp_path / "a", TENTHS)
    with Ledger.open(path, SMALL, rows=True) as ledger:
        assert ledger.moved_to is None


def test_pairs_are_kept(tmp_path: Path) -> None:
    path = filled(tmp_path / "a", TENTHS, PAIR)
    with Ledger.open(path, PAIR, resume=True, rows=True) as ledger:
        assert ledger.counts.without_time == outcome(PAIR)
        assert ledger.read_rows(ledger.stored_rows[0]).shape == (10, 2)


def test_two_do_not_write_to_one(tmp_path: Path) -> None:
    path = tmp_path / "a"
    with (
        Ledger.open(path, SMALL),
        pytest.raises(StudyError, match="another study is writing"),
    ):
        Ledger.open(path, SMALL, resume=True)


def test_a_folder_that_takes_no_file_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(StudyError, match="cannot be saved"):
        Ledger.open(tmp_path / "file" / "a", SMALL)
    with pytest.raises(StudyError, match="it is a folder"):
        Ledger.open(tmp_path, SMALL)


FULL = """
import resource, signal, sys
from pathlib import Path
from demine.studies.errors import StudyError
from demine.studies.ledger import Ledger
from tests.studies.samples import SMALL, chunk
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
with Ledger.open(Path(sys.argv[1]), SMALL, rows=True) as ledger:
    ledger.add_chunk(chunk(SMALL, 0, 10))
    at = Path(sys.argv[1]).stat().st_size
    resource.setrlimit(resource.RLIMIT_FSIZE, (at + 100, at + 100))
    try:
        ledger.add_chunk(chunk(SMALL, 10, 10))
    except StudyError as error:
        print(error)
    assert ledger.counts.games == 10
"""


@pytest.mark.skipif(sys.platform == "win32", reason="no limit of file sizes")
def test_a_full_disk_loses_nothing(tmp_path: Path) -> None:
    """A line that does not fit is taken back; with room the study goes on."""
    path = tmp_path / "a"
    done = subprocess.run(
        [sys.executable, "-c", FULL, str(path)],
        capture_output=True,
        text=True,
        check=True,
        env={
            **os.environ,
            "PYTHONPATH": os.pathsep.join(filter(None, sys.path)) + os.pathsep + ".",
        },
    )
    assert "cannot be saved in" in done.stdout
    assert path.read_bytes().endswith(b"\n")
    with Ledger.open(path, SMALL, resume=True, rows=True) as ledger:
        assert ledger.damaged == 0
        assert list(ledger.done) == [(0, 10)]
