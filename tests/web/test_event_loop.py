"""The event loop, which answers everybody, does no long step for the largest board."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

import demine
from demine.game import Game
from demine.logic.rules import Rules
from demine.web import identity, players
from demine.web.app import make_app
from demine.web.database.games import insert_game
from demine.web.services import Services
from tests.web.asgi_client import AsgiClient, AsgiSocket

LARGEST = Rules.parse("256x256/12000")
MOST_LINES = 5000
"""Lines of Python in one step; a list of all cells would take twenty times as many."""
PACKAGE = str(Path(demine.__file__).parent)


class Steps:
    """Counts the lines of demine that each step of the event loop runs."""

    def __init__(self) -> None:
        self.longest = 0
        self._lines = 0

    def watch(self, monkeypatch: pytest.MonkeyPatch) -> None:
        run = asyncio.Handle._run

        def counted(handle: asyncio.Handle) -> None:
            self._lines = 0
            sys.settrace(self._trace)
            try:
                run(handle)
            finally:
                sys.settrace(None)
                self.longest = max(self.longest, self._lines)

        monkeypatch.setattr(asyncio.Handle, "_run", counted)

    def _trace(self, frame: FrameType, event: str, _argument: object) -> Any:
        if not frame.f_code.co_filename.startswith(PACKAGE):
            return None
        self._lines += event == "line"
        return self._trace


async def play_and_look(app: Any) -> None:
    """Open, ask, come back, give up, and look at the game in every way."""
    services: Services = app.state.services
    player, game = (await players.create(services.database)).id, "g" * 36
    await services.database.write(lambda to: insert_game(to, game, player, Game(LARGEST, 5)))
    client = AsgiClient(app, "127.0.0.1", f"demine={identity.signed(player, services.key)}")
    path = f"/ws/games/{game}"
    async with AsgiSocket(client, path, "client=a") as socket:
        await socket.hear()
        socket.say(seq=1, verb="open", cell=[100, 100])
        assert (await socket.hear())["ack"] == 1
        for number, ask in enumerate(("chances", "hint"), 2):
            socket.say(seq=number, ask=ask)
            while "help" not in await socket.hear():
                pass
        async with AsgiSocket(client, path, "client=b") as other:
            assert len((await other.hear())["hello"]["faces"]) == LARGEST.height
        socket.say(seq=4, verb="resign")
        while (await socket.hear()).get("ack") != 4:
            pass
    for door in ("watch", "statistics", "chances?act=0", "journal"):
        assert await client.get(f"/api/games/{game}/{door}") == 200
    await client.close()


def test_the_largest_board_takes_no_long_step(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def play() -> None:
        app = make_app(tmp_path / "server.sqlite")
        async with app.router.lifespan_context(app):
            with monkeypatch.context() as patch:
                steps.watch(patch)
                await play_and_look(app)

    steps = Steps()
    asyncio.run(play())
    assert 100 < steps.longest < MOST_LINES
