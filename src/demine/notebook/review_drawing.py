"""A judged game as a drawing: the board at its end with its marks, and the risks it took."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from demine.picture import RiskTimeline, review_picture, review_svg
from demine.picture.review_with_risk_chart import check_review_size
from demine.reviews.review_result import JUDGED, MISTAKES, JudgedAct, Review, Verdict
from demine.scene.overlay import Mark, Overlay
from demine.scene.panel import Panel, panel_of
from demine.scene.sight import sight

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from demine.logic.game import Cell, Game
    from demine.scene.themes import Theme


class Drawing(NamedTuple):
    """What is drawn of a judged game, as `demine.picture.review_picture` takes it."""

    scene: NDArray[np.uint8]
    theme: Theme
    panel: Panel
    marks: Overlay
    timeline: RiskTimeline
    cell: int

    def svg(self) -> str:
        """Return it as an SVG document."""
        return review_svg(*self)

    def pixels(self) -> NDArray[np.uint8]:
        """Return it as pixels, uint8 (height, width, 3)."""
        return review_picture(*self)


def drawing(game: Game, found: Review, theme: Theme, cell: int) -> Drawing:
    """Return what is drawn of a judged game, in cells of so many pixels."""
    marks = marked(game, found)
    clock = panel_of(game, game.time_ms)
    return Drawing(sight(game), theme, clock, marks, timeline(found), cell)


def check_size(game: Game, theme: Theme, cell: int) -> None:
    """Raise PictureError where the drawing of a game would be too large, before it is judged."""
    check_review_size(sight(game), theme, panel_of(game, game.time_ms), cell)


def timeline(found: Review) -> RiskTimeline:
    """Return the opening acts that luck counts, as a picture wants them."""
    acts = [act for act in found.acts if act.verdict in JUDGED and not act.undone]
    return RiskTimeline(
        np.array([act.t for act in acts], np.int64),
        np.array([act.chance for act in acts], np.float64),
        np.array([act.lowest for act in acts], np.float64),
        np.array([act.verdict in MISTAKES for act in acts], np.bool_),
        np.array([bool(act.blew) for act in acts], np.bool_),
        found.time_ms,
        sum(not act.undone for act in found.wrong_flags),
    )


def marked(game: Game, found: Review) -> Overlay:
    """Return the marks of a judged game: forced guesses, mistakes, what was missed at the end."""
    overlay = Overlay.empty(game.rules.shape)
    standing = [act for act in found.acts if not act.undone]
    overlay = overlay.with_marks(Mark.GUESS, _risked(standing, Verdict.FORCED))
    last = standing[-1] if standing else None
    if last is not None and last.blew and last.best is not None and last.best.risk == 0:
        overlay = overlay.with_marks(Mark.MISSED, [(last.best.row, last.best.col)])
    return overlay.with_marks(Mark.MISTAKE, _risked(standing, *MISTAKES))


def _risked(acts: list[JudgedAct], *verdicts: Verdict) -> list[Cell]:
    return [cell for act in acts if act.verdict in verdicts for cell in act.cells]
