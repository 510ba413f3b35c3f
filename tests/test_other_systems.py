"""What this system can tell of the others: modules that they lack, names that they take for one."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
UNIX_ONLY = {
    "curses", "fcntl", "grp", "posix", "pty", "pwd", "readline", "resource", "syslog", "termios",
    "tty",
}  # fmt: skip
"""Modules of the standard library that Windows lacks."""
WINDOWS_ONLY = {"msvcrt", "winreg", "winsound", "_winapi"}
CHECKED = sorted(
    [
        ROOT / "go.py",
        *(p for name in ("src", "tests", "scripts") for p in (ROOT / name).rglob("*.py")),
    ]
)
RESERVED = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)(\..*)?", re.IGNORECASE)


def loaded_everywhere(path: Path) -> set[str]:
    """The modules that a file imports on every system as soon as it is loaded."""
    found: set[str] = set()
    waiting: list[ast.AST] = list(ast.parse(path.read_bytes()).body)
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | ast.Try):
            continue
        if isinstance(node, ast.If) and re.search(
            "platform|os.name|TYPE_CHECK", ast.unparse(node.test)
        ):
            continue
        if isinstance(node, ast.Import):
            found |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found.add(node.module.partition(".")[0])
        waiting.extend(ast.iter_child_nodes(node))
    return found


def test_every_file_loads_on_every_system() -> None:
    """A test that needs such a module skips itself; its file is collected all the same."""
    bad = {
        path.relative_to(ROOT).as_posix(): missing
        for path in CHECKED
        if (missing := loaded_everywhere(path) & (UNIX_ONLY | WINDOWS_ONLY))
    }
    assert bad == {}


def committed() -> list[str]:
    """The names of the repository's files."""
    if not (ROOT / ".git").exists():
        pytest.skip("not a git work tree")
    command = ["git", "-c", f"safe.directory={ROOT}", "ls-files", "-z"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, encoding="utf-8", check=True)
    return [name for name in listed.stdout.split("\0") if name]


def test_names_differ_where_case_does_not_count() -> None:
    folded = Counter(name.lower() for name in committed())
    assert [name for name, count in folded.items() if count > 1] == []


def test_names_are_allowed_on_windows() -> None:
    """Without long paths a name has 260 letters, of which the place of a clone takes some."""
    names = committed()
    assert max(map(len, names)) <= 120
    parts = {part for name in names for part in name.split("/")}
    assert [part for part in parts if RESERVED.fullmatch(part) or part.endswith((".", " "))] == []


NARROW = {
    "cp1252": {"PYTHONIOENCODING": "cp1252"},
    "cp936": {"PYTHONIOENCODING": "cp936"},
    "ascii": {"PYTHONIOENCODING": "ascii"},
    "no UTF-8": {"LC_ALL": "C", "PYTHONCOERCECLOCALE": "0"},
}
"""What Windows and old terminals print in."""


@pytest.mark.parametrize("variables", NARROW.values(), ids=NARROW)
@pytest.mark.parametrize("language", ["en", "zh_CN"])
def test_it_speaks_in_narrow_encodings(
    language: str, variables: dict[str, str], tmp_path: Path
) -> None:
    """What cannot be shown becomes a question mark; files are UTF-8 with plain ends of lines."""
    kept = {key: value for key, value in os.environ.items() if not key.startswith("LC_")}
    env = {**kept, "PYTHONUTF8": "0", "PYTHONWARNDEFAULTENCODING": "1", **variables}

    def say(*words: str) -> bytes:
        command = [
            sys.executable,
            "-W",
            "error::EncodingWarning",
            "-m",
            "demine",
            "--lang",
            language,
        ]
        done = subprocess.run([*command, *words], env=env, capture_output=True, check=False)
        assert done.returncode == 0, done.stderr.decode("utf-8", "replace")
        return done.stdout

    assert b"demine" in say("--help")
    board = tmp_path / "扫雷.txt"
    say("make", "9x9/10", "--seed", "7", "-o", str(board))
    assert board.read_bytes().startswith(b"9x9/10\n")
    assert b"openings" in say("stats", str(board))
