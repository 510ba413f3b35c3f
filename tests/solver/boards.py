"""Positions to ask the solver about."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from demine.logic.flood import flood
from demine.logic.neighbours import count_around
from demine.scene.cell_faces import Face

Faces = NDArray[np.uint8]
MARKS = np.array([Face.COVERED, Face.COVERED, Face.FLAG, Face.QUESTION], np.uint8)


def scattered(random: np.random.Generator, height: int, width: int, mines: int) -> Faces:
    """A board with some safe cells opened anywhere, and marks anywhere."""
    layout = dealt(random, height, width, mines)
    opened = ~layout & (random.random((height, width)) < random.random())
    return seen(layout, opened, random.choice(MARKS, size=(height, width)))


def played(random: np.random.Generator, height: int, width: int, mines: int, acts: int) -> Faces:
    """A board on which so many safe cells were clicked."""
    layout = dealt(random, height, width, mines)
    hints = count_around(layout)
    opened = bytearray(height * width)
    numbers = hints.tobytes()
    for _ in range(acts):
        safe = np.flatnonzero(~layout.ravel() & (np.frombuffer(bytes(opened), np.uint8) == 0))
        if safe.size:
            cell = int(random.choice(safe))
            if numbers[cell] == 0:
                flood(numbers, opened, width, height, cell)
            opened[cell] = 1
    shown = np.frombuffer(bytes(opened), np.bool_).reshape(height, width)
    return seen(layout, shown, np.full((height, width), Face.COVERED, np.uint8))


def dealt(random: np.random.Generator, height: int, width: int, mines: int) -> NDArray[np.bool_]:
    """A layout."""
    layout = np.zeros(height * width, np.bool_)
    layout[random.choice(layout.size, mines, replace=False)] = True
    return layout.reshape(height, width)


def seen(layout: NDArray[np.bool_], opened: NDArray[np.bool_], cover: Faces) -> Faces:
    """What the player sees."""
    return np.where(opened, count_around(layout), cover).astype(np.uint8)


def small(random: np.random.Generator) -> tuple[Faces, int]:
    """A position of at most 7 x 5 cells; now and then its mine count is not the true one."""
    height, width = int(random.integers(1, 6)), int(random.integers(1, 8))
    if random.random() < 0.5:
        height, width = width, height
    cells = height * width
    mines = int(
        random.integers(0, cells + 1) if random.random() < 0.2 else cells * random.random() / 2
    )
    if random.random() < 0.5:
        faces = scattered(random, height, width, mines)
    else:
        faces = played(random, height, width, mines, int(random.integers(0, 6)))
    if random.random() < 0.1:
        mines = int(np.clip(mines + random.integers(-2, 3), 0, cells))
    return faces, mines
