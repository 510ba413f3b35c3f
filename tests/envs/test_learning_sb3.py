"""sb3-contrib's MaskablePPO learns on the environments; run where somebody has PyTorch."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("sb3_contrib")

from demine.envs.learning.evaluation import UNSEEN_SEED, random_cells, win_rate
from demine.envs.learning.maskable_ppo_sb3 import greedy, main, new_model
from demine.logic.rules import Rules


def test_it_learns_to_win_more_than_random_play() -> None:
    rules = Rules.parse("4x4/2")
    model = new_model(rules, seed=1).learn(20_000)
    learned = win_rate(rules, greedy(model), boards=1000, seed=UNSEEN_SEED)
    by_chance = win_rate(rules, random_cells(1), boards=1000, seed=UNSEEN_SEED)
    assert learned.interval[0] > by_chance.interval[1]


def test_the_program_trains_saves_and_compares(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    saved = tmp_path / "ppo.zip"
    options = ["--board", "3x3/1", "--steps", "1", "--judged", "20", "--save", str(saved)]
    assert main(options) == 0
    assert saved.exists()
    shown = [line.split()[0] for line in capsys.readouterr().out.splitlines()[-3:]]
    assert shown == ["random", "learned", "fast"]
    assert main(["--board", "nonsense"]) == 2
    assert main(["--board", "3x3/1 goal=flag", "--steps", "1"]) == 2
