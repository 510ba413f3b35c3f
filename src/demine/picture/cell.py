"""One cell as shapes: its ground, and what stands on it."""

from __future__ import annotations

from demine.picture import cell_symbols, number_glyphs, overlay_marks
from demine.picture.cell_background import Ground, covered, flat, outer, sunken
from demine.picture.number_glyphs import Box
from demine.picture.vector_path import Shape
from demine.scene.cell_face import Face
from demine.scene.cell_highlight import Look
from demine.scene.overlay import UNKNOWN, Mark
from demine.scene.palette import RGB
from demine.scene.themes import Theme

HELD = (Face.COVERED, Face.QUESTION)
"""The covered faces that sink when they are held down; a flag stays up."""


COVERS = (Face.COVERED, Face.FLAG, Face.QUESTION)
"""The faces of cells that are not opened, which may hold a mine."""


def dressed(face: Face, look: Look) -> Look:
    """The look a face can wear: numbers dim or crowd, covered cells sink, all else is plain."""
    if look in (Look.DIM, Look.CROWDED):
        return look if Face.ONE <= face <= Face.EIGHT else Look.PLAIN
    return look if face in HELD else Look.PLAIN


def shapes(
    theme: Theme,
    face: Face,
    look: Look,
    cell: int,
    mark: Mark = Mark.NONE,
    risk: int = UNKNOWN,
) -> tuple[RGB, list[Shape]]:
    """A cell `cell` pixels wide: its ground colour, and the shapes on it from the lowest up."""
    look, risk = dressed(face, look), shown(face, risk)
    if mark is Mark.BECAUSE and look is Look.DIM:
        look = Look.PLAIN  # what proves something is to be read, whatever its flags
    known = overlay_marks.known(mark) if face is Face.COVERED and risk == UNKNOWN else risk
    tone = theme.risks.colour_at(known) if face is Face.COVERED and known != UNKNOWN else None
    ground = _ground(theme, face, look, cell, tone)
    if mark is Mark.NONE and risk == UNKNOWN:
        return ground.colour, [*ground.shapes, *_figure(theme, face, look, ground.body, cell)]
    place = overlay_marks.Site(theme, cell, ground.body, _rim(theme, face, cell))
    free = face is Face.COVERED and overlay_marks.central(mark, risk, cell)
    parts = [*ground.shapes, *overlay_marks.under(place, mark)]
    if face is Face.COVERED:
        if not free:
            parts += overlay_marks.risk(place, risk)
    elif risk != UNKNOWN:
        rest, size = overlay_marks.foot(place, risk)
        parts += [*_figure(theme, face, look, rest, size), *overlay_marks.risk_below(place, risk)]
    else:
        parts += _figure(theme, face, look, ground.body, cell)
    return ground.colour, [*parts, *overlay_marks.over(place, mark, known, central=free)]


def shown(face: Face, risk: int) -> int:
    """The risk a face can show: covered cells have one, opened ones do not."""
    return risk if face in COVERS else UNKNOWN


def _rim(theme: Theme, face: Face, cell: int) -> Box:
    """Where the outline of a mark runs: all of a cell but the lines between cells."""
    if face in COVERS:
        return Box(0, 0, cell, cell) if theme.bevelled else outer(cell)
    return flat(theme, theme.opened, cell).body


def _ground(theme: Theme, face: Face, look: Look, cell: int, tone: RGB | None = None) -> Ground:
    if face in COVERS:
        if look is not Look.PRESSED:
            return covered(theme, cell, tone)
        pressed = theme.pressed if tone is None else tone
        return flat(theme, pressed, cell) if theme.bevelled else sunken(theme, cell, tone)
    if face is Face.BLOWN:
        return flat(theme, theme.blown, cell)
    return flat(theme, theme.crowded if look is Look.CROWDED else theme.opened, cell)


def _figure(theme: Theme, face: Face, look: Look, body: Box, cell: int) -> list[Shape]:
    if Face.ONE <= face <= Face.EIGHT:
        if look is Look.DIM:
            return number_glyphs.digit(face, body, cell, theme.dim_digit_colour(face), 0.72)
        number = number_glyphs.digit(face, body, cell, theme.digit_colour(face))
        return [*cell_symbols.crowd(theme, body, cell), *number] if look is Look.CROWDED else number
    if face is Face.QUESTION:
        return number_glyphs.question(body, cell, theme.question)
    if face is Face.WRONG and theme.bevelled:
        return [*cell_symbols.mine(theme, body, cell), *cell_symbols.cross(theme, body, cell)]
    return [shape for draw in _DRAWN.get(face, ()) for shape in draw(theme, body, cell)]


_DRAWN = {
    Face.FLAG: (cell_symbols.flag,),
    Face.MINE: (cell_symbols.mine,),
    Face.BLOWN: (cell_symbols.burst, cell_symbols.mine),
    Face.WRONG: (cell_symbols.flag, cell_symbols.badge),
}
