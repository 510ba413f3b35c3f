"""Writes the positions of this folder and their numbers of layouts.

    python benchmarks/positions/make.py

The numbers are those of `demine.count_layouts`; `tests/solver/test_positions.py` holds them to a
second program that shares nothing with it.
"""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from demine.logic.flood import flood
from demine.logic.layout import deal
from demine.logic.neighbours import count_around
from demine.logic.rules import BEGINNER, EXPERT, INTERMEDIATE, Rules
from demine.scene.cell_faces import Face
from demine.scene.diagram import format_scene
from demine.solver.exact.deduce import deduce
from demine.solver.exact.probability import count_layouts

HERE = Path(__file__).resolve().parent
GAMES = {
    "beginner": (BEGINNER, 3),
    "intermediate": (INTERMEDIATE, 4),
    "expert": (EXPERT, 10),
    "dense-24x24": (Rules(24, 24, 160), 2),
    "strip-400x1": (Rules(400, 1, 60), 1),
    "strip-300x2": (Rules(300, 2, 120), 1),
    "large-100x100": (Rules(100, 100, 2000), 1),
    "large-200x200": (Rules(200, 200, 8000), 2),
}
"""Rules, and how many positions of games of them."""
LONG = 10**60


def main() -> None:
    """Write every position as a diagram, and all counts into one file."""
    counts = {}
    for name, (rules, number) in GAMES.items():
        for seed in range(number):
            for kind, faces in (("played", played(rules, seed)), ("strewn", strewn(rules, seed))):
                title = f"{name}-{kind}-{seed}"
                (HERE / f"{title}.txt").write_text(format_scene(rules, faces), encoding="utf-8")
                count = count_layouts(faces, rules.mines)
                # Python refuses to write very long numbers in tens.
                counts[title] = str(count) if count < LONG else hex(count)
    (HERE / "counts.json").write_text(json.dumps(counts, indent=0) + "\n", encoding="utf-8")


def played(rules: Rules, seed: int) -> NDArray[np.uint8]:
    """Return a game that has gone on until nothing more is proven, half of its board being open."""
    random = np.random.default_rng(seed)
    layout = deal(rules, seed, (rules.height // 2, rules.width // 2))
    hints = count_around(layout)
    numbers, opened = hints.tobytes(), bytearray(rules.cells)
    waiting = [rules.height // 2 * rules.width + rules.width // 2]
    faces = np.full(rules.shape, Face.COVERED, np.uint8)
    while waiting:
        for cell in waiting:
            if numbers[cell] == 0 and not opened[cell]:
                flood(numbers, opened, rules.width, rules.height, cell)
            opened[cell] = 1
        shown = np.frombuffer(bytes(opened), np.bool_).reshape(rules.shape)
        faces = np.where(shown, hints, Face.COVERED).astype(np.uint8)
        waiting = np.flatnonzero(deduce(faces, rules.mines).safe).tolist()
        if not waiting and sum(opened) < rules.safe_cells / 2:
            waiting = [int(random.choice(np.flatnonzero(~layout & ~shown)))]
    return faces


def strewn(rules: Rules, seed: int) -> NDArray[np.uint8]:
    """Return a board with single safe cells opened here and there: long and tangled frontiers."""
    random = np.random.default_rng(seed)
    layout = deal(rules, seed)
    shown = ~layout & (random.random(rules.shape) < 0.08)
    return np.where(shown, count_around(layout), Face.COVERED).astype(np.uint8)


if __name__ == "__main__":
    main()
