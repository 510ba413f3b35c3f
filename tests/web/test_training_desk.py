"""Sets of drills on a server: which drills they have, what counts, and how long they are kept."""

from __future__ import annotations

import asyncio
import gc
import threading
import weakref
from collections.abc import Callable, Coroutine, Iterator
from datetime import date, timedelta
from functools import partial
from typing import Any

import numpy as np
import pytest
from sqlalchemy import delete, select
from starlette.requests import Request

from demine.game import Game
from demine.logic.event import Act, Verb
from demine.play.drills.schedule import subject_of
from demine.store.drills import DrillKey, DrillReview
from demine.store.game_rows import compress_journal, new_id
from demine.web import players, training_desk
from demine.web.api import train
from demine.web.api.door import AnyDoor, Nothing, Visit
from demine.web.database.database import Database
from demine.web.database.drills import add_known
from demine.web.database.games import insert_game
from demine.web.database.place import DatabasePlace
from demine.web.database.schema import DRILLS, UPLOADS
from demine.web.database.uploads import insert_upload, upload_summary
from demine.web.errors import NotFound
from demine.web.open_games import OpenGame
from demine.web.players import Player
from demine.web.services import Services
from demine.web.solver_queue import Asker
from demine.web.training_desk import TrainingSet


class Site:
    """A server's services, and the event loop in which they work."""

    def __init__(self, place: DatabasePlace) -> None:
        self.runner = asyncio.Runner()
        self.database = self.runner.run(Database.open(place))
        self.services = self.runner.run(Services.of(self.database))

    def do(self, work: Callable[[Services], Coroutine[None, None, None]]) -> None:
        self.runner.run(work(self.services))

    def close(self) -> None:
        self.runner.run(self.services.close())
        self.runner.run(self.database.close())
        self.runner.close()


@pytest.fixture(scope="module")
def site(shared_place: DatabasePlace) -> Iterator[Site]:
    opened = Site(shared_place)
    yield opened
    opened.close()


async def new_asker(services: Services) -> Asker:
    return Asker((await players.create(services.database)).id, "10.0.0.1")


async def answer_all(services: Services, asker: Asker, *, kind: Any = "own") -> TrainingSet:
    """Answer every question of a new set with a covered cell; return the set."""
    here = await services.training.step(asker, kind, begin=True)
    while here.shown is not None:
        right = here.shown.question.solution.right
        cell = min(right) if right else None
        await services.training.answer(asker.player, here.shown.id, cell)
        here = await services.training.step(asker, kind, begin=False)
    return here


async def lost_game(services: Services, player: str) -> OpenGame:
    """A game with needless guesses, lost at the end."""
    game_id, game = new_id(), Game("9x9/10", 7)
    await services.database.write(lambda connection: insert_game(connection, game_id, player, game))
    opened = await services.open_games.get(game_id)
    await opened.play(Verb.OPEN, 4, 4, "client", 1)
    number = 2
    while not opened.game.status.over:
        row, col = np.argwhere(~opened.game.board.open_map)[number % 5].tolist()
        await opened.play(Verb.OPEN, row, col, "client", number)
        number += 1
    return opened


def careless_game() -> Game:
    """A game in which mines are opened that are certain, and needless guesses are made."""
    game = Game("9x9/10 lives=3", 7)
    game.play(Act(0, "open", 4, 4))
    for t, (row, col) in enumerate(np.argwhere(~game.board.open_map).tolist()[:12], 1):
        act = Act(1000 * t, "open", row, col)
        if game.can(act):
            game.play(act)
    return game


async def sent_replay(services: Services, player: str) -> str:
    game, upload = careless_game(), new_id()
    row = {"id": upload, "name": "a replay", "added_at": "2026-11-27T10:00:00.000000Z",
           "journal": compress_journal(game.journal()), **upload_summary(game)}  # fmt: skip
    await services.database.write(lambda connection: insert_upload(connection, player, row))
    return upload


def games_of(here: TrainingSet) -> set[str]:
    return {key.game for key in here.waiting} | {each.drill.game for each in here.answers}


async def drills_of_game(services: Services, game: str) -> int:
    found = await services.database.read(
        lambda connection: connection.execute(select(DRILLS.c.num).where(DRILLS.c.game == game))
    )
    return len(found.all())


def test_a_game_whose_end_was_undone_stops_no_set(site: Site) -> None:
    async def work(services: Services) -> None:
        asker = await new_asker(services)
        opened = await lost_game(services, asker.player)
        await opened.play(Verb.UNDO, -1, -1, "client", 500)
        assert not opened.game.status.over
        here = await services.training.step(asker, "own", begin=True)
        assert here.count == 10
        assert opened.id not in games_of(here)
        assert await drills_of_game(services, opened.id) == 0
        await opened.play(Verb.RESIGN, -1, -1, "client", 501)
        services.training.forget_player(asker.player)
        await services.training.step(asker, "own", begin=True)
        assert await drills_of_game(services, opened.id) > 0

    site.do(work)


def test_drills_of_deleted_replays_are_asked_no_more(site: Site) -> None:
    async def work(services: Services) -> None:
        asker = await new_asker(services)
        sent = [await sent_replay(services, asker.player) for _ in range(3)]
        here = await services.training.step(asker, "own", begin=True)
        assert games_of(here) & set(sent)
        assert here.shown is not None
        asked = here.shown.question.drill.key
        cell = here.shown.question.solution.cell
        await services.training.answer(asker.player, here.shown.id, cell)
        await services.database.write(lambda connection: connection.execute(delete(UPLOADS)))
        services.training.forget_player(asker.player)
        again = await services.training.step(asker, "own", begin=True)
        assert again.count == 10
        assert not games_of(again) & set(sent)
        # What was answered stays, since progress is made of it.
        kept = [await drills_of_game(services, each) for each in sent]
        assert kept == [1 if each == asked.game else 0 for each in sent]
        assert [each.drill for each in await services.training.reviews(asker.player)] == [asked]

    site.do(work)


def test_games_that_are_gone_while_a_set_waits_are_passed_over(site: Site) -> None:
    async def work(services: Services) -> None:
        asker = await new_asker(services)
        sent = [await sent_replay(services, asker.player) for _ in range(4)]
        here = await services.training.step(asker, "own", begin=True)
        assert len(here.waiting) > 10
        gone = delete(UPLOADS).where(UPLOADS.c.id == here.waiting[-1].game)
        await services.database.write(lambda connection: connection.execute(gone))
        assert here.shown is not None
        cell = here.shown.question.solution.cell
        await services.training.answer(asker.player, here.shown.id, cell)
        after = await services.training.step(asker, "own", begin=False)
        while after.shown is not None:
            answer = min(after.shown.question.solution.right, default=None)
            await services.training.answer(asker.player, after.shown.id, answer)
            after = await services.training.step(asker, "own", begin=False)
        assert len(after.answers) == 10
        assert games_of(after) <= set(sent)

    site.do(work)


def test_boards_stand_in_where_no_drill_fits_its_game(site: Site) -> None:
    async def work(services: Services) -> None:
        asker = await new_asker(services)
        sent = await sent_replay(services, asker.player)
        unfit = [DrillKey(sent, 1000 + number, 1, 1, "safe", "1-1") for number in range(200)]
        add = partial(add_known, player=asker.player, known=unfit)
        await services.database.write(add)
        here = await answer_all(services, asker)
        assert len({subject_of(each.drill) for each in here.answers}) == 10
        assert sent not in games_of(here)

    site.do(work)


def test_the_drill_of_the_day_counts_once(site: Site) -> None:
    async def work(services: Services) -> None:
        asker = await new_asker(services)
        texts = []
        for _ in range(3):
            here = await answer_all(services, asker, kind="daily")
            (told,) = here.told.values()
            texts.append(told.text)
            assert len(await services.training.reviews(asker.player)) == 1
        assert ["does not count" in text for text in texts] == [False, True, True]

    site.do(work)


def test_yesterdays_drill_gives_way_to_todays(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    days = [date(2026, 11, 27)]
    monkeypatch.setattr(training_desk, "today_utc", lambda: days[0])

    async def work(services: Services) -> None:
        asker = await new_asker(services)
        first = await services.training.step(asker, "daily", begin=True)
        assert (await services.training.step(asker, "daily", begin=True)) is first
        days[0] += timedelta(days=1)
        second = await services.training.step(asker, "daily", begin=True)
        assert first.shown is not None
        assert second.shown is not None
        assert first.shown.question.drill.key != second.shown.question.drill.key

    site.do(work)


def test_an_answered_question_is_kept_no_longer(site: Site) -> None:
    async def work(services: Services) -> None:
        asker = await new_asker(services)
        here = await services.training.step(asker, "daily", begin=True)
        assert here.shown is not None
        question, shown_id = weakref.ref(here.shown.question), here.shown.id
        cell = min(here.shown.question.solution.right)
        told = await services.training.answer(asker.player, shown_id, cell)
        await answer_all(services, await new_asker(services), kind="daily")
        gc.collect()  # the last question asked of the solver is kept until the next one
        assert question() is None
        assert await services.training.answer(asker.player, shown_id, None) is told
        assert any(told.marks)

    site.do(work)


def answers_elsewhere(count: int) -> list[DrillKey | DrillReview]:
    """Answers to drills of as many games that are not here, as an import brings them."""
    keys = [DrillKey(f"gone {number}", 2, 1, 1, "safe", "1-1") for number in range(count)]
    at = "2026-11-20T10:00:00.000000Z"
    return [*keys, *(DrillReview(key, at, True, 900) for key in keys)]


def test_a_set_does_not_keep_what_else_was_ever_asked(site: Site) -> None:
    async def work(services: Services) -> None:
        asker = await new_asker(services)
        add = partial(add_known, player=asker.player, known=answers_elsewhere(200))
        await services.database.write(add)
        here = await services.training.step(asker, "own", begin=True)
        assert here.count == 10
        assert not here.asked
        await answer_all(services, asker, kind="daily")
        daily = await services.training.step(asker, "daily", begin=True)
        assert daily.shown is not None
        assert daily.asked == {daily.shown.question.drill.key: 1}

    site.do(work)


def test_the_answers_of_one_player_are_worked_through_at_a_time(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who has a hundred thousand answers would fill the memory by asking often."""
    progress: AnyDoor = next(door for door in train.DOORS if door.path == "/api/train/progress")
    both = threading.Barrier(2)

    def meet(database: object, player: str) -> list[DrillReview]:
        with pytest.raises(threading.BrokenBarrierError):  # nobody else comes
            both.wait(0.2)
        both.reset()
        return []

    async def ask(services: Services, player: Player) -> None:
        asker = Asker(player.id, "10.0.0.1")
        await services.training.step(asker, "daily", begin=True)
        scope = {"type": "http", "headers": [], "client": ("10.0.0.1", 1)}
        visit = Visit(Request(scope, receive), services, Nothing(), "en", player)
        await progress.handler(visit)

    async def work(services: Services) -> None:
        people = [await players.create(services.database) for _ in range(2)]
        monkeypatch.setattr(training_desk, "reviews_of", meet)
        await asyncio.gather(*(ask(services, player) for player in people))

    site.do(work)


async def receive() -> dict[str, object]:
    """What a client sends who waits for the answer."""
    return {"type": "http.request"}


def test_only_a_set_takes_the_place_of_another(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(training_desk, "MOST_SETS", 1)

    async def work(services: Services) -> None:
        first, second = await new_asker(services), await new_asker(services)
        here = await services.training.step(first, "daily", begin=True)
        assert here.shown is not None
        shown_id = here.shown.id
        for stranger in ("somebody", second.player):
            with pytest.raises(NotFound):
                await services.training.answer(stranger, shown_id, None)
        cell = min(here.shown.question.solution.right)
        assert (await services.training.answer(first.player, shown_id, cell)).is_right
        await services.training.step(second, "daily", begin=True)
        with pytest.raises(NotFound):
            await services.training.answer(first.player, shown_id, None)

    site.do(work)


def test_a_set_that_nobody_touches_is_forgotten(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def work(services: Services) -> None:
        asker = await new_asker(services)
        here = await services.training.step(asker, "daily", begin=True)
        assert here.shown is not None
        services.training.forget_idle()
        assert (await services.training.step(asker, "daily", begin=True)) is here
        monkeypatch.setattr(training_desk, "IDLE_SECONDS", -1.0)
        services.training.forget_idle()
        with pytest.raises(NotFound):
            await services.training.answer(asker.player, here.shown.id, None)

    site.do(work)


def test_nobody_waits_for_the_turn_of_somebody_else(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def work(services: Services) -> None:
        poor, rich = await new_asker(services), await new_asker(services)
        ask, is_turn, waits = services.solver.ask, asyncio.Event(), asyncio.Event()

        async def ask_in_turn(asker: Asker, name: str, *args: object) -> object:
            if asker == poor:
                waits.set()
                await is_turn.wait()
            return await ask(asker, name, *args)

        monkeypatch.setattr(services.solver, "ask", ask_in_turn)
        waiting = asyncio.create_task(services.training.step(poor, "own", begin=True))
        await waits.wait()
        here = await asyncio.wait_for(services.training.step(rich, "own", begin=True), 60)
        assert here.count == 10
        assert not waiting.done()
        is_turn.set()
        assert (await waiting).count == 10

    site.do(work)
