"""The `python3 go.py` lines of docs and READMEs, run by the real go.py on a set-up environment.

The environment is the one of these tests, under the names that go.py looks for.
"""

from __future__ import annotations

import importlib.util
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.docs import pages
from tests.hand import Hand
from tests.table import environment

COMMANDS = [each for each in pages.every_command() if each.startswith("python3 go.py ")]
PLAY, TEST = "python3 go.py play", "python3 go.py test"
SMALL = (
    "logic/errors.py", "logic/nearest_word.py", "logic/sanitize.py", "logic/rules.py",
    "scene/cell_faces.py",
)  # fmt: skip
"""Modules enough for every check; the whole would take minutes."""
EMPTY = (
    "__init__.py", "logic/__init__.py", "scene/__init__.py", "solver/__init__.py",
    "statistics/__init__.py", "replay/__init__.py", "logic/board_state.py", "logic/game.py",
    "game.py", "lazy_exports.py",
)  # fmt: skip
"""What the contracts about imports name."""
SCRIPTS = ("scripts/checks.py", "scripts/quiet_command.py", "scripts/system_packages.py")
"""What go.py is made of beside itself."""
A_TEST = '''"""One test."""

from demine.logic.rules import BEGINNER, Rules


def test_rules_are_text() -> None:
    assert Rules.parse(str(BEGINNER)) == BEGINNER
'''

pytestmark = pytest.mark.skipif(os.name == "nt", reason="symbolic links")


def test_every_line_is_run_here() -> None:
    assert sorted(COMMANDS) == [PLAY, TEST]


@pytest.fixture
def mirror(tmp_path: Path) -> Path:
    """A copy of the repository without its sources, set up as go.py leaves it."""
    folder = tmp_path / "demine"
    shutil.copytree(pages.ROOT / "requirements", folder / "requirements")
    (folder / "scripts").mkdir()
    for name in ("go.py", "pyproject.toml", *SCRIPTS):
        shutil.copy(pages.ROOT / name, folder / name)
    (folder / ".venv").mkdir()
    for name in ("bin", "lib", "pyvenv.cfg"):
        (folder / ".venv" / name).symlink_to(Path(sys.prefix) / name)
    spec = importlib.util.spec_from_file_location("go_of_the_mirror", folder / "go.py")
    assert spec is not None
    assert spec.loader is not None
    go = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(go)
    go.SETUP_MARK.write_text(go.setup_stamp("test"), "utf-8")
    return folder


def wanted(**changes: str) -> dict[str, str]:
    """An environment in which python3 is the Python of these tests."""
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    return environment(PATH=path, **changes)


def test_play_opens_the_window(mirror: Path, xvfb: str) -> None:
    (mirror / "src").symlink_to(pages.ROOT / "src")
    process = subprocess.Popen(
        PLAY.split(),
        cwd=mirror,
        env=wanted(DISPLAY=xvfb),
        stdin=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        hand = Hand(xvfb)
        hand.find("demine")
        process.send_signal(signal.SIGINT)
        assert process.communicate(timeout=60)[1] == ""
        assert process.returncode == 130
        hand.window = None
        hand.close()
    finally:
        process.kill()
        process.communicate()


def test_test_runs_every_check_and_every_test(mirror: Path) -> None:
    """On a small part of the sources: this is run by that command."""
    for name in EMPTY:
        module = mirror / "src" / "demine" / name
        module.parent.mkdir(parents=True, exist_ok=True)
        module.write_text('"""Nothing."""\n', "utf-8")
    for name in SMALL:
        shutil.copy(pages.ROOT / "src" / "demine" / name, mirror / "src" / "demine" / name)
    (mirror / "tests").mkdir()
    (mirror / "tests" / "test_small.py").write_text(A_TEST, "utf-8")
    done = subprocess.run(
        TEST.split(), cwd=mirror, env=wanted(), capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    checks = [line.split()[1] for line in done.stderr.splitlines() if line.startswith("$ ")]
    assert checks == ["ruff", "ruff", "mypy", "lint-imports", "pytest"]
    assert "no issues found" in done.stdout
    assert "0 broken" in done.stdout
    assert "1 passed" in done.stdout
