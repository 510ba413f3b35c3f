"""The drawing of a reviewed game: its last board with marks, and a chart of the risks taken."""

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

    from demine.game import Game
    from demine.logic.game import Cell
    from demine.scene.themes import Theme


class Drawing(NamedTuple):
    """The drawing of a reviewed game: the arguments of `demine.picture.review_picture`."""

    scene: NDArray[np.uint8]
    theme: Theme
    panel: Panel
    marks: Overlay
    timeline: RiskTimeline
    cell_px: int

    def svg(self) -> str:
        """Return the drawing as an SVG document."""
        return review_svg(*self)

    def pixels(self) -> NDArray[np.uint8]:
        """Return the drawing as pixels, uint8 (height, width, 3)."""
        return review_picture(*self)


def drawing(game: Game, review: Review, theme: Theme, cell_px: int) -> Drawing:
    """Return the drawing of a reviewed game, with cells of `cell_px` pixels."""
    panel = panel_of(game, game.time_ms)
    marks = review_marks(game, review)
    return Drawing(sight(game), theme, panel, marks, risk_timeline(review), cell_px)


def check_size(game: Game, theme: Theme, cell_px: int) -> None:
    """Raise PictureError if the drawing of a game would be too large, before it is reviewed."""
    check_review_size(sight(game), theme, panel_of(game, game.time_ms), cell_px)


def risk_timeline(review: Review) -> RiskTimeline:
    """Return the risks of the openings that count for luck, as the chart of a picture."""
    acts = [act for act in review.acts if act.verdict in JUDGED and not act.undone]
    return RiskTimeline(
        np.array([act.t for act in acts], np.int64),
        np.array([act.chance for act in acts], np.float64),
        np.array([act.lowest for act in acts], np.float64),
        np.array([act.verdict in MISTAKES for act in acts], np.bool_),
        np.array([bool(act.blew) for act in acts], np.bool_),
        review.time_ms,
        sum(not act.undone for act in review.wrong_flags),
    )


def review_marks(game: Game, review: Review) -> Overlay:
    """Return marks for forced guesses, mistakes, and the safe cell missed at the end."""
    overlay = Overlay.empty(game.rules.shape)
    standing = [act for act in review.acts if not act.undone]
    overlay = overlay.with_marks(Mark.GUESS, _risked(standing, Verdict.FORCED))
    last = standing[-1] if standing else None
    if last is not None and last.blew and last.best is not None and last.best.risk == 0:
        overlay = overlay.with_marks(Mark.MISSED, [(last.best.row, last.best.col)])
    return overlay.with_marks(Mark.MISTAKE, _risked(standing, *MISTAKES))


def _risked(acts: list[JudgedAct], *verdicts: Verdict) -> list[Cell]:
    return [cell for act in acts if act.verdict in verdicts for cell in act.cells]
