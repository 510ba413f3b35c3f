"""Finding drills in a game: its mistakes, its forced guesses, and the proofs that took long."""

from __future__ import annotations

import hashlib
from statistics import median
from typing import TYPE_CHECKING, Final, NamedTuple

from demine.logic.event_log import acts
from demine.play.drills.drill import Drill, DrillKind, without_marks
from demine.play.drills.patterns import pattern_of_guess, pattern_of_proof
from demine.reviews.positions import STILL, acts_in_positions
from demine.reviews.review import ReviewError, review
from demine.reviews.review_result import Verdict
from demine.solver.hint import explain_if_feasible

if TYPE_CHECKING:
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
    own_id = id_of_game(game) if game_id is None else game_id
    found: list[Drill] = []
    acts_of_game = zip(_move_numbers(game), judged.acts, acts_in_positions(game), strict=True)
    for move, act, moment in acts_of_game:
        kinds = _kinds_of_act(act, judged, slow_ms)
        if not kinds or moment.scene is None:
            continue
        answer = _find_answer(without_marks(moment.scene), game.rules.mines, act)
        if answer is not None:
            found += [
                Drill(game, own_id, move, answer.cell, kind, answer.pattern)
                for kind in kinds
                if kind.is_proven in (None, not answer.pattern.is_guess)
            ]
    return tuple(found)


def _move_numbers(game: Game) -> list[int]:
    """Return the numbers of a game's acts as `Moment` counts them: with pauses, unlike a review."""
    return [n for n, act in enumerate(acts(game.events), 1) if act.verb not in STILL]


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


class _Answer(NamedTuple):
    """The cell to answer, and the pattern of its proof or of the guess."""

    cell: Cell
    pattern: DrillPattern


def _find_answer(faces: NDArray[np.uint8], mines: int, act: JudgedAct) -> _Answer | None:
    """Return the answer to questions about the position of an act; None if it is too complex."""
    if act.lowest == 0.0:
        reason = explain_if_feasible(faces, mines)
        if reason is None:
            return None
        return _Answer(reason.cell, pattern_of_proof(faces, mines, reason))
    best = None if act.judgement is None else act.judgement.best
    if best is None:
        return None
    cell = best.row, best.col
    return _Answer(cell, pattern_of_guess(faces, cell, best.risk))
