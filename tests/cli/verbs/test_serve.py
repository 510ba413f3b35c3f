"""`demine serve` where a library is missing; that it serves is tested in tests/web."""

from __future__ import annotations

import subprocess
import sys

import pytest

from demine.cli.exit_codes import BAD_INPUT

WITHOUT_STARLETTE = """
import runpy, sys
sys.modules["starlette"] = None
sys.frozen = {frozen}
runpy.run_module("demine", run_name="__main__", alter_sys=True)
"""


@pytest.mark.parametrize(
    ("frozen", "said"),
    [
        (False, "the server needs a library that is not installed: pip install 'demine[web]'"),
        (True, "this program was made without starlette"),
    ],
)
def test_a_missing_library_is_told_of(frozen: bool, said: str) -> None:
    program = WITHOUT_STARLETTE.format(frozen=frozen)
    done = subprocess.run(
        [sys.executable, "-c", program, "--lang", "en", "serve"],
        capture_output=True, encoding="utf-8", check=False,
    )  # fmt: skip
    assert (done.returncode, done.stdout) == (BAD_INPUT, "")
    assert done.stderr.startswith(f"demine serve: {said}")
    assert done.stderr.count("\n") == 1
