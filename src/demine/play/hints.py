"""Help for the player at a board: hints, chances, a board's proof, and a comment after a loss.

The solver runs in another process, so nothing here waits. A scene asks, goes on, and calls
`take_solver_answers` when it is woken. An answer to a position that is past is discarded.

All help but the comment after a loss marks the game as helped, at the moment it is shown.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, Protocol, TypeAlias, cast

import numpy as np

from demine.logic.errors import DemineError
from demine.logic.event import Verb
from demine.logic.event_log import non_touches
from demine.logic.game import Status
from demine.logic.rules import First
from demine.play.guess_free_search_progress import GuessFreeSearchProgress
from demine.play.lazy_solver import as_demine_error
from demine.play.position_before_last_move import last_opening_move
from demine.scene.cell_faces import Face
from demine.scene.overlay import Mark, Overlay
from demine.scene.sight import sight, sight_while_running
from demine.scene.translation import explain, mark, tr
from demine.store.daily import ASCII_SYMBOLS

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from concurrent.futures import Future

    from numpy.typing import NDArray

    from demine.game import Game
    from demine.logic.game import Cell
    from demine.logic.rules import Rules
    from demine.play.game_session import GameSession
    from demine.scene.draft import Draft
    from demine.solver.exact.prepared_position import CertainCells
    from demine.solver.hint import Hint
    from demine.solver.judge import Judgement
    from demine.solver.proof.clash import Clash
    from demine.solver.proof.explain import Reason
    from demine.solver.proof.rating import ProofStep, Rating

MOST_CELLS_FOR_LUCK: Final = 4096
"""The largest board whose guesses are counted at its end: sending a larger game would be felt."""
THINKING: Final = mark("Thinking…")
PATTERNS: Final = {
    "satisfied": mark("single numbers"),
    "inside": mark("two numbers together"),
    "chain": mark("chain"),
    "count": mark("counting the mines left"),
    "cases": mark("trying both"),
}
"""The patterns of a rating in the players' words, by `Pattern`."""
_EASY_STEP_MS: Final = 700
_BASE_STEP_MS: Final = 1200
_LETTER_MS: Final = 12
"""How long a step of a proof is shown: an easy one; any other, and for each letter of its text."""


MarkedCells: TypeAlias = "tuple[Mark, Sequence[Cell]]"
"""Cells, and what they are marked as."""


class AskSolver(Protocol):
    """How a question reaches the solver: `demine.solver.service.client.SolverClient.ask`."""

    def __call__(self, name: str, /, *args: object, **kwargs: object) -> Future[object]:
        """Call a function of the solver by its name; return at once."""


@dataclass(frozen=True, slots=True)
class _PendingQuestion:
    """A question that was asked, and what to do with its answer."""

    purpose: str
    future: Future[object]
    on_answer: Callable[[object], None]
    position_number: int
    """The position it is about, or `_WHOLE_GAME` if it is about the whole board."""
    quiet: bool
    """Whether a failure is not shown to the player."""


_WHOLE_GAME: Final = -1
_RATING_PURPOSE: Final = "rate"
_CLASH_PURPOSE: Final = "clash"
_LUCK_PURPOSE: Final = "guesses"
_OF_WHOLE_GAME: Final = (_RATING_PURPOSE, _LUCK_PURPOSE)
"""What goes on when the player clears the hints."""


class Hints:
    """Hints for the session's board; call `drop_outdated_hints` whenever that may have changed.

    `wake` is called from another thread when an answer is there; the thread that draws then calls
    `take_solver_answers`.
    """

    def __init__(self, session: GameSession, ask: AskSolver, wake: Callable[[], object]) -> None:
        self._session = session
        session.lay_in_background = self._lay_in_background
        self._ask = ask
        self._wake = wake
        self._asked: list[_PendingQuestion] = []
        self._game = session.game
        self._position = position_of(session.game)
        self._position_number = 0
        self._chances: NDArray[np.float64] | None = None
        self._steps: tuple[Reason, ...] = ()
        """The steps of a proof, all of them."""
        self._step_index = 0
        self._opened_by_proof = 0
        """How many cells are open at the present step of a proof."""
        self._has_warned_of_proof = False
        self._has_warned_of_clash = False
        self._search: GuessFreeSearchProgress | None = None
        self._make_text: Callable[[], str] = str
        self._before_pause: tuple[Callable[[], str], Overlay | None] | None = None
        """The text and the marks that a pause hides."""
        self.judges_losses = True
        """Whether a lost game is followed by a word on its last move."""
        self.overlay: Overlay | None = None
        """The marks and risks to draw over the board; None if there are none."""
        self.is_showing_chances = False
        """Whether the risk of every covered cell is shown."""
        self.rating: Rating | None = None
        """The difficulty of a guess-free board; None until it is known."""
        self.guesses: tuple[int, float] | None = None
        """How many guesses a game that is over took, and how likely all of them were to be safe;
        None until it is known."""

    @property
    def is_waiting_for_solver(self) -> bool:
        """Whether an answer that the player asked for is still to come."""
        return any(not each.quiet for each in self._asked)

    @property
    def text(self) -> str:
        """The text of the hints, in the current language; empty if there is none."""
        return self._make_text()

    def title_with_difficulty(self) -> str:
        """Return what is being played, with its difficulty once that is known."""
        title = self._session.game_title()
        if self.rating is None:
            return title
        hardest = self.rating.hardest
        return tr(
            "{title} · hardest: {pattern} ×{n}",
            title=title,
            pattern=tr(PATTERNS[hardest]),
            n=self.rating.times.get(hardest, 0),
        )

    @property
    def proof_step_ms(self) -> int:
        """How long the present step of a proof is shown before the next one, in milliseconds."""
        if not self.is_showing_proof or self._steps[self._step_index].pattern.level == 1:
            return _EASY_STEP_MS
        return _BASE_STEP_MS + _LETTER_MS * len(self.text)

    @property
    def is_showing_proof(self) -> bool:
        """Whether the proof of a board is being shown; `show_next_proof_step` continues it."""
        return self._step_index < len(self._steps)

    def risk_text(self, cell: Cell | None) -> str:
        """Return the exact risk of a cell, or of the best one where there is none to tell.

        Empty while no risks are shown.
        """
        if self._chances is None or not self.is_showing_chances:
            return ""
        covered = sight(self._session.game) == Face.COVERED
        if cell is not None and covered[cell] and not np.isnan(self._chances[cell]):
            return tr("{risk} risk here", risk=_exact_percent(float(self._chances[cell])))
        return lowest_risk_text(self._chances, covered)

    # Asking

    def ask_for_hint(self, near: Cell | None = None) -> None:
        """Ask for the easiest certain cell and its reason, or else for the best guess.

        Of equally easy cells it is the one nearest to `near`, where the player looks.
        """
        game = self._session.game
        if game.status is Status.RUNNING:
            scene = sight(game)
            self._set_message(THINKING)
            self._ask_solver(
                "hint", scene, game.rules.mines, on_answer=self._show_hint, kwargs={"near": near}
            )
        else:
            self._make_text = partial(why_no_hint, game)

    def toggle_chances(self) -> None:
        """Show or hide the risk of every covered cell; only while the game runs."""
        self.is_showing_chances = not self.is_showing_chances
        if self.is_showing_chances and self._session.game.status is not Status.RUNNING:
            self.is_showing_chances = False
            self._make_text = partial(why_no_hint, self._session.game)
        elif self.is_showing_chances:
            self._ask_chances()
        else:
            self._chances = None
            if self.overlay is not None:
                empty = Overlay.empty(self.overlay.shape)
                self.overlay = Overlay(self.overlay.marks, empty.risk) or None

    def ask_whether_to_guess(self, near: Cell | None = None) -> None:
        """Ask whether no covered cell is certainly safe: yes or no, and nothing else.

        `near` is the cell at which the journal notes that the player was helped.
        """
        game = self._session.game
        if game.status is not Status.RUNNING:
            self._make_text = partial(why_no_hint, game)
            return

        def say(answer: object) -> None:
            self._mark_game_as_helped(*(near or game.first_cell() or (0, 0)))
            self._make_text = partial(whether_to_guess_text, cast("CertainCells", answer))

        self._set_message(THINKING)
        self._ask_solver("deduce", sight(game), game.rules.mines, on_answer=say)

    def ask_for_clash(self, draft: Draft) -> None:
        """Ask whether a draft, flags included, can be true as a whole, by all numbers together.

        That counts as help: in a game without any so far, the first call only says so.
        """
        game = self._session.game
        counts = not game.hinted and not game.status.over
        if counts and not self._has_warned_of_clash:
            self._has_warned_of_clash = True
            self._set_message(
                mark("Checking with all numbers counts as help. Press again to confirm.")
            )
            return
        faces = sight(game)
        assumptions = [tuple(each) for each in draft.with_flags(faces).assumptions]
        self._set_message(THINKING)
        self._ask_solver(
            _CLASH_PURPOSE, faces, game.rules.mines, assumptions, on_answer=self._show_clash
        )

    def forget_clash(self) -> None:
        """Clear what was found, or asked, about a draft that has changed."""
        for each in [each for each in self._asked if each.purpose == _CLASH_PURPOSE]:
            each.future.cancel()
            self._asked.remove(each)
        self._clear_text()
        self._show_marks()

    def ask_for_proof(self) -> bool:
        """Ask for a proof of the board; once it is there, begin the board again and show it.

        Return whether the solver was asked. A game that still counts, or has more than its first
        click done, would be given up by that, so the first call then only warns.
        """
        game = self._session.game
        first = game.first_cell()
        if not game.board.laid or first is None:
            self._set_message(mark("Open a cell first: there is nothing to prove yet"))
            return False
        counts = game.begun and not game.status.over and game.ranked
        loses_game = counts or (self._session.is_worth_bringing_back and not self.is_showing_proof)
        if loses_game and not self._has_warned_of_proof:
            self._has_warned_of_proof = True
            self._set_message(
                mark("Proving restarts the board and ends your game. Press again to confirm.")
            )
            return False
        mine_map = game.board.mine_map.copy()
        self._set_message(THINKING)
        # Who makes a move meanwhile plays on: only what was on the board may be given up.
        self._ask_solver("proof", mine_map, first, on_answer=self._begin_proof)
        return True

    def show_next_proof_step(self) -> None:
        """Open the cell that the present step of the proof is about, and show the next step."""
        if self.is_showing_proof and self._session.play(
            Verb.OPEN, *self._steps[self._step_index].cell
        ):
            self._go_to_proof_step(self._step_index + 1)

    def show_previous_proof_step(self) -> None:
        """Take the last opened cell back, and show the step that is about it."""
        if self.is_showing_proof and self._step_index and self._session.try_undo():
            self._go_to_proof_step(self._step_index - 1)

    def _go_to_proof_step(self, index: int) -> None:
        self._step_index = index
        self._note_position()
        self._opened_by_proof = self._session.game.board.opened
        self._show_proof_step()

    def dismiss(self) -> None:
        """Clear text, marks, chances and proof, and cancel questions.

        Those of `_OF_WHOLE_GAME` go on while it is the same game.
        """
        same_game = self._session.game is self._game
        for each in self._asked:
            if not (same_game and each.purpose in _OF_WHOLE_GAME):
                each.future.cancel()
        self._asked = [each for each in self._asked if not each.future.cancelled()]
        self._steps = ()
        self._clear_text()
        self.is_showing_chances = False
        self._chances = None
        self.overlay = self._before_pause = None

    def _lay_in_background(self, rules: Rules, seed: int, cell: Cell) -> None:
        """Ask for the mines of a guess-free board; the answer opens the first cell."""
        if any(each.purpose == "make" for each in self._asked):
            return
        search = GuessFreeSearchProgress(self._wake)
        self._search, self._make_text = search, search.progress_text

        def open_first_cell(mine_map: object) -> None:
            self._clear_text()
            self._session.open_on_laid_mines(cell, cast("NDArray[np.bool_]", mine_map))
            self.drop_outdated_hints()

        self._ask_solver(
            "make", rules, seed, cell, on_answer=open_first_cell, kwargs=search.solver_kwargs
        )

    # Following

    def drop_outdated_hints(self) -> None:
        """Update the hints after the board may have changed; clear what is out of date."""
        if self._session.game is not self._game:
            self.dismiss()
            self.rating = None
        if self._is_covered_by_pause() or not self._note_position():
            return
        game = self._session.game
        if self._steps and self._go_on_with_proof(game):
            return
        self._steps = ()
        self.guesses = None
        self._clear_text()
        self._chances = None if game.status is not Status.RUNNING else self._chances
        self.is_showing_chances &= not game.status.over
        self._show_marks()
        if game.status.over and self._session.daily is not None:
            self._make_text = self._daily_result_line
        if game.status is Status.LOST and not game.resigned and self.judges_losses:
            self._ask_judgement(game)
        elif self.is_showing_chances:
            self._ask_chances()
        if game.rules.guess_free and game.begun and self.rating is None:
            self._ask_rating(game)
        if game.status.over and game.begun and game.rules.cells <= MOST_CELLS_FOR_LUCK:
            # After the judgement: a word on the last move is what a player waits for.
            self._ask_solver(
                _LUCK_PURPOSE,
                game.rules,
                non_touches(game.events),
                on_answer=self._set_guesses,
                quiet=True,
            )

    def _is_covered_by_pause(self) -> bool:
        """Hide text and marks while the game is paused, and show them again when it goes on."""
        paused = self._session.game.status is Status.PAUSED
        if paused and self._before_pause is None:
            self._before_pause = self._make_text, self.overlay
            self._make_text, self.overlay = str, None
        elif not paused and self._before_pause is not None:
            self._make_text, self.overlay = self._before_pause
            self._before_pause = None
        return paused

    def _go_on_with_proof(self, game: Game) -> bool:
        """Return whether a proof outlives a change: the game was only paused or resumed."""
        if game.status is Status.RUNNING and game.board.opened == self._opened_by_proof:
            self._show_proof_step()
            return True
        self._show_marks()
        return game.status is Status.PAUSED

    def take_solver_answers(self) -> bool:
        """Show the answers that have come; return whether anything changed.

        While the game is paused they wait.
        """
        if self._session.game.status is Status.PAUSED:
            return False
        progressed = self._search is not None and self._search.take_has_new_progress()
        ready = [each for each in self._asked if each.future.done()]
        for each in ready:
            self._asked.remove(each)
            if (
                each.position_number in (_WHOLE_GAME, self._position_number)
                and not each.future.cancelled()
            ):
                self._handle_answer(each)
        return progressed or bool(ready)

    def _handle_answer(self, each: _PendingQuestion) -> None:
        error = each.future.exception()
        if error is None:
            each.on_answer(each.future.result())
        elif isinstance(error, DemineError) and not each.quiet:
            self._make_text = lambda: explain(error)
        elif not isinstance(error, DemineError):
            self._clear_text()
            self._session.troubles.append(as_demine_error(error))

    def _note_position(self) -> bool:
        """Note the present position; return whether it differs from the last one."""
        game = self._session.game
        state = position_of(game)
        changed = game is not self._game or state != self._position
        self._game, self._position = game, state
        self._position_number += changed
        return changed

    # Answers

    def _show_hint(self, answer: object) -> None:
        hint = cast("Hint | None", answer)
        if hint is None:
            self._set_message(mark("Only mines are left"))
            return
        self._mark_game_as_helped(hint.row, hint.col)
        self._make_text = partial(str, hint)
        self._show_marks(*hint_marks(hint))

    def _show_clash(self, answer: object) -> None:
        clash = cast("Clash | None", answer)
        if clash is None:
            first = self._session.game.first_cell() or (0, 0)
            self._mark_game_as_helped(*first)
        else:
            self._mark_game_as_helped(*clash.assumptions[-1].cell)
            self._show_marks(*clash_marks(clash))
        self._make_text = partial(clash_text, clash)

    def _show_chances(self, answer: object) -> None:
        self._chances = cast("NDArray[np.float64]", answer)
        if not np.isnan(self._chances).all():
            row, col = divmod(int(np.nanargmin(self._chances)), self._chances.shape[1])
            self._mark_game_as_helped(row, col)
        overlay = self.overlay or Overlay.empty(self._session.game.rules.shape)
        # Under the marks of a hint.
        self.overlay = overlay.with_risks(self._chances, sight(self._session.game)) or None

    def _show_judgement(self, answer: object) -> None:
        judgement = cast("Judgement", answer)
        self._make_text = partial(str, judgement)
        self._show_marks(*judgement_marks(judgement))

    def _set_rating(self, answer: object) -> None:
        self.rating = cast("Rating", answer)

    def _set_guesses(self, answer: object) -> None:
        self.guesses = cast("tuple[int, float] | None", answer)

    def _begin_proof(self, answer: object) -> None:
        rating = self.rating
        self._session.restart_same_board()
        self.drop_outdated_hints()
        self.rating = rating  # the board is the same
        start = self._session.game.start
        if start is None:
            return
        self._session.play(Verb.OPEN, *start)
        # The first step is the first cell, which needs no reason.
        steps = cast("Sequence[ProofStep]", answer)
        self._steps = tuple(step.reason for step in steps if step.reason)
        self._go_to_proof_step(0)

    def _show_proof_step(self) -> None:
        """Show the present step of a proof, or that it is complete."""
        if not self.is_showing_proof:
            self._show_marks()
            self._set_message(mark("Proven: this board needs no guess"))
            return
        reason = self._steps[self._step_index]
        self._mark_game_as_helped(*reason.cell)
        at, last = self._step_index + 1, len(self._steps)
        self._make_text = lambda: tr("Step {n} of {last}: {text}", n=at, last=last, text=reason)
        self._show_marks(
            (Mark.ABOUT, reason.cells),
            (Mark.BECAUSE, reason.because),
            (Mark.SAFE, [reason.cell]),
        )

    # Helpers

    def _set_message(self, message: str) -> None:
        """Set the text to a message that was marked for translation."""
        self._make_text = lambda: tr(message)

    def _clear_text(self) -> None:
        self._has_warned_of_proof = False
        self._has_warned_of_clash = False
        self._make_text = str

    def _ask_solver(
        self,
        name: str,
        *args: object,
        on_answer: Callable[[object], None],
        position_number: int | None = None,
        quiet: bool = False,
        kwargs: Mapping[str, object] = MappingProxyType({}),
    ) -> None:
        """Ask the solver, and cancel an earlier question with the same purpose."""
        for each in [each for each in self._asked if each.purpose == name]:
            each.future.cancel()
            self._asked.remove(each)
        number = self._position_number if position_number is None else position_number
        try:
            future = self._ask(name, *args, **kwargs)
        except DemineError as error:
            trouble = error
            if not quiet:
                self._make_text = lambda: explain(trouble)
            return
        self._asked.append(_PendingQuestion(name, future, on_answer, number, quiet))
        future.add_done_callback(lambda _future: self._wake())

    def _ask_chances(self) -> None:
        game = self._session.game
        if game.status is Status.RUNNING:
            self._ask_solver(
                "mine_probability", sight(game), game.rules.mines, on_answer=self._show_chances
            )

    def _ask_judgement(self, game: Game) -> None:
        before, cells = last_opening_move(game.rules, game.events)
        if cells:
            scene = sight_while_running(before)
            mines = game.rules.mines
            self._ask_solver(
                "judge", scene, mines, cells, on_answer=self._show_judgement, quiet=True
            )

    def _ask_rating(self, game: Game) -> None:
        first = game.first_cell()
        mine_map = game.board.mine_map.copy()
        self._ask_solver(
            _RATING_PURPOSE,
            mine_map,
            first,
            on_answer=self._set_rating,
            position_number=_WHOLE_GAME,
            quiet=True,
        )

    def _daily_result_line(self) -> str:
        """Return the line to share about a daily board that is over; empty if it was not saved."""
        try:
            return self._session.daily_result_line().translate(ASCII_SYMBOLS)
        except DemineError:
            return ""

    def _mark_game_as_helped(self, row: int, col: int) -> None:
        """Mark the game as helped at a cell, unless it is over."""
        if not self._session.game.status.over:
            self._session.play(Verb.HINT, row, col)

    def _show_marks(self, *marks: MarkedCells) -> None:
        """Show these marks, and the chances if their shape is still the board's."""
        if self._chances is None and not marks:
            self.overlay = None
            return
        overlay = Overlay.empty(self._session.game.rules.shape)
        if self._chances is not None and self._chances.shape == overlay.shape:
            overlay = overlay.with_risks(self._chances, sight(self._session.game))
        for kind, cells in marks:
            overlay = overlay.with_marks(kind, cells)
        self.overlay = overlay or None


def why_no_hint(game: Game) -> str:
    """Return why there can be no hint now; empty where the board is hidden."""
    if game.status is Status.PAUSED:
        return ""
    if game.status.over:
        return tr("The game is over: nothing left to find")
    if game.start is not None:
        row, col = game.start
        return tr("This board begins at row {row}, column {col}", row=row, col=col)
    if game.rules.first is First.ANY:
        return tr("Nothing is known until you open a cell")
    return tr("Start anywhere: the first cell is safe")


def hint_marks(hint: Hint) -> tuple[MarkedCells, ...]:
    """Return the marks of a hint, the lowest first."""
    reason = hint.reason
    return (
        (Mark.ABOUT, reason.cells if reason else ()),
        (Mark.BECAUSE, reason.because if reason else ()),
        (Mark.SAFE if hint.safe else Mark.GUESS, [(hint.row, hint.col)]),
    )


def whether_to_guess_text(certain: CertainCells) -> str:
    """Return whether no covered cell is certainly safe: yes or no, and nothing else."""
    if certain.safe.any():
        return tr("No need to guess: at least one covered cell is certainly safe")
    return tr("Yes, you have to guess: no covered cell is certainly safe")


def clash_text(clash: Clash | None) -> str:
    """Return what was found about a draft, in the current language."""
    return tr("All of this can be true") if clash is None else str(clash)


def clash_marks(clash: Clash) -> tuple[MarkedCells, ...]:
    """Return the marks of the numbers that cannot all hold."""
    return ((Mark.BECAUSE, [(clue.row, clue.col) for clue in clash.numbers]),)


def judgement_marks(judgement: Judgement) -> tuple[MarkedCells, ...]:
    """Return the marks of a word on the last move of a lost game."""
    reason, best = judgement.reason, judgement.best
    instead = [] if best is None or best.risk >= judgement.risk else [(best.row, best.col)]
    # The mine that was hit needs no mark: it is red, and nothing may cover that.
    return (
        (Mark.BECAUSE, reason.because if reason else ()),
        (Mark.MISSED if best and best.risk == 0.0 else Mark.GUESS, instead),
    )


def lowest_risk_text(
    chances: NDArray[np.float64], covered: NDArray[np.bool_], *, may_point: bool = True
) -> str:
    """Return the lowest risk of the covered cells in words; empty if none is known.

    It says how the risk of a cell is seen, unless the player may have no pointer.
    """
    known = covered & ~np.isnan(chances)
    if not known.any():
        return ""
    least = float(chances[known].min())
    risk = _exact_percent(least)
    if not may_point:
        return tr("Lowest risk {risk}", risk=risk)
    return tr("Lowest risk {risk}; point at a cell to see its own", risk=risk)


def _exact_percent(probability: float) -> str:
    """Return a probability in percent, to a tenth; only a certainty is 0 or 100."""
    if probability in (0.0, 1.0):
        return f"{probability:.0%}"
    return f"{min(max(probability, 0.001), 0.999):.1%}"


def position_of(game: Game) -> tuple[int, int, Status]:
    """Return what tells positions of one game apart for a solver: flags do not."""
    return game.board.opened, len(game.board.blown), game.status
