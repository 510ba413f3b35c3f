"""One player at one board: a game, its clock, and the store that keeps both.

Every scene sits its player down here, so that starting, pausing, undoing, ending and resuming mean
the same in each of them. The player sees nothing of it but that nothing is lost.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Final, cast

from demine.logic.errors import ActError, DemineError, RulesError
from demine.logic.event import Act, Action, Touch, Verb
from demine.logic.game import Game, Status
from demine.logic.rules import BEGINNER, EXPERT, INTERMEDIATE, Rules
from demine.scene.messages import mark, tr
from demine.store.errors import StoreError
from demine.store.store import Store

if TYPE_CHECKING:
    from demine.scene.wishes import Preferences, Wishes
    from demine.store.live import LiveGame
    from demine.store.records import Ending
    from demine.store.settings import Json

UNKEPT: Final = mark("guess-free boards cannot be laid yet: this one may need a guess")

LEVELS: Final[Mapping[str, Rules]] = {
    mark("Beginner"): BEGINNER,
    mark("Intermediate"): INTERMEDIATE,
    mark("Expert"): EXPERT,
}
UNRANKED: Final[Mapping[str, str]] = {
    "undo": mark("practice: undone"),
    "hint": mark("practice: helped"),
    "seed": mark("chosen seed"),
    "share": mark("shared board"),
    "again": mark("known board"),
}
"""Why a game enters no best times, by `Game.unranked`."""


class Clock:
    """Milliseconds of play: stands, runs, and stands again; `now` gives seconds that never jump."""

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._held = 0
        self._since: float | None = None

    @property
    def ms(self) -> int:
        """Whole milliseconds on the clock."""
        if self._since is None:
            return self._held
        return self._held + int((self._now() - self._since) * 1000)

    def set(self, ms: int, *, running: bool) -> None:
        """Put the clock to a time, running or standing."""
        self._held = ms
        self._since = self._now() if running else None

    def stand(self) -> None:
        """Stop the clock where it is."""
        self.set(self.ms, running=False)


class Sitting:
    """A player at a board. Make one with `Sitting.begin`.

    Trouble with the store never stops a game: it is kept in `troubles` as typed errors until
    somebody tells the player, and play goes on in memory.
    """

    def __init__(self, store: Store, clock: Clock | None = None) -> None:
        self._store = store
        self._live: LiveGame | None = None
        self._clock = clock or Clock()
        self._second = 0
        self._told: set[str] = set()
        self._ending: Ending | None = None
        self._last_point = (-1, -1)
        self.game = Game(BEGINNER)
        self.refusal: ActError | None = None
        """Why the last act was refused; None when it was played."""
        self.troubles: list[DemineError] = []
        """What the store could not do and nobody has been told yet."""

    @classmethod
    def begin(
        cls,
        store: Store,
        wishes: Wishes,
        preferences: Preferences,
        clock: Clock | None = None,
    ) -> Sitting:
        """Return a sitting at the unfinished game if the wishes allow, else at a new one.

        Raises `ShareError` for a share code that opens no board.
        """
        sitting = cls(store, clock)
        if wishes.resumes and sitting._resume(wishes.rules):
            return sitting
        if wishes.share_code is not None:
            sitting._start(Game.from_share(wishes.share_code))
        else:
            rules = wishes.rules or Rules.parse(preferences.rules)
            sitting._start(Game(sitting._playable(rules), wishes.seed))
        return sitting

    # Reading

    @property
    def clock_ms(self) -> int:
        """Milliseconds on the clock; before the first open, since the game was made."""
        return self._clock.ms

    def until_next_second(self) -> float:
        """Return the seconds until the shown time changes; a minute when it stands."""
        if self.game.status is not Status.RUNNING:
            return 60.0
        return (1000 - self._clock.ms % 1000) / 1000 + 0.001

    def title(self) -> str:
        """Return what is being played, in the player's words."""
        rules = self.game.rules
        name = next((name for name, known in LEVELS.items() if known == rules), None)
        title = tr(name) if name else str(rules)
        reason = self.game.unranked
        return (
            tr("{title} · {reason}", title=title, reason=tr(UNRANKED[reason])) if reason else title
        )

    def verdict(self) -> str:
        """Return what the end of the game means; empty while it is not over."""
        game = self.game
        if not game.status.over:
            return ""
        time_s = f"{game.time_ms / 1000:.3f}"
        if game.status is Status.LOST:
            share = 100 * game.board.opened // game.rules.safe_cells
            return tr("{time} s, {percent} % open", time=time_s, percent=share)
        if game.unranked:
            return tr("{time} s, {reason}", time=time_s, reason=tr(UNRANKED[game.unranked]))
        return self._won(time_s)

    def _won(self, time_s: str) -> str:
        record = self._ending.record if self._ending is not None else None
        if record is None:
            return tr("{time} s", time=time_s)
        if record.gain_ms is None:
            return tr("{time} s, your first win here", time=time_s)
        gain = f"{record.gain_ms / 1000:.3f}"
        return tr("{time} s, a record by {gain} s!", time=time_s, gain=gain)

    # Playing

    def play(self, verb: Verb, row: int = -1, col: int = -1) -> bool:
        """Play an act now if the rules allow it; return whether they did."""
        game, began = self.game, self.game.begun
        act = Act(self._clock.ms, verb, row, col)
        try:
            game.check(act)
        except ActError as error:
            self.refusal = error
            return False
        self.refusal = None
        game.play(act)
        if game.begun and not began:
            self._clock.set(0, running=True)
        elif game.status.over:
            self._clock.set(game.time_ms, running=False)
        self._keep()
        return True

    def touch(self, button: str, action: Action, x: int, y: int) -> None:
        """Keep what the hand did, in pixels of the board at 16 a cell."""
        game = self.game
        if game.status.over or game.status is Status.PAUSED:
            return
        if action == "move" and (x, y) == self._last_point:
            return
        self._last_point = (x, y)
        game.touch(Touch(self._clock.ms, button, action, x, y))

    def toggle_pause(self) -> bool:
        """Stop the clock and hide the board, or go on; return whether either was possible."""
        if self.game.status is Status.PAUSED:
            self._clock.set(self._clock.ms, running=True)
            return self.play(Verb.RESUME)
        done = self.play(Verb.PAUSE)
        if done:
            self._clock.stand()
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

    def new(self, rules: Rules) -> None:
        """Leave the game, which counts as resigned once it has begun, and begin another."""
        self._leave()
        self._start(Game(self._playable(rules)))

    def again(self) -> None:
        """Begin the same board once more, as practice."""
        game = self.game.again()
        self._leave()
        self._start(game)

    def open_share(self, code: str) -> None:
        """Leave the game and begin the board of a share code.

        Raises `ShareError` for one that opens no board; the game then goes on.
        """
        game = Game.from_share(code)
        self._leave()
        self._start(game)

    def tick(self) -> None:
        """Store the clock when another second has come."""
        second = self._clock.ms // 1000
        if second != self._second and self.game.status is Status.RUNNING:
            self._second = second
            self._keep()

    def remember(self, settings: Mapping[str, object]) -> None:
        """Keep settings for good."""
        with self._telling():
            self._store.settings.update(cast("Mapping[str, Json]", settings))

    def close(self) -> None:
        """Keep the clock as it is now: the game goes on from here at the next start."""
        if not self.game.status.over:
            self._keep()

    # Keeping

    def _leave(self) -> None:
        """Leave the game: one that has begun counts as resigned, another is forgotten."""
        if self.game.begun and not self.game.status.over:
            self.play(Verb.RESIGN)
        elif self._live is not None and not self.game.begun:
            with self._telling():
                self._live.abandon()

    def _playable(self, rules: Rules) -> Rules:
        """Return the rules; without the promise of a guess-free board, which nobody here can keep.

        Such rules arrive with a shared board, whose mines are laid, or from another version.
        """
        if not rules.guess_free:
            return rules
        self._tell(RulesError(UNKEPT))
        return replace(rules, guess_free=False)

    def _start(self, game: Game) -> None:
        self.game = game
        self.refusal = None
        self._ending = None
        self._clock.set(0, running=True)
        self._live = None
        with self._telling():
            self._live = self._store.begin(game)

    def _resume(self, rules: Rules | None) -> bool:
        """Take up the latest unfinished game, of these rules if any are given."""
        with self._telling():
            live = self._store.resume(rules)
            if live is not None:
                self._live, self.game = live, live.game
                events, running = live.game.events, live.game.status is not Status.PAUSED
                # A touch may have been kept later than the clock was.
                last = events[-1].t if events else 0
                self._clock.set(max(live.clock_ms, last), running=running)
                return True
        return False

    def _keep(self) -> None:
        """Make everything that happened survive the end of this process."""
        with self._telling():
            if self._live is None:  # beginning to keep it failed, and the reason may have passed
                self._live = self._store.begin(self.game, self._clock.ms)
            self._ending = self._live.record(self._clock.ms)

    @contextmanager
    def _telling(self) -> Iterator[None]:
        """Keep the store's trouble and notices for the player; each sentence once."""
        try:
            yield
        except StoreError as error:
            self._tell(error)
        for notice in self._store.take_notices():
            self._tell(notice)

    def _tell(self, trouble: DemineError) -> None:
        if str(trouble) not in self._told:
            self._told.add(str(trouble))
            self.troubles.append(trouble)


@contextmanager
def opened(path: str | None = None) -> Iterator[tuple[Store, list[DemineError]]]:
    """Open the player's store for a scene; yield it and what the player should hear.

    Where nothing can be kept, the store yielded is one in memory.
    """
    troubles: list[DemineError] = []
    try:
        store = Store.open(path)
    except StoreError as error:
        troubles.append(error)
        store = Store.memory()
    try:
        yield store, [*troubles, *store.take_notices()]
    finally:
        with suppress(StoreError):
            store.close()
