"""Work that takes long is done one piece after the other, and few pieces of one client wait."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from contextlib import ExitStack
from functools import partial
from typing import TypeVar

import pytest
from starlette.requests import Request

from demine.scene.translation import current_language, speaking
from demine.web.api.door import AnyDoor, Nothing, Visit
from demine.web.api.replays import DOORS
from demine.web.errors import ClientLeft, TooMany
from demine.web.long_work import MOST_OF_ADDRESS, MOST_OF_PLAYER, LongWork
from demine.web.services import Services
from demine.web.solver_queue import Asker

T = TypeVar("T")


async def do(work: LongWork, asker: Asker, piece: Callable[[], T]) -> T:
    async with work.turn(asker):
        return await asyncio.to_thread(piece)


def visit_of(work: LongWork, *, has_left: bool = False) -> Visit[Nothing]:
    """A request for a recording."""

    async def receive() -> dict[str, object]:
        return {"type": "http.disconnect"} if has_left else {"type": "http.request"}

    services = Services.__new__(Services)
    services.long_work = work
    scope = {"type": "http", "headers": [], "client": ("192.0.2.1", 1)}
    request = Request({**scope, "path_params": {"game_id": "a"}}, receive)
    return Visit(request, services, Nothing(), "en", None)


def test_one_piece_is_done_at_a_time() -> None:
    at_once, most, both = 0, 0, threading.Barrier(2)

    def piece(number: int) -> int:
        nonlocal at_once, most
        at_once += 1
        most = max(most, at_once)
        with pytest.raises(threading.BrokenBarrierError):  # nobody else comes
            both.wait(0.01)
        both.reset()
        at_once -= 1
        return number

    async def do_all() -> list[int]:
        work = LongWork()
        askers = (Asker(f"player {at}", f"address {at}") for at in range(10))
        return await asyncio.gather(
            *(do(work, asker, partial(piece, at)) for at, asker in enumerate(askers))
        )

    assert asyncio.run(do_all()) == list(range(10))
    assert most == 1


def test_few_pieces_of_one_player_wait() -> None:
    async def do_all() -> tuple[list[str | BaseException], str]:
        work = LongWork()
        with speaking("zh_CN"):
            one = Asker("one", "192.0.2.1")
            many = [do(work, one, current_language) for _ in range(MOST_OF_PLAYER + 2)]
            asked = asyncio.gather(*many, return_exceptions=True)
            return await asked, await do(work, Asker("other", "192.0.2.1"), current_language)

    done, other = asyncio.run(do_all())
    assert done[:MOST_OF_PLAYER] == ["zh_CN"] * MOST_OF_PLAYER
    assert [type(each) for each in done[MOST_OF_PLAYER:]] == [TooMany, TooMany]
    assert other == "zh_CN"


def test_few_pieces_of_one_address_wait() -> None:
    async def do_all() -> list[str | BaseException]:
        work = LongWork()
        askers = [Asker(f"player {at}", "192.0.2.1") for at in range(MOST_OF_ADDRESS + 2)]
        many = [do(work, asker, current_language) for asker in askers]
        return await asyncio.gather(*many, return_exceptions=True)

    done = asyncio.run(do_all())
    assert [type(each) for each in done] == [str] * MOST_OF_ADDRESS + [TooMany] * 2


def test_nothing_is_done_for_whoever_has_left() -> None:
    done: list[int] = []
    visit = visit_of(LongWork(), has_left=True)
    with pytest.raises(ClientLeft):
        asyncio.run(visit.in_thread(done.append, 1))
    assert not done
    asyncio.run(visit_of(LongWork()).in_thread(done.append, 1))
    assert done == [1]


RECORDINGS = [door for door in DOORS if door.path.startswith("/api/games/")]


@pytest.mark.parametrize("door", RECORDINGS, ids=lambda door: door.path)
def test_to_load_a_recording_is_such_work_too(door: AnyDoor) -> None:
    async def ask() -> None:
        work = LongWork()
        visit = visit_of(work)
        with ExitStack() as held:
            for _ in range(MOST_OF_PLAYER):
                held.enter_context(work._of_players.hold(visit.asker.player))
            with pytest.raises(TooMany):
                await door.handler(visit)

    asyncio.run(ask())
