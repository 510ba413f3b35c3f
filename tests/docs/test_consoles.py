"""What a page shows below a command is what the command prints."""

from __future__ import annotations

import re
import shlex
import shutil
from pathlib import Path

import pytest

from demine.cli.main import run
from tests.docs.pages import ROOT, TOLD, fences, hide_numba, name

LOST = ROOT / "tests" / "golden" / "beginner-lost-by-a-chord.jsonl"
LEFT_OUT = {
    "docs/cli.md": "tests/cli/test_page.py compares it, with the files that it shows",
    "docs/daily.md": "its result and streak take days to play",
    "docs/protocol.md": "tests/docs/test_protocol.py runs its client, against a server",
}
"""Pages whose consoles are not compared here, and why."""
CHANGES = re.compile(r"^Speed: .*$", re.MULTILINE)
"""What is another figure at each run."""
SESSIONS = [
    pytest.param(text, id=f"{name(page)}-{number}")
    for page in TOLD
    if name(page) not in LEFT_OUT
    for number, text in enumerate(fences(page, "console"))
    if any(not line.startswith("$ ") for line in text.splitlines())
]


@pytest.mark.parametrize("session", SESSIONS)
def test_a_command_prints_what_its_page_shows(
    session: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    shutil.copy(LOST, tmp_path / "lost.journal")
    monkeypatch.chdir(tmp_path)
    hide_numba(monkeypatch)
    printed = ""
    for command in re.findall(r"^\$ demine (.*)$", session, re.MULTILINE):
        alone = ["--workers", "1"] if command.startswith("study ") else []
        assert run([*shlex.split(command), *alone]) == 0
        lines = [line.rstrip() for line in capsys.readouterr().out.splitlines()]
        printed += "\n".join([f"$ demine {command}", *lines]) + "\n"
    assert CHANGES.sub("", printed) == CHANGES.sub("", session)
