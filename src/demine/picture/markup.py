"""The same drawings as SVG: from the shapes that the pixels are made from."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from demine.picture import sprites
from demine.picture.cell import dressed, shapes
from demine.picture.path import Shape, number
from demine.picture.view import Place, Region, View, checked_cell, view
from demine.scene.face import Face
from demine.scene.look import Look
from demine.scene.palette import RGB, hexed

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from demine.scene.theme import Theme


def svg(
    scene: NDArray[np.uint8],
    theme: Theme,
    cell: int = 32,
    looks: NDArray[np.uint8] | None = None,
    cursor: Place | None = None,
    start: Place | None = None,
    region: Region | None = None,
) -> str:
    """A scene board as an SVG document; the parameters and errors are those of `render`.

    Each kind of cell is described once and used by name, so the text grows by about 40 letters a
    cell.
    """
    asked = view(scene, cell, looks, cursor, start, region)
    high, wide = asked.faces.shape
    return wrapped(board_markup(asked, theme), wide * asked.cell, high * asked.cell)


def board_markup(asked: View, theme: Theme) -> str:
    """The cells of a view and its marks as SVG elements, without the document around them."""
    cell = asked.cell
    names: dict[tuple[Face, Look], str] = {}
    uses: list[str] = []
    for row, (faces, wear) in enumerate(
        zip(asked.faces.tolist(), asked.looks.tolist(), strict=True)
    ):
        for col, (value, look) in enumerate(zip(faces, wear, strict=True)):
            face = Face(value)
            kind = face, dressed(face, Look(look))
            name = names.setdefault(kind, f"c{kind[0]:d}-{kind[1]:d}")
            uses.append(f'<use xlink:href="#{name}" x="{col * cell}" y="{row * cell}"/>')
    tiles = []
    for kind, name in names.items():
        ground, parts = shapes(theme, *kind, cell)
        tiles.append(f'<g id="{name}">{_ground(ground, cell, cell)}{elements(parts)}</g>')
    for mark, (row, col) in asked.marks:
        parts = sprites.cursor(theme, cell) if mark == "cursor" else sprites.start(theme, cell)
        uses.append(group(elements(parts), col * cell, row * cell))
    return f"<defs>{''.join(tiles)}</defs>\n" + "\n".join(uses)


def tile_svg(theme: Theme, face: Face, look: Look = Look.PLAIN, cell: int = 32) -> str:
    """One cell as an SVG document.

    Raises PictureError when the size is out of range.
    """
    ground, parts = shapes(theme, Face(face), Look(look), checked_cell(cell))
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
    colour = hexed(part.paint)
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
    return f'<path d="M0 0H{wide}V{high}H0Z" fill="{hexed(colour)}"/>'
