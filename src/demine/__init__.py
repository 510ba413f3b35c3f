"""Minesweeper as real software: the game, its rules and its boards.

The names below are the public door. They are imported when they are first used, so that a command
that only prints its help does not wait for NumPy.

>>> import demine
>>> game = demine.Game(demine.EXPERT, seed=7)
>>> game.play(demine.Act(0, "open", 8, 15)).value
'running'
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from demine.game import Game
    from demine.logic.board_state import Board
    from demine.logic.errors import DemineError
    from demine.logic.event import Act
    from demine.logic.game import Status
    from demine.logic.rules import (
        BEGINNER,
        CLASSIC_BEGINNER,
        EXPERT,
        INTERMEDIATE,
        TEN,
        Rules,
    )
    from demine.notebook.pictures import heat_map, show
    from demine.replay.load_save import load, load_all, save
    from demine.reviews.review import review
    from demine.scene.cell_faces import Face
    from demine.scene.sight import sight
    from demine.solver.deal.make_layout import make
    from demine.solver.errors import (
        InconsistentBoard,
        NoGuessFreeBoard,
        NothingCertain,
        TooComplex,
    )
    from demine.solver.exact.deduce import deduce
    from demine.solver.exact.probability import (
        count_layouts,
        mine_probability,
        mine_probability_batch,
    )
    from demine.solver.hint import hint
    from demine.solver.player.choose_cell import best_move
    from demine.solver.proof.explain import explain
    from demine.solver.win_chances import analyse
    from demine.statistics.compute import stats
    from demine.studies.resumable_study import study

__version__ = "0.1.0"

__all__ = [
    "BEGINNER",
    "CLASSIC_BEGINNER",
    "EXPERT",
    "INTERMEDIATE",
    "TEN",
    "Act",
    "Board",
    "DemineError",
    "Face",
    "Game",
    "InconsistentBoard",
    "NoGuessFreeBoard",
    "NothingCertain",
    "Rules",
    "Status",
    "TooComplex",
    "analyse",
    "best_move",
    "count_layouts",
    "deduce",
    "explain",
    "heat_map",
    "hint",
    "load",
    "load_all",
    "make",
    "mine_probability",
    "mine_probability_batch",
    "review",
    "save",
    "show",
    "sight",
    "stats",
    "study",
]

_HOMES = {
    "BEGINNER": "demine.logic.rules",
    "CLASSIC_BEGINNER": "demine.logic.rules",
    "EXPERT": "demine.logic.rules",
    "INTERMEDIATE": "demine.logic.rules",
    "TEN": "demine.logic.rules",
    "Act": "demine.logic.event",
    "Board": "demine.logic.board_state",
    "DemineError": "demine.logic.errors",
    "Face": "demine.scene.cell_faces",
    "Game": "demine.game",
    "InconsistentBoard": "demine.solver.errors",
    "NothingCertain": "demine.solver.errors",
    "NoGuessFreeBoard": "demine.solver.errors",
    "Rules": "demine.logic.rules",
    "Status": "demine.logic.game",
    "TooComplex": "demine.solver.errors",
    "analyse": "demine.solver.win_chances",
    "best_move": "demine.solver.player.choose_cell",
    "count_layouts": "demine.solver.exact.probability",
    "deduce": "demine.solver.exact.deduce",
    "explain": "demine.solver.proof.explain",
    "heat_map": "demine.notebook.pictures",
    "hint": "demine.solver.hint",
    "load": "demine.replay.load_save",
    "load_all": "demine.replay.load_save",
    "make": "demine.solver.deal.make_layout",
    "mine_probability": "demine.solver.exact.probability",
    "mine_probability_batch": "demine.solver.exact.probability",
    "review": "demine.reviews.review",
    "save": "demine.replay.load_save",
    "show": "demine.notebook.pictures",
    "sight": "demine.scene.sight",
    "stats": "demine.statistics.compute",
    "study": "demine.studies.resumable_study",
}
"""The module of each name."""


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module 'demine' has no attribute {name!r}")
    value: object = getattr(import_module(_HOMES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
