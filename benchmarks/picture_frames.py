"""Frames per second of a drawn board: `demine.picture.render` beside two peers, in one run.

The peers draw the same tiles into an array or a surface that they already hold: a loop of NumPy
slice assignments, and (where pygame is installed) a loop of `blit` and one `blits` call. `render`
makes a new array each time, so its figures include asking for the memory. "with risks" is `render`
with a mine probability laid over every covered cell.

"""

from __future__ import annotations

import os
import time
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from benchmarks.measure import Row, Run
from demine.picture import render, tile
from demine.picture.board import TileAtlas
from demine.scene.cell_faces import Face
from demine.scene.cell_highlights import Look
from demine.scene.overlay import Overlay
from demine.scene.themes import theme

BOARDS = {"9x9": (9, 9), "30x16": (16, 30), "100x100": (100, 100)}
CELLS = (16, 32)
SECONDS = 0.4


def rows(_run: Run) -> list[Row]:
    """Return frames a second, and how long a tile takes from nothing."""
    found = []
    for name, shape in BOARDS.items():
        for cell in CELLS:
            speeds = measured(shape, cell)
            what = f"{name}, cells of {cell} px"
            ours = speeds.pop("render")
            found += [
                Row(what, ours, "frames/s", way, theirs, more_is_better=True)
                for way, theirs in speeds.items()
                if way != "with risks"
            ]
            found.append(Row(f"{what}, with risks", speeds["with risks"], "frames/s"))
    tiles = tiles_from_nothing()
    return found + [Row(f"a tile of {cell} px", ms, "ms") for cell, ms in tiles.items()]


def measured(shape: tuple[int, int], cell: int) -> dict[str, float]:
    """Frames per second of every way to draw one board."""
    scene = np.random.default_rng(7).integers(0, len(Face), shape, np.uint8)
    look = theme("light")
    tiles = [tile(look, face, Look.PLAIN, cell) for face in Face]
    advice = Overlay.empty(shape).with_risks(np.random.default_rng(7).random(shape))
    ways: dict[str, Callable[[], object]] = {
        "render": lambda: render(scene, look, cell),
        "with risks": lambda: render(scene, look, cell, advice=advice),
        "array loop": array_loop(scene, tiles, cell),
    }
    ways.update(pygame_ways(scene, tiles, cell))
    return {way: rate(draw) for way, draw in ways.items()}


def array_loop(
    scene: NDArray[np.uint8], tiles: list[NDArray[np.uint8]], cell: int
) -> Callable[[], object]:
    """One slice assignment a cell."""
    high, wide = scene.shape
    picture = np.empty((high * cell, wide * cell, 3), np.uint8)

    def draw() -> None:
        for row, faces in enumerate(scene.tolist()):
            y = row * cell
            for col, face in enumerate(faces):
                picture[y : y + cell, col * cell : (col + 1) * cell] = tiles[face]

    return draw


def pygame_ways(
    scene: NDArray[np.uint8], tiles: list[NDArray[np.uint8]], cell: int
) -> dict[str, Callable[[], object]]:
    """One blit a cell, and all blits in one call; nothing without pygame."""
    os.environ["PYGAME_HIDE_SUPPORT_PROMPT"] = "1"
    try:
        import pygame
    except ImportError:
        return {}
    high, wide = scene.shape
    # 32 bits as a window has.
    screen = pygame.Surface((wide * cell, high * cell), 0, 32)
    cut = [
        pygame.image.frombuffer(each.tobytes(), (cell, cell), "RGB").convert(screen)
        for each in tiles
    ]

    def blit() -> None:
        for row, faces in enumerate(scene.tolist()):
            for col, face in enumerate(faces):
                screen.blit(cut[face], (col * cell, row * cell))

    def blits() -> None:
        screen.blits(
            [
                (cut[face], (col * cell, row * cell))
                for row, faces in enumerate(scene.tolist())
                for col, face in enumerate(faces)
            ],
            doreturn=False,
        )

    return {"pygame blit": blit, "pygame blits": blits}


def rate(draw: Callable[[], object]) -> float:
    """Calls a second: the best of three runs."""
    draw()
    best = 0.0
    for _ in range(3):
        count, start = 0, time.perf_counter()
        while time.perf_counter() - start < SECONDS / 3:
            draw()
            count += 1
        best = max(best, count / (time.perf_counter() - start))
    return best


def tiles_from_nothing() -> dict[int, float]:
    """Milliseconds to draw a tile that no atlas holds yet, by size; the mean of all faces."""
    look, found = theme("light"), {}
    for cell in (16, 32, 64, 200):
        fresh = TileAtlas(look, cell)
        start = time.perf_counter()
        for slot in range(len(Face)):
            fresh.tile(slot)
        found[cell] = (time.perf_counter() - start) * 1000 / len(Face)
    return found
