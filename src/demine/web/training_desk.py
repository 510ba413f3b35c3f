"""Training for the page: each player's set of drills, its present question, and its answers.

What is right stays here until an answer is given. A set is kept in memory, its answers in the
database: a server that starts again has forgotten only which drills were left.
"""

from __future__ import annotations

import asyncio
import time
from collections import Counter, OrderedDict
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial
from secrets import token_urlsafe
from typing import TYPE_CHECKING, Final, Literal, Self, TypeAlias, TypeVar, cast
from zlib import compress, crc32, decompress

from demine.logic.daily_board import LEVELS
from demine.logic.errors import DemineError
from demine.play.drills.made_games import DAILY_RULES, first_seed_of_day, is_made
from demine.play.drills.schedule import (
    SET_SIZE,
    SPARES,
    asked_about_on,
    choose_set,
    subject_of,
)
from demine.play.drills.session import DrillAnswer
from demine.scene.cell_faces import Face
from demine.store.daily import today_utc
from demine.web.database.drills import (
    add_drills,
    add_review,
    drills_to_ask,
    forget_drills_of_gone_games,
    games_not_searched,
    reviews_of,
)
from demine.web.errors import Malformed, NotFound, NotYet, TooMuchWork, TryLater

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from datetime import date

    from demine.game import Game
    from demine.logic.game import Cell
    from demine.play.drills.question import DrillQuestion
    from demine.store.drills import DrillKey, DrillReview
    from demine.web.database.database import Database
    from demine.web.finished_games import FinishedGames
    from demine.web.long_work import LongWork
    from demine.web.solver_queue import Asker, SolverQueue

T = TypeVar("T")
SetKind: TypeAlias = Literal["own", "daily"]
SEARCH_SECONDS: Final = 3.0
"""After so long no further game is searched for drills before a set begins."""
_SEARCHED_AT_ONCE: Final = 32
MOST_SETS: Final = 1024
"""How many sets are kept; the one not touched for longest goes first."""
IDLE_SECONDS: Final = 3600.0
"""How long a set is kept that nobody touches."""
MOST_BOARDS: Final = 64
"""How many boards of a day are made at most to fill up sets."""


@dataclass(frozen=True, slots=True)
class ShownQuestion:
    """A question that a player was shown; `is_sent` if it is of a replay that was sent."""

    id: str
    question: DrillQuestion
    is_sent: bool
    since: float
    """When it was shown, in seconds of the monotonic clock."""


@dataclass(frozen=True, slots=True)
class ToldAnswer:
    """What a player was told of an answer, kept for the case that it is sent again.

    The game is not kept with it: one of a large board takes some hundred kilobytes.
    """

    is_right: bool
    text: str
    _packed_marks: bytes

    @classmethod
    def of(cls, answer: DrillAnswer) -> Self:
        """Return what is told of an answer, in the language spoken."""
        return cls(answer.is_right, str(answer), compress(answer.overlay.marks.tobytes()))

    @property
    def marks(self) -> list[int]:
        """The marks of the board, row by row."""
        return list(decompress(self._packed_marks))


@dataclass(slots=True)
class TrainingSet:
    """The set that a player is at."""

    kind: SetKind
    day: date
    """The day in UTC on which it began."""
    waiting: list[DrillKey]
    """The drills that were not asked yet, the next one last; more than are asked."""
    most: int
    """How many are asked at most."""
    asked: Mapping[DrillKey, int]
    """How often each drill was asked before, so that each time the board is turned another way."""
    known: set[tuple[str, int]]
    """What was asked about on that day before, and does not count again."""
    shown: ShownQuestion | None = None
    """The question that has no answer yet."""
    answers: list[DrillReview] = field(default_factory=list)
    told: dict[str, ToldAnswer] = field(default_factory=dict)
    """What was told of the answers, by the ids of their questions."""

    @property
    def is_over(self) -> bool:
        """Whether nothing is left to answer."""
        return self.shown is None and not self._left

    @property
    def count(self) -> int:
        """How many drills it has."""
        return len(self.answers) + (self.shown is not None) + self._left

    @property
    def _left(self) -> int:
        """How many questions follow the one that is shown."""
        done = len(self.answers) + (self.shown is not None)
        return min(self.most - done, len(self.waiting))


class _Seat:
    """A player's place, at which one request after the other is answered."""

    def __init__(self) -> None:
        self.lock = asyncio.Lock()
        self.set: TrainingSet | None = None
        self.touched = time.monotonic()


class TrainingDesk:
    """Has sets of drills found, asked and answered by the solver and the database of a server."""

    def __init__(
        self,
        database: Database,
        games: FinishedGames,
        long_work: LongWork,
        solver: SolverQueue,
    ) -> None:
        self._database = database
        self._games = games
        self._long_work = long_work
        self._solver = solver
        self._seats: OrderedDict[str, _Seat] = OrderedDict()
        """The seats of those who began a set, the one touched last at the end."""
        self._boards: dict[int, tuple[DrillKey, ...]] = {}
        """The drills of the boards of a day, by their seeds."""
        self._daily: dict[date, DrillKey] = {}

    async def step(self, asker: Asker, kind: SetKind, *, begin: bool) -> TrainingSet:
        """Go on to the next question of a set, once the present one is answered; return the set.

        With `begin` a set that is over, or another kind of set, or a drill of another day is
        followed by a new one. Its `shown` is None at the end. Raises what the solver's queue does.
        """
        seat = self._seat(asker.player)
        async with seat.lock:
            here = seat.set
            if here is None or (begin and _gives_way(here, kind)):
                here = seat.set = await self._new_set(asker, kind)
                self._forget_oldest()
            if here.shown is None and not here.is_over:
                await self._show_next(asker, here)
            return here

    async def answer(self, player: str, question_id: str, cell: Cell | None) -> ToldAnswer:
        """Answer a question with a cell of its board, or None for a guess; the first answer counts.

        Raises `NotFound` for what is no question of this player, and `Malformed` for a cell that
        cannot be an answer.
        """
        gone = NotFound("this question is gone: begin a new set")
        if player not in self._seats:
            raise gone
        seat = self._seat(player)
        async with seat.lock:
            here = seat.set
            if here is not None and question_id in here.told:
                return here.told[question_id]
            if here is None or here.shown is None or here.shown.id != question_id:
                raise gone
            return await self._take_answer(player, here, here.shown, cell)

    async def _take_answer(
        self, player: str, here: TrainingSet, shown: ShownQuestion, cell: Cell | None
    ) -> ToldAnswer:
        _check_answer(shown.question, cell)
        time_ms = round((time.monotonic() - shown.since) * 1000)
        now = datetime.now(UTC)
        counts = subject_of(shown.question.drill.key) not in here.known
        answer = DrillAnswer.of(shown.question, cell, now, time_ms, counts)
        review, told = answer.review, await asyncio.to_thread(ToldAnswer.of, answer)
        if counts:
            await self._database.write(lambda connection: add_review(connection, player, review))
        here.told[shown.id] = told
        here.answers.append(review)
        here.shown = None
        return told

    async def reviews(self, player: str) -> list[DrillReview]:
        """Return all answers of a player, in order."""
        return await self._database.read(lambda connection: reviews_of(connection, player))

    def forget_player(self, player: str) -> None:
        """Forget the set of a player who was deleted."""
        self._seats.pop(player, None)

    def forget_idle(self) -> None:
        """Forget the sets that nobody has touched for long, and seats at which none began."""
        before = time.monotonic() - IDLE_SECONDS
        while self._seats and next(iter(self._seats.values())).touched < before:
            self._seats.popitem(last=False)

    def _seat(self, player: str) -> _Seat:
        seat = self._seats.setdefault(player, _Seat())
        seat.touched = time.monotonic()
        self._seats.move_to_end(player)
        return seat

    def _forget_oldest(self) -> None:
        """Forget the sets above `MOST_SETS` that were not touched for longest."""
        with_sets = [player for player, seat in self._seats.items() if seat.set is not None]
        for player in with_sets[:-MOST_SETS]:
            del self._seats[player]

    # The drills of a set

    async def _new_set(self, asker: Asker, kind: SetKind) -> TrainingSet:
        now, today = datetime.now(UTC), today_utc()
        known = await self._with_reviews(asker, partial(asked_about_on, today))
        if kind == "daily":
            waiting = [await self._drill_of_day(asker, today)]
            asked = await self._with_reviews(asker, partial(_times_asked, waiting))
            return TrainingSet(kind, today, waiting, 1, asked, known)
        pool = await self._own_pool(asker, known, today)
        waiting, asked = await self._with_reviews(asker, partial(_choose, pool, now))
        return TrainingSet(kind, today, waiting, SET_SIZE, asked, known)

    async def _with_reviews(
        self, asker: Asker, function: Callable[[Sequence[DrillReview]], T]
    ) -> T:
        """Return what a function makes of all answers of a player.

        Nobody has them in memory while waiting for a turn: there may be very many.
        """
        async with self._long_work.turn(asker):
            return await asyncio.to_thread(function, await self.reviews(asker.player))

    async def _own_pool(
        self, asker: Asker, known: set[tuple[str, int]], day: date
    ) -> list[DrillKey]:
        """Return the drills of a player's games, and of made boards where these are too few."""
        await self._search_games(asker)
        player = asker.player
        pool = await self._database.read(lambda connection: drills_to_ask(connection, player))
        fresh = {subject_of(key) for key in pool} - known
        return pool + await self._made_drills(asker, SET_SIZE - len(fresh), known, day)

    async def _search_games(self, asker: Asker) -> None:
        """Search games of the player that were never searched; later sets go on."""
        player, until = asker.player, time.monotonic() + SEARCH_SECONDS
        await self._database.write(
            lambda connection: forget_drills_of_gone_games(connection, player)
        )
        waiting = await self._database.read(
            lambda connection: games_not_searched(connection, player, _SEARCHED_AT_ONCE)
        )
        for game_id in waiting:
            if time.monotonic() >= until:
                return
            try:
                found = await self._drills_of_game(asker, game_id)
            except TryLater:
                return  # there are boards besides
            except NotYet:
                continue  # its player has undone the end of it
            await self._database.write(
                lambda connection, game_id=game_id, found=found: add_drills(  # type: ignore[misc]
                    connection, player, game_id, found
                )
            )

    async def _drills_of_game(self, asker: Asker, game_id: str) -> tuple[DrillKey, ...]:
        try:
            game, _ = await self._load(asker, game_id)
            found = await self._solver.ask(asker, "drills", game.rules, game, game_id)
        except (TooMuchWork, NotFound):
            return ()
        return cast("tuple[DrillKey, ...]", found)

    async def _load(self, asker: Asker, game_id: str) -> tuple[Game, str]:
        async with self._long_work.turn(asker):
            return await self._games.find(game_id)

    async def _made_drills(
        self, asker: Asker, lacking: int, known: set[tuple[str, int]], day: date
    ) -> list[DrillKey]:
        """Return drills of as many boards of the day as are lacking, without those known.

        Two players may have the same board made at once: nobody waits for somebody else's turn.
        """
        found: list[DrillKey] = []
        first, rules = first_seed_of_day(day), LEVELS["intermediate"]
        self._boards = {seed: made for seed, made in self._boards.items() if seed >= first}
        for seed in range(first, first + MOST_BOARDS):
            if lacking <= 0:
                break
            board = self._boards.get(seed)
            if board is None:
                made = await self._solver.ask(asker, "made drills", rules, seed)
                board = self._boards[seed] = cast("tuple[DrillKey, ...]", made)
            if board and subject_of(board[0]) not in known:
                found += board
                lacking -= 1
        return found

    async def _drill_of_day(self, asker: Asker, day: date) -> DrillKey:
        if day not in self._daily:
            found = await self._solver.ask(asker, "drill of day", DAILY_RULES, day)
            self._daily = {day: cast("DrillKey", found)}
        return self._daily[day]

    # A question

    async def _show_next(self, asker: Asker, here: TrainingSet) -> None:
        """Show the next question; made boards stand in where too few drills can be asked."""
        await self._show_first_fit(asker, here)
        if here.shown is None and here.kind == "own":
            here.waiting = await self._stand_ins(asker, here)
            await self._show_first_fit(asker, here)

    async def _stand_ins(self, asker: Asker, here: TrainingSet) -> list[DrillKey]:
        """Return drills of made boards in the place of all that a set lacks."""
        lacking = here.most - len(here.answers)
        used = here.known | {subject_of(each.drill) for each in here.answers}
        made = await self._made_drills(asker, lacking, used, here.day)
        return list(choose_set(made, (), datetime.now(UTC), lacking))

    async def _show_first_fit(self, asker: Asker, here: TrainingSet) -> None:
        """Show the first question that can be asked.

        Drills whose games are gone, or that do not fit them, are passed over.
        """
        while here.waiting:
            key = here.waiting[-1]
            try:
                game, name = (None, "") if is_made(key.game) else await self._load(asker, key.game)
                rules = LEVELS["intermediate"] if game is None else game.rules
                number = crc32(repr(key).encode()) + here.asked.get(key, 0)
                question = await self._solver.ask(asker, "drill question", rules, game, key, number)
            except TryLater:
                raise  # it is asked later
            except (DemineError, ValueError):
                here.waiting.pop()
                continue
            here.waiting.pop()
            shown = cast("DrillQuestion", question)
            here.shown = ShownQuestion(token_urlsafe(12), shown, bool(name), time.monotonic())
            return


def _choose(
    pool: Sequence[DrillKey], now: datetime, reviews: Sequence[DrillReview]
) -> tuple[list[DrillKey], Mapping[DrillKey, int]]:
    """Return the drills of a set, the first one last, and how often each was asked before."""
    chosen = choose_set(pool, reviews, now, spares=SPARES)
    return list(reversed(chosen)), _times_asked(chosen, reviews)


def _times_asked(
    drills: Iterable[DrillKey], reviews: Iterable[DrillReview]
) -> Mapping[DrillKey, int]:
    """Return how often some drills were asked; a set keeps no others, since there may be many."""
    wanted = set(drills)
    return Counter(each.drill for each in reviews if each.drill in wanted)


def _gives_way(here: TrainingSet, kind: SetKind) -> bool:
    """Whether a new set is begun in the place of one."""
    is_of_other_day = here.kind == "daily" and here.day != today_utc()
    return here.is_over or here.kind != kind or is_of_other_day


def _check_answer(question: DrillQuestion, cell: Cell | None) -> None:
    if cell is None:
        if not question.may_be_a_guess:
            raise Malformed("this question has a certain answer")
        return
    (row, col), (height, width) = cell, question.faces.shape
    if not (0 <= row < height and 0 <= col < width and question.faces[cell] == Face.COVERED):
        raise Malformed("an answer is a covered cell of the board")
