"""The same drawings as SVG: from the shapes that the pixels are made from."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING
from zlib import crc32

from demine.picture import cell_symbols
from demine.picture.cell import dressed, shapes, shown
from demine.picture.draw_request import Place, Region, View, checked_cell, checked_risk, view
from demine.picture.vector_path import Shape, number
from demine.scene.cell_face import Face
from demine.scene.cell_highlight import Look
from demine.scene.overlay import UNKNOWN, Overlay
from demine.scene.overlay import Mark as Advised
from demine.scene.palette import RGB, to_hex

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from demine.scene.themes import Theme


Kind = tuple[Face, Look, Advised, int]
"""What a cell shows: its face and look, and its mark and risk."""


def svg(
    scene: NDArray[np.uint8],
    theme: Theme,
    cell: int = 32,
    looks: NDArray[np.uint8] | None = None,
    cursor: Place | None = None,
    start: Place | None = None,
    region: Region | None = None,
    advice: Overlay | None = None,
) -> str:
    """A scene board as an SVG document; the parameters and errors are those of `render`.

    Each kind of cell is described once and used by name, so the text grows by about 50 letters a
    cell. Documents may stand in one page together.
    """
    asked = view(scene, cell, looks, cursor, start, region, advice)
    high, wide = asked.faces.shape
    return wrapped(board_markup(asked, theme), wide * asked.cell, high * asked.cell)


def board_markup(asked: View, theme: Theme) -> str:
    """The cells of a view and its marks as SVG elements, without the document around them."""
    cell = asked.cell
    names: dict[Kind, str] = {}
    uses: list[str] = []
    tiles: list[str] = []
    for row, kinds in enumerate(_kinds(asked)):
        line: list[str] = []
        for col, kind in enumerate(kinds):
            if kind not in names:
                face, look, advised, risk = kind
                ground, parts = shapes(theme, face, look, cell, advised, risk)
                tile = _ground(ground, cell, cell) + elements(parts)
                names[kind] = _name(kind, tile)
                tiles.append(f'<g id="{names[kind]}">{tile}</g>')
            line.append(f'<use xlink:href="#{names[kind]}" x="{col * cell}" y="{row * cell}"/>')
        # A row at a time: a text of its own for each cell takes more than what is written.
        uses.append("\n".join(line))
    for mark, (row, col) in asked.marks:
        parts = (
            cell_symbols.cursor(theme, cell)
            if mark == "cursor"
            else cell_symbols.start(theme, cell)
        )
        uses.append(group(elements(parts), col * cell, row * cell))
    return f"<defs>{''.join(tiles)}</defs>\n" + "\n".join(uses)


def _kinds(asked: View) -> Iterator[list[Kind]]:
    """What every cell of a view shows, row by row."""
    shape = asked.faces.shape
    advice = asked.advice or Overlay.empty((shape[0], shape[1]))
    arrays = (asked.faces, asked.looks, advice.marks, advice.risk)
    for lines in zip(*arrays, strict=True):
        cells = zip(*(line.tolist() for line in lines), strict=True)
        yield [
            (face := Face(value), dressed(face, Look(wear)), Advised(mark), shown(face, risk))
            for value, wear, mark, risk in cells
        ]


def _name(kind: Kind, tile: str) -> str:
    """The name of a kind, which is another one where it is drawn otherwise.

    A page may hold several boards of different themes and sizes, and names are the page's.
    """
    face, look, mark, risk = kind
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
    """One cell as an SVG document; the parameters and errors are those of `tile`."""
    cell, risk = checked_cell(cell), checked_risk(risk)
    ground, parts = shapes(theme, Face(face), Look(look), cell, Advised(mark), risk)
    return document(parts, cell, cell, ground)


def document(parts: Iterable[Shape], wide: int, high: int, ground: RGB | None = None) -> str:
    """Shapes as a complete SVG document, on a ground or on nothing."""
    below = "" if ground is None else _ground(ground, wide, high)
    return wrapped(below + elements(parts), wide, high)


def wrapped(body: str, wide: int, high: int) -> str:
    """SVG elements as a document."""
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"'
        f' width="{wide}" height="{high}" viewBox="0 0 {wide} {high}">\n{body}\n</svg>\n'
    )


def group(body: str, x: float, y: float) -> str:
    """Elements moved to a place."""
    return f'<g transform="translate({number(x)} {number(y)})">{body}</g>'


def elements(parts: Iterable[Shape]) -> str:
    """Shapes as SVG elements."""
    return "".join(_element(part) for part in parts)


def _element(part: Shape) -> str:
    colour = to_hex(part.paint)
    if not part.stroke:
        see = "" if part.alpha == 1 else f' fill-opacity="{number(part.alpha)}"'
        return f'<path d="{part.path.data()}" fill="{colour}"{see}/>'
    see = "" if part.alpha == 1 else f' stroke-opacity="{number(part.alpha)}"'
    return (
        f'<path d="{part.path.data()}" fill="none" stroke="{colour}"'
        f' stroke-width="{number(part.stroke)}" stroke-linecap="{part.cap}"'
        f' stroke-linejoin="round"{see}/>'
    )


def _ground(colour: RGB, wide: int, high: int) -> str:
    return f'<path d="M0 0H{wide}V{high}H0Z" fill="{to_hex(colour)}"/>'
