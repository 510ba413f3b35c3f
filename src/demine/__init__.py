"""Minesweeper as real software: the game, and a library for its boards.

    play        Game, Rules, Act, Board, Face, Daily, sight
    solve       mine_probability, hint, best_move, deduce, explain, analyse, judge, count_layouts
    boards      make, make_batch, rate, prove_step_by_step, parse_layout, format_layout
    replays     load, load_all, save, convert, review
    statistics  stats, three_bv_batch, Formula
    drills      drills, daily_drill, Drill, DrillSession
    studies     study, match, dataset, Policy, Engine
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

from typing import TYPE_CHECKING

from demine.lazy_exports import lazy_exports

if TYPE_CHECKING:
    from demine.boards import NoSuchBoard as NoSuchBoard, make as make, make_batch as make_batch
    from demine.game import Game as Game
    from demine.logic.board_state import Board as Board
    from demine.logic.daily_board import Daily as Daily, DailyError as DailyError
    from demine.logic.errors import (
        ActError as ActError,
        DemineError as DemineError,
        JournalError as JournalError,
        LayoutError as LayoutError,
        NotAGame as NotAGame,
        RulesError as RulesError,
        ShareError as ShareError,
        TextError as TextError,
        WorkError as WorkError,
    )
    from demine.logic.event import (
        Act as Act,
        Event as Event,
        Lay as Lay,
        Touch as Touch,
        Verb as Verb,
        VerbName as VerbName,
    )
    from demine.logic.game import BaseGame as BaseGame, Origin as Origin, Status as Status
    from demine.logic.layout import format_layout as format_layout, parse_layout as parse_layout
    from demine.logic.rules import (
        BEGINNER as BEGINNER,
        CLASSIC_BEGINNER as CLASSIC_BEGINNER,
        EXPERT as EXPERT,
        INTERMEDIATE as INTERMEDIATE,
        TEN as TEN,
        First as First,
        Flags as Flags,
        Goal as Goal,
        Rules as Rules,
    )
    from demine.notebook.animation import Animation as Animation, animate as animate
    from demine.notebook.displayable_picture import Picture as Picture
    from demine.notebook.pictures import heat_map as heat_map, show as show
    from demine.picture.errors import PictureError as PictureError
    from demine.play.drills.drill import Drill as Drill, DrillKind as DrillKind
    from demine.play.drills.find_or_make import DrillError as DrillError, drills as drills
    from demine.play.drills.made_games import daily_drill as daily_drill
    from demine.play.drills.patterns import (
        DrillPattern as DrillPattern,
        PatternName as PatternName,
        PatternPlace as PatternPlace,
    )
    from demine.play.drills.question import (
        DrillQuestion as DrillQuestion,
        DrillSolution as DrillSolution,
    )
    from demine.play.drills.session import DrillAnswer as DrillAnswer, DrillSession as DrillSession
    from demine.replay.claimed_statistics import Contradiction as Contradiction
    from demine.replay.errors import Loss as Loss, ReplayError as ReplayError
    from demine.replay.load_save import (
        convert as convert,
        load as load,
        load_all as load_all,
        load_replay as load_replay,
        save as save,
    )
    from demine.replay.model import Replay as Replay
    from demine.reviews.review import ReviewError as ReviewError, review as review
    from demine.reviews.review_result import (
        JudgedAct as JudgedAct,
        Luck as Luck,
        MissedWin as MissedWin,
        Review as Review,
        TimeSpent as TimeSpent,
        Verdict as Verdict,
    )
    from demine.scene.cell_faces import Face as Face
    from demine.scene.diagram import format_scene as format_scene, parse_scene as parse_scene
    from demine.scene.moment import Moment as Moment, MomentError as MomentError
    from demine.scene.overlay import Overlay as Overlay, OverlayError as OverlayError
    from demine.scene.seen_position import HasPosition as HasPosition, SeenPosition as SeenPosition
    from demine.scene.sight import sight as sight
    from demine.scene.themes import ThemeError as ThemeError
    from demine.scene.translation import (
        LanguageError as LanguageError,
        set_language as set_language,
    )
    from demine.solver.engine.client import Engine as Engine
    from demine.solver.engine.engine_session import EngineMove as EngineMove
    from demine.solver.engine.errors import (
        EngineAnswerError as EngineAnswerError,
        EngineEnded as EngineEnded,
        EngineError as EngineError,
        EngineStartError as EngineStartError,
        EngineTimeout as EngineTimeout,
    )
    from demine.solver.errors import (
        InconsistentBoard as InconsistentBoard,
        NeedsGuess as NeedsGuess,
        NoGuessFreeBoard as NoGuessFreeBoard,
        NothingCertain as NothingCertain,
        NothingToOpen as NothingToOpen,
        SceneError as SceneError,
        TooComplex as TooComplex,
    )
    from demine.solver.exact.deduce import deduce as deduce
    from demine.solver.exact.prepared_position import CertainCells as CertainCells
    from demine.solver.exact.probability import (
        count_layouts as count_layouts,
        mine_probability as mine_probability,
        mine_probability_batch as mine_probability_batch,
    )
    from demine.solver.hint import Hint as Hint, hint as hint
    from demine.solver.judge import (
        Judgement as Judgement,
        JudgementKind as JudgementKind,
        judge as judge,
    )
    from demine.solver.player.choose_cell import best_move as best_move
    from demine.solver.player.move import Move as Move
    from demine.solver.player.policy_error import PolicyError as PolicyError
    from demine.solver.player.policy_types import (
        BatchPolicy as BatchPolicy,
        Policy as Policy,
        PolicyLike as PolicyLike,
    )
    from demine.solver.proof.difficulty_levels import Pattern as Pattern
    from demine.solver.proof.explain import Reason as Reason, explain as explain
    from demine.solver.proof.rating import (
        ProofStep as ProofStep,
        Rating as Rating,
        prove_step_by_step as prove_step_by_step,
        rate as rate,
    )
    from demine.solver.win_chances import (
        Analysis as Analysis,
        CellChances as CellChances,
        analyse as analyse,
    )
    from demine.statistics.batch_3bv import three_bv_batch as three_bv_batch
    from demine.statistics.compute import stats as stats
    from demine.statistics.definitions import Statistics as Statistics
    from demine.statistics.formula import Formula as Formula, FormulaError as FormulaError
    from demine.statistics.recording_type import Recording as Recording
    from demine.statistics.zini import hzini_batch as hzini_batch, zini_batch as zini_batch
    from demine.store.drills import DrillKey as DrillKey, DrillReview as DrillReview
    from demine.store.errors import StoreError as StoreError
    from demine.store.game_rows import GameRow as GameRow
    from demine.store.records import Record as Record
    from demine.store.store import Store as Store
    from demine.studies.datasets.make import Dataset as Dataset, dataset as dataset
    from demine.studies.errors import StudyError as StudyError
    from demine.studies.match import match as match
    from demine.studies.match_result import (
        MatchEndedEarly as MatchEndedEarly,
        MatchPlayer as MatchPlayer,
        MatchResult as MatchResult,
    )
    from demine.studies.plan import StudyPlan as StudyPlan
    from demine.studies.result import (
        LuckiestWin as LuckiestWin,
        PairedDifference as PairedDifference,
        PolicyResult as PolicyResult,
        StudyEndedEarly as StudyEndedEarly,
        StudyResult as StudyResult,
    )
    from demine.studies.resumable_study import study as study
    from demine.warm_kernels import warm as warm

__version__ = "0.1.0"

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
    "demine.play.drills.drill": "Drill DrillKind",
    "demine.play.drills.find_or_make": "DrillError drills",
    "demine.play.drills.made_games": "daily_drill",
    "demine.play.drills.patterns": "DrillPattern PatternName PatternPlace",
    "demine.play.drills.question": "DrillQuestion DrillSolution",
    "demine.play.drills.session": "DrillAnswer DrillSession",
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
    "demine.store.drills": "DrillKey DrillReview",
    "demine.store.errors": "StoreError",
    "demine.store.game_rows": "GameRow",
    "demine.store.records": "Record",
    "demine.store.store": "Store",
    "demine.studies.datasets.make": "Dataset dataset",
    "demine.studies.errors": "StudyError",
    "demine.studies.match": "match",
    "demine.studies.match_result": "MatchEndedEarly MatchPlayer MatchResult",
    "demine.studies.plan": "StudyPlan",
    "demine.studies.result": (
        "LuckiestWin PairedDifference PolicyResult StudyEndedEarly StudyResult"
    ),
    "demine.studies.resumable_study": "study",
    "demine.warm_kernels": "warm",
}
"""The names of each module."""

__all__: list[str]
if not TYPE_CHECKING:  # a checker that saw this would believe in every name
    __all__, __getattr__, __dir__ = lazy_exports(__name__, _NAMES)
