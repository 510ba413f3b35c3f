"""`demine serve` and `demine admin` where a library is missing; the rest: tests/web."""

from __future__ import annotations

import subprocess
import sys

import pytest

from demine.cli.exit_codes import BAD_INPUT

WITHOUT_LIBRARY = """
import runpy, sys
sys.modules["{library}"] = None
sys.frozen = {frozen}
runpy.run_module("demine", run_name="__main__", alter_sys=True)
"""


@pytest.mark.parametrize(
    ("frozen", "said"),
    [
        (False, "the server needs a library that is not installed: pip install 'demine[web]'"),
        (True, "this program was made without {library}"),
    ],
)
@pytest.mark.parametrize(
    ("library", "arguments"), [("starlette", ["serve"]), ("sqlalchemy", ["admin", "players"])]
)
def test_a_missing_library_is_told_of(
    library: str, arguments: list[str], frozen: bool, said: str
) -> None:
    program = WITHOUT_LIBRARY.format(library=library, frozen=frozen)
    done = subprocess.run(
        [sys.executable, "-c", program, "--lang", "en", *arguments],
        capture_output=True, encoding="utf-8", check=False,
    )  # fmt: skip
    assert (done.returncode, done.stdout) == (BAD_INPUT, "")
    assert done.stderr.startswith(f"demine {arguments[0]}: {said.format(library=library)}")
    assert done.stderr.count("\n") == 1
