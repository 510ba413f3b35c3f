"""The long form of the store's troubles, in short: nothing that was shown or kept is lost."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[2] / "scripts" / "store_trouble.py"


@pytest.mark.parametrize("trouble", ["locked", "full", "log", "cut", "killed"])
def test_a_troubled_store_loses_nothing(trouble: str) -> None:
    done = subprocess.run(
        [sys.executable, str(SCRIPT), "--rounds", "1", "--seed", "1", "--acts", "60", trouble],
        capture_output=True,
        text=True,
        check=False,
    )
    if "may mount no disk" in done.stderr or "no mount on this system" in done.stderr:
        pytest.skip("this user may mount no disk")
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.startswith(f"{trouble}: 1 rounds")
    assert " 0 lost" in done.stdout
