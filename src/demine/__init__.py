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
    from demine.logic.board import Board
    from demine.logic.errors import DemineError
    from demine.logic.event import Act
    from demine.logic.game import Game, Status
    from demine.logic.layout import deal as make
    from demine.logic.rules import (
        BEGINNER,
        CLASSIC_BEGINNER,
        EXPERT,
        INTERMEDIATE,
        TEN,
        Rules,
    )
    from demine.replay.file import load, save
    from demine.scene.face import Face
    from demine.solver.deduce import deduce
    from demine.solver.errors import InconsistentBoard, TooComplex
    from demine.solver.policy import best_move
    from demine.solver.probability import (
        count_layouts,
        mine_probability,
        mine_probability_batch,
    )

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
    "Rules",
    "Status",
    "TooComplex",
    "best_move",
    "count_layouts",
    "deduce",
    "load",
    "make",
    "mine_probability",
    "mine_probability_batch",
    "save",
]

_HOMES = {
    "BEGINNER": "demine.logic.rules",
    "CLASSIC_BEGINNER": "demine.logic.rules",
    "EXPERT": "demine.logic.rules",
    "INTERMEDIATE": "demine.logic.rules",
    "TEN": "demine.logic.rules",
    "Act": "demine.logic.event",
    "Board": "demine.logic.board",
    "DemineError": "demine.logic.errors",
    "Face": "demine.scene.face",
    "Game": "demine.logic.game",
    "InconsistentBoard": "demine.solver.errors",
    "Rules": "demine.logic.rules",
    "Status": "demine.logic.game",
    "TooComplex": "demine.solver.errors",
    "best_move": "demine.solver.policy",
    "count_layouts": "demine.solver.probability",
    "deduce": "demine.solver.deduce",
    "load": "demine.replay.file",
    "make": "demine.logic.layout:deal",
    "mine_probability": "demine.solver.probability",
    "mine_probability_batch": "demine.solver.probability",
    "save": "demine.replay.file",
}
"""Where each name lives, and under which name where that differs."""


def __getattr__(name: str) -> object:
    home, _, inner = _HOMES.get(name, "").partition(":")
    if not home:
        raise AttributeError(f"module 'demine' has no attribute {name!r}")
    value: object = getattr(import_module(home), inner or name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
