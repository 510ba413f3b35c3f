"""Minesweeper as real software: the game, its rules and its boards.

The names below are the public door. They are imported when they are first used, so that a command
that only prints its help does not wait for NumPy.

>>> import demine
>>> game = demine.Game(demine.EXPERT, seed=7)
>>> game.open(8, 15)
<Status.RUNNING: 'running'>
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
    from demine.solver.engine.conversation import EngineMove
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
    from demine.studies.all_kernels import warm
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

_HOMES = {
    "BEGINNER": "demine.logic.rules",
    "CLASSIC_BEGINNER": "demine.logic.rules",
    "EXPERT": "demine.logic.rules",
    "INTERMEDIATE": "demine.logic.rules",
    "TEN": "demine.logic.rules",
    "Act": "demine.logic.event",
    "ActError": "demine.logic.errors",
    "Analysis": "demine.solver.win_chances",
    "Animation": "demine.notebook.animation",
    "BaseGame": "demine.logic.game",
    "BatchPolicy": "demine.solver.player.policy_types",
    "Board": "demine.logic.board_state",
    "CellChances": "demine.solver.win_chances",
    "CertainCells": "demine.solver.exact.prepared_position",
    "Contradiction": "demine.replay.claimed_statistics",
    "Daily": "demine.logic.daily_board",
    "DailyError": "demine.logic.daily_board",
    "DemineError": "demine.logic.errors",
    "Engine": "demine.solver.engine.client",
    "EngineAnswerError": "demine.solver.engine.errors",
    "EngineEnded": "demine.solver.engine.errors",
    "EngineError": "demine.solver.engine.errors",
    "EngineMove": "demine.solver.engine.conversation",
    "EngineStartError": "demine.solver.engine.errors",
    "EngineTimeout": "demine.solver.engine.errors",
    "Event": "demine.logic.event",
    "Face": "demine.scene.cell_faces",
    "First": "demine.logic.rules",
    "Flags": "demine.logic.rules",
    "Formula": "demine.statistics.formula",
    "FormulaError": "demine.statistics.formula",
    "Game": "demine.game",
    "GameRow": "demine.store.game_rows",
    "Goal": "demine.logic.rules",
    "HasPosition": "demine.scene.seen_position",
    "Hint": "demine.solver.hint",
    "InconsistentBoard": "demine.solver.errors",
    "JournalError": "demine.logic.errors",
    "JudgedAct": "demine.reviews.review_result",
    "Judgement": "demine.solver.judge",
    "JudgementKind": "demine.solver.judge",
    "LanguageError": "demine.scene.translation",
    "Lay": "demine.logic.event",
    "LayoutError": "demine.logic.errors",
    "Loss": "demine.replay.errors",
    "Luck": "demine.reviews.review_result",
    "LuckiestWin": "demine.studies.result",
    "MatchEndedEarly": "demine.studies.match_result",
    "MatchPlayer": "demine.studies.match_result",
    "MatchResult": "demine.studies.match_result",
    "MissedWin": "demine.reviews.review_result",
    "Moment": "demine.scene.moment",
    "MomentError": "demine.scene.moment",
    "Move": "demine.solver.player.move",
    "NeedsGuess": "demine.solver.errors",
    "NoGuessFreeBoard": "demine.solver.errors",
    "NoSuchBoard": "demine.boards",
    "NotAGame": "demine.logic.errors",
    "NothingCertain": "demine.solver.errors",
    "NothingToOpen": "demine.solver.errors",
    "Origin": "demine.logic.game",
    "Overlay": "demine.scene.overlay",
    "OverlayError": "demine.scene.overlay",
    "PairedDifference": "demine.studies.result",
    "Pattern": "demine.solver.proof.difficulty_levels",
    "Picture": "demine.notebook.displayable_picture",
    "PictureError": "demine.picture.errors",
    "Policy": "demine.solver.player.policy_types",
    "PolicyError": "demine.solver.player.policy_error",
    "PolicyLike": "demine.solver.player.policy_types",
    "PolicyResult": "demine.studies.result",
    "ProofStep": "demine.solver.proof.rating",
    "Rating": "demine.solver.proof.rating",
    "Reason": "demine.solver.proof.explain",
    "Record": "demine.store.records",
    "Recording": "demine.statistics.recording_type",
    "Replay": "demine.replay.model",
    "ReplayError": "demine.replay.errors",
    "Review": "demine.reviews.review_result",
    "ReviewError": "demine.reviews.review",
    "Rules": "demine.logic.rules",
    "RulesError": "demine.logic.errors",
    "SceneError": "demine.solver.errors",
    "SeenPosition": "demine.scene.seen_position",
    "ShareError": "demine.logic.errors",
    "Statistics": "demine.statistics.definitions",
    "Status": "demine.logic.game",
    "Store": "demine.store.store",
    "StoreError": "demine.store.errors",
    "StudyEndedEarly": "demine.studies.result",
    "StudyError": "demine.studies.errors",
    "StudyPlan": "demine.studies.plan",
    "StudyResult": "demine.studies.result",
    "TextError": "demine.logic.errors",
    "ThemeError": "demine.scene.themes",
    "TimeSpent": "demine.reviews.review_result",
    "TooComplex": "demine.solver.errors",
    "Touch": "demine.logic.event",
    "Verb": "demine.logic.event",
    "VerbName": "demine.logic.event",
    "Verdict": "demine.reviews.review_result",
    "WorkError": "demine.logic.errors",
    "analyse": "demine.solver.win_chances",
    "animate": "demine.notebook.animation",
    "best_move": "demine.solver.player.choose_cell",
    "convert": "demine.replay.load_save",
    "count_layouts": "demine.solver.exact.probability",
    "deduce": "demine.solver.exact.deduce",
    "explain": "demine.solver.proof.explain",
    "format_layout": "demine.logic.layout",
    "format_scene": "demine.scene.diagram",
    "heat_map": "demine.notebook.pictures",
    "hint": "demine.solver.hint",
    "hzini_batch": "demine.statistics.zini",
    "judge": "demine.solver.judge",
    "load": "demine.replay.load_save",
    "load_all": "demine.replay.load_save",
    "load_replay": "demine.replay.load_save",
    "make": "demine.boards",
    "make_batch": "demine.boards",
    "match": "demine.studies.match",
    "mine_probability": "demine.solver.exact.probability",
    "mine_probability_batch": "demine.solver.exact.probability",
    "parse_layout": "demine.logic.layout",
    "parse_scene": "demine.scene.diagram",
    "prove_step_by_step": "demine.solver.proof.rating",
    "rate": "demine.solver.proof.rating",
    "review": "demine.reviews.review",
    "save": "demine.replay.load_save",
    "set_language": "demine.scene.translation",
    "show": "demine.notebook.pictures",
    "sight": "demine.scene.sight",
    "stats": "demine.statistics.compute",
    "study": "demine.studies.resumable_study",
    "three_bv_batch": "demine.statistics.batch_3bv",
    "warm": "demine.studies.all_kernels",
    "zini_batch": "demine.statistics.zini",
}
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
