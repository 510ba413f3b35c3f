"""Scene boards as SVG, made of the same shapes as the pixels."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING
from zlib import crc32

from demine.picture import cell_symbols
from demine.picture.cell import applicable_look, applicable_risk, cell_shapes
from demine.picture.draw_request import (
    CellPlace,
    DrawRequest,
    Region,
    checked_cell_size,
    checked_request,
    checked_risk_percent,
)
from demine.picture.vector_path import Shape, short_number
from demine.scene.cell_faces import Face
from demine.scene.cell_highlights import Look
from demine.scene.colours import RGB, to_hex
from demine.scene.overlay import UNKNOWN, Overlay
from demine.scene.overlay import Mark as Advised

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from demine.scene.themes import Theme


CellKind = tuple[Face, Look, Advised, int, bool]
"""What a cell shows: its face, look, mark and risk, and whether that is a colour alone."""


def svg(
    scene: NDArray[np.uint8],
    theme: Theme,
    cell: int = 32,
    looks: NDArray[np.uint8] | None = None,
    cursor: CellPlace | None = None,
    start: CellPlace | None = None,
    region: Region | None = None,
    advice: Overlay | None = None,
) -> str:
    """Draw a scene board as an SVG document; the parameters and errors are those of `render`.

    Each kind of cell is defined once and used by its id, so a cell takes about 50 characters.
    Several documents may stand in one page.
    """
    asked = checked_request(scene, cell, looks, cursor, start, region, advice)
    high, wide = asked.faces.shape
    return svg_document(board_markup(asked, theme), wide * asked.cell, high * asked.cell)


def board_markup(request: DrawRequest, theme: Theme) -> str:
    """Draw the requested cells and marks as SVG elements, without a document around them."""
    cell = request.cell
    names: dict[CellKind, str] = {}
    uses: list[str] = []
    tiles: list[str] = []
    for row, kinds in enumerate(_cell_kinds(request)):
        line: list[str] = []
        for col, kind in enumerate(kinds):
            if kind not in names:
                face, look, advised, risk, unwritten = kind
                ground, parts = cell_shapes(
                    theme, face, look, cell, advised, risk, written=not unwritten
                )
                tile = _ground(ground, cell, cell) + shape_elements(parts)
                names[kind] = _element_id(kind, tile)
                tiles.append(f'<g id="{names[kind]}">{tile}</g>')
            line.append(f'<use xlink:href="#{names[kind]}" x="{col * cell}" y="{row * cell}"/>')
        # A row at a time, because a string for each cell takes more memory than the text.
        uses.append("\n".join(line))
    for mark, (row, col) in request.marks:
        parts = cell_symbols.cell_marker_shapes(mark, theme, cell)
        uses.append(translated_group(shape_elements(parts), col * cell, row * cell))
    return f"<defs>{''.join(tiles)}</defs>\n" + "\n".join(uses)


def _cell_kinds(request: DrawRequest) -> Iterator[list[CellKind]]:
    """Yield what the cells of each row show."""
    shape = request.faces.shape
    advice = request.advice or Overlay.empty((shape[0], shape[1]))
    arrays = (request.faces, request.looks, advice.marks, advice.risk, advice.unwritten)
    for lines in zip(*arrays, strict=True):
        cells = zip(*(line.tolist() for line in lines), strict=True)
        yield [
            (
                face := Face(value),
                applicable_look(face, Look(wear)),
                Advised(mark),
                applicable_risk(face, risk),
                unwritten,
            )
            for value, wear, mark, risk, unwritten in cells
        ]


def _element_id(kind: CellKind, tile: str) -> str:
    """Return an id for a kind of cell that differs wherever the drawing differs.

    A page may hold boards of several themes and sizes, and ids must be unique in the page.
    """
    face, look, mark, risk, _ = kind
    marked = f"-m{mark:d}" if mark else ""
    advised = marked + (f"-r{risk}" if risk != UNKNOWN else "")
    return f"c{face:d}-{look:d}{advised}-{crc32(tile.encode()):x}"


def tile_svg(
    theme: Theme,
    face: Face,
    look: Look = Look.PLAIN,
    cell: int = 32,
    mark: Advised = Advised.NONE,
    risk: int = UNKNOWN,
) -> str:
    """Draw one cell as an SVG document; the parameters and errors are those of `tile`."""
    cell, risk = checked_cell_size(cell), checked_risk_percent(risk)
    ground, parts = cell_shapes(theme, Face(face), Look(look), cell, Advised(mark), risk)
    return svg_of_shapes(parts, cell, cell, ground)


def svg_of_shapes(
    shapes: Iterable[Shape], width: int, height: int, background: RGB | None = None
) -> str:
    """Return shapes as an SVG document, on a background colour or on transparency."""
    below = "" if background is None else _ground(background, width, height)
    return svg_document(below + shape_elements(shapes), width, height)


def svg_document(elements: str, width: int, height: int) -> str:
    """Return an SVG document of elements, `width` x `height` pixels."""
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"'
        f' width="{width}" height="{height}" viewBox="0 0 {width} {height}">\n{elements}\n</svg>\n'
    )


def translated_group(elements: str, dx: float, dy: float) -> str:
    """Return an SVG group that moves its elements by (dx, dy)."""
    return f'<g transform="translate({short_number(dx)} {short_number(dy)})">{elements}</g>'


def shape_elements(shapes: Iterable[Shape]) -> str:
    """Return shapes as SVG elements."""
    return "".join(map(_shape_element, shapes))


def _shape_element(part: Shape) -> str:
    colour = to_hex(part.paint)
    if not part.stroke:
        see = "" if part.alpha == 1 else f' fill-opacity="{short_number(part.alpha)}"'
        return f'<path d="{part.path.svg_data()}" fill="{colour}"{see}/>'
    see = "" if part.alpha == 1 else f' stroke-opacity="{short_number(part.alpha)}"'
    return (
        f'<path d="{part.path.svg_data()}" fill="none" stroke="{colour}"'
        f' stroke-width="{short_number(part.stroke)}" stroke-linecap="{part.cap}"'
        f' stroke-linejoin="round"{see}/>'
    )


def _ground(colour: RGB, wide: int, high: int) -> str:
    return f'<path d="M0 0H{wide}V{high}H0Z" fill="{to_hex(colour)}"/>'
