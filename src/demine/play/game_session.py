"""One player at one board: a game, its clock, and the store that keeps both.

Every scene sits its player down here, so that starting, pausing, undoing, ending and resuming mean
the same in each of them. The player sees nothing of it but that nothing is lost.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Final, cast

from demine.game import Game
from demine.logic.daily_board import Daily, DailyError
from demine.logic.errors import ActError, DemineError
from demine.logic.event import Act, Action, Lay, Touch, Verb
from demine.logic.game import Status
from demine.logic.metadata import FIELD_CELL
from demine.logic.rules import BEGINNER, Rules
from demine.play.clock import Clock
from demine.play.daily_game import DailyGame, daily_result_line, is_missed_daily_game
from demine.play.game_title import UNRANKED_REASONS, game_title
from demine.play.store_troubles import StoreTroubles
from demine.scene.click_counter import ClickCounter
from demine.scene.translation import ntr, tr
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

_PATIENCE_S: Final = 0.5
"""How long at least passes between attempts to keep what could not be kept."""


class GameSession:
    """A player at a board. Make one with `GameSession.begin`.

    Trouble with the store never stops a game: it is kept in `troubles` as typed errors until
    somebody tells the player, and play goes on in memory.
    """

    def __init__(self, store: Store, clock: Clock | None = None) -> None:
        self._store = store
        self._running_game: LiveGame | None = None
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
        """Has the mines of a guess-free game laid, which takes a moment, and then calls
        `open_on_laid_mines`; without it the first open waits for them."""
        self._daily_game: DailyGame | None = None
        self._store_troubles = StoreTroubles(store)
        self.troubles = self._store_troubles.untold
        """What the store could not do and nobody has been told yet."""

    @classmethod
    def begin(
        cls,
        store: Store,
        wishes: StartOptions,
        preferences: Preferences,
        clock: Clock | None = None,
    ) -> GameSession:
        """Return a session at the unfinished game if the wishes allow, else at a new one.

        Raises `ShareError` for a share code that opens no board, `DailyError` for a daily board of
        a day to come.
        """
        session = cls(store, clock)
        if wishes.daily is not None:
            session.play_daily(wishes.daily)
            return session
        if wishes.resumes and session._resume_stored_game(wishes.rules):
            return session
        if wishes.share_code is not None:
            session._begin_game(Game.from_share(wishes.share_code))
        else:
            rules = wishes.rules or Rules.parse(preferences.rules)
            session._begin_game(Game(rules, wishes.seed))
        return session

    # Reading

    @property
    def clock_ms(self) -> int:
        """Milliseconds on the clock; before the first open, since the game was made."""
        return self._clock.ms

    def seconds_until_next_second(self) -> float:
        """Return the seconds until the shown time changes or what waits is tried to be kept.

        A minute when nothing does.
        """
        if self.game.status is not Status.RUNNING:
            return _PATIENCE_S if self._store.retry_queue else 60.0
        return (1000 - self._clock.ms % 1000) / 1000 + 0.001

    def title(self) -> str:
        """Return what is being played, in the player's words."""
        if self._daily_game is not None:
            return self._daily_game.title(self._help_reason)
        return game_title(self.game.rules, self.game.unranked, len(self.game.board.blown))

    @property
    def daily(self) -> Daily | None:
        """The daily board that is played, if it is one."""
        return None if self._daily_game is None else self._daily_game.daily

    @property
    def is_unbegun_daily_game(self) -> bool:
        """Whether the next start may not find this game: a daily board goes with its day."""
        return self.daily is not None and not self.game.begun

    @property
    def _help_reason(self) -> str:
        """Why help made the game practice, as a message; empty where it did not."""
        return UNRANKED_REASONS[self.game.unranked] if self.game.undone or self.game.hinted else ""

    def next_rules(self, preferences: Preferences) -> Rules:
        """Return the rules of another game like this; after a daily board, those before it."""
        return self.game.rules if self.daily is None else Rules.parse(preferences.rules)

    def daily_result_line(self) -> str:
        """Return the line to show to others of this daily board, or of the last one played.

        Raises `NoDailyResult` where there is none.
        """
        return (
            daily_result_line(self._store)
            if self._daily_game is None
            else self._daily_game.result_line(self.game)
        )

    def daily_attempts(self) -> tuple[DailyAttempt, ...]:
        """Return every attempt at daily boards, none where they cannot be read."""
        try:
            return self._store.daily_attempts()
        except StoreError as error:
            self._store_troubles.add(error)
            return ()

    def result_text(self) -> str:
        """Return what the end of the game means; empty while it is not over.

        What matters most comes first: where there is no room for all of it, the end goes.
        """
        game = self.game
        if not game.status.over:
            return ""
        if game.status is Status.LOST:
            helped = [tr(self._help_reason)] if self._help_reason else []
            said = [
                *helped,
                self._time_text(),
                tr("{percent} % open", percent=self._percent_open()),
            ]
        else:
            said = [*self._win_meaning(), self._time_text()]
        said.append(ntr("{n} click", "{n} clicks", self._clicks.count))
        if game.status is Status.WON:
            said += self._speed_texts()
        return " · ".join(said)

    def _time_text(self) -> str:
        return tr("{time} s", time=f"{self.game.time_ms / 1000:.3f}")

    def _percent_open(self) -> int:
        return 100 * self.game.board.opened // self.game.rules.safe_cells

    def _win_meaning(self) -> list[str]:
        """Say what a win is for the records."""
        if self._daily_game is not None:
            return [self._daily_game.win_meaning(self._help_reason)]
        if self.game.unranked:
            return [tr(UNRANKED_REASONS[self.game.unranked])]
        record = self._ending.record if self._ending is not None else None
        if record is None:
            return []
        if record.gain_ms is None:
            return [tr("your first win here")]
        return [tr("a record by {gain} s!", gain=f"{record.gain_ms / 1000:.3f}")]

    def _speed_texts(self) -> list[str]:
        """Say how much the board asked for, and how fast it was given."""
        from demine.statistics.board_3bv import three_bv

        self._three_bv = self._three_bv or three_bv(self.game.board.mine_map)
        said = [f"3BV {self._three_bv}"]
        if self.game.time_ms:
            said.append(f"3BV/s {1000 * self._three_bv / self.game.time_ms:.2f}")
        return said

    # Playing

    def play(self, verb: Verb, row: int = -1, col: int = -1) -> bool:
        """Play an act now if the rules allow it; return whether they did."""
        game, began = self.game, self.game.begun
        act = Act(self._clock.ms, verb, row, col)
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
        self._store_game()
        if self._daily_game is not None and (game.status.over or not began):
            self._look_up_daily_game()
        return True

    def _lay_for_first_cell(self, cell: Cell) -> bool:
        """Have a guess-free board laid for its first cell; return whether it was opened at once."""
        game = self.game
        # A daily board is laid within a blink: the solver's process would take longer to start.
        if self.lay_in_background is not None and self.daily is None:
            self.lay_in_background(game.rules, game.seed, cell)
            return False
        from demine.solver.deal.make import make

        try:
            mine_map = make(game.rules, game.seed, cell)
        except DemineError as error:
            self._store_troubles.add(error)
            return False
        return self.open_on_laid_mines(cell, mine_map)

    def open_on_laid_mines(self, cell: Cell, mine_map: NDArray[np.bool_]) -> bool:
        """Take the mines that were laid for a first cell and open it; return whether that was done.

        They are dropped if the cell may not be opened any more: they suit no other.
        """
        game, moment = self.game, self._clock.ms
        if game.board.laid or not game.can(Act(moment, Verb.OPEN, *cell)):
            return False
        game.lay(Lay(moment, mine_map))
        return self.play(Verb.OPEN, *cell)

    def touch(self, button: str, action: Action, x: int, y: int) -> None:
        """Keep what the hand did, in pixels of the board at 16 a cell."""
        game = self.game
        if game.status.over or game.status is Status.PAUSED:
            return
        if action == "move" and (x, y) == self._last_point:
            return
        self._last_point = (x, y)
        x, y = x * game.cell_px // FIELD_CELL, y * game.cell_px // FIELD_CELL
        game.touch(Touch(self._clock.ms, button, action, x, y))

    def toggle_pause(self) -> bool:
        """Stop the clock and hide the board, or go on; return whether either was possible."""
        if self.game.status is Status.PAUSED:
            self._clock.set(self._clock.ms, running=True)
            return self.play(Verb.RESUME)
        done = self.play(Verb.PAUSE)
        if done:
            self._clock.stop()
        return done

    def undo(self) -> bool:
        """Take the last act back, a lost game's too; return whether there was one.

        The game goes on as practice.
        """
        was_over = self.game.status.over
        done = self.play(Verb.UNDO)
        if done and was_over:
            self._clock.set(self.game.time_ms, running=True)
            self._ending = None
        return done

    def begin_new_game(self, rules: Rules) -> None:
        """Leave the game, which counts as resigned once it has begun, and begin another."""
        self._leave_game()
        self._begin_game(Game(rules))

    def play_daily(self, daily: Daily) -> bool:
        """Go on with a daily board or begin it; return whether that is another game than before.

        Raises `DailyError` for the board of a day to come; the game then goes on.
        """
        if daily.day > today_utc():
            day = daily.day.isoformat()
            raise DailyError("the daily board of {day} comes at 0:00 UTC on that day", day=day)
        if daily == self.daily and not self.game.status.over:
            return False
        self._leave_game()
        if not self._resume_stored_game(daily):
            self._begin_game(Game.from_daily(daily))
        return True

    def restart_same_board(self) -> None:
        """Begin the same board once more, as practice."""
        game = self.game.again()
        self._leave_game()
        self._begin_game(game)

    def begin_shared_board(self, code: str) -> None:
        """Leave the game and begin the board of a share code.

        Raises `ShareError` for one that opens no board; the game then goes on.
        """
        game = Game.from_share(code)
        self._leave_game()
        self._begin_game(game)

    def tick(self) -> None:
        """Store the clock when another second has come, and what could not be kept before."""
        second = self._clock.ms // 1000
        if second != self._second and self.game.status is Status.RUNNING:
            self._second = second
            self._clicks.catch_up()  # so that the end of a long game need not wait for it
            self._store_game()
        elif self._store.retry_queue and self._clock.now() - self._store_tried_at >= _PATIENCE_S:
            self._store_game()

    def save_settings(self, settings: Mapping[str, object]) -> None:
        """Keep settings for good."""
        with self._store_troubles:
            self._store.settings.set_or_queue(cast("Mapping[str, Json]", settings))

    def close(self) -> None:
        """Keep the clock as it is now, and all that waits: from here it goes on at the next start.

        What then still waits is `UnsavedGamesSaver`'s.
        """
        self._store_game()

    def next_trouble(self, *, unread: bool) -> DemineError | None:
        """Return what to tell next, if anything; `unread`: what stands there may not be read yet.

        That trouble has passed is told at once.
        """
        return self._store_troubles.take_next(unread=unread)

    # Keeping

    def _leave_game(self) -> None:
        """Leave the game: one that has begun counts as resigned, another is forgotten."""
        if self.game.begun and not self.game.status.over:
            self.play(Verb.RESIGN)
        elif self._running_game is not None and not self.game.begun:
            with self._store_troubles:
                self._running_game.abandon()

    def _begin_game(self, game: Game) -> None:
        self.game = game
        self.refusal = None
        self._ending = None
        self._clicks, self._three_bv = ClickCounter(game), 0
        self._clock.set(0, running=True)
        self._running_game = self._store.begin_or_queue(game)
        if self._running_game.is_unsaved:
            self._store_game()
        self._look_up_daily_game()

    def _look_up_daily_game(self) -> None:
        """See whether this is a daily board, whether it counts, and how things stand there."""
        daily = Daily.of(self.game)
        self._daily_game = None if daily is None else DailyGame(self._store, daily)
        if self._daily_game is not None:
            with self._store_troubles:
                self._daily_game.update(
                    self.game, "" if self._running_game is None else self._running_game.id
                )

    def _resume_stored_game(self, wanted: Rules | Daily | None) -> bool:
        """Take up the latest unfinished game, of some rules or on a daily board if that is asked.

        A daily board that was not begun on its day is not waited for.
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
                events, running = live.game.events, live.game.status is not Status.PAUSED
                # A touch may have been kept later than the clock was.
                last = events[-1].t if events else 0
                self._clock.set(max(live.clock_ms, last), running=running)
                return True
        return False

    def _store_game(self) -> None:
        """Make everything that happened survive the end of this process."""
        self._store_tried_at = self._clock.now()
        with self._store_troubles:
            try:
                if self._store.retry_queue:
                    self._store.retry_queue.retry()
            finally:
                if self._running_game is not None:
                    self._ending = self._running_game.record(self._clock.ms)
