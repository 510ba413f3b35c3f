"""Games made to find drills in, for players without games: played by proofs until one is lost.

Rules and a seed name such a game, so that it can be made again: `16x16/40 #7` is its id.
"""

from __future__ import annotations

from hashlib import sha256
from itertools import count, takewhile
from typing import TYPE_CHECKING, Final, NamedTuple

from demine.game import Game
from demine.logic.event_log import acts
from demine.logic.rules import EXPERT, INTERMEDIATE, Rules
from demine.play.drills.drill import Drill, DrillKind
from demine.play.drills.patterns import pattern_of_guess, pattern_of_proof
from demine.scene.sight import sight
from demine.solver.errors import TooComplex
from demine.solver.exact.probability import mine_probability
from demine.solver.player.choose_cell import least_risky_cell
from demine.solver.proof.cell_levels import grade_cells
from demine.solver.proof.explain import explain

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import date

    from demine.play.drills.patterns import DrillPattern

    Cell = tuple[int, int]

_MARK: Final = " #"
_WITH_PROOF: Final[tuple[DrillKind, ...]] = (
    DrillKind.SAFE,
    DrillKind.PROVE_OR_GUESS,
    DrillKind.SPEED,
)
_WITHOUT_PROOF: Final[tuple[DrillKind, ...]] = (DrillKind.PROVE_OR_GUESS, DrillKind.BEST_GUESS)
_EDITION: Final = 1
"""Part of the text that is hashed for a day's drill: another rule would need another number."""
DAILY_RULES: Final = INTERMEDIATE
_SEEDS_OF_DAY: Final = 16
"""A day has 2 to the power of this seeds, more than boards are made."""


def is_made(game_id: str) -> bool:
    """Return whether an id is that of a game that is made of rules and a seed."""
    return _MARK in game_id


def made_drill(game_id: str, act: int, kind: DrillKind) -> Drill:
    """Return the drill of a made game again; raises `ValueError` if it has no such drill.

    A board larger than that of an expert is not played again: an id from elsewhere may name a game
    that takes very long.
    """
    rules_text, _, seed = game_id.partition(_MARK)
    rules = Rules.parse(rules_text)
    if rules.width * rules.height > EXPERT.width * EXPERT.height:
        raise ValueError(game_id)
    for drill in drills_of_made_game(rules, int(seed)):
        if (drill.act, drill.kind) == (act, kind):
            return drill
        if drill.act > act:
            break
    raise ValueError(game_id)


def first_seed_of_day(day: date) -> int:
    """Return the first seed of the boards that fill up the sets of a day."""
    return day.toordinal() << _SEEDS_OF_DAY


def daily_drill(day: date) -> Drill:
    """Return the drill of a day, the same for everybody: of a board made from its date alone.

    Days are those of UTC. It computes for up to a second.

    >>> import datetime, demine
    >>> drill = demine.daily_drill(datetime.date(2026, 11, 27))
    >>> drill == demine.daily_drill(datetime.date(2026, 11, 27))
    True
    """
    digest = sha256(f"demine drill {_EDITION} {day.isoformat()}".encode()).digest()
    for seed in count(int.from_bytes(digest[:6])):
        drills = list(_until_a_guess(drills_of_made_game(DAILY_RULES, seed)))
        if drills:
            return drills[int.from_bytes(digest[6:10]) % len(drills)]
    raise AssertionError


def _until_a_guess(drills: Iterator[Drill]) -> Iterator[Drill]:
    """Yield the drills before the first guess, up to which no chance decides how a game goes on."""
    return takewhile(lambda drill: not drill.pattern.is_guess, drills)


def drills_of_made_game(rules: Rules, seed: int) -> Iterator[Drill]:
    """Yield the drills of a game while it is played.

    It begins in the middle and opens what is easiest to prove. Where more than one number is
    needed to prove a cell, and where none can be proven, there are drills. It ends with the game,
    and where the position is too complex.
    """
    game = Game(Rules(rules.width, rules.height, rules.mines), seed)
    game.open(rules.height // 2, rules.width // 2)
    while not game.status.over:
        try:
            cells, answer = _next_cells_and_answer(game)
        except TooComplex:
            return
        if answer is not None:
            yield from _drills_of_answer(game, f"{game.rules}{_MARK}{seed}", *answer)
        for cell in cells:
            if not game.board.open_map[cell]:
                game.open(*cell)


class _Answer(NamedTuple):
    cell: Cell
    pattern: DrillPattern


def _next_cells_and_answer(game: Game) -> tuple[list[Cell], _Answer | None]:
    """Return the cells to open next, and the answer to drills about the position, if it has any."""
    faces, mines = sight(game), game.rules.mines
    grades = grade_cells(faces, mines, stop_at_safe=True)
    safe = {cell: grade.level for cell, grade in grades.items() if not grade.is_mine}
    if not safe:
        move = least_risky_cell(mine_probability(faces, mines))
        if move is None:
            return [], None
        cell = move.row, move.col
        return [cell], _Answer(cell, pattern_of_guess(faces, cell, move.risk))
    level = min(safe.values())
    width = game.rules.width
    cells = [divmod(cell, width) for cell in sorted(safe) if safe[cell] == level]
    if level == 1:
        return cells, None
    reason = explain(faces, mines)
    return cells, _Answer(reason.cell, pattern_of_proof(faces, mines, reason))


def _drills_of_answer(
    game: Game, game_id: str, cell: Cell, pattern: DrillPattern
) -> Iterator[Drill]:
    """Yield a drill about the present position for each kind that fits it."""
    number = len(acts(game.events)) + 1
    for kind in _WITHOUT_PROOF if pattern.is_guess else _WITH_PROOF:
        if kind is not DrillKind.SPEED or pattern.is_quick:
            yield Drill(game, game_id, number, cell, kind, pattern)
