"""One cell as shapes: its background, and what is drawn on it."""

from __future__ import annotations

from demine.picture import cell_symbols, number_glyphs, overlay_marks
from demine.picture.box import Box
from demine.picture.cell_background import (
    Ground,
    covered_ground,
    opened_ground,
    pressed_key_ground,
    rounded_key_box,
)
from demine.picture.vector_path import Shape
from demine.scene.cell_faces import Face
from demine.scene.cell_highlights import Look
from demine.scene.colours import RGB
from demine.scene.overlay import UNKNOWN, Mark
from demine.scene.themes import Theme

PRESSABLE_FACES = (Face.COVERED, Face.QUESTION)
"""The covered faces that look pressed when they are held down; a flag does not."""

COVERED_FACES = (Face.COVERED, Face.FLAG, Face.QUESTION)
"""The faces of unopened cells, which may hold a mine."""


def applicable_look(face: Face, look: Look) -> Look:
    """Return the look, or PLAIN if it does not apply to the face.

    DIM and CROWDED apply to numbers, PRESSED to covered cells without a flag.
    """
    if look in (Look.DIM, Look.CROWDED):
        return look if Face.ONE <= face <= Face.EIGHT else Look.PLAIN
    return look if face in PRESSABLE_FACES else Look.PLAIN


def cell_shapes(
    theme: Theme,
    face: Face,
    look: Look,
    cell_px: int,
    mark: Mark = Mark.NONE,
    risk: int = UNKNOWN,
    *,
    written: bool = True,
) -> tuple[RGB, list[Shape]]:
    """Return the background colour of a cell, and the shapes on it from the lowest up.

    The cell is `cell_px` pixels wide and high. A risk that is not `written` is a colour alone,
    unless the cell is marked.
    """
    look, risk = applicable_look(face, look), applicable_risk(face, risk)
    if mark is Mark.BECAUSE and look is Look.DIM:
        look = Look.PLAIN  # a number that proves something must be easy to read
    known = (
        overlay_marks.risk_implied_by_mark(mark)
        if face is Face.COVERED and risk == UNKNOWN
        else risk
    )
    tone = theme.risks.colour_at(known) if face is Face.COVERED and known != UNKNOWN else None
    ground = _ground(theme, face, look, cell_px, tone)
    if mark is Mark.NONE and risk == UNKNOWN:
        return ground.colour, [
            *ground.shapes,
            *_figure_shapes(theme, face, look, ground.body, cell_px),
        ]
    place = overlay_marks.MarkedCell(
        theme, cell_px, ground.body, _outline_box(theme, face, cell_px)
    )
    free = face is Face.COVERED and overlay_marks.sign_is_central(mark, risk, cell_px)
    parts = [*ground.shapes, *overlay_marks.shapes_below_figure(place, mark)]
    if face is Face.COVERED:
        if not free and (written or mark is not Mark.NONE):
            parts += overlay_marks.central_risk_shapes(place, risk)
    elif risk != UNKNOWN:
        rest, size = overlay_marks.room_above_risk(place, risk)
        parts += [
            *_figure_shapes(theme, face, look, rest, size),
            *overlay_marks.bottom_risk_shapes(place, risk),
        ]
    else:
        parts += _figure_shapes(theme, face, look, ground.body, cell_px)
    return ground.colour, [
        *parts,
        *overlay_marks.shapes_over_cell(place, mark, known, central=free),
    ]


def applicable_risk(face: Face, risk: int) -> int:
    """Return the risk, or UNKNOWN if the face is not that of a covered cell."""
    return risk if face in COVERED_FACES else UNKNOWN


def _outline_box(theme: Theme, face: Face, cell_px: int) -> Box:
    """Return the box that a mark outlines: the cell without the lines between cells."""
    if face in COVERED_FACES:
        return Box(0, 0, cell_px, cell_px) if theme.bevelled else rounded_key_box(cell_px)
    return opened_ground(theme, theme.opened, cell_px).body


def _ground(theme: Theme, face: Face, look: Look, cell_px: int, tone: RGB | None = None) -> Ground:
    if face in COVERED_FACES:
        if look is not Look.PRESSED:
            return covered_ground(theme, cell_px, tone)
        pressed = theme.pressed if tone is None else tone
        return (
            opened_ground(theme, pressed, cell_px)
            if theme.bevelled
            else pressed_key_ground(theme, cell_px, tone)
        )
    if face is Face.BLOWN:
        return opened_ground(theme, theme.blown, cell_px)
    return opened_ground(theme, theme.crowded if look is Look.CROWDED else theme.opened, cell_px)


def _figure_shapes(theme: Theme, face: Face, look: Look, body: Box, cell_px: int) -> list[Shape]:
    if Face.ONE <= face <= Face.EIGHT:
        if look is Look.DIM:
            return number_glyphs.digit(face, body, cell_px, theme.dim_digit_colour(face), 0.72)
        number = number_glyphs.digit(face, body, cell_px, theme.digit_colour(face))
        return (
            [*cell_symbols.too_many_flags_frame(theme, body, cell_px), *number]
            if look is Look.CROWDED
            else number
        )
    if face is Face.QUESTION:
        return number_glyphs.question_mark(body, cell_px, theme.question)
    if face is Face.WRONG and theme.bevelled:
        return [*cell_symbols.mine(theme, body, cell_px), *cell_symbols.cross(theme, body, cell_px)]
    return [shape for draw in _DRAWN.get(face, ()) for shape in draw(theme, body, cell_px)]


_DRAWN = {
    Face.FLAG: (cell_symbols.flag,),
    Face.MINE: (cell_symbols.mine,),
    Face.BLOWN: (cell_symbols.hit_mine,),
    Face.WRONG: (cell_symbols.flag, cell_symbols.wrong_flag_badge),
}
