"""How large pictures may be, and how much memory is taken for them."""

from __future__ import annotations

import io
import tracemalloc
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import numpy as np
import pytest
from numpy.typing import NDArray

from demine.game import Game
from demine.logic.event import Act, Touch, Verb
from demine.logic.rules import Rules
from demine.notebook.pictures import heat_map, show
from demine.picture import (
    PictureError,
    picture_of_window,
    png_bytes,
    render,
    review_picture,
    svg,
    window_svg,
)
from demine.picture.animation import playback_frame, write_game_gif
from demine.picture.gif_file import GifPalette
from demine.picture.rasterise_shapes import _BAND, paint, painted_bands
from demine.picture.review_with_risk_chart import EMPTY_TIMELINE, check_review_size
from demine.picture.vector_path import Shape, circle, rectangle
from demine.scene.cell_faces import Face
from demine.scene.face_mood import FaceMood
from demine.scene.overlay import Mark, Overlay
from demine.scene.panel import Panel
from demine.scene.playback import Playback
from demine.scene.themes import THEMES
from tests.png_reader import read_png

THEME = THEMES["light"]
PANEL = Panel(10, 42, FaceMood.LOST, "")
KEPT = 56 << 20
"""Bytes for tiles that are kept, and for what is drawn at once, however large the picture."""
FEW = 5
"""Bytes a pixel, of which the picture itself has three."""

Faces = NDArray[np.uint8]


@contextmanager
def peak() -> Iterator[list[int]]:
    """Find out how many bytes are held at most."""
    found: list[int] = []
    tracemalloc.start()
    try:
        yield found
        found.append(tracemalloc.get_traced_memory()[1])
    finally:
        tracemalloc.stop()


def board(high: int, wide: int) -> Faces:
    random = np.random.default_rng(3)
    return random.integers(0, Face.FLAG + 1, (high, wide), np.uint8)


def watched(high: int, wide: int) -> Playback:
    game = Game(Rules(wide, high, high * wide // 6), 1)
    for step in range(40):
        game.touch(
            Touch(step * 10 - 400, "", "move", 16 * wide * step // 40, 16 * high * step // 40)
        )
    game.play(Act(0, Verb.OPEN, high // 2, wide // 2))
    return Playback(game)


def still(high: int, wide: int, cell: int) -> Faces:
    playback = watched(high, wide)
    return playback_frame(playback, THEME, cell, trail=playback.trail(None))


def judged(high: int, wide: int, cell: int) -> Faces:
    marks = Overlay.empty((high, wide)).with_marks(Mark.MISTAKE, [(2, 3)])
    return review_picture(board(high, wide), THEME, PANEL, marks, EMPTY_TIMELINE, cell)


PAINTERS: dict[str, Callable[[int, int, int], Faces]] = {
    "board": lambda high, wide, cell: render(board(high, wide), THEME, cell),
    "portrait": lambda high, wide, cell: picture_of_window(board(high, wide), THEME, PANEL, cell),
    "review": judged,
    "frame": still,
}


@pytest.mark.parametrize("cell", [4, 25])
@pytest.mark.parametrize("name", PAINTERS)
def test_a_picture_takes_few_bytes_a_pixel(name: str, cell: int) -> None:
    side = (1800 if name in {"portrait", "review"} else 5000) // cell
    PAINTERS[name](20, 20, cell)
    with peak() as found:
        picture = PAINTERS[name](side, side, cell)
        png_bytes(picture)
    assert found[0] <= FEW * picture.shape[0] * picture.shape[1] + KEPT


def test_an_animation_takes_few_bytes_a_pixel() -> None:
    picture = playback_frame(watched(240, 240), THEME, 8)
    with peak() as found:
        colours = GifPalette.of_pictures([picture])
        colours.colour_indices(picture)
    assert found[0] <= FEW * picture.shape[0] * picture.shape[1] + KEPT // 4


def test_a_drawing_takes_little_more_than_its_text() -> None:
    faces = board(400, 400)
    with peak() as found:
        text = svg(faces, THEME, 4)
    assert found[0] <= 3 * len(text) + KEPT // 8


HUGE: dict[str, Callable[[Faces], object]] = {
    "render": lambda faces: render(faces, THEME, 24),
    "svg": lambda faces: svg(faces, THEME, 24),
    "portrait": lambda faces: picture_of_window(faces, THEME, PANEL, 24),
    "portrait_svg": lambda faces: window_svg(faces, THEME, PANEL, 24),
    "reviewed": lambda faces: review_picture(
        faces, THEME, PANEL, Overlay.empty((2000, 2000)), EMPTY_TIMELINE, 24
    ),
    "check_review_size": lambda faces: check_review_size(faces, THEME, PANEL, 24),
    "show": show,
    "heat_map": lambda faces: heat_map(faces, 9),
}


@pytest.mark.parametrize("name", HUGE)
def test_what_is_too_large_is_refused_before_memory_is_taken(name: str) -> None:
    faces = np.full((2000, 2000), Face.COVERED, np.uint8)
    with peak() as found, pytest.raises(PictureError, match=r"too (large|many)"):
        HUGE[name](faces)
    # Some bytes for each cell, where a picture has three for each of its 576 pixels.
    assert found[0] < 7 * faces.size


@pytest.mark.parametrize(
    "make", [playback_frame, lambda p, t, c: write_game_gif(p, io.BytesIO(), t, c)]
)
def test_a_game_too_large_to_be_watched_in_a_picture(make: Callable[..., object]) -> None:
    playback = watched(1000, 1000)
    with peak() as found, pytest.raises(PictureError, match="24020 x 24052 pixels"):
        make(playback, THEME, 24)
    assert found[0] < 1 << 20


def test_a_chart_below_a_long_board_counts_as_well() -> None:
    """A board of one row is low, and what stands below it as wide."""
    faces = board(1, 10_000)
    # 51 million pixels more than the portrait alone.
    with peak() as found, pytest.raises(PictureError, match="too large"):
        review_picture(
            board(1, 60_000), THEME, PANEL, Overlay.empty((1, 60_000)), EMPTY_TIMELINE, 4
        )
    assert found[0] < 4 << 20
    check_review_size(faces, THEME, PANEL, 4)


def weighed(picture: Faces) -> NDArray[np.int64]:
    """Colours as they are seen: what is clear has none."""
    alpha = picture[:, :, 3:].astype(np.int64) if picture.shape[2] == 4 else 255
    return picture[:, :, :3] * alpha // 255


@pytest.mark.parametrize("ground", [None, (3, 200, 90)])
def test_bands_are_the_picture(ground: tuple[int, int, int] | None) -> None:
    wide = 700
    high = 3 * _BAND // wide + 5
    shapes = [
        Shape(circle(300, 500, 333.3), (255, 0, 9)),
        Shape(rectangle(0, 1, wide, high - 0.5), (0, 9, 250), 3.5),
        Shape(circle(10, 380, 80), (0, 255, 0), 12, alpha=0.4),
        Shape(circle(-900, 380, 80), (0, 255, 0)),
    ]
    picture = paint(shapes, wide, high, ground)
    joined = np.concatenate([part for _, part in painted_bands(shapes, wide, high, ground)])
    assert np.array_equal(picture, joined)
    for top in (0, 371, high - 200):
        moved = [shape._replace(path=shape.path.moved(0, -top)) for shape in shapes]
        alone = paint(moved, wide, 200, ground)
        assert np.abs(weighed(picture[top : top + 200]) - weighed(alone)).max() <= 1


def test_large_files_hold_every_pixel() -> None:
    random = np.random.default_rng(5)
    for channels in (3, 4):
        picture = random.integers(0, 4, (1500, 1000, channels), np.uint8)
        assert np.array_equal(read_png(png_bytes(picture)), picture)
