"""The analysis of a position that need not be of a game: for programs, and for the page's board.

Only what a player sees is asked and answered. Rows and columns count from 0.
"""

from __future__ import annotations

import asyncio
from decimal import Decimal
from typing import TYPE_CHECKING, Annotated, Final, Literal, TypeAlias

import numpy as np
from msgspec import Meta, Struct

from demine.logic.errors import DemineError, TextError
from demine.logic.rules import Rules
from demine.play.position_analysis import PositionAnalysis
from demine.play.position_editor import (
    EditedPosition,
    acts_of_help,
    checked_position,
    parsed_position,
    sight_to_analyse,
)
from demine.scene.diagram import format_scene
from demine.scene.overlay import UNKNOWN
from demine.scene.translation import explain
from demine.web.api.door import Door, Nothing, Visit
from demine.web.api.games import own_game
from demine.web.coop.table import NOBODY
from demine.web.digit_rows import digit_rows
from demine.web.errors import Malformed, RequestError, what_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from demine.play.position_analysis import Question

MOST_BYTES: Final = 160 << 10
"""The largest request: the largest position as a diagram with spaces between its cells."""
_MOST_LINES: Final = 1 << 16
_DIGITS: Final = "0123456789abcde"
"""How a cell is written: the number of its `Face` in hexadecimal."""
_Place: TypeAlias = Annotated[int, Meta(ge=0, le=1 << 16)]
CellOnWire: TypeAlias = tuple[_Place, _Place]


class PositionToAnalyse(Struct, forbid_unknown_fields=True):
    """A position: a diagram, or rows of faces and their number of mines.

    `mines` stands in for a number that a diagram does not tell. `prove` asks why a cell is safe or
    a mine, or which certain cell is the easiest to prove.
    """

    text: str | None = None
    faces: Annotated[list[str], Meta(max_length=_MOST_LINES)] | None = None
    mines: Annotated[int, Meta(ge=0, le=2**53)] | None = None
    prove: CellOnWire | Literal["easiest"] | None = None


class BestMove(Struct):
    """The cell to open next, and how likely it is a mine."""

    cell: tuple[int, int]
    risk: float


class Proof(Struct):
    """Why a cell is safe or a mine; without a cell, `text` says why nothing is proven."""

    text: str
    cell: tuple[int, int] | None = None
    safe: bool | None = None
    because: list[tuple[int, int]] = []
    """The numbers that prove it."""


class Trouble(Struct):
    """What is wrong with a position, or why it was not solved; `cell` is the number at fault."""

    what: str
    message: str
    cell: tuple[int, int] | None = None


class ShownAnalysis(Struct):
    """How a board shows the analysis: marks, risks in percent, and sentences.

    `percent` is row by row, -1 where there is none; `unwritten` are the cells, counted row by row,
    that show their risk by colour alone.
    """

    marks: list[tuple[int, int, int]]
    percent: list[int]
    unwritten: list[int]
    sentences: list[str]


class AnalysedPosition(Struct):
    """A position with all that the solver says of it; null is what is not known."""

    width: int
    height: int
    mines: int
    faces: list[str]
    """A hexadecimal digit for each cell, a text for each row."""
    text: str
    """The position as a diagram."""
    risks: list[float | None] | None
    """The probability of a mine in each cell, row by row; null for an open one."""
    safe: list[tuple[int, int]]
    certain_mines: list[tuple[int, int]]
    best: BestMove | None
    win_chance: float | None
    """How likely the best play wins from here, exactly."""
    layouts: str | None
    """How many layouts fit, exactly: it may be too long for a number."""
    proof: Proof | None
    trouble: Trouble | None
    shown: ShownAnalysis


class GamePosition(Struct):
    """What the player of a game knows at this moment."""

    width: int
    height: int
    mines: int
    faces: list[str]


async def analyse(visit: Visit[PositionToAnalyse]) -> AnalysedPosition:
    """Have the solver say all that it knows of a position."""
    position = await asyncio.to_thread(_asked_position, visit.asked)
    analysis = PositionAnalysis(position.faces, position.mines)
    await _ask_all(visit, analysis)
    return await asyncio.to_thread(_answer, position, analysis)


def _asked_position(asked: PositionToAnalyse) -> EditedPosition:
    if (asked.text is None) == (asked.faces is None):
        raise Malformed("either text or faces must be given")
    if asked.text is not None:
        return parsed_position(asked.text, asked.mines)
    rows = asked.faces or []
    if asked.mines is None:
        raise Malformed("faces need the number of mines")
    widths = {len(row) for row in rows}
    if len(widths) != 1 or set("".join(rows)) - set(_DIGITS):
        raise TextError("faces are rows of one length, of the digits 0 to 9 and a to e")
    rules = Rules(widths.pop(), len(rows), asked.mines)
    faces = np.array([[int(digit, 16) for digit in row] for row in rows], np.uint8)
    return checked_position(faces, rules.mines)


async def _ask_all(visit: Visit[PositionToAnalyse], analysis: PositionAnalysis) -> None:
    """Put all questions to the solver; of a position that is wrong, only the first one."""
    questions = analysis.questions()
    prove = visit.asked.prove
    while questions and analysis.trouble is None:
        await _ask(visit, analysis, questions.pop(0))
        questions += analysis.next_questions()
    if prove is not None and analysis.trouble is None:
        await _ask(visit, analysis, analysis.proof_question(None if prove == "easiest" else prove))


async def _ask(
    visit: Visit[PositionToAnalyse], analysis: PositionAnalysis, question: Question
) -> None:
    """Put one question to the solver; what the server itself refuses is raised."""
    try:
        answer = await visit.ask_solver(
            question.name, analysis.faces, analysis.mines, *question.args
        )
    except RequestError:
        raise
    except DemineError as error:
        question.take_error(error)
    else:
        question.take_answer(answer)


def _answer(position: EditedPosition, analysis: PositionAnalysis) -> AnalysedPosition:
    height, width = position.faces.shape
    best = analysis.best
    return AnalysedPosition(
        width=width,
        height=height,
        mines=position.mines,
        faces=digit_rows(position.faces),
        text=format_scene(position.rules, position.faces),
        risks=_risks(analysis.chances),
        safe=analysis.certain_cells(mines=False),
        certain_mines=analysis.certain_cells(mines=True),
        best=None if best is None else BestMove((best.row, best.col), best.risk),
        win_chance=analysis.win_chance,
        # `str` refuses very long whole numbers; a decimal number of these digits is as exact.
        layouts=None if analysis.layouts is None else f"{Decimal(analysis.layouts):f}",
        proof=_proof(analysis),
        trouble=_trouble(analysis),
        shown=_shown(analysis),
    )


def _risks(chances: NDArray[np.float64] | None) -> list[float | None] | None:
    if chances is None:
        return None
    return [None if np.isnan(each) else each for each in chances.reshape(-1).tolist()]


def _proof(analysis: PositionAnalysis) -> Proof | None:
    reason, text = analysis.reason, analysis.proof_text()
    if reason is None:
        return None
    if isinstance(reason, DemineError):
        return Proof(text)
    return Proof(text, reason.cell, reason.safe, list(reason.because))


def _trouble(analysis: PositionAnalysis) -> Trouble | None:
    error = analysis.trouble
    return None if error is None else Trouble(what_of(error), explain(error), error.cell)


def _shown(analysis: PositionAnalysis) -> ShownAnalysis:
    overlay = analysis.overlay(shows_risks=True)
    percent = overlay.risk.astype(np.int16)
    percent[overlay.risk == UNKNOWN] = -1
    marked = np.argwhere(overlay.marks).tolist()
    return ShownAnalysis(
        marks=[(row, col, int(overlay.marks[row, col])) for row, col in marked],
        percent=percent.reshape(-1).tolist(),
        unwritten=np.flatnonzero(overlay.unwritten).tolist(),
        sentences=analysis.sentences(),
    )


async def position_of_game(visit: Visit[Nothing]) -> GamePosition:
    """Tell the position of a game of the player; one that is under way counts as helped.

    The game is marked before anything is told, so that nobody is helped unnoticed.
    """
    found = await own_game(visit, visit.path("game_id"))
    visit.services.limits.help.take(visit.player.id)
    async with found.lock:
        game = found.game
        faces, acts = sight_to_analyse(game), acts_of_help(game)
        seat = found.seat_of(visit.player_id) or NOBODY
        updates = [await found.play(verb, *cell, "", 0, seat=seat) for verb, cell in acts]
        if updates:
            # A paused game is never seen running in between.
            found.tell(updates[-1])
    position = checked_position(faces, game.rules.mines)
    height, width = position.faces.shape
    return GamePosition(width, height, position.mines, digit_rows(position.faces))


DOORS: Final = (
    Door(method="POST", path="/api/analyse", summary="What the solver says of a position",
         handler=analyse, asks=PositionToAnalyse, answers=AnalysedPosition, cost=2,
         most_json=MOST_BYTES),
    Door(method="POST", path="/api/games/{game_id}/position",
         summary="The position of a game of mine, which counts as helped",
         handler=position_of_game, asks=Nothing, answers=GamePosition, player="known"),
)  # fmt: skip
