"""A position to edit and analyse, without a game: an analysis board for any scene.

The player paints numbers, pastes a diagram, or takes a game's position over. After each change the
solver is asked in another process for the risks, the number of layouts, and the best move; a proof
only when the player asks for it. A scene shows `PositionEditor.view`, and calls
`take_solver_answers` when it is woken. An answer to a position that has changed is dropped.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

import numpy as np

from demine.logic.errors import DemineError, TextError
from demine.logic.event import Verb
from demine.logic.game import Status
from demine.logic.rules import First, Rules, most_mines
from demine.play.lazy_solver import as_demine_error
from demine.play.position_analysis import PositionAnalysis
from demine.play.position_before_last_move import last_opening_move
from demine.scene.cell_faces import Face
from demine.scene.diagram import MineCountMissing, format_scene
from demine.scene.pasted_diagram import parse_pasted
from demine.scene.sight import sight_while_running
from demine.scene.translation import explain

if TYPE_CHECKING:
    from collections.abc import Callable
    from concurrent.futures import Future

    from numpy.typing import NDArray

    from demine.game import Game
    from demine.logic.game import Cell
    from demine.play.game_session import GameSession
    from demine.play.hints import AskSolver
    from demine.play.position_analysis import Question
    from demine.scene.overlay import Overlay

Tool: TypeAlias = Face | Literal["cycle", "why"]
"""What a click does: paint a face, step through the faces, or ask for the proof of a cell."""
TOOLS: Final[tuple[Tool, ...]] = (
    "cycle",
    Face.COVERED,
    *map(Face, range(Face.ZERO, Face.COVERED)),
    Face.FLAG,
    Face.BLOWN,
    "why",
)
"""All tools, in the order of a palette."""
PAINTING_KEYS: Final[Mapping[str, Face]] = {
    **{str(number): Face(number) for number in range(9)},
    "f": Face.FLAG,
    "space": Face.COVERED,
    "backspace": Face.COVERED,
}
"""What keys paint at the cursor, on every analysis board."""
PROOF_KEYS: Final = ("w", "?")
"""The keys that ask for the proof of the cell of the cursor."""
MOST_CELLS: Final = 1 << 16
"""The largest position that is edited; the worst one takes the solver a minute."""
MOST_UNDONE: Final = 200
"""How many changes can be undone; each keeps a copy of the board."""
_NOWHERE: Final = (-1, -1)
"""The cell of an act that is about none."""


@dataclass(frozen=True, slots=True, eq=False)
class EditedPosition:
    """What the board shows, a read-only uint8 array (height, width) of `Face`, and its mines."""

    faces: NDArray[np.uint8]
    mines: int

    @property
    def rules(self) -> Rules:
        """The size and the mine count as rules."""
        height, width = self.faces.shape
        return Rules(width, height, self.mines)


@dataclass(frozen=True, slots=True, eq=False)
class EditorView:
    """Everything that a scene shows of the editor; texts are in the current language."""

    position: EditedPosition
    overlay: Overlay | None
    tool: Tool
    shows_risks: bool
    can_undo: bool
    can_redo: bool
    is_thinking: bool
    trouble: str
    """What is wrong with the position, or why the last action failed; empty if nothing is."""
    layouts: int | None
    """How many layouts fit, exactly; None until that is known."""
    win_chance: float | None
    """How likely the best play wins from here, exactly; None if that is not known."""
    answers: tuple[str, ...]
    """Sentences on the layouts, the certain cells and the best move, as far as they are known."""
    proof: str
    """Why the chosen cell is safe or a mine; empty if nothing was asked."""


class PositionEditor:
    """A position under edit; `wake` is called from another thread when the solver has answered."""

    def __init__(self, ask: AskSolver, wake: Callable[[], object]) -> None:
        self._ask = ask
        self._wake = wake
        self._position = _blank(9, 9, 10)
        self._past: deque[EditedPosition] = deque(maxlen=MOST_UNDONE)
        self._future: list[EditedPosition] = []
        self._stroke_face: Face | None = None
        """What the present click or drag paints; None until it has changed a cell."""
        self._refusal: DemineError | None = None
        """Why the last action failed."""
        self._pending: list[tuple[Future[object], Callable[[Future[object]], object]]] = []
        self._analysis = PositionAnalysis(self._position.faces, self._position.mines)
        self.tool: Tool = "cycle"
        self.shows_risks = True

    # Changing the position

    def click(self, cell: Cell, *, secondary: bool = False, continues: bool = False) -> None:
        """Use the tool on a cell; `secondary` is the right button, `continues` a drag.

        A drag is undone as a whole. The right button flags a covered cell and covers any other,
        but with the tool "cycle" it steps an opened cell back.
        """
        if self.tool == "why":
            self.ask_for_proof(cell)
            return
        face = int(self._position.faces[cell])
        if continues and self._stroke_face is not None:
            painted = self._stroke_face
        elif self.tool == "cycle":
            painted = _stepped(face, back=secondary)
        elif secondary:
            painted = Face.FLAG if face == Face.COVERED else Face.COVERED
        else:
            painted = self.tool
        self.paint(cell, painted, continues=continues)

    def paint(self, cell: Cell, face: Face, *, continues: bool = False) -> None:
        """Make a cell show a face; `continues` adds it to the change before."""
        continues &= self._stroke_face is not None
        self._stroke_face = face if continues else None
        if self._position.faces[cell] == face:
            return
        faces = self._position.faces.copy()
        faces[cell] = face
        self._change(EditedPosition(faces, self._position.mines), continues=continues)
        self._stroke_face = face

    def resize(self, width: int, height: int) -> None:
        """Change the size; what stays on the board is kept, and there are as many mines as fit."""
        before = self._position

        def resized() -> EditedPosition:
            mines = min(before.mines, most_mines(width, height, First.SAFE))
            made = _blank(width, height, max(0, mines))
            faces = made.faces.copy()
            kept = before.faces[:height, :width]
            faces[: kept.shape[0], : kept.shape[1]] = kept
            return EditedPosition(faces, made.mines)

        self._try_change(resized)

    def set_mines(self, mines: int) -> None:
        """Change the number of mines of the whole board."""
        height, width = self._position.faces.shape
        self._try_change(
            lambda: EditedPosition(self._position.faces, Rules(width, height, mines).mines)
        )

    def clear(self) -> None:
        """Cover all cells."""
        rules = self._position.rules
        self._change(_blank(rules.width, rules.height, rules.mines))

    def paste(self, text: str) -> None:
        """Take a diagram over; if it does not tell its mines, their number stays if it fits."""
        self._try_change(lambda: parsed_position(text, self._position.mines))

    def take_session(self, session: GameSession) -> None:
        """Take over what the player knows; a game that is not over is marked as helped.

        Of a lost game it is the position before the last move.
        """
        game = session.game

        def taken() -> EditedPosition:
            position = checked_position(sight_to_analyse(game), game.rules.mines)
            for verb, cell in acts_of_help(game):
                session.play(verb, *cell)
            return position

        self._try_change(taken)

    def take(self, faces: NDArray[np.uint8], mines: int) -> None:
        """Take over a position, uint8 (height, width) of `Face`: of a replay, for example."""
        self._try_change(lambda: checked_position(faces, mines))

    def undo(self) -> None:
        """Take the last change back."""
        if self._past:
            self._future.append(self._position)
            self._show_position(self._past.pop())

    def redo(self) -> None:
        """Make the change again that was undone last."""
        if self._future:
            self._past.append(self._position)
            self._show_position(self._future.pop())

    def forget_changes(self) -> None:
        """Begin with the present position: nothing before it can be brought back."""
        self._past.clear()
        self._future.clear()

    def _try_change(self, make: Callable[[], EditedPosition]) -> None:
        """Change to the position that is made, or keep the present one and say why."""
        try:
            position = make()
        except DemineError as error:
            self._refusal = error
            return
        self._change(position)

    def _change(self, position: EditedPosition, *, continues: bool = False) -> None:
        if not continues:
            self._past.append(self._position)
        self._future.clear()
        self._show_position(position)

    def _show_position(self, position: EditedPosition) -> None:
        position.faces.flags.writeable = False
        self._position = position
        self._refusal = self._stroke_face = None
        self.analyse()

    # Asking

    def analyse(self) -> None:
        """Ask for all answers to the present position but the proof."""
        for future, _ in self._pending:
            future.cancel()
        self._pending.clear()
        self._analysis = PositionAnalysis(self._position.faces, self._position.mines)
        for question in self._analysis.questions():
            self._ask_solver(question)

    def ask_for_proof(self, cell: Cell | None = None) -> None:
        """Ask why a covered cell is safe or a mine; without one, for the easiest certain cell."""
        self._ask_solver(self._analysis.proof_question(cell))

    def text_to_copy(self) -> str:
        """Return the position as a diagram, which `paste` and every verb reads."""
        return format_scene(self._position.rules, self._position.faces)

    def _ask_solver(self, question: Question) -> None:
        def settle(future: Future[object]) -> None:
            error = future.exception()
            if error is not None:
                question.take_error(as_demine_error(error))
                return
            question.take_answer(future.result())
            for further in self._analysis.next_questions():
                self._ask_solver(further)

        position = self._position
        try:
            future = self._ask(question.name, position.faces, position.mines, *question.args)
        except DemineError as error:
            question.take_error(error)
            return
        self._pending.append((future, settle))
        future.add_done_callback(lambda _future: self._wake())

    def take_solver_answers(self) -> bool:
        """Take the answers that have come; return whether there were any."""
        ready = [each for each in self._pending if each[0].done()]
        self._pending = [each for each in self._pending if each not in ready]
        for future, settle in ready:
            if not future.cancelled():
                settle(future)
        return bool(ready)

    # Showing

    @property
    def view(self) -> EditorView:
        """What to show now."""
        trouble = self._refusal or self._analysis.trouble
        return EditorView(
            position=self._position,
            overlay=self._analysis.overlay(shows_risks=self.shows_risks) or None,
            tool=self.tool,
            shows_risks=self.shows_risks,
            can_undo=bool(self._past),
            can_redo=bool(self._future),
            is_thinking=bool(self._pending),
            trouble=explain(trouble) if trouble is not None else "",
            layouts=self._analysis.layouts,
            win_chance=self._analysis.win_chance,
            answers=tuple(self._analysis.sentences()),
            proof=self._analysis.proof_text(),
        )


def sight_to_analyse(game: Game) -> NDArray[np.uint8]:
    """Return what the player knows, also of a paused game; of a lost one before its last move."""
    if game.status is Status.LOST and not game.resigned:
        return sight_while_running(last_opening_move(game.rules, game.events).board_before)
    return sight_while_running(game.board)


def acts_of_help(game: Game) -> list[tuple[Verb, Cell]]:
    """Return the acts that note in a game that has begun and is not over that it was analysed."""
    help_act = Verb.HINT, game.first_cell() or (0, 0)
    if game.status is Status.RUNNING:
        return [help_act]
    if game.status is Status.PAUSED:
        # A page over the board may pause the game, and a paused game takes no other act.
        return [(Verb.RESUME, _NOWHERE), help_act, (Verb.PAUSE, _NOWHERE)]
    return []


def _stepped(face: int, *, back: bool) -> Face:
    """Return the face after a click of the tool "cycle": covered, 0, 1 to 8, covered again."""
    if back and face in (Face.COVERED, Face.FLAG):
        return Face.FLAG if face == Face.COVERED else Face.COVERED
    if face > Face.COVERED:
        return Face.COVERED
    return Face((face + (-1 if back else 1)) % (Face.COVERED + 1))


def _blank(width: int, height: int, mines: int) -> EditedPosition:
    rules = Rules(width, height, mines)
    _check_size(rules.cells)
    return EditedPosition(np.full(rules.shape, Face.COVERED, np.uint8), rules.mines)


def parsed_position(text: str, mines: int | None = None) -> EditedPosition:
    """Return the position of a diagram; `mines` stands in for a number that it does not tell.

    Raises what `demine.scene.pasted_diagram.parse_pasted` raises.
    """
    try:
        rules, faces = parse_pasted(text)
    except MineCountMissing:
        if mines is None:
            raise
        rules, faces = parse_pasted(text, mines)
    return checked_position(faces, rules.mines)


def checked_position(faces: NDArray[np.uint8], mines: int) -> EditedPosition:
    """Return a copy of a position of another source; raises `TextError` if it cannot be edited."""
    _check_size(faces.size)
    copied = faces.astype(np.uint8)
    # What only an ended game shows, the player did not know while it ran.
    copied[(copied == Face.MINE) | (copied == Face.WRONG)] = Face.COVERED
    return EditedPosition(copied, mines)


def _check_size(cells: int) -> None:
    if cells > MOST_CELLS:
        raise TextError("the editor takes positions of up to {most} cells", most=MOST_CELLS)
