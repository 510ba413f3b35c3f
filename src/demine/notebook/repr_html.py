"""How the values of the library look in a notebook; `demine` hands these to their classes."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Final

from demine.notebook.board_pictures import MOST_CELLS, show
from demine.reviews.review_result import NAMES, clock
from demine.scene.translation import ntr, tr

if TYPE_CHECKING:
    from collections.abc import Iterable

    from demine.logic.game import Game
    from demine.reviews.review_result import Judged, Review
    from demine.solver.hint import Hint
    from demine.solver.proof.explain import Reason

_MOST_ACTS: Final = 20
"""So many acts of a review are told: `Review.acts` has all of them."""


def game_svg(game: Game) -> str | None:
    """Return a game as its player sees it, with its panel; None for a board that is too large."""
    return show(game).svg if game.rules.cells <= MOST_CELLS else None


def game_html(game: Game) -> str | None:
    """Return a sentence about a game whose board is too large for a picture."""
    if game.rules.cells <= MOST_CELLS:
        return None
    said = tr(
        "A game of {rules}: too large for a picture here. demine.show(game, region=...) shows "
        "some of it.",
        rules=game.rules,
    )
    return _paragraph(said)


def told_html(advice: Hint | Reason) -> str:
    """Return a hint or a reason as its sentences."""
    return _paragraph(advice.text())


def review_html(found: Review) -> str:
    """Return a review as its summary, and a table of what is worth reading."""
    head, *_ = found.summary.splitlines()
    acts = [act for act in found.acts if act.worth_reading]
    told = [_paragraph(head), _table(found.lines())]
    if acts:
        told.append(_table(_act(act) for act in acts[:_MOST_ACTS]))
    left = len(acts) - _MOST_ACTS
    if left > 0:
        told.append(_paragraph(ntr("{n} more act", "{n} more acts", left)))
    return "\n".join(told)


def _act(act: Judged) -> tuple[str, ...]:
    why = "" if act.judgement is None else act.judgement.text()
    where = "" if act.row < 0 else f"{act.row}, {act.col}"
    return str(act.number), clock(act.t), where, tr(NAMES[act.verdict]), why


def _paragraph(text: str) -> str:
    return f"<p>{escape(text)}</p>"


def _table(rows: Iterable[tuple[str, ...]]) -> str:
    cell = '<td style="text-align:left">{}</td>'
    lines = ("".join(cell.format(escape(word)) for word in row) for row in rows)
    return "<table>" + "".join(f"<tr>{line}</tr>" for line in lines) + "</table>"
