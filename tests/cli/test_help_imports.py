"""The help of a verb imports little: neither NumPy nor what the verb works with."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from demine.cli.verbs import verb_names

SHOW = """
import json, sys
from demine.__main__ import main
try:
    main()
except SystemExit:
    pass
print(json.dumps(sorted(sys.modules)), file=sys.stderr)
"""
LIST_FORMATS = {"convert", "records", "watch"}
"""Verbs whose help lists the formats of files, which are declared beside their readers."""


def modules_of(*words: str) -> set[str]:
    """The modules that a command line imports."""
    command = [sys.executable, "-c", SHOW, *words]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout
    return set(json.loads(done.stderr.splitlines()[-1]))


@pytest.mark.parametrize("verb", sorted(verb_names()))
def test_help_of_a_verb_does_no_work(verb: str) -> None:
    found = modules_of(verb, "--help")
    assert f"demine.cli.verbs.{verb}" in found
    assert not {each for each in found if each.startswith("demine.cli.actions")}
    assert ("numpy" in found) == (verb in LIST_FORMATS)


def test_a_diagram_is_read_without_any_format_of_files(tmp_path: Path) -> None:
    path = tmp_path / "board.txt"
    path.write_text("3x2/1\n# 1 .\n# 1 .\n")
    found = modules_of("hint", str(path))
    assert "demine.solver.hint" in found
    assert not {each for each in found if each.startswith("demine.replay.formats")}
    assert not found & {"demine.game", "demine.replay.registry", "importlib.metadata"}
