"""The solver of a server: who comes next, who has used up their time, and who holds up nobody."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from starlette.requests import Request

from demine import Game
from demine.logic.rules import Rules
from demine.scene.sight import sight
from demine.solver.service.server import SolverClientError
from demine.web import identity, players, solver_queue
from demine.web.api.door import Nothing, Visit
from demine.web.app import make_app
from demine.web.database.games import insert_game
from demine.web.errors import ClientLeft, TooMany, TooMuchWork
from demine.web.game_figures import game_figures
from demine.web.limits import QUESTIONS_OF_PLAYER, SOLVER_RATE, Limits
from demine.web.services import Services
from demine.web.solver_queue import Asker, SolverQueue
from demine.web.websocket.game_connection import MOST_RECEIVED
from tests.web.asgi_client import AsgiClient, AsgiSocket
from tests.web.test_limits import Clock

ONE, OTHER = Asker("one", "192.0.2.1"), Asker("other", "192.0.2.2")
ENDLESS = Rules.parse("100x100/3000 guess-free")
"""Nothing is ever found on such a board."""
PATIENCE = 10.0
"""Seconds for an answer: half of what the endless search may take."""


@pytest.fixture(scope="module")
def runner() -> Iterator[asyncio.Runner]:
    with asyncio.Runner() as made:
        yield made


@pytest.fixture(scope="module")
def shared(runner: asyncio.Runner) -> Iterator[SolverQueue]:
    queue = SolverQueue(Limits())
    yield queue
    runner.run(queue.close())


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def queue(shared: SolverQueue, clock: Clock) -> SolverQueue:
    """The queue with full buckets, before running processes."""
    shared._limits = Limits(clock)
    return shared


def scene() -> Any:
    game = Game("9x9/10", seed=7)
    game.open(4, 4)
    return sight(game)


async def hint(queue: SolverQueue, asker: Asker) -> object:
    return await asyncio.wait_for(queue.ask(asker, "hint", scene(), 10), PATIENCE)


async def begun(work: Coroutine[Any, Any, object], queue: SolverQueue) -> asyncio.Task[object]:
    """A long question that the solver works at."""
    task = asyncio.create_task(work)
    await until_taken(queue)
    return task


async def until_taken(queue: SolverQueue) -> None:
    process = queue._long
    await until(lambda: process._is_taken and process._ready is not None and process._ready.done())


async def until(holds: Callable[[], bool]) -> None:
    while not holds():  # noqa: ASYNC110 - nothing tells of it
        await asyncio.sleep(0.01)


def test_clients_are_served_in_turn(runner: asyncio.Runner, queue: SolverQueue) -> None:
    async def ask_all() -> list[str]:
        order: list[str] = []

        async def ask(name: str, asker: Asker) -> None:
            assert await hint(queue, asker)
            order.append(name)

        async with asyncio.TaskGroup() as tasks:
            for name, asker in (("a", ONE), ("b", ONE), ("c", ONE), ("d", OTHER)):
                tasks.create_task(ask(name, asker))
        return order

    runner.run(hint(queue, Asker("nobody", "")))
    assert runner.run(ask_all()) == ["a", "d", "b", "c"]


def test_few_questions_of_one_player_wait(runner: asyncio.Runner, queue: SolverQueue) -> None:
    async def ask_many() -> list[object]:
        asked = (hint(queue, ONE) for _ in range(QUESTIONS_OF_PLAYER + 3))
        return await asyncio.gather(*asked, hint(queue, OTHER), return_exceptions=True)

    *answers, other = runner.run(ask_many())
    refused = [each for each in answers if isinstance(each, TooMany)]
    assert len(refused) == 3
    assert str(refused[0]) == "at most 4 questions to the solver can wait for an answer"
    assert not isinstance(other, BaseException)


def test_the_solvers_time_is_charged(
    runner: asyncio.Runner, queue: SolverQueue, clock: Clock
) -> None:
    limits = queue._limits
    runner.run(hint(queue, ONE))
    assert 0 < limits.solver_of_players.share_left("one") < 1
    assert 0 < limits.solver_of_addresses.share_left("192.0.2.1") < 1
    limits.solver_of_players.charge("one", SOLVER_RATE.burst + 5)
    with pytest.raises(TooMany, match="the solver has worked enough for you") as refused:
        runner.run(hint(queue, ONE))
    assert refused.value.seconds == 16
    assert runner.run(hint(queue, OTHER))
    clock.now += refused.value.seconds
    assert runner.run(hint(queue, ONE))
    # Another player at the same place is no way around it.
    limits.solver_of_addresses.charge("192.0.2.1", 1000)
    with pytest.raises(TooMany):
        runner.run(hint(queue, Asker("new", "192.0.2.1")))


def test_whoever_leaves_pays_for_the_new_process(
    runner: asyncio.Runner, queue: SolverQueue, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def leave() -> None:
        asked = asyncio.Event()

        async def never_answered(_: object) -> None:
            asked.set()
            await asyncio.Event().wait()

        monkeypatch.setattr(queue._long, "_ask", never_answered)
        leaving = asyncio.create_task(queue.deal(ONE, ENDLESS, 1, (50, 50)))
        await asked.wait()
        leaving.cancel()
        await asyncio.wait({leaving})

    runner.run(leave())
    used = 1 - queue._limits.solver_of_players.share_left("one")
    assert used * SOLVER_RATE.burst >= solver_queue.DROP_SECONDS


def test_two_who_leave_at_once_hold_up_nobody(runner: asyncio.Runner, queue: SolverQueue) -> None:
    async def leave() -> None:
        asking = await begun(queue.deal(ONE, ENDLESS, 1, (50, 50)), queue)
        waiting = asyncio.create_task(queue.deal(ONE, ENDLESS, 2, (50, 50)))
        await until(lambda: bool(queue._long._waiting))
        asking.cancel()
        waiting.cancel()
        await asyncio.wait({asking, waiting})
        assert asking.cancelled()
        assert waiting.cancelled()
        assert not queue._long._is_taken

    runner.run(leave())


def test_long_work_holds_up_no_hint(runner: asyncio.Runner, queue: SolverQueue) -> None:
    async def ask_both() -> None:
        searching = await begun(queue.deal(ONE, ENDLESS, 1, (50, 50)), queue)
        small = Rules.parse("16x16/40 guess-free")
        mines = await asyncio.wait_for(queue.deal(OTHER, small, 1, (8, 8)), PATIENCE)
        assert mines.sum() == 40
        assert await hint(queue, OTHER)
        assert not searching.done()
        searching.cancel()
        # Whoever waits for long work is not held up either by a search that nobody wants.
        large = Rules.parse("65x65/300 guess-free")
        mines = await asyncio.wait_for(queue.deal(OTHER, large, 1, (8, 8)), PATIENCE)
        assert mines.sum() == 300

    runner.run(ask_both())


def test_a_hard_question_is_moved_out_of_the_way(
    runner: asyncio.Runner, queue: SolverQueue, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = []
    answer = queue._long.answer

    async def noted(question: Any, seconds: float) -> object:
        asked.append(question.name)
        return await answer(question, seconds)

    monkeypatch.setattr(solver_queue, "SHORT_SECONDS", 0.0)
    monkeypatch.setattr(queue._long, "answer", noted)
    assert runner.run(hint(queue, ONE))
    assert asked == ["hint"]
    monkeypatch.setattr(solver_queue, "MOST_SECONDS", 0.0)
    with pytest.raises(TooMuchWork):
        runner.run(hint(queue, ONE))


def won() -> Game:
    game = Game("9x9/10", seed=7)
    game.open(4, 4)
    mines = game.board.mine_map
    while not game.status.over:
        row, col = np.argwhere(~mines & ~game.board.open_map)[0].tolist()
        game.open(row, col)
    return game


def test_the_figures_of_an_ended_game_go_before_questions(
    runner: asyncio.Runner, queue: SolverQueue
) -> None:
    game, order = won(), []

    async def figures() -> None:
        assert await queue.find_figures(game.journal(), game.time_ms) == game_figures(
            game.journal(), game.time_ms
        )
        order.append("figures")

    async def ask() -> None:
        await hint(queue, ONE)
        order.append("hint")

    async def all_at_once() -> None:
        # A question that is answered quickly would be over before the others are seen to wait.
        async with asyncio.TaskGroup() as tasks, queue._short._turn(None):
            for _ in range(2):
                tasks.create_task(ask())
            tasks.create_task(figures())
            await until(lambda: queue._short.waiting == 3)

    runner.run(hint(queue, Asker("nobody", "")))
    runner.run(all_at_once())
    assert order == ["figures", "hint", "hint"]
    used = 1 - queue._limits.solver_of_players.share_left("one")
    runner.run(figures())
    assert 1 - queue._limits.solver_of_players.share_left("one") == used


def test_figures_are_computed_here_if_no_process_answers(
    runner: asyncio.Runner, queue: SolverQueue, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fail(*_: object) -> object:
        raise SolverClientError("the process ended")

    monkeypatch.setattr(queue._short, "answer", fail)
    journal = won().journal()
    assert runner.run(queue.find_figures(journal, None)) == game_figures(journal, None)


def test_processes_start_soon_after_somebody_plays(monkeypatch: pytest.MonkeyPatch) -> None:
    async def play() -> None:
        queue = SolverQueue(Limits())
        monkeypatch.setattr(solver_queue, "PREPARE_SECONDS", 0.01)
        queue.prepare()
        assert queue._short._ready is None
        await until(lambda: queue._short._ready is not None and queue._long._ready is not None)
        await queue.close()

    asyncio.run(play())


def test_a_small_deal_that_takes_many_steps_is_found_all_the_same(
    runner: asyncio.Runner, queue: SolverQueue, monkeypatch: pytest.MonkeyPatch
) -> None:
    rules = Rules.parse("9x9/10 guess-free")
    mines = runner.run(queue.deal(ONE, rules, 3, (4, 4)))
    monkeypatch.setattr(solver_queue, "SHORT_STEPS", 1)
    assert np.array_equal(mines, runner.run(queue.deal(ONE, rules, 3, (4, 4))))


def test_a_request_is_dropped_with_its_client(runner: asyncio.Runner, queue: SolverQueue) -> None:
    async def leave() -> None:
        leaving = asyncio.Event()

        async def receive() -> dict[str, object]:
            await leaving.wait()
            return {"type": "http.disconnect"}

        services = Services.__new__(Services)
        services.solver = queue
        scope = {"type": "http", "headers": [], "client": ("192.0.2.1", 1)}
        visit = Visit(Request(scope, receive), services, Nothing(), "en", None)
        asking = await begun(visit.ask_solver("make", ENDLESS, 1, (50, 50)), queue)
        leaving.set()
        with pytest.raises(ClientLeft):
            await asyncio.wait_for(asking, PATIENCE)
        await until(lambda: not queue._long._is_taken)

    runner.run(leave())


@asynccontextmanager
async def unplayed(path: Path, rules: Rules) -> AsyncIterator[tuple[Services, AsgiClient, str]]:
    """A server with a game, a client that may play it, and the path of its socket."""
    app = make_app(path / "server.sqlite")
    async with app.router.lifespan_context(app):
        services: Services = app.state.services
        player, game = (await players.create(services.database)).id, "g" * 36
        new = Game(rules, seed=1)
        await services.database.write(lambda to: insert_game(to, game, player, new))
        cookie = f"demine={identity.signed(player, services.key)}"
        client = AsgiClient(app, "127.0.0.1", cookie)
        yield services, client, f"/ws/games/{game}"
        await client.close()


async def hello(client: AsgiClient, path: str) -> dict[str, Any]:
    async with AsgiSocket(client, path, "client=a") as socket:
        said: dict[str, Any] = (await socket.hear())["hello"]
        return said


@pytest.mark.parametrize("pings", [0, 5])
def test_a_search_is_dropped_with_its_client(tmp_path: Path, pings: int) -> None:
    async def leave() -> None:
        async with unplayed(tmp_path, ENDLESS) as (services, client, path):
            async with asyncio.timeout(PATIENCE) as patience:
                async with AsgiSocket(client, path, "client=a") as socket:
                    assert "hello" in await socket.hear()
                    socket.say(seq=1, verb="open", cell=[50, 50])
                    await until_taken(services.solver)
                    for number in range(pings):
                        socket.say(ping=number)
                await until(lambda: not services.solver._long._is_taken)
            assert not patience.expired(), "the search goes on"
            # The act was not played: the client has to send it again.
            assert (await hello(client, path))["next_seq"] == 1

    asyncio.run(leave())


def test_what_is_said_during_a_search_is_answered_after_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def play() -> None:
        rules = Rules.parse("9x9/10 guess-free")
        async with unplayed(tmp_path, rules) as (services, client, path):
            found, begin, search = services.solver.deal, asyncio.Event(), asyncio.Event()

            async def held(*args: Any) -> Any:
                begin.set()
                await search.wait()
                return await found(*args)

            monkeypatch.setattr(services.solver, "deal", held)
            async with AsgiSocket(client, path, "client=a") as socket:
                assert "hello" in await socket.hear()
                socket.say(seq=1, verb="open", cell=[4, 4])
                await begin.wait()
                for number in range(MOST_RECEIVED + 5):
                    socket.say(ping=number)
                search.set()
                assert (await socket.hear())["ack"] == 1
                pongs = [(await socket.hear())["pong"] for _ in range(MOST_RECEIVED + 5)]
                assert pongs == list(range(MOST_RECEIVED + 5))

    asyncio.run(play())


def test_a_board_that_is_found_when_its_client_leaves_is_played(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def leave() -> None:
        rules = Rules.parse("9x9/10 guess-free")
        async with unplayed(tmp_path, rules) as (services, client, path):
            mines = await services.solver.deal(ONE, rules, 1, (4, 4))
            begin, search = asyncio.Event(), asyncio.Event()

            async def held(*_: object) -> Any:
                begin.set()
                await search.wait()
                return mines

            monkeypatch.setattr(services.solver, "deal", held)
            async with AsgiSocket(client, path, "client=a") as socket:
                assert "hello" in await socket.hear()
                socket.say(seq=1, verb="open", cell=[4, 4])
                await begin.wait()
                search.set()
            said = await hello(client, path)
            assert (said["next_seq"], said["status"]) == (2, "running")

    asyncio.run(leave())
