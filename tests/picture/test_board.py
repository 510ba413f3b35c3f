"""Tiles and whole boards as pixels."""

from __future__ import annotations

import subprocess
import sys
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from demine.picture import PictureError, cell_marker, render, tile
from demine.picture.board import blend_over, cached_atlas
from demine.picture.draw_request import MAX_CELL, MIN_CELL
from demine.scene.cell_faces import Face
from demine.scene.cell_highlights import Look
from demine.scene.themes import THEMES, theme
from tests.pictures import compare

NUMBERS = [Face(n) for n in range(1, 9)]
KINDS = (
    [(face, Look.PLAIN) for face in Face]
    + [(Face.COVERED, Look.PRESSED), (Face.QUESTION, Look.PRESSED)]
    + [(face, look) for look in (Look.DIM, Look.CROWDED) for face in NUMBERS]
)
faces = st.sampled_from(list(Face))
looks = st.sampled_from(list(Look))


def grey(picture: NDArray[np.uint8]) -> NDArray[np.float64]:
    """The picture without colour: luma after Rec. 709."""
    return np.asarray(picture @ np.array((0.2126, 0.7152, 0.0722)))


@pytest.mark.parametrize("name", THEMES)
def test_all_tiles_look_as_they_should(name: str, regenerate: bool) -> None:
    rows = []
    for cell in (12, 16, 24, 32):
        row = np.zeros((cell, 32 * len(KINDS), 3), np.uint8)
        row[:, : cell * len(KINDS)] = np.concatenate(
            [tile(theme(name), face, look, cell) for face, look in KINDS], axis=1
        )
        rows.append(row)
    compare(np.concatenate(rows), f"picture/tiles-{name}", regenerate)


@given(st.data(), st.integers(1, 6), st.integers(1, 6), st.sampled_from([8, 13, 16]))
def test_a_board_is_its_tiles_side_by_side(
    data: st.DataObject, high: int, wide: int, cell: int
) -> None:
    size = high * wide
    scene = data.draw(st.lists(faces, min_size=size, max_size=size))
    dress = data.draw(st.lists(looks, min_size=size, max_size=size))
    look = theme(data.draw(st.sampled_from(list(THEMES))))
    picture = render(
        np.array(scene, np.uint8).reshape(high, wide),
        look,
        cell,
        looks=np.array(dress, np.uint8).reshape(high, wide),
    )
    assert picture.shape == (high * cell, wide * cell, 3)
    for index, (face, wear) in enumerate(zip(scene, dress, strict=True)):
        y, x = index // wide * cell, index % wide * cell
        np.testing.assert_array_equal(
            picture[y : y + cell, x : x + cell], tile(look, face, wear, cell)
        )


def test_a_region_is_a_part_of_the_whole() -> None:
    scene = np.arange(150, dtype=np.uint8).reshape(10, 15) % len(Face)
    dress = np.arange(150, dtype=np.uint8).reshape(10, 15) % len(Look)
    look, cell = theme("light"), 16
    whole = render(scene, look, cell, dress, cursor=(4, 5), start=(0, 0))
    part = render(scene, look, cell, dress, cursor=(4, 5), start=(0, 0), region=(3, 2, 8, 11))
    np.testing.assert_array_equal(part, whole[3 * cell : 8 * cell, 2 * cell : 11 * cell])


@pytest.mark.parametrize("name", THEMES)
def test_marks_lie_over_their_cell_only(name: str) -> None:
    look = theme(name)
    scene = np.full((3, 3), Face.COVERED, np.uint8)
    plain = render(scene, look, 24)
    for mark, marked in (
        ("cursor", render(scene, look, 24, cursor=(1, 2))),
        ("start", render(scene, look, 24, start=(1, 2))),
    ):
        changed = np.argwhere((plain != marked).any(axis=2))
        assert changed.min(axis=0).tolist() >= [24, 48]
        assert changed.max(axis=0).tolist() <= [47, 71]
        above = cell_marker(look, "cursor" if mark == "cursor" else "start", 24)
        np.testing.assert_array_equal(marked[24:48, 48:72], blend_over(plain[24:48, 48:72], above))
    assert (
        cell_marker(look, "cursor", 24)[12, 12, 3] == 0
    )  # the ring does not hide what it is about


@pytest.mark.parametrize("name", THEMES)
@pytest.mark.parametrize("cell", [16, 32])
def test_nothing_is_told_apart_by_colour_alone(name: str, cell: int) -> None:
    look = theme(name)
    pictures = {kind: grey(tile(look, *kind, cell)) for kind in KINDS[: len(Face) + 1]}
    for one, two in combinations(pictures, 2):
        if {one[0], two[0]} == {Face.ZERO, Face.COVERED} and Look.PRESSED in (one[1], two[1]):
            continue  # a pressed cell looks as if it were open: that is what pressing means
        apart = np.abs(pictures[one] - pictures[two])
        assert (apart > 25).mean() > 0.03, (one, two)


@pytest.mark.parametrize("name", THEMES)
@pytest.mark.parametrize("number", NUMBERS)
def test_dim_and_crowded_numbers_differ_without_colour(name: str, number: Face) -> None:
    look = theme(name)
    plain = grey(tile(look, number, Look.PLAIN, 32))
    assert (np.abs(plain - grey(tile(look, number, Look.DIM, 32))) > 10).mean() > 0.03
    assert (np.abs(plain - grey(tile(look, number, Look.CROWDED, 32))) > 25).mean() > 0.08


def test_the_classic_bevel_is_winmines() -> None:
    covered = tile(theme("classic"), Face.COVERED, Look.PLAIN, 16)[:, :, 0].tolist()
    assert covered[0] == [255] * 15 + [192]
    assert covered[1] == [255] * 14 + [192, 128]
    assert covered[8] == [255] * 2 + [192] * 12 + [128] * 2
    assert covered[14] == [255, 192] + [128] * 14
    assert covered[15] == [192] + [128] * 15
    opened = tile(theme("classic"), Face.ZERO, Look.PLAIN, 16)[:, :, 0].tolist()
    assert opened[0] == [128] * 16
    assert opened[9] == [128] + [192] * 15


@pytest.mark.parametrize("cell", [10, 12, 16, 21, 24, 32, 48, 100])
def test_stems_lie_on_whole_pixels(cell: int) -> None:
    one = tile(theme("classic"), Face.ONE, Look.PLAIN, cell)
    row = one[round(cell * 0.55)].tolist()
    assert {tuple(pixel) for pixel in row} == {(128, 128, 128), (192, 192, 192), (0, 0, 255)}


@pytest.mark.parametrize("name", THEMES)
@pytest.mark.parametrize("cell", [MIN_CELL, 5, 7, 200, MAX_CELL])
def test_any_size_can_be_drawn(name: str, cell: int) -> None:
    kinds = KINDS if cell < 100 else [(Face.EIGHT, Look.PLAIN), (Face.BLOWN, Look.PLAIN)]
    for face, look in kinds:
        picture = tile(theme(name), face, look, cell)
        assert picture.shape == (cell, cell, 3)
        if face is not Face.ZERO:
            assert len(np.unique(picture.reshape(-1, 3), axis=0)) > 1


def test_looks_that_a_face_cannot_wear_are_plain() -> None:
    look = theme("dark")
    for face, wear in ((Face.FLAG, Look.PRESSED), (Face.MINE, Look.DIM), (Face.ZERO, Look.CROWDED)):
        np.testing.assert_array_equal(tile(look, face, wear, 16), tile(look, face, Look.PLAIN, 16))


def test_tiles_are_drawn_when_they_are_needed_and_kept() -> None:
    fresh = cached_atlas.__wrapped__(theme("light"), 20)
    assert fresh.tile_count == 0
    fresh.arrange(np.array([[3, 5], [5, 3]]))
    assert fresh.tile_count == 2
    kept = tile(theme("light"), Face.ONE, Look.PLAIN, 20)
    assert np.shares_memory(kept, tile(theme("light"), Face.ONE, Look.PLAIN, 20))
    with pytest.raises(ValueError, match="read-only"):
        kept[0, 0] = 0


@pytest.mark.parametrize(
    ("scene", "sentence"),
    [
        ([[1]], "scene must be a uint8 array, not list"),
        (np.zeros((2, 2), np.int64), "scene must be a uint8 array, not int64"),
        (np.zeros(4, np.uint8), r"scene must have rows and columns, not the shape \(4,\)"),
        (np.zeros((0, 4), np.uint8), r"not the shape \(0, 4\)"),
        (
            np.array([[0, 1], [2, 15]], np.uint8),
            r"scene has 15 at row 2, column 2, which is not a Face",
        ),
    ],
)
def test_what_is_no_scene_is_refused(scene: NDArray[np.uint8], sentence: str) -> None:
    with pytest.raises(PictureError, match=sentence):
        render(scene, theme("light"))


def test_what_does_not_fit_the_scene_is_refused() -> None:
    scene, look = np.zeros((2, 3), np.uint8), theme("light")
    with pytest.raises(PictureError, match=r"looks has the shape \(3, 2\), the scene \(2, 3\)"):
        render(scene, look, looks=np.zeros((3, 2), np.uint8))
    with pytest.raises(PictureError, match="looks has 4 at row 1, column 1, which is not a Look"):
        render(scene, look, looks=np.full((2, 3), 4, np.uint8))
    with pytest.raises(PictureError, match="cursor at row 3, column 1 is not on a board"):
        render(scene, look, cursor=(2, 0))
    with pytest.raises(PictureError, match="start at row 1, column 0 is not on a board"):
        render(scene, look, start=(0, -1))
    for region in ((0, 0, 3, 3), (1, 0, 1, 3), (-1, 0, 1, 1)):
        with pytest.raises(
            PictureError, match=r"region .* is not on a board of 2 rows and 3 columns"
        ):
            render(scene, look, region=region)


def test_sizes_that_cannot_be_drawn_are_refused() -> None:
    scene, look = np.zeros((2, 3), np.uint8), theme("light")
    for cell in (0, MIN_CELL - 1, MAX_CELL + 1, -32):
        with pytest.raises(
            PictureError, match=f"a cell of {cell} pixels cannot be drawn: 4 to 512"
        ):
            render(scene, look, cell)
    with pytest.raises(PictureError, match=r"pixels, not 16\.5"):
        tile(look, Face.ONE, cell=16.5)  # type: ignore[arg-type]


def test_a_huge_board_is_refused_unless_by_region() -> None:
    scene = np.full((4000, 4000), Face.COVERED, np.uint8)
    with pytest.raises(PictureError, match=r"64000 x 64000 pixels is too large .* region"):
        render(scene, theme("dark"), 16)
    part = render(scene, theme("dark"), 16, region=(3990, 3980, 4000, 4000))
    assert part.shape == (160, 320, 3)


def test_pictures_need_no_display_and_no_toolkit() -> None:
    program = (
        "import sys, numpy as np\n"
        "from demine.picture import icon, led_display, picture_of_window, render, svg\n"
        "from demine.scene.themes import THEMES\n"
        "look = THEMES['dark']\n"
        "render(np.full((3, 3), 9, np.uint8), look); svg(np.full((3, 3), 9, np.uint8), look)\n"
        "icon(32); led_display('012', look)\n"
        "bad = {'pygame', 'PySide6', 'PIL', 'numba'} & set(sys.modules)\n"
        "sys.exit(f'imported {bad}' if bad else 0)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
