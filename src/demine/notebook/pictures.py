"""`demine.show` and `demine.heat_map`: a board as its player sees it, and the risk of each cell."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from demine.game import Game
from demine.logic.errors import DemineError
from demine.logic.neighbours import count_around
from demine.notebook import review_drawing
from demine.notebook.displayable_picture import Picture
from demine.picture import PictureError, picture_of_window, render, svg, window_svg
from demine.picture.draw_request import Region
from demine.picture.notebook_svg import (
    MOST_CELLS,
    READABLE_CELL,
    SMALLEST_CELL,
    is_too_large_for_page,
    page_cell_size,
    shrink_to_page_width,
)
from demine.reviews.review_result import Review
from demine.scene.cell_faces import Face
from demine.scene.diagram import FACE_LETTERS, MineCountMissing, parse_scene
from demine.scene.overlay import UNKNOWN, Mark, Overlay
from demine.scene.panel import panel_of
from demine.scene.seen_position import parse_position_text, position_of_object
from demine.scene.sight import sight
from demine.scene.themes import theme as theme_of
from demine.scene.themes import with_palette
from demine.solver.exact.prepared_position import CertainCells
from demine.solver.exact.probability import mine_probability
from demine.solver.hint import Hint
from demine.solver.player.move import Move
from demine.solver.proof.explain import Reason

if TYPE_CHECKING:
    from typing import SupportsIndex, TypeAlias

    from numpy.typing import ArrayLike, NDArray

    from demine.scene.seen_position import HasPosition
    from demine.scene.themes import Theme
    from demine.solver.exact.prepared_position import CertainCells
    from demine.solver.hint import Hint
    from demine.solver.player.move import Move
    from demine.solver.proof.explain import Reason

    Subject: TypeAlias = Game | HasPosition | str | ArrayLike
    Advice: TypeAlias = Overlay | Hint | Reason | Move | CertainCells | None


def show(
    subject: Game | HasPosition | str | ArrayLike,
    advice: Hint | Reason | Move | CertainCells | Overlay | Review | None = None,
    *,
    region: tuple[int, int, int, int] | None = None,
    theme: str = "light",
    palette: str = "",
) -> Picture:
    """Return a picture of a game with its panel, or of a board.

    `subject` is a `Game`, drawn as its player sees it; a position of one, such as `game.at("50%")`;
    a scene board, uint8 (H, W) of `Face`; a diagram as text; or the mines of a layout, bool (H, W).
    `advice` is marked on the board: a hint, a reason, a move, the result of `deduce`, an `Overlay`,
    or of a game its review. `region` is the part of a large board to show: first row, first column,
    end row, end column. `palette` replaces the theme's colours of numbers, for example "okabe-ito".

    Raises PictureError for what cannot be shown and for more than 10 000 cells, and ThemeError for
    an unknown theme or palette.

    >>> import demine
    >>> print(demine.show(demine.Game("4x2/1", seed=1)))
    # # # #
    # # # #
    """
    colours = themed_look(theme, palette)
    if isinstance(advice, Review):
        return _judged(subject, advice, colours)
    faces = seen_board(subject)
    _checked_size(faces, region)
    overlay = with_advice_marks(advice, _nothing(faces))
    if isinstance(subject, Game) and region is None:
        return _with_panel(subject, faces, overlay, colours)
    return _bare(faces, overlay, colours, region, SMALLEST_CELL, _letters(faces))


def heat_map(
    subject: Game | HasPosition | str | ArrayLike,
    mines: SupportsIndex | None = None,
    advice: Hint | Reason | Move | CertainCells | Overlay | None = None,
    *,
    region: tuple[int, int, int, int] | None = None,
    theme: str = "light",
    palette: str = "",
) -> Picture:
    r"""Return a picture of the exact mine probability of every covered cell.

    Colours go from light to dark with the risk, so hues are not needed. Every cell shows its
    percentage, a certain one a tick or a mine. `subject`, `advice`, `region`, `palette` and errors
    are those of `show`, without layouts and reviews. `mines` and other errors are those of
    `mine_probability`.

    >>> import demine
    >>> print(demine.heat_map("3x2/1\n1 # #\n1 # #"))
      1 50%  0%
      1 50%  0%
    """
    colours = themed_look(theme, palette)
    faces = seen_board(subject)
    _checked_size(faces, region)
    overlay = _nothing(faces).with_risks(mine_probability(subject, mines))
    overlay = with_advice_marks(advice, overlay)
    return _bare(faces, overlay, colours, region, READABLE_CELL, _percents(faces, overlay))


def themed_look(theme: str, palette: str) -> Theme:
    """Return the theme of this name with the colours of a palette, "" for its own."""
    chosen = theme_of(theme)
    return with_palette(chosen, palette) if palette else chosen


def seen_board(subject: Subject) -> NDArray[np.uint8]:
    """Return the scene board of a subject of `show`; raises PictureError for other values."""
    if isinstance(subject, Game):
        return sight(subject)
    if isinstance(subject, str):
        return _faces_in_diagram(subject)
    position = position_of_object(subject)
    if position is not None:
        return position.scene
    try:
        array: NDArray[Any] = np.asarray(subject)
    except ValueError:
        raise PictureError("the rows of a board have the same length") from None
    if array.ndim != 2 or array.size == 0:
        raise PictureError(
            "a board must have rows and columns to be shown, not the shape {shape}",
            shape=array.shape,
        )
    if array.dtype == np.bool_:
        return np.where(array, np.uint8(Face.MINE), count_around(array))
    if array.dtype.kind not in "iu" or array.min() < 0 or array.max() > Face.WRONG:
        raise PictureError(
            "a scene board holds faces from 0 to {last}, a layout bools", last=int(Face.WRONG)
        )
    return array.astype(np.uint8)


def _faces_in_diagram(text: str) -> NDArray[np.uint8]:
    """Return the faces of a diagram, which need not tell how many mines there are."""
    try:
        return parse_scene(text)[1]
    except DemineError:
        # Not as demine writes it, in which a board without a covered cell is no riddle.
        pass
    try:
        return parse_position_text(text).scene
    except MineCountMissing:
        return parse_position_text(text, 1).scene


def _with_panel(game: Game, faces: NDArray[np.uint8], overlay: Overlay, theme: Theme) -> Picture:
    drawn = faces, theme, panel_of(game, game.time_ms), page_cell_size(faces.shape[1])
    picture = window_svg(*drawn, advice=overlay)
    return Picture(
        shrink_to_page_width(picture),
        _aligned(_letters(faces)),
        lambda: picture_of_window(*drawn, advice=overlay),
    )


def _judged(subject: Subject, review: Review, theme: Theme) -> Picture:
    if not isinstance(subject, Game):
        raise PictureError("a review is shown with its game: show(game, review)")
    faces = sight(subject)
    _checked_size(faces)
    picture = review_drawing.drawing(subject, review, theme, page_cell_size(faces.shape[1]))
    return Picture(shrink_to_page_width(picture.svg()), str(review), picture.pixels)


def _bare(
    faces: NDArray[np.uint8],
    overlay: Overlay,
    theme: Theme,
    region: Region | None,
    smallest: int,
    text: NDArray[np.str_],
) -> Picture:
    """Return a board, or a region of it, without a panel; `text` has a word for each cell."""
    wide = _checked_size(faces, region)
    cell = page_cell_size(wide, smallest)
    rows = text if region is None else text[region[0] : region[2], region[1] : region[3]]
    return Picture(
        shrink_to_page_width(svg(faces, theme, cell, region=region, advice=overlay)),
        _aligned(rows),
        lambda: render(faces, theme, cell, region=region, advice=overlay),
    )


def _checked_size(faces: NDArray[np.uint8], region: Region | None = None) -> int:
    """Return the number of columns to show; raises PictureError for too many cells."""
    row, col, row_end, col_end = (0, 0, *faces.shape) if region is None else region
    high, wide = row_end - row, col_end - col
    if is_too_large_for_page(high * wide):
        raise PictureError(
            "{wide} x {high} cells are too many to show ({most} at most): choose a region",
            wide=wide,
            high=high,
            most=MOST_CELLS,
        )
    return int(wide)


def _nothing(faces: NDArray[np.uint8]) -> Overlay:
    high, wide = faces.shape
    return Overlay.empty((high, wide))


def _letters(faces: NDArray[np.uint8]) -> NDArray[np.str_]:
    return np.array(list(FACE_LETTERS))[faces]


def _percents(faces: NDArray[np.uint8], overlay: Overlay) -> NDArray[np.str_]:
    told = np.array([f"{risk}%" for risk in range(UNKNOWN + 1)])[overlay.risk]
    return np.where(overlay.risk == UNKNOWN, _letters(faces), told)


def _aligned(words: NDArray[np.str_]) -> str:
    wide = int(np.char.str_len(words).max(initial=1))
    return "\n".join(" ".join(word.rjust(wide) for word in row) for row in words.tolist())


def with_advice_marks(advice: Advice, base: Overlay) -> Overlay:
    """Return `base` with the marks of some advice; an `Overlay` as advice replaces it.

    Raises PictureError for other values, and OverlayError for a cell outside the board.
    """
    match advice:
        case None:
            return base
        case Overlay():
            return advice
        case Reason():
            return _reasoned(advice, base)
        case Hint():
            under = base if advice.reason is None else _reasoned(advice.reason, base)
            return _to_open(under, advice.row, advice.col, safe=advice.safe)
        case Move():
            return _to_open(base, advice.row, advice.col, safe=advice.risk == 0.0)
        case CertainCells():
            safe = base.with_marks(Mark.SAFE, _cells(advice.safe))
            return safe.with_marks(Mark.MINE, _cells(advice.mines))
    raise PictureError("{kind} cannot be marked on a board", kind=type(advice).__name__)


def _reasoned(reason: Reason, base: Overlay) -> Overlay:
    seen = base.with_marks(Mark.ABOUT, reason.cells).with_marks(Mark.BECAUSE, reason.because)
    return seen.with_marks(Mark.SAFE if reason.safe else Mark.MINE, [reason.cell])


def _to_open(base: Overlay, row: int, col: int, *, safe: bool) -> Overlay:
    return base.with_marks(Mark.SAFE if safe else Mark.GUESS, [(row, col)])


def _cells(where: NDArray[np.bool_]) -> list[tuple[int, int]]:
    return [(int(row), int(col)) for row, col in np.argwhere(where)]
