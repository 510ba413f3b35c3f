"""Training for the page: each player's set of drills, its present question, and its answers.

What is right stays here until an answer is given. A set is kept in memory, its answers in the
database: a server that starts again has forgotten only which drills were left.
"""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict
from dataclasses import dataclass, field
from datetime import UTC, datetime
from secrets import token_urlsafe
from typing import TYPE_CHECKING, Final, Literal, TypeAlias, cast
from zlib import crc32

from demine.logic.daily_board import LEVELS
from demine.logic.errors import DemineError
from demine.play.drills.made_games import DAILY_RULES, first_seed_of_day, is_made
from demine.play.drills.schedule import SET_SIZE, choose_set, grade, subject_of
from demine.play.drills.session import DrillAnswer
from demine.scene.cell_faces import Face
from demine.store.daily import today_utc
from demine.store.drills import DrillReview
from demine.store.utc_text import utc_text
from demine.web.database.drills import (
    add_drills,
    add_review,
    drills_of,
    games_not_searched,
    reviews_of,
)
from demine.web.errors import Malformed, NotFound, TooMuchWork, TryLater

if TYPE_CHECKING:
    from datetime import date

    from demine.game import Game
    from demine.logic.game import Cell
    from demine.play.drills.question import DrillQuestion
    from demine.store.drills import DrillKey
    from demine.web.database.database import Database
    from demine.web.finished_games import FinishedGames
    from demine.web.long_work import LongWork
    from demine.web.solver_queue import Asker, SolverQueue

SetKind: TypeAlias = Literal["own", "daily"]
SEARCH_SECONDS: Final = 3.0
"""After so long no further game is searched for drills before a set begins."""
_SEARCHED_AT_ONCE: Final = 32
MOST_SETS: Final = 1024
"""How many sets are kept; the one not touched for longest goes first."""
MOST_BOARDS: Final = 64
"""How many boards of a day are made at most to fill up sets."""


@dataclass(slots=True)
class ShownQuestion:
    """A question that a player was shown; `is_sent` if it is of a replay that was sent."""

    id: str
    question: DrillQuestion
    is_sent: bool
    since: float
    """When it was shown, in seconds of the monotonic clock."""


@dataclass(slots=True)
class TrainingSet:
    """The set that a player is at."""

    kind: SetKind
    waiting: list[DrillKey]
    """The drills that were not asked yet, the next one last."""
    asked: dict[DrillKey, int]
    """How often each drill was asked before, so that each time the board is turned another way."""
    shown: ShownQuestion | None = None
    answers: dict[str, DrillAnswer] = field(default_factory=dict)
    """By the ids of their questions."""

    @property
    def is_answered(self) -> bool:
        """Whether the question that was shown last has been answered."""
        return self.shown is not None and self.shown.id in self.answers

    @property
    def is_over(self) -> bool:
        """Whether nothing is left to answer."""
        return not self.waiting and (self.shown is None or self.is_answered)

    @property
    def count(self) -> int:
        """How many drills it has."""
        open_now = self.shown is not None and not self.is_answered
        return len(self.answers) + open_now + len(self.waiting)


class _Seat:
    """A player's place, at which one request after the other is answered."""

    def __init__(self) -> None:
        self.lock = asyncio.Lock()
        self.set: TrainingSet | None = None


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
        self._day: date | None = None
        self._boards: list[tuple[DrillKey, ...]] = []
        self._daily: DrillKey | None = None
        self._making = asyncio.Lock()

    async def step(self, asker: Asker, kind: SetKind, *, begin: bool) -> TrainingSet:
        """Go on to the next question of a set, once the present one is answered; return the set.

        With `begin` a set that is over, or another kind of set, is followed by a new one. Its
        `shown` is answered at the end. Raises what the solver's queue does.
        """
        seat = self._seat(asker.player)
        async with seat.lock:
            here = seat.set
            if here is None or (begin and (here.is_over or here.kind != kind)):
                here = seat.set = await self._new_set(asker, kind)
            if here.shown is None or here.is_answered:
                await self._show_next(asker, here)
            return here

    async def answer(self, player: str, question_id: str, cell: Cell | None) -> DrillAnswer:
        """Answer a question with a cell of its board, or None for a guess; the first answer counts.

        Raises `NotFound` for what is no question of this player, and `Malformed` for a cell that
        cannot be an answer.
        """
        seat = self._seat(player)
        async with seat.lock:
            here = seat.set
            if here is not None and question_id in here.answers:
                return here.answers[question_id]
            shown = None if here is None else here.shown
            if here is None or shown is None or shown.id != question_id:
                raise NotFound("this question is gone: begin a new set")
            _check_answer(shown.question, cell)
            time_ms = round((time.monotonic() - shown.since) * 1000)
            is_right = shown.question.is_right(cell)
            drill = shown.question.drill
            review = DrillReview(drill.key, utc_text(datetime.now(UTC)), is_right, time_ms)
            await self._database.write(lambda connection: add_review(connection, player, review))
            given = grade(drill.kind, is_right, time_ms)
            answer = DrillAnswer(shown.question, cell, is_right, time_ms, given)
            here.answers[question_id] = answer
            return answer

    async def reviews(self, player: str) -> list[DrillReview]:
        """Return all answers of a player, in order."""
        return await self._database.read(lambda connection: reviews_of(connection, player))

    def forget_player(self, player: str) -> None:
        """Forget the set of a player who was deleted."""
        self._seats.pop(player, None)

    def _seat(self, player: str) -> _Seat:
        seat = self._seats.setdefault(player, _Seat())
        self._seats.move_to_end(player)
        while len(self._seats) > MOST_SETS:
            self._seats.popitem(last=False)
        return seat

    # The drills of a set

    async def _new_set(self, asker: Asker, kind: SetKind) -> TrainingSet:
        if kind == "daily":
            return TrainingSet(kind, [await self._drill_of_day(asker)], {})
        await self._search_games(asker)
        now, today = datetime.now(UTC), today_utc()
        player = asker.player
        keys = await self._database.read(lambda connection: drills_of(connection, player))
        reviews = await self.reviews(player)
        asked_today = {
            subject_of(review.drill)
            for review in reviews
            if review.at.startswith(today.isoformat())
        }
        pool = [key for key in keys if subject_of(key) not in asked_today]
        pool += await self._made_drills(
            asker, SET_SIZE - len({*map(subject_of, pool)}), asked_today
        )
        chosen = await asyncio.to_thread(choose_set, pool, reviews, now)
        asked: dict[DrillKey, int] = {}
        for review in reviews:
            asked[review.drill] = asked.get(review.drill, 0) + 1
        return TrainingSet(kind, list(reversed(chosen)), asked)

    async def _search_games(self, asker: Asker) -> None:
        """Search games of the player that were never searched; later sets go on."""
        player, until = asker.player, time.monotonic() + SEARCH_SECONDS
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
        self, asker: Asker, lacking: int, used: set[tuple[str, int]]
    ) -> list[DrillKey]:
        """Return drills of as many boards of the day as are lacking, without those used."""
        found: list[DrillKey] = []
        rules = LEVELS["intermediate"]
        async with self._making:
            self._begin_day()
            for number in range(MOST_BOARDS):
                if lacking <= 0:
                    break
                if number == len(self._boards):
                    seed = first_seed_of_day(today_utc()) + number
                    made = await self._solver.ask(asker, "made drills", rules, seed)
                    self._boards.append(cast("tuple[DrillKey, ...]", made))
                board = self._boards[number]
                if board and subject_of(board[0]) not in used:
                    found += board
                    lacking -= 1
        return found

    async def _drill_of_day(self, asker: Asker) -> DrillKey:
        async with self._making:
            self._begin_day()
            if self._daily is None:
                found = await self._solver.ask(asker, "drill of day", DAILY_RULES, today_utc())
                self._daily = cast("DrillKey", found)
            return self._daily

    def _begin_day(self) -> None:
        """Forget what was made for another day."""
        if self._day != today_utc():
            self._day, self._boards, self._daily = today_utc(), [], None

    # A question

    async def _show_next(self, asker: Asker, here: TrainingSet) -> None:
        """Show the next question that can be asked; drills whose games are gone are passed over."""
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


def _check_answer(question: DrillQuestion, cell: Cell | None) -> None:
    if cell is None:
        if not question.may_be_a_guess:
            raise Malformed("this question has a certain answer")
        return
    (row, col), (height, width) = cell, question.faces.shape
    if not (0 <= row < height and 0 <= col < width and question.faces[cell] == Face.COVERED):
        raise Malformed("an answer is a covered cell of the board")
