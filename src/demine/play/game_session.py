"""One player's session at a board: a game, its clock, and the store that saves both.

Every scene uses it, so that starting, pausing, undoing, ending and resuming mean the same in each
of them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, cast

from demine.game import Game
from demine.logic.daily_board import Daily, DailyError
from demine.logic.errors import ActError, DemineError
from demine.logic.event import Act, Action, Lay, Touch, Verb
from demine.logic.game import Status
from demine.logic.metadata import FIELD_CELL
from demine.logic.rules import BEGINNER, Rules
from demine.play.clock import Clock
from demine.play.daily_game import DailyGame, is_missed_daily_game, latest_daily_result_line
from demine.play.end_summary import EndSummary, record_texts, summarise_end, three_bv_of
from demine.play.game_title import UNRANKED_REASONS, game_title
from demine.play.store_troubles import StoreTroubles
from demine.scene.click_counter import ClickCounter
from demine.scene.translation import tr
from demine.store.daily import today_utc
from demine.store.errors import StoreError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from demine.logic.game import Cell
    from demine.scene.preferences import Preferences, StartOptions
    from demine.store.daily import DailyAttempt
    from demine.store.records import GameEnding
    from demine.store.running_game import LiveGame
    from demine.store.settings import Json
    from demine.store.store import Store

_STILL: Final = (Verb.PAUSE, Verb.RESUME)
"""The verbs that touch no board."""
_PATIENCE_S: Final = 0.5
"""The least time between attempts to save what could not be saved."""


@dataclass(frozen=True, slots=True)
class _LeftGame:
    """A game that was left under way, and comes back if the next board stays untouched.

    In the store it stays an unfinished game until it is given up, so the next start resumes it
    after a crash.
    """

    game: Game
    running_game: LiveGame
    daily_game: DailyGame | None
    clicks: ClickCounter
    clock_ms: int


class GameSession:
    """A player's session at a board, made by `GameSession.begin`.

    A game that is left under way is given up by the first act on the next board; until then
    `bring_back_left_game` continues it. Trouble with the store never stops a game: it waits in
    `troubles`, as typed errors, until the player is told, and play goes on in memory.
    """

    def __init__(self, store: Store, clock: Clock | None = None) -> None:
        self._store = store
        self._running_game: LiveGame | None = None
        """The game's place in the store; None while it is untouched and another may come back."""
        self._left_game: _LeftGame | None = None
        self._clock = clock or Clock()
        self._second = 0
        self._store_tried_at = self._clock.now()
        self._ending: GameEnding | None = None
        self._three_bv = 0
        self._last_point = (-1, -1)
        self.game = Game(BEGINNER)
        self._clicks = ClickCounter(self.game)
        self.refusal: ActError | None = None
        """Why the last act was refused; None when it was played."""
        self.lay_in_background: Callable[[Rules, int, Cell], object] | None = None
        """Lays the mines of a guess-free game, which takes a moment, and then calls
        `open_on_laid_mines`; if it is None, the first open waits for them."""
        self._daily_game: DailyGame | None = None
        self._store_troubles = StoreTroubles(store)
        self.troubles = self._store_troubles.untold
        """The errors and notices of the store that the player has not been told yet."""

    @classmethod
    def begin(
        cls,
        store: Store,
        options: StartOptions,
        preferences: Preferences,
        clock: Clock | None = None,
    ) -> GameSession:
        """Resume the unfinished game if the options allow that, else begin a new one.

        Raises `ShareError` for an invalid share code, `DailyError` for the daily board of a
        future day.
        """
        session = cls(store, clock)
        if options.trouble is not None:
            session.troubles.append(options.trouble)
        if options.daily is not None:
            session.switch_to_daily(options.daily)
            return session
        if options.may_resume and session._resume_stored_game(options.rules):
            return session
        if options.board is not None:
            session._begin_game(cast("Game", options.board))
        elif options.share_code is not None:
            session._begin_game(Game.from_share(options.share_code))
        else:
            rules = options.rules or Rules.parse(preferences.rules)
            session._begin_game(Game(rules, options.seed))
        return session

    # Queries

    @property
    def clock_ms(self) -> int:
        """Milliseconds on the clock; before the first open, since the game was made."""
        return self._clock.ms

    def seconds_until_save_due(self) -> float:
        """Return the seconds until `save_if_due` has something to do; 60 if nothing is expected.

        In a running game that is when the shown time changes.
        """
        if self.game.status is not Status.RUNNING:
            return _PATIENCE_S if self._store.retry_queue else 60.0
        return (1000 - self._clock.ms % 1000) / 1000 + 0.001

    def game_title(self) -> str:
        """Return what is being played, in the player's words."""
        if self._daily_game is not None:
            return self._daily_game.game_title(self._help_reason)
        return game_title(self.game.rules, self.game.unranked, len(self.game.board.blown))

    @property
    def daily(self) -> Daily | None:
        """The daily board that is being played, if it is one."""
        return None if self._daily_game is None else self._daily_game.daily

    @property
    def is_unbegun_daily_game(self) -> bool:
        """Whether this is a daily board without an opened cell, which expires with its day."""
        return self.daily is not None and not self.game.begun

    @property
    def can_bring_back_left_game(self) -> bool:
        """Whether `bring_back_left_game` would continue the game that was left."""
        return self._left_game is not None

    @property
    def can_undo(self) -> bool:
        """Whether an act, or leaving the last game, can be undone."""
        return self._left_game is not None or self.game.can_undo

    @property
    def is_counted_daily_attempt(self) -> bool:
        """Whether this is a daily board under way, on the one attempt that counts."""
        daily_game, game = self._daily_game, self.game
        return (
            daily_game is not None
            and game.begun
            and not game.status.over
            and daily_game.counts_for_streak(self._help_reason)
        )

    @property
    def is_worth_bringing_back(self) -> bool:
        """Whether leaving would lose more than a first click, or a daily board's only attempt."""
        game = self.game
        if not game.begun or game.status.over:
            return False
        return len(game.changes) > 1 or self.is_counted_daily_attempt

    @property
    def _help_reason(self) -> str:
        """Why help made the game practice, as a message; empty where it did not."""
        helped = self.game.opening_undone or self.game.hinted
        return UNRANKED_REASONS[self.game.unranked] if helped else ""

    def default_next_rules(self, preferences: Preferences) -> Rules:
        """Return the rules of a new game: this game's, or the player's after a daily board."""
        return self.game.rules if self.daily is None else Rules.parse(preferences.rules)

    def daily_result_line(self) -> str:
        """Return the line to share about this daily board, else about the latest one that counts.

        Raises `NoDailyResult` if there is none.
        """
        return (
            latest_daily_result_line(self._store)
            if self._daily_game is None
            else self._daily_game.result_line(self.game)
        )

    def daily_attempts(self) -> tuple[DailyAttempt, ...]:
        """Return every attempt at daily boards; none if they cannot be read."""
        try:
            return self._store.daily_attempts()
        except StoreError as error:
            self._store_troubles.add(error)
            return ()

    def result_text(self) -> str:
        """Return what the end of the game means, in words; empty while it is not over.

        What matters most comes first: a scene without room for all of it cuts off the end.
        """
        summary = self.end_summary()
        return "" if summary is None else summary.result_text

    def end_summary(self) -> EndSummary | None:
        """Return how the game ended and what that means; None while it is not over."""
        game = self.game
        if not game.status.over:
            return None
        if game.status is Status.WON:
            self._three_bv = self._three_bv or three_bv_of(game)
            meaning = self._win_meaning()
        else:
            meaning = [tr(self._help_reason)] if self._help_reason else []
        return summarise_end(game, self._clicks.count, meaning, self._three_bv)

    def _win_meaning(self) -> list[str]:
        """Return what a win means for the records; nothing if it sets none."""
        if self._daily_game is not None:
            return [self._daily_game.win_meaning(self._help_reason)]
        if self.game.unranked:
            return [tr(UNRANKED_REASONS[self.game.unranked])]
        if self._ending is None:
            return []
        return record_texts(self._ending.record, self._ending.streak)

    # Playing

    def play(self, verb: Verb, row: int = -1, col: int = -1, moment: int | None = None) -> bool:
        """Play an act; return whether it was played.

        `moment` is the time in milliseconds of the touch that asked for it; None for now. False
        when the rules refuse it (see `refusal`), or while mines are laid in the background.
        """
        game, began = self.game, self.game.begun
        act = Act(self._clock.ms if moment is None else moment, verb, row, col)
        lays = verb is Verb.OPEN and game.rules.guess_free and not game.board.laid
        try:
            if lays:
                game.check(act)
            else:
                game.play(act)
        except ActError as error:
            self.refusal = error
            return False
        self.refusal = None
        if lays:
            return self._lay_for_first_cell((row, col))
        if game.status.over:
            self._clock.set(game.time_ms, running=False)
        elif game.begun and not began:
            self._clock.set(0, running=True)
        if self._left_game is not None and verb not in _STILL:
            self._give_up_left_game()
        self._store_game()
        if self._daily_game is not None and (game.status.over or not began):
            self._look_up_daily_game()
        return True

    def _lay_for_first_cell(self, cell: Cell) -> bool:
        """Lay a guess-free board for its first cell; return whether that was opened at once."""
        game = self.game
        # A daily board is laid within a blink: the solver's process would take longer to start.
        if self.lay_in_background is not None and self.daily is None:
            self.lay_in_background(game.rules, game.seed, cell)
            return False
        from demine.solver.deal.make_layout import make_layout

        try:
            mine_map = make_layout(game.rules, game.seed, cell)
        except DemineError as error:
            self._store_troubles.add(error)
            return False
        return self.open_on_laid_mines(cell, mine_map)

    def open_on_laid_mines(self, cell: Cell, mine_map: NDArray[np.bool_]) -> bool:
        """Use the mines that were laid for a first cell, and open it; return whether it was opened.

        If it may no longer be opened, the mines are discarded: they suit no other cell.
        """
        game, moment = self.game, self._clock.ms
        if game.board.laid or not game.can(Act(moment, Verb.OPEN, *cell)):
            return False
        game.lay(Lay(moment, mine_map))
        return self.play(Verb.OPEN, *cell)

    def record_touch(self, button: str, action: Action, x_px: int, y_px: int) -> int | None:
        """Record a mouse event, in pixels of a board with cells of 16 pixels.

        Return its time in milliseconds, at which `play` plays what it asks for; None if a game
        that is over or paused does not hear it, or if the pointer did not move.
        """
        game = self.game
        if game.status.over or game.status is Status.PAUSED:
            return None
        if action == "move" and (x_px, y_px) == self._last_point:
            return None
        self._last_point = (x_px, y_px)
        x, y = x_px * game.cell_px // FIELD_CELL, y_px * game.cell_px // FIELD_CELL
        moment = self._clock.ms
        game.touch(Touch(moment, button, action, x, y))
        return moment

    def try_pause(self) -> bool:
        """Pause the game; return whether that was possible."""
        done = self.play(Verb.PAUSE)
        if done:
            self._clock.set(self.game.events[-1].t, running=False)
        return done

    def try_resume(self) -> bool:
        """Resume a paused game at the time of its pause; return whether it was paused."""
        done = self.play(Verb.RESUME)
        if done:
            self._clock.set(self._clock.ms, running=True)
        return done

    def try_undo(self) -> bool:
        """Undo the last act, in a lost game too; return whether that was possible.

        The game continues as practice.
        """
        was_over = self.game.status.over
        done = self.play(Verb.UNDO)
        if done and was_over:
            self._clock.set(self.game.time_ms, running=True)
            self._ending = None
        return done

    def bring_back_left_game(self) -> bool:
        """Continue the game that was left, if this board is untouched; return whether it was.

        Its clock stood meanwhile.
        """
        left = self._left_game
        if left is None:
            return False
        self._drop_untouched_board()
        self._left_game = None
        self.game, self._running_game = left.game, left.running_game
        self._daily_game, self._clicks = left.daily_game, left.clicks
        self.refusal = self._ending = None
        self._three_bv = 0
        self._clock.set(left.clock_ms, running=left.game.status is Status.RUNNING)
        return True

    def begin_new_game(self, rules: Rules) -> None:
        """Begin a new game.

        One that is under way counts as resigned from the first act on the new board on; one with
        no more than its first click does so at once.
        """
        self._leave_game()
        self._begin_game(Game(rules))

    def switch_to_daily(self, daily: Daily) -> bool:
        """Resume or begin the game on a daily board; return False if it is being played already.

        Raises `DailyError` for the board of a future day; the present game then continues.
        """
        if daily.day > today_utc():
            day = daily.day.isoformat()
            raise DailyError("the daily board of {day} appears at 0:00 UTC on that day", day=day)
        if daily == self.daily and not self.game.status.over:
            return False
        if self._left_game is not None and daily == Daily.of(self._left_game.game):
            return self.bring_back_left_game()
        self._leave_game()
        if not self._resume_stored_game(daily):
            self._begin_game(Game.from_daily(daily))
        return True

    def restart_same_board(self) -> None:
        """Begin the same board again, as practice; nothing happens before the first click."""
        if not self.game.begun:
            return
        game = self.game.again()
        self._leave_game()
        self._begin_game(game)

    def begin_shared_board(self, code: str) -> None:
        """Leave the present game and begin the board of a share code.

        Raises `ShareError` for an invalid code; the present game then continues.
        """
        self.begin_board(Game.from_share(code))

    def begin_board(self, game: Game) -> None:
        """Leave the present game and begin this new one."""
        self._leave_game()
        self._begin_game(game)

    def save_if_due(self) -> None:
        """Save the clock once a second, and retry saving what could not be saved before."""
        second = self._clock.ms // 1000
        if second != self._second and self.game.status is Status.RUNNING:
            self._second = second
            self._clicks.count_new_events()  # so that it is quick at the end of a long game
            self._store_game()
        elif self._store.retry_queue and self._clock.now() - self._store_tried_at >= _PATIENCE_S:
            self._store_game()

    def save_settings(self, settings: Mapping[str, object]) -> None:
        """Save settings, now or as soon as that is possible."""
        with self._store_troubles:
            self._store.settings.set_or_queue(cast("Mapping[str, Json]", settings))

    def close(self) -> None:
        """Save the clock and everything unsaved: the next start resumes from here.

        What still cannot be saved is left to `UnsavedGamesSaver`.
        """
        self._store_game()

    def take_next_trouble(self, *, previous_unread: bool) -> DemineError | None:
        """Remove and return the next trouble to show, as `StoreTroubles.take_next` does."""
        return self._store_troubles.take_next(previous_unread=previous_unread)

    # Saving

    def _leave_game(self) -> None:
        """Set a game under way aside; resign one after its first click, delete one before it."""
        if self._left_game is not None:
            self._drop_untouched_board()
        elif self._running_game is not None and self.is_worth_bringing_back:
            self._set_aside(self._running_game)
        elif self.game.begun and not self.game.status.over:
            self.play(Verb.RESIGN)
        elif self._running_game is not None and not self.game.begun:
            with self._store_troubles:
                self._running_game.abandon()

    def _set_aside(self, running_game: LiveGame) -> None:
        self._clock.stop()
        self._store_game()
        self._left_game = _LeftGame(
            self.game, running_game, self._daily_game, self._clicks, self._clock.ms
        )
        self._running_game = None

    def _drop_untouched_board(self) -> None:
        """Forget the board that followed a game set aside; a resumed daily board waits again."""
        if self._running_game is not None:
            with self._store_troubles:
                if self.game.begun:
                    self._store.put_back(self._running_game, self._clock.ms)
                else:
                    self._running_game.abandon()
        self._running_game = None

    def _give_up_left_game(self) -> None:
        """Resign the game that was set aside, and save this one from now on."""
        left, self._left_game = self._left_game, None
        if left is not None:
            with self._store_troubles:
                left.running_game.abandon(left.clock_ms)
        if self._running_game is None:
            self._running_game = self._store.begin_or_queue(self.game, self._clock.ms)

    def _begin_game(self, game: Game) -> None:
        self.game = game
        self.refusal = None
        self._ending = None
        self._clicks, self._three_bv = ClickCounter(game), 0
        self._clock.set(0, running=True)
        # Until a game that was left is given up, a crash must lead back to that one.
        if self._left_game is None:
            self._running_game = self._store.begin_or_queue(game)
            if self._running_game.is_unsaved:
                self._store_game()
        self._look_up_daily_game()

    def _look_up_daily_game(self) -> None:
        """Find out whether this is a daily board, and whether the game counts there."""
        daily = Daily.of(self.game)
        self._daily_game = None if daily is None else DailyGame(self._store, daily)
        if self._daily_game is not None:
            with self._store_troubles:
                self._daily_game.refresh(
                    self.game, "" if self._running_game is None else self._running_game.id
                )

    def _resume_stored_game(self, wanted: Rules | Daily | None) -> bool:
        """Resume the latest unfinished game, with these rules or on this daily board if given.

        It waits paused if it has begun. Return whether there was one. An untouched daily board of
        a past day is abandoned.
        """
        with self._store_troubles:
            live = self._store.resume(wanted)
            if live is not None and wanted is None and is_missed_daily_game(live.game):
                live.abandon()
                return self._resume_stored_game(wanted)
            if live is not None:
                self._running_game, self.game = live, live.game
                self._clicks, self._three_bv = ClickCounter(live.game), 0
                self._look_up_daily_game()
                events, begun = live.game.events, live.game.begun
                # A touch may have been saved later than the clock was.
                last = events[-1].t if events else 0
                self._clock.set(max(live.clock_ms, last), running=not begun)
                if live.game.status is Status.RUNNING:
                    self.try_pause()
                return True
        return False

    def _store_game(self) -> None:
        """Save everything, so that it survives the end of this process."""
        self._store_tried_at = self._clock.now()
        with self._store_troubles:
            try:
                if self._store.retry_queue:
                    self._store.retry_queue.retry()
            finally:
                if self._running_game is not None:
                    self._ending = self._running_game.record(self._clock.ms)
