"""Reviews of a server: made once, told of while they are made, and kept."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, cast

import httpx
import numpy as np
import pytest

from demine import Game
from demine.logic.event import Event
from demine.logic.rules import Rules
from demine.reviews.review import ReviewError
from demine.web import review_desk
from demine.web.app import make_app
from demine.web.errors import Busy, TooMuchWork
from demine.web.limits import WORK_RATE
from demine.web.review_desk import ReviewDesk, UnderWay
from demine.web.solver_queue import Asker, SolverQueue
from tests.web.doors_app import browser, serve

ME = Asker("me", "192.0.2.1")
RULES = Rules.parse("9x9/10")
NONE: tuple[Event, ...] = ()


class HeldSolver:
    """A solver whose reviews are ready when a test says so."""

    def __init__(self) -> None:
        self.asked = 0
        self.released = asyncio.Event()
        self.error: Exception | None = None

    async def ask(
        self, _asker: Asker, name: str, *_args: object, kwargs: Mapping[str, Any]
    ) -> object:
        self.asked += 1
        kwargs["progress"](3, 8)
        await self.released.wait()
        if self.error is not None:
            raise self.error
        return f"{name} {self.asked}"


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have the desk answer at once how far a review is."""
    monkeypatch.setattr(review_desk, "_PATIENCE_S", 0.02)


def desk_of(solver: HeldSolver) -> ReviewDesk:
    return ReviewDesk(cast(SolverQueue, solver))


def test_a_review_is_made_once_and_says_how_far_it_is() -> None:
    async def ask() -> None:
        solver = HeldSolver()
        desk = desk_of(solver)
        desk.begin(ME, ("a", 5), RULES, NONE)
        assert await desk.look(("a", 5)) == UnderWay(3, 8)
        desk.begin(ME, ("a", 5), RULES, NONE)
        solver.released.set()
        await asyncio.sleep(0)
        looks: list[object] = [await desk.look(("a", 5)) for _ in range(2)]
        assert looks == ["review 1"] * 2
        assert ("a", 6) not in desk  # it went on after an undo
        await desk.close()

    asyncio.run(ask())


def test_few_reviews_wait_and_the_oldest_results_go(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(review_desk, "MOST_UNDER_WAY", 3)
    monkeypatch.setattr(review_desk, "MOST_KEPT", 3)

    async def ask() -> None:
        solver = HeldSolver()
        desk = desk_of(solver)
        for number in range(3):
            desk.begin(ME, (str(number), 1), RULES, NONE)
        with pytest.raises(Busy):
            desk.begin(ME, ("3", 1), RULES, NONE)
        solver.released.set()
        for number in (1, 2, 0):
            await desk.look((str(number), 1))
        desk.begin(ME, ("3", 1), RULES, NONE)
        assert [("0", 1) in desk, ("1", 1) in desk] == [True, False]
        await desk.close()

    asyncio.run(ask())


@pytest.mark.parametrize(
    ("error", "stays"),
    [(ReviewError("no"), True), (TooMuchWork("no"), False), (ZeroDivisionError("no"), False)],
)
def test_what_may_go_better_is_tried_again(error: Exception, stays: bool) -> None:
    async def ask() -> None:
        solver = HeldSolver()
        solver.error = error
        solver.released.set()
        desk = desk_of(solver)
        desk.begin(ME, ("a", 1), RULES, NONE)
        with pytest.raises(type(error)):
            await desk.look(("a", 1))
        assert (("a", 1) in desk) is stays
        await desk.close()

    asyncio.run(ask())


@pytest.fixture
def player(tmp_path: Path) -> Iterator[httpx.Client]:
    with serve(make_app(tmp_path / "server.sqlite")) as address, browser(address) as opened:
        opened.put("/api/me", json={})
        yield opened


def test_whoever_asks_how_far_a_review_is_pays_for_one(player: httpx.Client) -> None:
    game = Game("30x16/99", seed=7)
    game.open(8, 15)
    for row, col in np.argwhere(~game.board.mine_map).tolist():
        if not game.board.open_map[row, col]:
            game.open(row, col)
    sent = player.post("/api/replays", content=game.journal().encode()).json()["id"]
    statuses: list[int] = []
    bodies = []
    while 200 not in statuses or len(statuses) < 2 * WORK_RATE.burst:
        answer = player.get(f"/api/games/{sent}/review")
        statuses.append(answer.status_code)
        bodies.append(answer.json())
        assert answer.status_code in {200, 202}, answer.text
    assert statuses == sorted(statuses, reverse=True), "once it is there it stays"
    assert statuses[0] == 202
    pending = [body for status, body in zip(statuses, bodies, strict=True) if status == 202]
    assert all(0 <= body["done"] <= body["of"] for body in pending)
    assert bodies[-1]["acts"]
    assert bodies[-1]["headline"].startswith("Expert: won")
