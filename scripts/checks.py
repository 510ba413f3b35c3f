"""Every check and every test, cheapest first; `python3 go.py test` runs them in its environment."""

from __future__ import annotations

import contextlib
import subprocess
from collections.abc import Iterator, Mapping
from pathlib import Path

from scripts.quiet_command import ROOT, clean_environment, print_line

CHECKED_PATHS = ("src", "tests", "benchmarks", "scripts", "docs/examples", "go.py")
# A file of tests at a time to each processor: what tests of one file share is made once. The files
# come as tests/conftest.py orders them, the longest first; xdist would begin with the most tests.
PYTEST_PARALLEL_OPTIONS = (
    "-n",
    "auto",
    "--maxprocesses",
    "4",
    "--dist",
    "loadfile",
    "--no-loadscope-reorder",
)
PREPARE_TESTS_CODE = """
import sys
import pytest
from demine.cli.main import run
run(["warm"])
run(["study", "4x4/3", "--games", "1", "--seed", "1"])
pytest.main(["--collect-only", "-p", "no:cacheprovider", *sys.argv[1:]])
"""


def check_commands(*arguments: str, root: Path = ROOT) -> list[tuple[str, ...]]:
    """Return the commands; the tests come last, and so does pytest's summary."""
    checked = [name for name in CHECKED_PATHS if (root / name).exists()]
    return [
        ("ruff", "check", *checked),
        ("ruff", "format", "--check", *checked),
        ("mypy", *checked),
        ("lint-imports", "--no-logo"),
        ("pytest", *PYTEST_PARALLEL_OPTIONS, *arguments),
    ]


@contextlib.contextmanager
def tests_prepared_meanwhile(
    programs: Path, root: Path, env: Mapping[str, str], *arguments: str
) -> Iterator[None]:
    """Compile the kernels and the bytecode of the tests meanwhile: once, not in every process.

    The checks leave a processor idle. What goes wrong here is for the tests to find.
    """
    quiet = subprocess.DEVNULL
    try:
        child = subprocess.Popen(
            [str(programs / "python"), "-c", PREPARE_TESTS_CODE, *arguments],
            cwd=root,
            env=env,
            stdin=quiet,
            stdout=quiet,
            stderr=quiet,
        )
    except OSError:
        yield
        return
    try:
        yield
        child.wait()
    finally:
        child.kill()
        child.wait()


def run_checks(programs: Path, *arguments: str, root: Path = ROOT) -> tuple[int, str]:
    """Run them with the programs of a folder; return the first exit code but 0, and the tool."""
    env = checking_env(programs, root)
    *static, tests = check_commands(*arguments, root=root)
    with tests_prepared_meanwhile(programs, root, env, *arguments):
        for step in static:
            if code := run_check(programs, step, root, env):
                return code, step[0]
    return run_check(programs, tests, root, env), tests[0]


def checking_env(programs: Path, root: Path) -> dict[str, str]:
    """Return the environment of the checks: this demine, and bytecode kept beside the programs.

    The tests start hundreds of processes. Where images of containers ask Python to write no
    bytecode, each of them compiled all that it imports, which took most of its time.
    """
    env = clean_environment() | {
        "PYTHONPATH": str(root / "src"),
        "PYTHONPYCACHEPREFIX": str(programs.parent / "bytecode"),
    }
    env.pop("PYTHONDONTWRITEBYTECODE", None)
    return env


def run_check(programs: Path, step: tuple[str, ...], root: Path, env: Mapping[str, str]) -> int:
    """Show a command, run it and return its exit code."""
    print_line("\n$ " + " ".join(step))
    return subprocess.call([str(programs / step[0]), *step[1:]], cwd=root, env=env)
