"""SVG: well-formed, and the same picture as the pixels in another program's eyes."""

from __future__ import annotations

import io
from typing import Any
from xml.etree import ElementTree as ET

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from demine.picture import PictureError, render, svg, tile, tile_svg
from demine.scene.cell_faces import Face
from demine.scene.cell_highlights import Look
from demine.scene.themes import THEMES, theme

SVG = "{http://www.w3.org/2000/svg}"
HREF = "{http://www.w3.org/1999/xlink}href"


FINE = 8


def seen_by_pygame(text: str, wide: int, high: int) -> NDArray[np.float64]:
    """The document as pygame's SVG reader draws it, (high, wide, 3).

    Drawn 8 times as large and averaged, because that reader's own anti-aliasing is rough.
    """
    pygame: Any = pytest.importorskip("pygame")
    surface = pygame.image.load_sized_svg(io.BytesIO(text.encode()), (wide * FINE, high * FINE))
    data = pygame.image.tobytes(surface, "RGBA")
    fine = np.frombuffer(data, np.uint8).reshape(high, FINE, wide, FINE, 4)[..., :3]
    return np.asarray(fine.mean(axis=(1, 3)))


def without_uses(text: str) -> str:
    """The document with every used cell written out, for readers that do not know `use`."""
    root = ET.fromstring(text)
    defs = root.find(f"{SVG}defs")
    assert defs is not None
    cells = {f"#{cell.get('id')}": cell for cell in defs}
    root.remove(defs)
    for use in root.findall(f"{SVG}use"):
        group = ET.SubElement(root, f"{SVG}g")
        group.set("transform", f"translate({use.get('x')} {use.get('y')})")
        group.extend(cells[use.get(HREF, "")])
        root.remove(use)
    # Marks are drawn over the cells.
    marks = [each for each in root.findall(f"{SVG}g") if "stroke" not in each.attrib]
    assert marks
    ET.register_namespace("", SVG[1:-1])
    return ET.tostring(root, encoding="unicode")


@pytest.mark.parametrize("name", THEMES)
@pytest.mark.parametrize("cell", [16, 33, 64])
def test_both_outputs_are_one_drawing(name: str, cell: int) -> None:
    look = theme(name)
    wears = [(face, Look.PLAIN) for face in Face] + [(Face.COVERED, Look.PRESSED)]
    wears += [(Face.FIVE, Look.DIM), (Face.TWO, Look.CROWDED)]
    for face, wear in wears:
        theirs = seen_by_pygame(tile_svg(look, face, wear, cell), cell, cell)
        apart = np.abs(theirs - tile(look, face, wear, cell))
        assert apart.mean() < 1.2, (face, wear)
        assert (apart > 20).mean() < 0.012, (face, wear)


def test_a_board_is_the_same_in_both_outputs() -> None:
    scene = (np.arange(30, dtype=np.uint8) % len(Face)).reshape(5, 6)
    theirs = seen_by_pygame(without_uses(svg(scene, theme("light"), 24)), 144, 120)
    assert np.abs(theirs - render(scene, theme("light"), 24)).mean() < 1.2


@given(st.data(), st.integers(1, 5), st.integers(1, 5))
def test_a_board_is_well_formed_and_complete(data: st.DataObject, high: int, wide: int) -> None:
    kinds = st.sampled_from(list(Face))
    scene = np.array(
        data.draw(st.lists(kinds, min_size=high * wide, max_size=high * wide)), np.uint8
    ).reshape(high, wide)
    root = ET.fromstring(svg(scene, theme("classic"), 20, cursor=(0, 0), start=(high - 1, 0)))
    assert root.tag == f"{SVG}svg"
    assert root.get("viewBox") == f"0 0 {wide * 20} {high * 20}"
    uses = root.findall(f"{SVG}use")
    assert len(uses) == high * wide
    names = {f"#{cell.get('id')}" for cell in root.iterfind(f"{SVG}defs/{SVG}g")}
    assert {use.get(HREF) for use in uses} == names
    assert len(names) == len(np.unique(scene))
    assert len(root.findall(f"{SVG}g")) == 2


def test_a_region_moves_to_the_corner() -> None:
    scene = np.zeros((4, 4), np.uint8)
    scene[2, 3] = Face.FLAG
    root = ET.fromstring(svg(scene, theme("dark"), 10, region=(2, 2, 4, 4)))
    places = {(use.get("x"), use.get("y")): use.get(HREF) for use in root.findall(f"{SVG}use")}
    assert len(places) == 4
    assert (places["10", "0"] or "").startswith("#c10-0-")


def test_what_cannot_be_drawn_is_refused() -> None:
    with pytest.raises(PictureError, match="not a Face"):
        svg(np.full((1, 1), 99, np.uint8), theme("dark"))
    with pytest.raises(PictureError, match="cell of 2 pixels"):
        tile_svg(theme("dark"), Face.ONE, cell=2)


def test_boards_in_one_page_do_not_take_each_others_cells() -> None:
    """Names are the page's: cells that look different have different names in all documents."""
    looks: dict[str, str] = {}
    for name, cell in (("classic", 24), ("light", 24), ("light", 32)):
        root = ET.fromstring(svg(np.zeros((1, 1), np.uint8), theme(name), cell))
        for kind in root.findall(f"{SVG}defs/{SVG}g"):
            drawn = "".join(ET.tostring(each, encoding="unicode") for each in kind)
            assert looks.setdefault(str(kind.get("id")), drawn) == drawn
    assert len(looks) == 3
