"""The positions of `benchmarks/positions`, counted by the solver and by the oracle's sweep."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from demine.scene.diagram import parse_scene
from demine.solver.exact.probability import count_layouts, mine_probability
from tests.solver import oracle
from tests.solver.boards import small

FOLDER = Path(__file__).resolve().parents[2] / "benchmarks" / "positions"
COUNTS: dict[str, str] = json.loads((FOLDER / "counts.json").read_text(encoding="utf-8"))


def test_every_position_has_its_count() -> None:
    assert {path.stem for path in FOLDER.glob("*.txt")} == set(COUNTS)


def test_the_sweep_counts_what_the_oracle_counts() -> None:
    random = np.random.default_rng(8)
    for _ in range(400):
        faces, mines = small(random)
        assert oracle.sweep(faces, mines) == oracle.count(faces, mines).layouts


@pytest.mark.parametrize("name", COUNTS)
def test_counts_are_right_both_ways(name: str) -> None:
    rules, faces = parse_scene((FOLDER / f"{name}.txt").read_text(encoding="utf-8"))
    known = int(COUNTS[name], 0)
    assert count_layouts(faces, rules.mines) == known
    assert oracle.sweep(faces, rules.mines) == known
    found = mine_probability(faces, rules.mines)
    assert abs(np.nansum(found) - rules.mines) <= rules.mines * 1e-12
