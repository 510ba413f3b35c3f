"""Work that takes long is done one piece after the other, and few pieces of one client wait."""

from __future__ import annotations

import asyncio
import threading

import pytest

from demine.scene.translation import current_language, speaking
from demine.web.errors import TooMany
from demine.web.long_work import MOST_OF_CLIENT, LongWork


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
        return await asyncio.gather(*(work.do(f"client {at}", piece, at) for at in range(10)))

    assert asyncio.run(do_all()) == list(range(10))
    assert most == 1


def test_few_pieces_of_one_client_wait() -> None:
    async def do_all() -> tuple[list[str | BaseException], str]:
        work = LongWork()
        with speaking("zh_CN"):
            many = [work.do("one", current_language) for _ in range(MOST_OF_CLIENT + 2)]
            asked = asyncio.gather(*many, return_exceptions=True)
            return await asked, await work.do("other", current_language)

    done, other = asyncio.run(do_all())
    assert done[:MOST_OF_CLIENT] == ["zh_CN"] * MOST_OF_CLIENT
    assert [type(each) for each in done[MOST_OF_CLIENT:]] == [TooMany, TooMany]
    assert other == "zh_CN"
