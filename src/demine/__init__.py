"""Minesweeper as real software: the game, and a library for its boards.

    play        Game, Rules, Act, Board, Face, Daily, sight
    solve       mine_probability, hint, best_move, deduce, explain, analyse, judge, count_layouts
    boards      make, make_batch, rate, prove_step_by_step, parse_layout, format_layout
    replays     load, load_all, save, convert, review
    statistics  stats, three_bv_batch, Formula
    studies     study, match, Policy, Engine
    pictures    show, heat_map, animate
    records     Store

Rows and columns count from 0, arrays have the shape `(height, width)`, times are milliseconds, and
every error is a `DemineError`. Names are imported when they are first used, so that a command that
only prints its help does not wait for NumPy.

>>> import demine
>>> game = demine.Game("expert", seed=7)
>>> game.open(8, 15)
<Status.RUNNING: 'running'>
>>> demine.hint(game).safe
True
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from demine.boards import NoSuchBoard, make, make_batch
    from demine.game import Game
    from demine.logic.board_state import Board
    from demine.logic.daily_board import Daily, DailyError
    from demine.logic.errors import (
        ActError,
        DemineError,
        JournalError,
        LayoutError,
        NotAGame,
        RulesError,
        ShareError,
        TextError,
        WorkError,
    )
    from demine.logic.event import Act, Event, Lay, Touch, Verb, VerbName
    from demine.logic.game import BaseGame, Origin, Status
    from demine.logic.layout import format_layout, parse_layout
    from demine.logic.rules import (
        BEGINNER,
        CLASSIC_BEGINNER,
        EXPERT,
        INTERMEDIATE,
        TEN,
        First,
        Flags,
        Goal,
        Rules,
    )
    from demine.notebook.animation import Animation, animate
    from demine.notebook.displayable_picture import Picture
    from demine.notebook.pictures import heat_map, show
    from demine.picture.errors import PictureError
    from demine.replay.claimed_statistics import Contradiction
    from demine.replay.errors import Loss, ReplayError
    from demine.replay.load_save import convert, load, load_all, load_replay, save
    from demine.replay.model import Replay
    from demine.reviews.review import ReviewError, review
    from demine.reviews.review_result import JudgedAct, Luck, MissedWin, Review, TimeSpent, Verdict
    from demine.scene.cell_faces import Face
    from demine.scene.diagram import format_scene, parse_scene
    from demine.scene.moment import Moment, MomentError
    from demine.scene.overlay import Overlay, OverlayError
    from demine.scene.seen_position import HasPosition, SeenPosition
    from demine.scene.sight import sight
    from demine.scene.themes import ThemeError
    from demine.scene.translation import LanguageError, set_language
    from demine.solver.engine.client import Engine
    from demine.solver.engine.engine_session import EngineMove
    from demine.solver.engine.errors import (
        EngineAnswerError,
        EngineEnded,
        EngineError,
        EngineStartError,
        EngineTimeout,
    )
    from demine.solver.errors import (
        InconsistentBoard,
        NeedsGuess,
        NoGuessFreeBoard,
        NothingCertain,
        NothingToOpen,
        SceneError,
        TooComplex,
    )
    from demine.solver.exact.deduce import deduce
    from demine.solver.exact.prepared_position import CertainCells
    from demine.solver.exact.probability import (
        count_layouts,
        mine_probability,
        mine_probability_batch,
    )
    from demine.solver.hint import Hint, hint
    from demine.solver.judge import Judgement, JudgementKind, judge
    from demine.solver.player.choose_cell import best_move
    from demine.solver.player.move import Move
    from demine.solver.player.policy_error import PolicyError
    from demine.solver.player.policy_types import BatchPolicy, Policy, PolicyLike
    from demine.solver.proof.difficulty_levels import Pattern
    from demine.solver.proof.explain import Reason, explain
    from demine.solver.proof.rating import ProofStep, Rating, prove_step_by_step, rate
    from demine.solver.win_chances import Analysis, CellChances, analyse
    from demine.statistics.batch_3bv import three_bv_batch
    from demine.statistics.compute import stats
    from demine.statistics.definitions import Statistics
    from demine.statistics.formula import Formula, FormulaError
    from demine.statistics.recording_type import Recording
    from demine.statistics.zini import hzini_batch, zini_batch
    from demine.store.errors import StoreError
    from demine.store.game_rows import GameRow
    from demine.store.records import Record
    from demine.store.store import Store
    from demine.studies.errors import StudyError
    from demine.studies.match import match
    from demine.studies.match_result import MatchEndedEarly, MatchPlayer, MatchResult
    from demine.studies.plan import StudyPlan
    from demine.studies.result import (
        LuckiestWin,
        PairedDifference,
        PolicyResult,
        StudyEndedEarly,
        StudyResult,
    )
    from demine.studies.resumable_study import study
    from demine.studies.warm_kernels import warm

__version__ = "0.1.0"

__all__ = [
    "BEGINNER",
    "CLASSIC_BEGINNER",
    "EXPERT",
    "INTERMEDIATE",
    "TEN",
    "Act",
    "ActError",
    "Analysis",
    "Animation",
    "BaseGame",
    "BatchPolicy",
    "Board",
    "CellChances",
    "CertainCells",
    "Contradiction",
    "Daily",
    "DailyError",
    "DemineError",
    "Engine",
    "EngineAnswerError",
    "EngineEnded",
    "EngineError",
    "EngineMove",
    "EngineStartError",
    "EngineTimeout",
    "Event",
    "Face",
    "First",
    "Flags",
    "Formula",
    "FormulaError",
    "Game",
    "GameRow",
    "Goal",
    "HasPosition",
    "Hint",
    "InconsistentBoard",
    "JournalError",
    "JudgedAct",
    "Judgement",
    "JudgementKind",
    "LanguageError",
    "Lay",
    "LayoutError",
    "Loss",
    "Luck",
    "LuckiestWin",
    "MatchEndedEarly",
    "MatchPlayer",
    "MatchResult",
    "MissedWin",
    "Moment",
    "MomentError",
    "Move",
    "NeedsGuess",
    "NoGuessFreeBoard",
    "NoSuchBoard",
    "NotAGame",
    "NothingCertain",
    "NothingToOpen",
    "Origin",
    "Overlay",
    "OverlayError",
    "PairedDifference",
    "Pattern",
    "Picture",
    "PictureError",
    "Policy",
    "PolicyError",
    "PolicyLike",
    "PolicyResult",
    "ProofStep",
    "Rating",
    "Reason",
    "Record",
    "Recording",
    "Replay",
    "ReplayError",
    "Review",
    "ReviewError",
    "Rules",
    "RulesError",
    "SceneError",
    "SeenPosition",
    "ShareError",
    "Statistics",
    "Status",
    "Store",
    "StoreError",
    "StudyEndedEarly",
    "StudyError",
    "StudyPlan",
    "StudyResult",
    "TextError",
    "ThemeError",
    "TimeSpent",
    "TooComplex",
    "Touch",
    "Verb",
    "VerbName",
    "Verdict",
    "WorkError",
    "analyse",
    "animate",
    "best_move",
    "convert",
    "count_layouts",
    "deduce",
    "explain",
    "format_layout",
    "format_scene",
    "heat_map",
    "hint",
    "hzini_batch",
    "judge",
    "load",
    "load_all",
    "load_replay",
    "make",
    "make_batch",
    "match",
    "mine_probability",
    "mine_probability_batch",
    "parse_layout",
    "parse_scene",
    "prove_step_by_step",
    "rate",
    "review",
    "save",
    "set_language",
    "show",
    "sight",
    "stats",
    "study",
    "three_bv_batch",
    "warm",
    "zini_batch",
]

_NAMES = {
    "demine.boards": "NoSuchBoard make make_batch",
    "demine.game": "Game",
    "demine.logic.board_state": "Board",
    "demine.logic.daily_board": "Daily DailyError",
    "demine.logic.errors": (
        "ActError DemineError JournalError LayoutError NotAGame RulesError ShareError TextError "
        "WorkError"
    ),
    "demine.logic.event": "Act Event Lay Touch Verb VerbName",
    "demine.logic.game": "BaseGame Origin Status",
    "demine.logic.layout": "format_layout parse_layout",
    "demine.logic.rules": (
        "BEGINNER CLASSIC_BEGINNER EXPERT First Flags Goal INTERMEDIATE Rules TEN"
    ),
    "demine.notebook.animation": "Animation animate",
    "demine.notebook.displayable_picture": "Picture",
    "demine.notebook.pictures": "heat_map show",
    "demine.picture.errors": "PictureError",
    "demine.replay.claimed_statistics": "Contradiction",
    "demine.replay.errors": "Loss ReplayError",
    "demine.replay.load_save": "convert load load_all load_replay save",
    "demine.replay.model": "Replay",
    "demine.reviews.review": "ReviewError review",
    "demine.reviews.review_result": "JudgedAct Luck MissedWin Review TimeSpent Verdict",
    "demine.scene.cell_faces": "Face",
    "demine.scene.diagram": "format_scene parse_scene",
    "demine.scene.moment": "Moment MomentError",
    "demine.scene.overlay": "Overlay OverlayError",
    "demine.scene.seen_position": "HasPosition SeenPosition",
    "demine.scene.sight": "sight",
    "demine.scene.themes": "ThemeError",
    "demine.scene.translation": "LanguageError set_language",
    "demine.solver.engine.client": "Engine",
    "demine.solver.engine.engine_session": "EngineMove",
    "demine.solver.engine.errors": (
        "EngineAnswerError EngineEnded EngineError EngineStartError EngineTimeout"
    ),
    "demine.solver.errors": (
        "InconsistentBoard NeedsGuess NoGuessFreeBoard NothingCertain NothingToOpen SceneError "
        "TooComplex"
    ),
    "demine.solver.exact.deduce": "deduce",
    "demine.solver.exact.prepared_position": "CertainCells",
    "demine.solver.exact.probability": "count_layouts mine_probability mine_probability_batch",
    "demine.solver.hint": "Hint hint",
    "demine.solver.judge": "Judgement JudgementKind judge",
    "demine.solver.player.choose_cell": "best_move",
    "demine.solver.player.move": "Move",
    "demine.solver.player.policy_error": "PolicyError",
    "demine.solver.player.policy_types": "BatchPolicy Policy PolicyLike",
    "demine.solver.proof.difficulty_levels": "Pattern",
    "demine.solver.proof.explain": "Reason explain",
    "demine.solver.proof.rating": "ProofStep Rating prove_step_by_step rate",
    "demine.solver.win_chances": "Analysis CellChances analyse",
    "demine.statistics.batch_3bv": "three_bv_batch",
    "demine.statistics.compute": "stats",
    "demine.statistics.definitions": "Statistics",
    "demine.statistics.formula": "Formula FormulaError",
    "demine.statistics.recording_type": "Recording",
    "demine.statistics.zini": "hzini_batch zini_batch",
    "demine.store.errors": "StoreError",
    "demine.store.game_rows": "GameRow",
    "demine.store.records": "Record",
    "demine.store.store": "Store",
    "demine.studies.warm_kernels": "warm",
    "demine.studies.errors": "StudyError",
    "demine.studies.match": "match",
    "demine.studies.match_result": "MatchEndedEarly MatchPlayer MatchResult",
    "demine.studies.plan": "StudyPlan",
    "demine.studies.result": (
        "LuckiestWin PairedDifference PolicyResult StudyEndedEarly StudyResult"
    ),
    "demine.studies.resumable_study": "study",
}
"""The names of each module."""
_HOMES = {name: module for module, names in _NAMES.items() for name in names.split()}
"""The module of each name."""


if not TYPE_CHECKING:  # a checker that saw this would believe in every name

    def __getattr__(name: str) -> object:
        if name not in _HOMES:
            raise AttributeError(f"module 'demine' has no attribute {name!r}")
        value: object = getattr(import_module(_HOMES[name]), name)
        globals()[name] = value
        return value


def __dir__() -> list[str]:
    return sorted(["__version__", *__all__])
