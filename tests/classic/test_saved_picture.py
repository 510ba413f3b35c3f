"""The picture of the last moment: shown once, and only when it is what comes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pygame
import pytest

from demine.scene.sight import sight
from tests.classic.desk import CELL, Table
from tests.hand import wait_for
from tests.table import left_large, tiles

Sit = Callable[..., Table]


def pixels(path: Path) -> np.ndarray[tuple[int, int, int], np.dtype[np.uint8]]:
    """The picture in a file, `(height, width, 3)`."""
    surface = pygame.image.load(path)
    found = np.frombuffer(pygame.image.tobytes(surface, "RGB"), np.uint8)
    return found.reshape(surface.get_height(), surface.get_width(), 3)


@pytest.mark.parametrize("end", ["as it was", "lost", "paused", "page of keys"])
def test_the_picture_is_what_the_next_start_shows(sit: Sit, data_dir: Path, end: str) -> None:
    table = sit()
    table.open(4, 4)
    if end == "lost":
        table.lose()
    elif end == "paused":
        table.hand.key("p")
        table.hidden()
    elif end == "page of keys":
        table.hand.key("f1")
    table.hand.key("t")
    assert table.stop() == 0
    picture = pixels(data_dir / "cache" / "window.png")
    assert (data_dir / "cache" / "window.txt").exists()
    again = sit("--scene", "classic", look="dark", game=table.game)
    layout = again.layout
    # The clock may have gone on by a second since.
    seen = again.picture()
    seen[: layout.counters.bottom, layout.face.right :] = 0
    picture = picture.copy()
    picture[: layout.counters.bottom, layout.face.right :] = 0
    np.testing.assert_array_equal(seen, picture)
    again.hand.key("f2")
    again.measure(24)
    again.hidden()
    assert not (data_dir / "cache" / "window.txt").exists()


def test_a_kill_leaves_no_picture(sit: Sit, data_dir: Path) -> None:
    assert sit().stop() == 0
    assert (data_dir / "cache" / "window.txt").exists()
    sit("--scene", "classic").kill()
    assert not (data_dir / "cache" / "window.txt").exists()


@pytest.mark.parametrize("place", [(60, 75), (2, 1)])
def test_a_large_board_goes_on_where_it_was_played(
    sit: Sit, data_dir: Path, place: tuple[int, int]
) -> None:
    game = left_large(*place)
    options = ("--cell", str(CELL), "--theme", "light")

    def seen(table: Table, rows: range, cols: range) -> bool:
        view, picture = table.view, table.picture()
        view, faces, known = view.initially_centred_on(place), sight(game), tiles(table.look, CELL)
        return all(
            known.get(picture[y : y + CELL, x : x + CELL].tobytes(), ())[:1] == (faces[row, col],)
            for row in rows
            for col in cols
            for x, y, *_ in [view.cell_rect(row, col)]
        )

    near = range(place[0], place[0] + 3), range(place[1], place[1] + 3)
    table = sit(*options, game=game)
    table.hand.key("p")
    wait_for(lambda: seen(table, *near), "the cells opened last")
    table.hand.point(300, 300)
    table.hand.click(300, 300, 5)  # the wheel: the player looks elsewhere
    wait_for(lambda: not seen(table, *near), "other cells")
    table.hand.key("f11")
    table.hand.key("f11")
    assert table.stop() == 0
    assert (data_dir / "cache" / "window.txt").exists()
    again = sit("--scene", "classic", game=game)
    again.hand.key("p")
    wait_for(lambda: seen(again, *near), "the cells opened last once more")
    assert not (data_dir / "cache" / "window.txt").exists()
