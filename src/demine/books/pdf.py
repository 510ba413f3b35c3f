"""A book of puzzles as a PDF file: a cover that explains, puzzles, and their solutions."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from importlib import resources
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np
from fpdf import FPDF
from fpdf.drawing import PaintedPath
from fpdf.drawing_primitives import DeviceRGB
from fpdf.enums import Align, WrapMode, XPos, YPos

from demine.picture.cell import cell_shapes
from demine.scene.cell_faces import Face
from demine.scene.cell_highlights import Look
from demine.scene.overlay import Mark, Overlay
from demine.scene.themes import THEMES
from demine.scene.translation import current_language, mark, ntr, tr
from demine.solver.proof.difficulty_levels import Pattern

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fpdf.drawing import DrawingContext
    from numpy.typing import NDArray

    from demine.books.puzzles import BookPlan, Puzzle
    from demine.picture.vector_path import Path, Shape

_MARGIN: Final = 16.0
"""All lengths are millimetres."""
_GAP: Final = 9.0
_LABEL: Final = 7.0
"""The height of the line above a board."""
_PUZZLE_CELL: Final = 7.4
"""The least size of a cell to write in, where the paper is wide enough."""
_SOLUTION_CELL: Final = 4.6
_LARGEST_CELL: Final = 9.0
_FRAME: Final = 0.35
_REASON_LINES: Final = 7
_REASON_LINE: Final = 3.6
_DRAWN: Final = 64
"""The pixels of a cell as its shapes are made, before they are scaled to the paper."""
_PAPER: Final = replace(
    THEMES["light"],
    opened=(255, 255, 255),
    grid=(150, 155, 165),
    covered=(226, 230, 236),
    covered_light=(240, 242, 246),
    covered_dark=(196, 202, 212),
)
"""The light theme for ink: what is covered is pale enough to write on."""
_FONT: Final = "demine"
_RATINGS: Final = {
    Pattern.SATISFIED: mark("Single numbers are enough."),
    Pattern.INSIDE: mark("Somewhere two numbers have to be compared."),
    Pattern.CHAIN: mark("Somewhere several numbers have to be added up and subtracted."),
    Pattern.COUNT: mark("Somewhere the number of mines left has to be counted."),
    Pattern.CASES: mark("Somewhere a cell has to be tried both ways."),
}
"""What each rating asks of the reader, as message ids."""


class _Grid(NamedTuple):
    """How boards stand on a page: columns, rows, and the size of their cells."""

    columns: int
    rows: int
    cell: float
    step_x: float
    step_y: float

    @classmethod
    def of(
        cls, room: tuple[float, float], shape: tuple[int, int], cell: float, text: float
    ) -> _Grid:
        """Return the grid of boards with cells of at least `cell`, with text below each."""
        (wide, high), (rows, cols) = room, shape
        more, cell = _LABEL + text + _GAP, min(cell, wide / cols)
        columns = max(1, int((wide + _GAP) // (cols * cell + _GAP)))
        lines = max(1, int((high + _GAP) // (rows * cell + more)))
        step_x, step_y = (wide + _GAP) / columns, (high + _GAP) / lines
        size = min(_LARGEST_CELL, (step_x - _GAP) / cols, (step_y - more) / rows)
        return cls(columns, lines, size, step_x, step_y)


class _Book(FPDF):
    """The pages; each but the cover has its number at the bottom."""

    def footer(self) -> None:
        """Write the number of the page."""
        if self.page_no() > 1:
            self.set_y(-12)
            self.set_font(_FONT, size=9)
            self.set_text_color(110)
            self.cell(0, 6, str(self.page_no()), align=Align.C)


def write_book(plan: BookPlan, puzzles: Sequence[Puzzle]) -> bytes:
    """Return a book of puzzles, at least one, as a PDF file in the current language."""
    pdf = _new_document(plan.paper)
    _add_cover(pdf, plan, len(puzzles))
    _add_puzzles(pdf, puzzles)
    _add_solutions(pdf, puzzles)
    return bytes(pdf.output())


def _new_document(paper: str) -> _Book:
    pdf = _Book(format=paper, unit="mm")
    font = resources.files("demine.picture") / "fonts" / "NotoSansSC-demine.otf"
    with resources.as_file(font) as file:
        pdf.add_font(_FONT, fname=file)
    pdf.set_auto_page_break(False)
    pdf.set_margin(_MARGIN)
    # The same puzzles are the same file.
    pdf.set_creation_date(datetime(2000, 1, 1, tzinfo=UTC))
    pdf.set_title(tr("Minesweeper puzzles"))
    pdf.set_lang(current_language().replace("_", "-"))
    return pdf


def _add_cover(pdf: _Book, plan: BookPlan, n: int) -> None:
    pdf.add_page()
    size = 34.0
    mine = np.array([[Face.MINE]], np.uint8)
    _draw_board(pdf, (pdf.w - size) / 2, 34.0, size, mine)
    pdf.set_y(34.0 + size + 12)
    _write(pdf, tr("Minesweeper puzzles"), 30, line=14, align=Align.C)
    about = ntr(
        "{n} puzzle · {width}x{height} · {mines} mines",
        "{n} puzzles · {width}x{height} · {mines} mines",
        n,
        width=plan.rules.width,
        height=plan.rules.height,
        mines=plan.rules.mines,
    )
    _write(pdf, about, 14, line=8, align=Align.C, grey=80)
    _write(pdf, tr(_RATINGS[plan.pattern]), 12, line=7, align=Align.C, grey=80)
    pdf.set_y(pdf.get_y() + 14)
    for text in (
        tr(plan.kind.task),
        tr("A number says how many of the up to eight cells around it are mines."),
        tr("An empty white cell has no mine around it; grey cells are covered."),
        tr("The number of mines on the whole board stands above it, and may be needed."),
        tr("The solutions at the end show the hardest step of each puzzle and say why it holds."),
    ):
        _write(pdf, "• " + text, 12, line=7)
    pdf.set_y(-24)
    _write(pdf, plan.command, 9, line=5, align=Align.C, grey=110)


def _add_puzzles(pdf: _Book, puzzles: Sequence[Puzzle]) -> None:
    height, width = puzzles[0].faces.shape
    grid = _Grid.of(_room(pdf), (height, width), _PUZZLE_CELL, 0.0)
    for number, puzzle in enumerate(puzzles):
        x, y = _place(pdf, grid, number, width)
        mines = ntr("{n} mine", "{n} mines", puzzle.mines)
        _label(pdf, x, y, grid.cell * width, f"{number + 1}", mines)
        _draw_board(pdf, x, y + _LABEL, grid.cell, puzzle.faces)


def _add_solutions(pdf: _Book, puzzles: Sequence[Puzzle]) -> None:
    height, width = puzzles[0].faces.shape
    text = _REASON_LINES * _REASON_LINE + 2
    grid = _Grid.of(_room(pdf), (height, width), _SOLUTION_CELL, text)
    for number, puzzle in enumerate(puzzles):
        x, y = _place(pdf, grid, number, width)
        wide = max(grid.cell * width, min(grid.step_x - _GAP, 60.0))
        _label(pdf, x, y, wide, tr("Solution {n}", n=number + 1), "")
        faces, reason = puzzle.solution
        # What the reader has to find is paler than what was printed.
        looks = np.where(faces == puzzle.faces, Look.PLAIN, Look.DIM).astype(np.uint8)
        _draw_board(pdf, x, y + _LABEL, grid.cell, faces, looks, puzzle.solution.marks)
        pdf.set_xy(x, y + _LABEL + grid.cell * height + 1.5)
        _write(pdf, str(reason), 7.5, line=_REASON_LINE, width=wide)


def _room(pdf: _Book) -> tuple[float, float]:
    return pdf.w - 2 * _MARGIN, pdf.h - 2 * _MARGIN


def _place(pdf: _Book, grid: _Grid, number: int, cols: int) -> tuple[float, float]:
    """Return where a board of a row of boards begins; its page is added with the first of them."""
    at = number % (grid.columns * grid.rows)
    if not at:
        pdf.add_page()
    row, col = divmod(at, grid.columns)
    indent = (grid.step_x - _GAP - grid.cell * cols) / 2 if grid.columns == 1 else 0.0
    return _MARGIN + col * grid.step_x + indent, _MARGIN + row * grid.step_y


def _label(pdf: _Book, x: float, y: float, wide: float, left: str, right: str) -> None:
    for text, align, grey in ((left, Align.L, 0), (right, Align.R, 80)):
        pdf.set_xy(x, y)
        pdf.set_font(_FONT, size=11)
        pdf.set_text_color(grey)
        pdf.cell(wide, _LABEL - 1, text, align=align)


def _write(
    pdf: _Book,
    text: str,
    points: float,
    *,
    line: float,
    width: float = 0.0,
    align: Align = Align.L,
    grey: int = 0,
) -> None:
    pdf.set_font(_FONT, size=points)
    pdf.set_text_color(grey)
    # Chinese has no spaces to break at.
    wrap = WrapMode.CHAR if current_language().startswith("zh") else WrapMode.WORD
    pdf.multi_cell(width, line, text, align=align, wrapmode=wrap, new_x=XPos.LEFT, new_y=YPos.NEXT)


def _draw_board(
    pdf: _Book,
    x: float,
    y: float,
    size: float,
    faces: NDArray[np.uint8],
    looks: NDArray[np.uint8] | None = None,
    marks: Overlay | None = None,
) -> None:
    """Draw a board with its upper left corner at (x, y) and cells of a size, as any scene does."""
    scale = size / _DRAWN
    with pdf.drawing_context() as context:
        for row, col in np.ndindex(faces.shape):
            face = Face(int(faces[row, col]))
            look = Look.PLAIN if looks is None else Look(int(looks[row, col]))
            found = Mark.NONE if marks is None else Mark(int(marks.marks[row, col]))
            ground, shapes = cell_shapes(_PAPER, face, look, _DRAWN, found)
            left, top = x + col * size, y + row * size
            _fill_square(context, left, top, size, ground)
            for shape in shapes:
                _add_shape(context, shape, left, top, scale)
        height, width = faces.shape
        frame = PaintedPath()
        frame.style.fill_color, frame.style.stroke_color = None, _colour(_PAPER.edge)
        frame.style.stroke_width = _FRAME
        frame.rectangle(x, y, width * size, height * size)
        context.add_item(frame, clone=False)


def _fill_square(
    context: DrawingContext, x: float, y: float, size: float, colour: tuple[int, int, int]
) -> None:
    path = PaintedPath(x, y)
    path.style.fill_color = _colour(colour)
    path.style.stroke_color = None
    path.rectangle(x, y, size, size)
    context.add_item(path, clone=False)


def _add_shape(context: DrawingContext, shape: Shape, x: float, y: float, scale: float) -> None:
    path = PaintedPath()
    colour = _colour(shape.paint, shape.alpha)
    path.style.fill_color, path.style.stroke_color = (
        (None, colour) if shape.stroke else (colour, None)
    )
    if shape.stroke:
        path.style.stroke_width = shape.stroke * scale
        path.style.stroke_cap_style = shape.cap
        path.style.stroke_join_style = "round"
    path.style.auto_close = False
    _trace(path, shape.path, x, y, scale)
    context.add_item(path, clone=False)


def _trace(path: PaintedPath, outline: Path, x: float, y: float, scale: float) -> None:
    for letter, values in outline.operations:
        at = [(y if index % 2 else x) + value * scale for index, value in enumerate(values)]
        if letter == "M":
            path.move_to(*at)
        elif letter == "L":
            path.line_to(*at)
        elif letter == "C":
            path.curve_to(*at)
        else:
            path.close()


def _colour(rgb: tuple[int, int, int], alpha: float = 1.0) -> DeviceRGB:
    red, green, blue = (part / 255 for part in rgb)
    return DeviceRGB(red, green, blue, None if alpha == 1.0 else alpha)
