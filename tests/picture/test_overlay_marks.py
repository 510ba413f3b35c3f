"""Advice on a board: what it looks like, that it can be told apart, and that it costs little."""

from __future__ import annotations

from itertools import combinations
from xml.etree import ElementTree as ET

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from demine.picture import PictureError, board, render, svg, tile, tile_svg
from demine.picture.board import TileAtlas
from demine.picture.cell import cell_shapes
from demine.picture.stroke import shape_polygons
from demine.scene.cell_faces import Face
from demine.scene.cell_highlights import Look
from demine.scene.overlay import UNKNOWN, Mark, Overlay
from demine.scene.themes import THEMES, Theme, theme
from tests.picture.test_board import grey
from tests.picture.test_svg_drawing import seen_by_pygame, without_uses
from tests.pictures import compare

Kind = tuple[Face, Mark, int]

COVERED = Face.COVERED
MARKED: list[Kind] = [(COVERED, mark, UNKNOWN) for mark in Mark if mark != Mark.BROKEN]
RISKY: list[Kind] = [
    (COVERED, Mark.NONE, risk)
    for risk in (0, 1, 8, 14, 20, 27, 36, 45, 50, 59, 63, 72, 88, 99, 100)
]
BOTH: list[Kind] = [
    (COVERED, Mark.SAFE, 0),
    (COVERED, Mark.MISSED, 0),
    (COVERED, Mark.MINE, 100),
    (COVERED, Mark.GUESS, 17),
    (COVERED, Mark.ABOUT, 50),
    (COVERED, Mark.ABOUT, 100),
]
FLAGGED: list[Kind] = [(Face.FLAG, Mark.NONE, risk) for risk in (0, 20, 66, 100)]
FLAGGED += [(Face.QUESTION, Mark.NONE, 35)]
FLAGGED += [(Face.FLAG, mark, UNKNOWN) for mark in (Mark.SAFE, Mark.MINE, Mark.ABOUT, Mark.MISSED)]
FLAGGED += [(Face.FLAG, Mark.ASSUMED_SAFE, UNKNOWN)]
PROOFS: list[Kind] = [(Face(number), Mark.BECAUSE, UNKNOWN) for number in range(1, 9)]
FAULTS: list[Kind] = [
    (face, Mark.MISTAKE, UNKNOWN) for face in (Face.ZERO, Face.THREE, Face.BLOWN, Face.WRONG)
]
FAULTS += [(Face.THREE, Mark.BROKEN, UNKNOWN)]
EVERY = (MARKED + RISKY, BOTH + FLAGGED + PROOFS + FAULTS)
SIZES = (12, 16, 20, 24, 32, 64)

kinds = st.tuples(
    st.sampled_from(list(Face)),
    st.sampled_from(list(Mark)),
    st.one_of(st.sampled_from([0, 1, 50, 99, 100]), st.just(UNKNOWN)),
)


def drawn(look: Theme, kind: Kind, cell: int) -> NDArray[np.uint8]:
    face, mark, risk = kind
    return tile(look, face, Look.PLAIN, cell, mark, risk)


def advised(rows: list[list[Kind]]) -> tuple[NDArray[np.uint8], Overlay]:
    """A scene and the overlay on it."""
    scene = np.array([[kind[0] for kind in row] for row in rows], np.uint8)
    marks = np.array([[kind[1] for kind in row] for row in rows], np.uint8)
    return scene, Overlay(marks, np.array([[kind[2] for kind in row] for row in rows], np.uint8))


@pytest.mark.parametrize("name", THEMES)
def test_all_advice_looks_as_it_should(name: str, regenerate: bool) -> None:
    look, wide = theme(name), max(map(len, EVERY))
    rows = []
    for cell in SIZES:
        for some in EVERY:
            row = np.zeros((cell, 64 * wide, 3), np.uint8)
            row[:, : cell * len(some)] = np.concatenate(
                [drawn(look, kind, cell) for kind in some], axis=1
            )
            rows.append(row)
    compare(np.concatenate(rows), f"picture/advice-{name}", regenerate)


@pytest.mark.parametrize("name", THEMES)
@pytest.mark.parametrize("cell", [12, 16, 24, 32])
def test_no_mark_is_told_by_its_colour_alone(name: str, cell: int) -> None:
    look = theme(name)
    # Marks that may stand on the same kind of cell; numbers are not proposed, covers not opened.
    for face, marks in (
        (COVERED, [mark for mark in Mark if mark is not Mark.MISTAKE]),
        (Face.FLAG, [Mark.NONE, Mark.SAFE, Mark.MINE, Mark.ABOUT, Mark.MISSED]),
        (Face.THREE, [Mark.NONE, Mark.BECAUSE, Mark.MISTAKE]),
        (Face.BLOWN, [Mark.NONE, Mark.MISTAKE]),
    ):
        pictures = {mark: grey(drawn(look, (face, mark, UNKNOWN), cell)) for mark in marks}
        for one, two in combinations(marks, 2):
            apart = np.abs(pictures[one] - pictures[two])
            assert (apart > 25).mean() > 0.05, (face, one, two)


@pytest.mark.parametrize("name", THEMES)
@pytest.mark.parametrize("cell", [12, 16, 20, 32])
def test_certainties_are_told_by_their_signs(name: str, cell: int) -> None:
    look = theme(name)
    for risk in (0, 100):
        body = drawn(look, (COVERED, Mark.NONE, risk), cell)[
            cell // 4 : -cell // 4, cell // 4 : -cell // 4
        ]
        shades = grey(body)
        ground = np.median(shades)
        assert (np.abs(shades - ground) > 60).mean() > 0.1


@pytest.mark.parametrize("name", THEMES)
def test_numbers_of_percent_appear_where_they_can_be_read(name: str) -> None:
    look = theme(name)
    for cell in range(12, 40):
        middle = drawn(look, (COVERED, Mark.NONE, 34), cell)[
            cell // 3 : -cell // 3, cell // 3 : -cell // 3
        ]
        assert (len(np.unique(middle.reshape(-1, 3), axis=0)) > 1) == (cell >= 20), cell


@pytest.mark.parametrize("name", THEMES)
@pytest.mark.parametrize("cell", [20, 24, 32])
def test_every_percent_has_a_picture_of_its_own(name: str, cell: int) -> None:
    pictures = {
        drawn(theme(name), (COVERED, Mark.NONE, risk), cell).tobytes() for risk in range(101)
    }
    assert len(pictures) == 101


@pytest.mark.parametrize("cell", [12, 20, 32, 48])
def test_a_number_keeps_clear_of_the_edges(cell: int) -> None:
    look = theme("light")
    for risk in range(1, 100):
        inked = np.argwhere(grey(drawn(look, (COVERED, Mark.NONE, risk), cell)) < 1)
        if len(inked):
            assert inked.min() >= 2
            assert inked.max() <= cell - 3


@pytest.mark.parametrize("name", THEMES)
def test_only_cells_that_may_hide_a_mine_show_a_risk(name: str) -> None:
    look = theme(name)
    for face in Face:
        plain, risky = (drawn(look, (face, Mark.NONE, risk), 24) for risk in (UNKNOWN, 40))
        covered = face in (Face.COVERED, Face.FLAG, Face.QUESTION)
        assert bool((plain != risky).any()) == covered, face


@pytest.mark.parametrize("name", THEMES)
def test_a_number_that_proves_something_is_not_dim(name: str) -> None:
    look = theme(name)
    dim, plain = (tile(look, Face.TWO, wear, 24, Mark.BECAUSE) for wear in (Look.DIM, Look.PLAIN))
    np.testing.assert_array_equal(dim, plain)


def test_a_held_cell_keeps_its_risk() -> None:
    look = theme("dark")
    held = tile(look, COVERED, Look.PRESSED, 24, risk=70)
    assert (held != tile(look, COVERED, Look.PRESSED, 24)).any()
    assert (held != tile(look, COVERED, Look.PLAIN, 24, risk=70)).any()


@given(st.data(), st.integers(1, 5), st.integers(1, 5), st.sampled_from([8, 13, 24]))
@settings(max_examples=40)
def test_an_advised_board_is_its_tiles_side_by_side(
    data: st.DataObject, high: int, wide: int, cell: int
) -> None:
    rows = [[data.draw(kinds) for _ in range(wide)] for _ in range(high)]
    scene, advice = advised(rows)
    look = theme(data.draw(st.sampled_from(list(THEMES))))
    picture = render(scene, look, cell, advice=advice)
    for row, col in np.ndindex(high, wide):
        y, x = row * cell, col * cell
        part = picture[y : y + cell, x : x + cell]
        np.testing.assert_array_equal(part, drawn(look, rows[row][col], cell))


@pytest.mark.parametrize("name", THEMES)
def test_no_advice_changes_nothing(name: str) -> None:
    scene = np.arange(60, dtype=np.uint8).reshape(6, 10) % len(Face)
    look, empty = theme(name), Overlay.empty((6, 10))
    assert render(scene, look, 16, advice=empty).tobytes() == render(scene, look, 16).tobytes()
    assert svg(scene, look, 16, advice=empty) == svg(scene, look, 16)
    elsewhere = empty.with_marks(Mark.SAFE, [(5, 9)])
    region = 0, 0, 3, 3
    np.testing.assert_array_equal(
        render(scene, look, 16, region=region, advice=elsewhere),
        render(scene, look, 16, region=region),
    )


def test_a_region_shows_its_part_of_the_advice() -> None:
    scene, advice = advised([MARKED[:8], RISKY[:8], FLAGGED[:8]])
    look = theme("light")
    whole = render(scene, look, 16, advice=advice, cursor=(1, 2))
    part = render(scene, look, 16, advice=advice, cursor=(1, 2), region=(1, 1, 3, 6))
    np.testing.assert_array_equal(part, whole[16:48, 16:96])


def test_what_does_not_fit_is_refused() -> None:
    scene, look = np.full((2, 3), COVERED, np.uint8), theme("light")
    for draw in (render, svg):
        with pytest.raises(PictureError, match=r"advice has the shape \(3, 2\), the scene \(2, 3"):
            draw(scene, look, advice=Overlay.empty((3, 2)))
    for risk in (-1, 101, 254, 256):
        for one in (tile, tile_svg):
            with pytest.raises(PictureError, match=f"a risk of {risk} cannot be drawn: 0 to 100"):
                one(look, COVERED, risk=risk)


def test_tiles_are_kept_within_bounds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(board, "_MEMORY", 12 * 12 * 3 * 40)
    fresh = TileAtlas(theme("light"), 12)
    codes = np.arange(300, dtype=np.intp).reshape(12, 25)
    # Codes of all faces and looks, and risks beyond them: far more than are kept.
    picture = fresh.arrange(codes)
    assert fresh.tile_count <= 40
    large = TileAtlas(theme("light"), 12)
    for at in np.ndindex(codes.shape):
        y, x = at[0] * 12, at[1] * 12
        one = large.tile(int(codes[at]))
        np.testing.assert_array_equal(picture[y : y + 12, x : x + 12], one)


def test_a_tile_given_out_stays_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(board, "_MEMORY", 12 * 12 * 3 * 40)
    fresh = TileAtlas(theme("light"), 12)
    first = fresh.tile(9)
    before = first.copy()
    for code in range(200):
        fresh.tile(code)
    np.testing.assert_array_equal(first, before)
    np.testing.assert_array_equal(fresh.tile(9), before)


@pytest.mark.parametrize("name", THEMES)
@pytest.mark.parametrize("cell", [16, 33])
def test_both_outputs_are_one_drawing(name: str, cell: int) -> None:
    look = theme(name)
    for face, mark, risk in MARKED[1:] + RISKY[::4] + BOTH + FLAGGED[::2] + PROOFS[::4] + FAULTS:
        text = tile_svg(look, face, Look.PLAIN, cell, mark, risk)
        theirs = seen_by_pygame(text, cell, cell)
        apart = np.abs(theirs - drawn(look, (face, mark, risk), cell))
        assert apart.mean() < 1.6, (face, mark, risk)
        assert (apart > 20).mean() < 0.025, (face, mark, risk)


def test_an_advised_board_is_the_same_in_both_outputs() -> None:
    scene, advice = advised([MARKED[:8], RISKY[:8], BOTH + FLAGGED[:2], PROOFS])
    text = svg(scene, theme("dark"), 24, advice=advice, cursor=(3, 0))
    ours = render(scene, theme("dark"), 24, advice=advice, cursor=(3, 0))
    high, wide, _ = ours.shape
    assert np.abs(seen_by_pygame(without_uses(text), wide, high) - ours).mean() < 1.6


@pytest.mark.parametrize("name", THEMES)
@pytest.mark.parametrize("cell", [12, 16, 20, 24, 27, 32, 64])
def test_advice_stays_within_its_cell(name: str, cell: int) -> None:
    # SVG does not cut off what reaches into the neighbours.
    for face, mark, risk in MARKED + BOTH + FLAGGED + PROOFS + FAULTS:
        for shape in cell_shapes(theme(name), face, Look.PLAIN, cell, mark, risk)[1]:
            points = [point for ring in shape_polygons(shape) for point in ring]
            assert np.min(points) >= -0.25, (face, mark, risk)
            assert np.max(points) <= cell + 0.25, (face, mark, risk)


def test_each_kind_of_advised_cell_is_described_once() -> None:
    scene, advice = advised([RISKY[:4] * 2, RISKY[:4] * 2])
    root = ET.fromstring(svg(scene, theme("light"), 20, advice=advice))
    names = [str(each.get("id")) for each in root.iter("{http://www.w3.org/2000/svg}g")]
    assert [name.rpartition("-")[0] for name in names] == [
        "c9-0-r0",
        "c9-0-r1",
        "c9-0-r8",
        "c9-0-r14",
    ]
