"""Nothing that is sent while a game runs tells where its mines are.

Every dialogue is held twice, on two boards whose numbers agree wherever the player has looked, and
whose mines and seeds differ elsewhere: all bytes must be the same but for ids and moments. The
mines are laid before the first click or at it, dealt from the seed or found by the solver. And a
mine is opened by the same calls of functions as a number.
"""

from __future__ import annotations

import asyncio
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from types import FrameType
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from starlette.applications import Starlette

import demine
from demine.game import Game
from demine.logic.errors import ActError
from demine.logic.event import Act, Lay, Verb
from demine.logic.rules import Rules
from demine.scene.sight import sight
from demine.store.game_rows import new_id
from demine.web import identity, kept_game, players, solver_queue
from demine.web.app import make_app
from demine.web.database.games import insert_game
from demine.web.services import Services
from tests.web.asgi_client import AsgiClient, AsgiSocket

GAMES = 1000
AT_ONCE = 40
RULES = (
    "9x9/10", "16x16/40", "12x8/20 first=any", "9x9/15 lives=3", "9x9/12 goal=flag",
)  # fmt: skip
GAMES_AT_FIRST_CLICK = 60
RULES_AT_FIRST_CLICK = ("9x9/25", "16x16/80 first=any", "12x8/30 lives=3")
QUIET_STEPS = ("doors", "reload", "pause", "doors", "resume", "undo", "ping")
"""What shows no more of a board."""
HELPED = 25
"""One in so many dialogues asks the solver."""
RUNNING_DOORS = (
    "/api/games/ID", "/api/setup", "/api/me", "/api/history", "/api/records", "/api/plots",
    "/api/me/export",
)  # fmt: skip
CLOSED_DOORS = (
    *(
        f"/api/games/ID/{each}"
        for each in ("journal", "watch", "statistics", "review", "chances?act=1")
    ),
    "/api/watch/ID.png",
)
"""What is for recordings of games that are over."""
PACKAGE = str(Path(demine.__file__).parent)
MOMENTS = re.compile(
    r'("(?:clock_ms|now|time_ms|pong)":)\d+|\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|\+00:00)'
)
Cell = tuple[int, int]
Step = tuple[str, Cell]
MineMap = NDArray[np.bool_]


@dataclass
class Script:
    """What a player does in a game that goes on afterwards, and what that shows of the board."""

    rules: Rules
    steps: list[Step]
    seen: NDArray[np.bool_]
    """The cells that were open at some time."""


def neighbours(cells: NDArray[np.bool_]) -> NDArray[np.intp]:
    """How many of the cells are around each one, counted plainly."""
    padded = np.pad(cells.astype(np.intp), 1)
    height, width = cells.shape
    return (
        sum(padded[row : row + height, col : col + width] for row in range(3) for col in range(3))
        - cells
    )


def script_on(rules: Rules, mines: MineMap, random: Random) -> Script:
    """A player who opens numbers, flags, chords, takes back, pauses and looks things up."""
    game = Game(rules, 0)
    game.lay(Lay(0, mines))
    numbers = neighbours(mines)
    first = random.choice(cells_of(~mines & ((numbers == 0) | (random.random() < 0.3))) or [(0, 0)])
    steps: list[Step] = []
    seen = np.zeros_like(mines)
    for _ in range(random.randrange(4, 11)):
        kind, cell = ("open", first) if not steps else next_step(game, mines, numbers, random)
        if kind not in {"doors", "reload", "ping"}:
            before = game.journal()
            with suppress(ActError):  # refused: so it must be on the other board
                game.play(Act(0, Verb(kind), *cell))
            if game.status.over:
                game = Game.from_journal(before)
                continue
            seen |= game.board.open_map
        steps.append((kind, cell))
        if kind == "pause":
            steps.append(("resume", (-1, -1)))
            game.play(Act(0, Verb.RESUME, -1, -1))
    return Script(rules, steps, seen)


def next_step(game: Game, mines: MineMap, numbers: NDArray[np.intp], random: Random) -> Step:
    board = game.board
    covered = ~board.open_map & ~board.flag_map
    kind = random.choice(
        ("open", "open", "open", "flag", "flag", "question", "chord", "undo", "pause", "doors",
         "reload", "ping")
    )  # fmt: skip
    if kind in {"open", "flag", "question"}:
        cells = cells_of(covered & ~mines) if kind == "open" else cells_of(~board.open_map)
        return kind, random.choice(cells or [(0, 0)])
    if kind == "chord":
        # Of those that would hit a mine nothing is promised.
        hits = (neighbours(board.flag_map) == numbers) & (neighbours(covered & mines) > 0)
        return kind, random.choice(cells_of(board.open_map & ~hits) or [(0, 0)])
    return kind, (-1, -1)


def cells_of(where: NDArray[np.bool_]) -> list[tuple[int, int]]:
    return [(int(row), int(col)) for row, col in np.argwhere(where)]


def laid_anew(mines: MineMap, seen: NDArray[np.bool_], random: Random) -> MineMap:
    """Other mines that show the same numbers in the cells that were seen."""
    numbers = neighbours(mines)
    for _ in range(60):
        full, free = cells_of(mines), cells_of(~mines & ~seen)
        if not free:
            break
        tried = mines.copy()
        tried[random.choice(full)], tried[random.choice(free)] = False, True
        if (neighbours(tried) == numbers)[seen].all():
            mines = tried
    return mines


@dataclass
class Board:
    """Where the mines of a game come from."""

    seed: int
    mines_before: MineMap | None = None
    """Laid before the first click; None if they are laid at it."""


async def made_game(
    app: Starlette, rules: Rules, mines: MineMap | None, seed: int
) -> tuple[str, str]:
    """A game of a new player: its id, and the player's cookie; None has it laid at the opening."""
    site: Services = app.state.services
    player = (await players.create(site.database)).id
    game, game_id = Game(rules, seed), new_id()
    if mines is not None:
        game.lay(Lay(0, mines))
    await site.database.write(lambda connection: insert_game(connection, game_id, player, game))
    return game_id, f"demine={identity.signed(player, site.key)}"


async def dialogue(
    app: Starlette, number: int, script: Script, board: Board, *, asks: bool
) -> list[str]:
    """Play a script on a board; return all that was sent, ids and moments taken out."""
    game_id, cookie = await made_game(app, script.rules, board.mines_before, board.seed)
    client = AsgiClient(app, f"10.{number >> 16}.{number >> 8 & 255}.{number & 255}", cookie)
    path = f"/ws/games/{game_id}"
    async with AsgiSocket(client, path, "client=a") as socket:
        status = (await socket.hear())["hello"]["status"]
        acts = 0
        for kind, cell in script.steps:
            if kind == "doors":
                await knock(client, game_id, acts)
            elif kind == "reload":
                async with AsgiSocket(client, path, f"client=b&since={acts}") as other:
                    await other.hear()
            elif kind == "ping":
                socket.say(ping=acts)
                await socket.hear()
            else:
                acts += 1
                where = {"cell": cell} if cell[0] >= 0 else {}
                socket.say(seq=acts, verb=kind, **where)
                status = (await socket.hear())["status"]
        if asks:
            for ask in ("chances", "hint"):
                acts += 1
                socket.say(seq=acts, ask=ask)
                while "help" not in await socket.hear():
                    pass
        assert status in {"running", "ready"}, "the game is over: nothing was tried"
        await knock(client, game_id, number)
    await client.close()
    player = identity.read_signed(cookie.partition("=")[2], app.state.services.key) or ""
    return [
        MOMENTS.sub(r"\1T", text.replace(game_id, "GAME").replace(player, "PLAYER"))
        for text in client.heard
    ]


async def knock(client: AsgiClient, game_id: str, number: int) -> None:
    """Try two of the doors that could tell something of a running game, in turn."""
    path = RUNNING_DOORS[number % len(RUNNING_DOORS)]
    assert await client.get(path.replace("ID", game_id)) == 200, path
    path = CLOSED_DOORS[number % len(CLOSED_DOORS)]
    assert await client.get(path.replace("ID", game_id)) == 409, path


@asynccontextmanager
async def running_app(folder: Path) -> Any:
    app = make_app(folder / "server.sqlite")
    async with app.router.lifespan_context(app):
        yield app


def pairs(count: int, texts: Sequence[str] = RULES) -> Iterator[tuple[Script, MineMap, MineMap]]:
    """Scripts with two boards that look alike."""
    random = Random(20)
    while count:
        rules = Rules.parse(random.choice(texts))
        mines: MineMap = np.zeros((rules.height, rules.width), bool)
        mines.flat[random.sample(range(rules.cells), rules.mines)] = True
        script = script_on(rules, mines, random)
        other = laid_anew(mines, script.seen, random)
        if (other != mines).any() and script.seen.any():
            yield script, mines, other
            count -= 1


def pairs_from_seeds(count: int) -> Iterator[tuple[Script, int, int]]:
    """Scripts with two seeds whose mines, dealt at the first click, look alike."""
    random = Random(21)
    while count:
        rules = Rules.parse(random.choice(RULES_AT_FIRST_CLICK))
        first = random.randrange(rules.height), random.randrange(rules.width)
        alike: dict[bytes, int] = {}
        for seed in random.sample(range(2**60), 40):
            game = Game(rules, seed)
            game.open(*first)
            if game.status.over:
                continue
            other = alike.setdefault(game.board.open_map.tobytes() + sight(game).tobytes(), seed)
            if other != seed:
                script = script_after(rules, first, game, random)
                yield script, other, seed
                count -= 1
                break


def script_after(rules: Rules, first: Cell, game: Game, random: Random) -> Script:
    """Open one cell, and do what shows no more of the board."""
    flagged, questioned = random.sample(cells_of(~game.board.open_map), 2)
    steps: list[Step] = [("open", first), ("chord", first), ("flag", flagged)]
    steps += [("question", questioned), *((kind, (-1, -1)) for kind in QUIET_STEPS)]
    return Script(rules, steps, game.board.open_map.copy())


class Pairs:
    """Dialogues held on two boards each: all that is said must be the same."""

    def __init__(self, app: Starlette) -> None:
        self.length = 0
        self._app = app
        self._limit = asyncio.Semaphore(AT_ONCE)
        self._count = 0

    async def compare(self, script: Script, boards: Iterable[Board]) -> None:
        number, self._count = self._count, self._count + 1
        async with self._limit:
            one, two = [
                await dialogue(self._app, number, script, board, asks=number % HELPED == 0)
                for board in boards
            ]
        assert one == two, script.steps
        self.length += sum(map(len, one))


def test_all_that_is_sent_of_running_games_is_the_same_for_other_mines(tmp_path: Path) -> None:
    async def all_dialogues() -> int:
        random = Random(7)
        async with running_app(tmp_path) as app:
            found = Pairs(app)
            async with asyncio.TaskGroup() as tasks:
                for script, *mines in pairs(GAMES // 2):
                    boards = [Board(random.randrange(2**60), each) for each in mines]
                    tasks.create_task(found.compare(script, boards))
                for script, *seeds in pairs_from_seeds(GAMES_AT_FIRST_CLICK // 2):
                    tasks.create_task(found.compare(script, map(Board, seeds)))
        return found.length

    assert asyncio.run(all_dialogues()) > 500_000


def test_nothing_is_sent_of_mines_that_the_solver_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The search is left out: mines that look alike are given in its place."""
    found: dict[int, MineMap] = {}

    async def deal(_asker: object, _rules: Rules, seed: int, _first: Cell) -> MineMap:
        return found[seed]

    async def all_dialogues() -> int:
        async with running_app(tmp_path) as app:
            monkeypatch.setattr(app.state.services.solver, "deal", deal)
            compared = Pairs(app)
            async with asyncio.TaskGroup() as tasks:
                for script, *mines in pairs(GAMES_AT_FIRST_CLICK // 2, ("9x9/10",)):
                    boards = [Board(len(found) + at) for at in range(2)]
                    found.update(zip((board.seed for board in boards), mines, strict=True))
                    free = replace(script, rules=Rules.parse("9x9/10 guess-free"))
                    tasks.create_task(compared.compare(free, boards))
        return compared.length

    assert asyncio.run(all_dialogues()) > 20_000


class Seen:
    """What the server does before the first message of an answer, in order."""

    def __init__(self) -> None:
        self.done: list[str] = []

    def note(self, what: str, work: Callable[..., Any]) -> Callable[..., Any]:
        def noted(*args: Any, **more: Any) -> Any:
            self.done.append(what)
            return work(*args, **more)

        return noted


@pytest.mark.parametrize("rules", ["9x9/11", "9x9/11 lives=3"])
def test_a_mine_and_a_number_are_opened_in_the_same_way(
    rules: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    board = Rules.parse(rules)
    mines: MineMap = np.zeros((9, 9), bool)
    mines[8] = True
    mines[0, 4:6] = True
    other = mines.copy()
    other[0, 4], other[0, 8] = False, True
    cell = (0, 4)

    async def steps_of(app: Starlette, where: MineMap) -> tuple[list[str], dict[str, Any]]:
        game_id, cookie = await made_game(app, board, where, 1)
        client = AsgiClient(app, "10.0.0.1", cookie)
        seen, answer = Seen(), {}
        async with AsgiSocket(client, f"/ws/games/{game_id}", "client=a") as socket:
            await socket.hear()
            for number, at in enumerate(((7, 4), cell), 1):
                with monkeypatch.context() as patch:
                    site: Services = app.state.services
                    patch.setattr(site.database, "write", seen.note("write", site.database.write))
                    patch.setattr(socket, "taken", seen.note("send", socket.taken))
                    socket.say(seq=number, verb="open", cell=at)
                    answer = await socket.hear()
                    assert answer["ack"] == number
        await client.close()
        return seen.done, answer

    async def both() -> Iterable[tuple[list[str], dict[str, Any]]]:
        async with running_app(tmp_path) as app:
            return [await steps_of(app, where) for where in (mines, other)]

    (hit_steps, hit), (number_steps, number) = asyncio.run(both())
    assert hit["status"] == ("running" if board.lives > 1 else "lost")
    assert number["status"] == "running"
    # Once the end of a game is on the disk, its figures are counted and written too.
    figures = ["write"] if hit["status"] == "lost" else []
    assert number_steps == ["write", "send"] * 2
    assert hit_steps == ["write", "send", "write", *figures, "send"]


OF_THE_SERVER = (
    "forget_idle", "_is_idle", "_sweep", "_repeat", "look_after_boards", "today_utc",
    "watch_event_loop", "save_clocks", "_until_seconds",
)  # fmt: skip
"""What a server does every now and then."""


async def calls_of_last_opening(app: Starlette, script: Script, mines: MineMap) -> list[str]:
    """The functions that are called between the last act of a script and its answer, in order."""
    game_id, cookie = await made_game(app, script.rules, mines, 1)
    client = AsgiClient(app, "10.0.0.1", cookie)
    called: list[str] = []

    def note(frame: FrameType, event: str, _argument: object) -> None:
        code = frame.f_code
        if event == "call" and PACKAGE in code.co_filename and code.co_name not in OF_THE_SERVER:
            called.append(f"{Path(code.co_filename).stem}.{code.co_qualname}")

    async with AsgiSocket(client, f"/ws/games/{game_id}", "client=a") as socket:
        await socket.hear()
        for number, (kind, cell) in enumerate(script.steps, 1):
            if number == len(script.steps):
                socket.taken = lambda: sys.setprofile(None)  # type: ignore[method-assign]
                sys.setprofile(note)
            socket.say(seq=number, verb=kind, **({"cell": cell} if cell[0] >= 0 else {}))
            answer = await socket.hear()
            assert answer["ack"] == number
            assert answer["status"] != "ready"
    await client.close()
    return called


def openings_of_mines_and_numbers(count: int, rules: str) -> Iterator[tuple[Script, list[MineMap]]]:
    """Scripts that end with opening a mine on the first of two boards, on the second a number."""
    for script, *boards in pairs(10 * count, (rules,)):
        steps = [each for each in script.steps if each[0] not in {"doors", "reload", "ping"}]
        flags = {cell for kind, cell in steps if kind in {"flag", "question"}}
        for hit, other in (boards, boards[::-1]):
            numbers = neighbours(other)
            cells = set(cells_of(hit & ~other & (numbers > 0) & ~script.seen)) - flags
            if cells and count:
                yield replace(script, steps=[*steps, ("open", min(cells))]), [hit, other]
                count -= 1


def test_the_same_functions_open_a_mine_and_a_number(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """How long an answer takes tells nothing: all that leads up to it is the same."""
    # What the server does beside it, at any moment.
    monkeypatch.setattr(kept_game, "_LOOK_S", 3600.0)
    monkeypatch.setattr(solver_queue, "PREPARE_SECONDS", 3600.0)

    async def compare_all() -> int:
        compared = 0
        async with running_app(tmp_path) as app:
            for script, boards in openings_of_mines_and_numbers(20, "9x9/15 lives=3"):
                await calls_of_last_opening(app, script, boards[0])  # what is cached is cached
                hit, number = [await calls_of_last_opening(app, script, each) for each in boards]
                assert hit == number
                assert len(hit) > 50
                compared += 1
            # A mine that ends the game is judged as any cell is; what follows is known to all.
            for script, boards in openings_of_mines_and_numbers(5, "9x9/15"):
                hit, number = [await calls_of_last_opening(app, script, each) for each in boards]
                judged = hit.index("board_state.Board.lost")
                assert hit[: judged + 1] == number[: judged + 1]
        return compared

    assert asyncio.run(compare_all()) == 20
