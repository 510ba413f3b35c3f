"""Finding drills in a game: its mistakes, its forced guesses, and the proofs that took long."""

from __future__ import annotations

import hashlib
from statistics import median
from typing import TYPE_CHECKING, Final

from demine.play.drills.drill import Drill, DrillKind, without_marks
from demine.play.drills.patterns import pattern_of_guess, pattern_of_proof
from demine.reviews.positions import acts_in_positions
from demine.reviews.review import ReviewError, review
from demine.reviews.review_result import Verdict
from demine.solver.hint import explain_if_feasible

if TYPE_CHECKING:
    from collections.abc import Iterator

    import numpy as np
    from numpy.typing import NDArray

    from demine.game import Game
    from demine.play.drills.patterns import DrillPattern
    from demine.reviews.review_result import JudgedAct, Review

    Cell = tuple[int, int]

SLOW_MS: Final = 2000
"""A proof took long if it took at least so many milliseconds ..."""
SLOW_TIMES: Final = 3
"""... and so many times as long as half the proofs of its game."""


def find_drills(game: Game, game_id: str | None = None) -> tuple[Drill, ...]:
    """Return the drills of a game in the order of its acts; none of one without a judged act.

    `game_id` is the id that they carry; without one it is made from the game's events.
    """
    try:
        judged = review(game)
    except ReviewError:
        return ()
    slow_ms = _slow_from(judged)
    kinds = {act.number: _kinds_of_act(act, judged, slow_ms) for act in judged.acts}
    own_id = id_of_game(game) if game_id is None else game_id
    found: list[Drill] = []
    for number, moment in enumerate(acts_in_positions(game), 1):
        if kinds[number] and moment.scene is not None:
            act = judged.acts[number - 1]
            found += _drills_of_act(game, own_id, act, kinds[number], without_marks(moment.scene))
    return tuple(found)


def id_of_game(game: Game) -> str:
    """Return an id made from the rules and the events of a game, in hexadecimal digits."""
    played = game.journal().partition("\n")[2]
    return hashlib.sha256(f"{game.rules}\n{played}".encode()).hexdigest()[:32]


def _kinds_of_act(act: JudgedAct, judged: Review, slow_ms: float) -> list[DrillKind]:
    """Return what can be asked about the position of an act, by its verdict."""
    is_won = judged.missed_win is not None and act.t > judged.missed_win.since_ms
    unfit = {DrillKind.SAFE} if is_won else {DrillKind.WON}
    if act.think_ms < slow_ms:
        unfit.add(DrillKind.SPEED)
    return [kind for kind in DrillKind if kind not in unfit and act.verdict in kind.verdicts]


def _slow_from(judged: Review) -> float:
    """Return from how many milliseconds on a proof of this game took long."""
    proofs = [act.think_ms for act in judged.acts if act.verdict is Verdict.PROVEN]
    return max(SLOW_MS, SLOW_TIMES * median(proofs or [0]))


def _drills_of_act(
    game: Game, game_id: str, act: JudgedAct, kinds: list[DrillKind], faces: NDArray[np.uint8]
) -> Iterator[Drill]:
    """Yield the drills of these kinds about the position of an act."""
    answer = _answer_and_pattern(faces, game.rules.mines, act)
    if answer is None:
        return
    cell, pattern, is_proven = answer
    for kind in kinds:
        if kind.is_proven in (None, is_proven):
            yield Drill(game, game_id, act.number, cell, kind, pattern)


def _answer_and_pattern(
    faces: NDArray[np.uint8], mines: int, act: JudgedAct
) -> tuple[Cell, DrillPattern, bool] | None:
    """Return the cell to answer, the pattern, and whether it is proven; None if too complex."""
    if act.lowest == 0.0:
        reason = explain_if_feasible(faces, mines)
        if reason is None:
            return None
        return reason.cell, pattern_of_proof(faces, mines, reason), True
    best = None if act.judgement is None else act.judgement.best
    if best is None:
        return None
    cell = best.row, best.col
    return cell, pattern_of_guess(faces, cell, best.risk), False
