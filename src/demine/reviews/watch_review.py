"""The review of a replay that somebody watches: marks on the board, and where to jump to."""

from __future__ import annotations

from typing import TYPE_CHECKING

from demine.logic.event import Act, Verb
from demine.logic.event_log import indexed_non_touches
from demine.scene.overlay import Mark, Overlay

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from demine.logic.game import BaseGame
    from demine.reviews.review_result import JudgedAct, Review


def with_judged_act(base: Overlay, judged: JudgedAct) -> Overlay:
    """Return an overlay with marks for a judged act, and for the better move and its reason."""
    best, reason = judged.best, judged.reason
    if reason is not None:
        base = base.with_marks(Mark.BECAUSE, reason.because)
    if best is not None:
        base = base.with_marks(Mark.SAFE if best.risk == 0 else Mark.GUESS, [(best.row, best.col)])
    forced = judged.verdict.value == "forced"
    if judged.row >= 0:
        cells = judged.cells or ((judged.row, judged.col),)
        base = base.with_marks(Mark.GUESS if forced else Mark.MISTAKE, cells)
    return base


def judged_by_event(game: BaseGame, review: Review) -> dict[int, JudgedAct]:
    """Return the judged acts by the index of their event in the game; pauses are not judged."""
    still = (Verb.PAUSE, Verb.RESUME)
    indices = [
        index
        for index, event in indexed_non_touches(game.events)
        if isinstance(event, Act) and event.verb not in still
    ]
    return {indices[act.number - 1]: act for act in review.acts}


def next_guess_or_mistake(
    judged: Mapping[int, JudgedAct], review: Review, kind: str, first_event: int
) -> int | None:
    """Return the event index of the next `guess` or `mistake` from an index on, or None."""
    numbers = {act.number for act in (review.guesses if kind == "guess" else review.mistakes)}
    found = (at for at, act in judged.items() if act.number in numbers and at >= first_event)
    return min(found, default=None)


def distinct_clamped_times(times: Sequence[int], start: int, end: int) -> list[int]:
    """Return the times, those outside moved to `start` or `end`, sorted and each once."""
    return sorted({min(max(int(ms), start), end) for ms in times})
