"""The modules that need no page, run by Node: what they fold and count is what Python says."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import demine
import demine.web
from demine.logic.event import Touch
from demine.web.api.replay_data import watch_data

VIEWS = Path(demine.web.__file__).parent / "static" / "js" / "views"


def by_node(module: str, script: str, given: object) -> Any:
    """What `run(given)` of a script returns; what a module exports is its `M`."""
    node = shutil.which("node")
    if node is None:
        pytest.skip("no Node on this machine (on Debian: apt install nodejs)")
    door = f'import * as M from "{(VIEWS / module).as_uri()}";'
    call = f"{door}\n{script}\nconsole.log(JSON.stringify(run({json.dumps(given)})));"
    run = subprocess.run(
        [node, "--input-type=module"], input=call, capture_output=True, text=True, timeout=60,
        check=False, cwd=VIEWS,
    )  # fmt: skip
    assert run.returncode == 0, run.stderr
    return json.loads(run.stdout)


def long_game() -> demine.Game:
    """A game with more acts than between two kept boards, an undo, and a pointer."""
    game = demine.Game("16x16/40", seed=11)
    game.touch(Touch(-30, "", "move", 8, 8))
    game.open(0, 0, t=0)
    game.touch(Touch(40, "left", "press", 40, 24))
    covered = np.argwhere(demine.sight(game) == demine.Face.COVERED).tolist()
    for step, (row, col) in enumerate(covered[:70]):
        game.flag(row, col, t=100 + 10 * step)
    game.play(demine.Act(2000, "undo"))
    mine = np.argwhere(game.board.mine_map & ~game.board.flag_map)[0].tolist()
    game.open(*mine, t=2500)
    return game


def test_any_moment_of_a_recording_is_what_the_player_saw() -> None:
    game = long_game()
    found = by_node(
        "recording.js",
        """
        function run(data) {
          const recording = new M.Recording(data);
          const faces = data.acts.map((_, at) => {
            recording.standAfter(at + 1);
            return [...recording.faces];
          });
          recording.seek(40);
          const moment = [recording.done, recording.pointer, recording.trail(1500)];
          recording.seek(-1e9);
          recording.speed = 2;
          recording.advance(500);
          const times = [0, 59_960, 61_250, -1500].map(M.tenths);
          return { faces, moment, ms: recording.ms, ended: recording.ended, times };
        }""",
        watch_data(game, ""),
    )
    replayed = demine.Game("16x16/40", seed=11)
    acts = [event for event in game.events if isinstance(event, demine.Act)]
    for act, faces in zip(acts, found["faces"], strict=True):
        replayed.play(act)
        assert demine.sight(replayed).reshape(-1).tolist() == faces
    assert found["moment"] == [1, [40, 24], [[8, 8, False], [40, 24, True]]]
    assert found["ms"] == 970
    assert not found["ended"]
    assert found["times"] == ["0.0", "1:00.0", "1:01.3", "−1.5"]


def test_plots_have_round_ticks_and_a_running_average() -> None:
    found = by_node(
        "scale.js",
        """function run(points) {
          return [M.roundTicks(0, 137), M.roundTicks(0, 0.4), M.running(points, 2)];
        }""",
        [{"x": 1, "y": 4}, {"x": 2, "y": 6}, {"x": 3, "y": 1}],
    )
    assert found == [[0, 50, 100, 150], [0, 0.1, 0.2, 0.30000000000000004, 0.4], [[2, 5], [3, 3.5]]]
