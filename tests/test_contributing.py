"""CONTRIBUTING.md: every command it shows is one that works."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import demine
import go
from scripts import checks

ROOT = Path(__file__).resolve().parent.parent
PAGE = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
LINES = [
    line.split(" #", 1)[0].strip()
    for block in re.findall(r"```sh\n(.*?)```", PAGE, re.DOTALL)
    for line in block.splitlines()
]
COMMANDS = [shlex.split(part) for line in LINES for part in line.split(" && ")]


def ends_well(*words: str) -> str:
    """What a command prints that ends without an error."""
    done = subprocess.run(
        [sys.executable, *words],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT / "src")},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def beginning(*words: str) -> list[list[str]]:
    """The commands that begin so, without these words."""
    found = [each[len(words) :] for each in COMMANDS if each[: len(words)] == list(words)]
    assert found, words
    return found


def test_every_command_is_looked_at_here() -> None:
    modules = r"-m (pytest|venv|benchmarks)"
    tools = rf"ruff |mypy |lint-imports|python3? (go\.py|scripts/|{modules})"
    known = tools + r"|\. \.venv/|/tmp/clean/|DEMINE_SMOKE_PYTHON="
    for each in COMMANDS:
        assert re.match(known, " ".join(each)), each


def test_go_py_has_the_verbs() -> None:
    for verb, *_ in beginning("python3", "go.py"):
        assert re.search(rf"python3 go\.py {verb}\b", go.__doc__ or ""), verb


def test_the_chosen_tests_are_there() -> None:
    asked = {word for words in beginning("python", "-m", "pytest") for word in words}
    options = {word for word in asked if word.startswith("-")}
    told = ends_well("-m", "pytest", "--collect-only", "-qq", *sorted(asked))
    for path in asked - options:
        assert re.search(rf"^{path}", told, re.MULTILINE), path


def test_the_checks_are_those_of_the_test_command() -> None:
    steps = [step[: 2 + ("--check" in step)] for step in checks.check_commands()]
    for words in (*beginning("ruff"), *beginning("mypy"), *beginning("lint-imports")):
        assert all((ROOT / word).exists() for word in words if word in {"src", "tests"}), words
    for tool in ("ruff", "mypy", "lint-imports"):
        assert any(step[0] == tool for step in steps)
        assert shutil.which(tool, path=str(Path(sys.executable).parent)), tool


def test_the_scripts_take_these_words() -> None:
    programs = [each[1:] for each in COMMANDS if each[0] in {"python", "python3"}]
    for script, *words in programs:
        if script.startswith("scripts/"):
            compile((ROOT / script).read_text("utf-8"), script, "exec")
        if script.startswith("scripts/") and words:
            told = ends_well(script, "--help")
            names = [word for word in words if re.match(r"--|[a-z]+$", word)]
            assert all(word in told for word in names) or "[FOLDER]" in told, script


@pytest.mark.parametrize("file", re.findall(r"requirements/\w+\.lock", PAGE))
def test_the_locks_are_there(file: str) -> None:
    assert (ROOT / file).is_file()


def test_the_wheel_is_this_versions() -> None:
    assert f"dist/demine-{demine.__version__}-py3-none-any.whl" in PAGE


def test_ci_calls_the_readmes_command() -> None:
    last = (ROOT / ".ci" / "run").read_text(encoding="utf-8").splitlines()[-1]
    assert last == "python3 go.py test"
    assert re.search(r"^play test lock:$", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE)
