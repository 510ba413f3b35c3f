"""What one click costs, counted in Python calls: the same on every machine."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any, Final

import pytest

pytest.importorskip("PySide6.QtWidgets")

from tests.desktop.desk import environment
from tests.table import ROOT

MOST_CALLS: Final = 400
"""From the press to the end of the paint, on an expert board with the store on."""


@pytest.fixture(scope="module")
def click(xvfb: str) -> dict[str, Any]:
    """The figures of a click in a real window."""
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.click", "--json"],
        cwd=ROOT,
        env=environment(DISPLAY=xvfb),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def test_a_click_takes_few_calls(click: dict[str, Any]) -> None:
    assert sum(click["modules"].values()) == click["calls"]
    assert click["calls"] <= MOST_CALLS, json.dumps(click, indent=1)


def test_a_click_is_heard_by_one_automaton_kept_and_painted(click: dict[str, Any]) -> None:
    assert click["automata"] == 1
    assert {
        "demine.play.controller",
        "demine.logic.game",
        "demine.store.running_game",
        "demine.picture.board",
    } <= click["modules"].keys()
