"""The socket of a game: acts come in, what they changed goes out once it is on the disk."""

from __future__ import annotations

import asyncio
import logging
import re
import time
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeVar

import msgspec
from msgspec import UNSET
from starlette.websockets import WebSocketDisconnect, WebSocketState

from demine.logic.errors import ActError, DemineError, quoted
from demine.logic.event import Verb
from demine.logic.metadata import FIELD_CELL
from demine.play.game_title import game_title
from demine.play.hints import position_of
from demine.scene.board_title import level_name
from demine.scene.translation import speaking
from demine.web import players
from demine.web.coop.table import NOBODY
from demine.web.coop.table_news import Pointers
from demine.web.digit_rows import digit_rows
from demine.web.errors import (
    NotFound,
    RequestError,
    TooMany,
    TryLater,
    explain_to_client,
    what_of,
)
from demine.web.identity import player_of
from demine.web.latency import Latency
from demine.web.limits import address_of
from demine.web.solver_queue import Asker
from demine.web.text_socket import accept_once
from demine.web.websocket.game_end import end_message
from demine.web.websocket.help import Question, answer, words_on_end
from demine.web.websocket.protocol import (
    PROTOCOL_VERSION,
    Answer,
    Bye,
    Hello,
    HelloMessage,
    Help,
    Pong,
    Refusal,
    decode,
    encode,
)

if TYPE_CHECKING:
    from collections.abc import Coroutine

    from starlette.websockets import WebSocket

    from demine.web.coop.table import Table
    from demine.web.coop.table_news import TableNews
    from demine.web.open_games import OpenGame, Update
    from demine.web.services import Services
    from demine.web.websocket.protocol import FromClient, Message, ToClient

T = TypeVar("T")
_LOG: Final = logging.getLogger("demine.web")
_CLIENT: Final = re.compile(r"[\w-]{0,36}", re.ASCII)
"""The name that a client gives itself, so that it is recognised after a lost connection."""
_SINCE: Final = re.compile(r"\d{1,15}", re.ASCII)
MOST_WAITING: Final = 64
"""How many messages may wait for a client that does not read."""
MOST_WAITING_CHARS: Final = 4 << 20
"""How long they may be together; they are ASCII for the most part."""
MOST_RECEIVED: Final = 64
"""How many messages of a client are kept while a guess-free board is searched for."""
_SHARE_OF_CELLS: Final = 6
"""From so small a part of the board on, all faces are shorter than the changed cells."""
CHANGES_OF_MESSAGE: Final = 100
"""Looking at so many changes of a board takes as long as a message."""
SIGN_OF_LIFE_S: Final = 5.0
"""How long an act may take before the client hears that it is worked at."""
CLOSE_BAD_MESSAGE: Final = 1007
CLOSE_POLICY: Final = 1008
CLOSE_RESTART: Final = 1012
CLOSE_TRY_AGAIN: Final = 1013


async def play_game(websocket: WebSocket) -> None:
    """Serve one connection to `/ws/games/ID?since=SEQ&client=NAME`, to its end."""
    services: Services = websocket.app.state.services
    try:
        await services.relay.serve_at_home(websocket, _serve_here)
    except WebSocketDisconnect:
        pass
    except DemineError as error:
        code = CLOSE_TRY_AGAIN if isinstance(error, TryLater) else CLOSE_POLICY
        await end_with_reason(websocket, what_of(error), explain_to_client(error), code)


async def _serve_here(websocket: WebSocket) -> None:
    """Serve a connection whose game lives in this process; raises `Elsewhere` for any other."""
    services: Services = websocket.app.state.services
    address = address_of(websocket)
    services.limits.addresses.take(address)
    with services.limits.sockets_of_addresses.hold(address):
        game, player = await _own_game(websocket, services)
        await accept_once(websocket)
        with services.limits.sockets_of_players.hold(player):
            await _play(websocket, game, player, services)


async def _play(websocket: WebSocket, game: OpenGame, player: str, services: Services) -> None:
    """Serve a connection to a game to its end."""
    connection = GameConnection(websocket, game, player, services)
    game.watchers.add(connection)
    table, seat = game.table, connection.seat
    await services.note_played(player, game)
    try:
        with speaking(await _language(websocket, services, player)):
            if table is not None:
                table.come(seat)
            # In a task of its own: every act would else wake the whole stack of the application.
            await asyncio.create_task(connection.serve_to_end())
    finally:
        connection.leave()
        services.open_games.leave(game, connection)
        if table is not None:
            table.go(seat)


async def _language(websocket: WebSocket, services: Services, player: str) -> str:
    """Return the language that a player chose, else the browser's."""
    known = await players.find(services.database, player)
    players.refuse_banned(known)
    return players.language_of(known, websocket)


async def _own_game(websocket: WebSocket, services: Services) -> tuple[OpenGame, str]:
    """Return the game of the path, if it is this player's, and the player; raises `NotFound`."""
    game = await services.open_games.get(websocket.path_params["game_id"])
    player = player_of(websocket, services.key)
    if player is None or game.seat_of(player) is None:
        raise NotFound("there is no such game")
    return game, player


async def end_with_reason(websocket: WebSocket, what: str, message: str, code: int) -> None:
    """Say why, and close a connection, accepted or not."""
    with suppress(WebSocketDisconnect, RuntimeError):  # whoever has gone already
        await accept_once(websocket)  # no browser tells a page why its socket was not accepted
        if websocket.application_state is WebSocketState.CONNECTED:
            await websocket.send_text(encode(Bye(what, message)))
            await websocket.close(code, what)


class GameConnection:
    """One connection to a game: a tab of its player, or of one of its players, or a program.

    Raises `RequestError` for parameters that are none.
    """

    # Ten thousand may be idle: there are slots, and nothing that reserves room for later.
    __slots__ = (
        "_act_since", "_ask", "_asking", "_client", "_deal", "_game", "_is_closing", "_is_greeted",
        "_latency", "_life", "_loop", "_received", "_sending", "_services", "_since", "_tasks",
        "_title_of", "_waiting", "_waiting_chars", "_websocket", "player", "seat",
    )  # fmt: skip

    def __init__(
        self, websocket: WebSocket, game: OpenGame, player: str, services: Services
    ) -> None:
        self._services = services
        self.player = player
        self.seat = game.seat_of(player) or NOBODY
        asker = Asker(player, address_of(websocket))
        self._ask = partial(services.solver.ask, asker)
        self._deal = partial(services.solver.deal, asker)
        services.solver.prepare()
        self._websocket = websocket
        self._loop = asyncio.get_running_loop()
        self._received: list[asyncio.Future[str]] = []
        """The next messages, as far as they are waited for already."""
        self._asking: frozenset[asyncio.Future[Any]] = frozenset()
        """The questions that nobody wants answered once the client has gone."""
        self._game = game
        named = _parameter(websocket, "client", _CLIENT) or ""
        # Players know nothing of each other's clients.
        self._client = f"{self.seat}.{named}" if self.seat else named
        since = _parameter(websocket, "since", _SINCE)
        self._since = int(since) if since else None
        self._waiting: list[str] = []
        self._waiting_chars = 0
        self._sending = asyncio.Lock()
        self._is_closing = False
        """Whether the last word is said: no more messages are taken."""
        self._act_since: float | None = None
        """Since when an act is worked at, by the clock of the event loop."""
        self._life: asyncio.TimerHandle | None = None
        self._tasks: frozenset[asyncio.Task[None]] = frozenset()
        self._title_of: tuple[str, int] | None = None
        """What the title that the client was told depends on: why unranked, and mines that blew."""
        self._latency = Latency()
        self._is_greeted = False
        """Whether the client was told the whole state, without which news mean nothing."""

    async def serve_to_end(self) -> None:
        """Serve until the client leaves, or the game is lost; then say why.

        Raises `WebSocketDisconnect` when the client leaves.
        """
        try:
            await self._serve()
        except DemineError as error:
            await self._end_by(error)

    async def _serve(self) -> None:
        """Say hello, then answer every message."""
        async with self._game.lock:
            end = await end_message(self._services.database, self._game)
            self._say(HelloMessage(self._hello(end)))
            self._is_greeted = True
        await self._flush()
        while self._takes_messages():
            try:
                message = decode(await self._receive())
                self._services.limits.messages.take(self.player, self._cost(message))
            except TooMany as error:
                await self._end(what_of(error), explain_to_client(error), CLOSE_TRY_AGAIN)
                return
            except (msgspec.MsgspecError, KeyError) as error:  # KeyError: a frame of bytes
                await self._end("malformed", str(error), CLOSE_BAD_MESSAGE)
                return
            if not self._takes_messages():
                return
            if message.ping is not UNSET:
                self._say(Pong(message.ping, self._latency.now_ms()))
            elif message.pong is not UNSET:
                self._latency.hear_pong(message.pong)
            elif message.verb is not UNSET and message.seq is not UNSET:
                sent_at = None if message.t is UNSET else message.t
                delay = self._latency.delay_ms(sent_at)
                cell = message.cell or (-1, -1)
                seen = None if message.seen is UNSET else message.seen
                asked = _Asked(message.seq, _VERBS[message.verb], cell, delay, seen)
                began = time.perf_counter()  # the loop's clock may count whole milliseconds
                self._watch_act()
                try:
                    await self._answer(asked)
                finally:
                    self._act_since = None
                self._services.metrics.act_seconds.observe(time.perf_counter() - began)
            elif message.ask is not UNSET and message.seq is not UNSET:
                near = None if message.near is UNSET else message.near
                await self._take_question(Question(message.seq, message.ask, near, message.assumed))
            elif self._game.table is not None:
                self._show_others(self._game.table, message)
            await self._flush()

    def _show_others(self, table: Table, message: FromClient) -> None:
        """Show the other players of a co-op game where this one points, within limits."""
        height, width = self._game.game.rules.shape
        if message.signal is not UNSET:
            row, col = message.signal
            if row < height and col < width and self._services.limits.signals.allows(self.player):
                table.signal(self.seat, (row, col))
        elif message.pointer is None:
            table.point(self.seat, None)
        elif message.pointer is not UNSET:
            x, y = message.pointer
            if x < width * FIELD_CELL and y < height * FIELD_CELL:
                table.point(self.seat, (x, y))

    def _takes_messages(self) -> bool:
        """Whether the last word is not said yet, which may happen at every `await`."""
        return not self._is_closing

    def _cost(self, message: FromClient) -> float:
        """Return what a message costs: to undo on a board of several, all acts are looked at."""
        if self._game.table is None or message.verb != "undo":
            return 1.0
        return 1.0 + len(self._game.game.changes) / CHANGES_OF_MESSAGE

    async def _receive(self) -> str:
        """Return the next message; raises `WebSocketDisconnect` when the client leaves."""
        if self._received:
            return await self._received.pop(0)
        return await self._websocket.receive_text()

    async def _while_here(self, work: Coroutine[object, object, T]) -> T:
        """Do something for which the next messages have to wait, until the client leaves.

        Raises `WebSocketDisconnect` then, unless the work is done.
        """
        task = asyncio.ensure_future(work)
        try:
            while not task.done() and len(self._received) < MOST_RECEIVED:
                if not self._received or self._received[-1].done():
                    self._received.append(asyncio.ensure_future(self._websocket.receive_text()))
                newest = self._received[-1]
                either: tuple[asyncio.Future[Any], ...] = (task, newest)
                await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED)
                error = None if task.done() else newest.exception()
                if isinstance(error, WebSocketDisconnect):
                    raise error
            return await task
        finally:
            task.cancel()

    def _until_left(self, asking: asyncio.Task[T]) -> asyncio.Task[T]:
        """Have a question dropped when the client leaves."""
        self._asking |= {asking}
        asking.add_done_callback(self._forget_question)
        return asking

    def _forget_question(self, asked: asyncio.Future[Any]) -> None:
        self._asking -= {asked}

    def leave(self) -> None:
        """Drop what only this client wanted to know."""
        for each in (*self._asking, *self._received):
            each.cancel()

    # What others do

    def game_changed(self, update: Update) -> None:
        """Tell of an act that another connection played."""
        self._say_now(self._state(update))
        if self._is_greeted and self._game.game.status.over:
            self._later(self._say_end())

    def hear(self, message: TableNews) -> None:
        """Tell of other players; pointers are left out for who reads slowly."""
        if isinstance(message, Pointers):
            others = [each for each in message.pointers if each[0] != self.seat]
            if len(self._waiting) > MOST_WAITING // 8 or not others:
                return
            message = Pointers(others)
        self._say_now(message)

    def _say_now(self, message: ToClient) -> None:
        if not self._is_greeted:
            return
        self._say(message)
        if not self._sending.locked():
            self._later(self._flush())

    async def _say_end(self) -> None:
        """Say how the game ended that another connection ended."""
        async with self._game.lock:
            end = await end_message(self._services.database, self._game)
            if end is not None:
                self._say(self._state(None, message=end))
        await self._flush()

    def game_lost(self, error: DemineError) -> None:
        """Close the connection: the game was deleted, or must be loaded again."""
        self._later(self._end_by(error))

    async def close(self) -> None:
        """Answer the act that is under way, say that the server stops, and close the connection."""
        async with self._game.lock:
            self._say(Bye("restart"))
            self._is_closing = True
        with suppress(WebSocketDisconnect, RuntimeError):  # whoever has gone already
            await self._flush()
            await self._websocket.close(CLOSE_RESTART, "restart")

    # Acts

    async def _answer(self, asked: _Asked) -> None:
        """Play an act and answer it; one that was answered before is answered again."""
        game, number, verb, cell = self._game, asked.number, asked.verb, asked.cell
        async with game.lock:
            if self._is_closing:
                return
            if number <= game.numbers.get(self._client, 0):
                self._say(self._state(None, ack=number))
                return
            if refused := self._refusal_of_number(number):
                self._say(self._state(None, ack=number, refused=refused))
                return
            if self._comes_too_late(asked):
                game.numbers[self._client] = number
                self._say(self._state(None, ack=number))
                return
            try:
                if verb is Verb.RESIGN and game.table is not None:
                    raise ActError("nobody gives up a game for others")
                if verb is Verb.OPEN and game.needs_search:
                    self._services.limits.deals.take(self.player)
                    await self._while_here(game.lay(*cell, self._deal))
                # Not before: whoever leaves during the search has to send the act again.
                game.numbers[self._client] = number
                update = await game.play(
                    verb, *cell, self._client, number, asked.delay_ms, self.seat
                )
            except DemineError as error:
                if game.lost_by is not None:
                    raise
                game.numbers[self._client] = number
                refused = None if self._was_forestalled(asked) else _refusal(what_of(error), error)
                self._say(self._state(None, ack=number, refused=refused))
                return
            game.tell(update, self)
            await self._services.note_played(self.player, game)
            if not game.status.over:
                self._say(self._state(update, ack=number))
                return
            end = await end_message(self._services.database, game)
            self._say(self._state(update, ack=number, message=end))
            if verb is not Verb.RESIGN and game.umpire is None:
                self._until_left(self._later(self._say_words_on_end()))

    def _comes_too_late(self, asked: _Asked) -> bool:
        """Whether somebody else changed what an act would turn back, before the player saw that.

        A second flag on a cell would take the first one away.
        """
        if self._game.table is None or asked.seen is None or asked.verb not in _TURNS_BACK:
            return False
        cell = None
        if asked.verb is not Verb.UNDO:
            cell = asked.cell[0] * self._game.game.rules.width + asked.cell[1]
        return self._game.table.is_overtaken(self.seat, asked.seen, cell)

    def _was_forestalled(self, asked: _Asked) -> bool:
        """Whether an act may be refused because of what somebody else did meanwhile."""
        table = self._game.table
        return (
            table is not None
            and asked.seen is not None
            and asked.verb is not Verb.RESIGN
            and table.is_overtaken(self.seat, asked.seen)
        )

    def _watch_act(self) -> None:
        """Have signs of life shown while an act takes long, until `_act_since` is None again."""
        self._act_since = self._loop.time()
        # One timer watches many acts: most are over long before it runs.
        if self._life is None:
            self._life = self._loop.call_later(SIGN_OF_LIFE_S, self._show_life)

    def _show_life(self) -> None:
        """Let the client know that the connection lives while a board is searched for."""
        if self._act_since is None:
            self._life = None
            return
        if self._loop.time() >= self._act_since + SIGN_OF_LIFE_S:
            self._act_since = self._loop.time()
            self._say(Pong(0, self._latency.now_ms()))
            self._later(self._flush())
        self._life = self._loop.call_at(self._act_since + SIGN_OF_LIFE_S, self._show_life)

    def _refusal_of_number(self, number: int) -> Refusal | None:
        """Return why a number cannot be the next one: others are missing before it."""
        last = self._game.numbers.get(self._client, 0)
        if number <= last + 1:
            return None
        error = ActError("act {number} came after act {last}", number=number, last=last)
        return _refusal("gap", error)

    # Help

    async def _take_question(self, question: Question) -> None:
        """Take a question in its turn; it is answered while the game goes on."""
        number, kind = question.number, question.kind
        async with self._game.lock:
            if refused := self._refusal_of_number(number):
                self._say(Help(number, kind, refused=refused))
                return
            numbers = self._game.numbers
            numbers[self._client] = max(number, numbers.get(self._client, 0))
            if self._game.umpire is not None:
                error = ActError("nobody helps on a board that others play too")
                self._say(Help(number, kind, refused=_refusal("shared_board", error)))
                return
            asked_at = position_of(self._game.game)
        self._later(self._help(question, asked_at))

    async def _help(self, question: Question, asked_at: object) -> None:
        """Answer a question; what was found is dropped if the position is another by then."""
        number, kind = question.number, question.kind
        open_game, game = self._game, self._game.game
        try:
            self._services.limits.help.take(self.player)
            answering = answer(self._ask, game, question)
            found, cell = await self._until_left(asyncio.ensure_future(answering))
        except DemineError as error:
            found, cell = Help(number, kind, refused=_refusal(what_of(error), error)), None
        async with open_game.lock:
            if position_of(game) != asked_at or open_game.lost_by is not None:
                found, cell = Help(number, kind), None
            if cell is not None:
                last = open_game.numbers[self._client]
                update = await open_game.play(Verb.HINT, *cell, self._client, last, seat=self.seat)
                self._say(self._state(update))
                open_game.tell(update, self)
            self._say(found)
        await self._flush()

    async def _say_words_on_end(self) -> None:
        """Say whether a loss could be avoided, and how lucky the game was; no trouble is told."""
        with suppress(DemineError):
            self._services.limits.help.take(self.player)
            async for words in words_on_end(self._ask, self._game.game):
                self._say(words)
                await self._flush()

    # What is said

    def _hello(self, message: Message | None) -> Hello:
        open_game = self._game
        game, rules = open_game.game, open_game.game.rules
        cells = None if self._since is None else open_game.changes_since(self._since)
        return Hello(
            v=PROTOCOL_VERSION,
            game=open_game.id,
            now=self._latency.now_ms(),
            rules=str(rules),
            width=rules.width,
            height=rules.height,
            mines=rules.mines,
            level=level_name(rules),
            title=self._new_title() or "",
            start=game.start,
            seq=open_game.seq,
            next_seq=open_game.numbers.get(self._client, 0) + 1,
            status=game.status.value,
            mines_left=open_game.mines_left,
            clock_ms=open_game.clock_ms,
            can_undo=game.can_undo and open_game.umpire is None,
            unranked=game.unranked,
            race=_fact(open_game, "race"),
            ranked=_fact(open_game, "ranked"),
            message=message,
            faces=digit_rows(open_game.faces()) if cells is None else None,
            cells=cells,
            seat=self.seat or None,
            players=[] if open_game.table is None else open_game.table.on_wire(),
            owners=self._owners(),
            next=None if open_game.table is None else open_game.table.next_game,
        )

    def _owners(self) -> list[str] | None:
        """Return who changed each cell of a co-op game; None in every other one."""
        owners = self._game.owners()
        return None if owners is None else digit_rows(owners)

    def _state(
        self,
        update: Update | None,
        ack: int | None = None,
        refused: Refusal | None = None,
        message: Message | None = None,
    ) -> Answer:
        """Return the state of the game, and what an update changed."""
        open_game, game = self._game, self._game.game
        return Answer(
            seq=open_game.seq,
            status=game.status.value,
            mines_left=open_game.mines_left,
            clock_ms=open_game.clock_ms,
            can_undo=game.can_undo and open_game.umpire is None,
            unranked=game.unranked,
            ack=ack,
            cells=None if update is None else update.cells,
            faces=digit_rows(open_game.faces())
            if update is not None and update.cells is None
            else None,
            title=self._new_title(),
            message=message,
            refused=refused,
            by=NOBODY if update is None else update.seat,
            verb="" if update is None or not update.seat else str(update.verb),
            owners=self._owners() if update is not None and update.verb is Verb.UNDO else None,
        )

    def _new_title(self) -> str | None:
        """Return the title of the game if it is another than the client was told."""
        game = self._game.game
        said, self._title_of = self._title_of, (game.unranked, len(game.board.blown))
        is_news = said != self._title_of
        # With several lives it is made anew for every act: a mine must not take longer to answer
        # than a number.
        has_lives = game.rules.lives > 1
        title = game_title(game.rules, *self._title_of) if is_news or has_lives else None
        return title if is_news else None

    # Sending

    def _say(self, message: ToClient) -> None:
        """Have a message wait for `_flush`; end a connection that lets too many wait."""
        if self._is_closing:
            return
        text = encode(message)
        self._waiting.append(text)
        self._waiting_chars += len(text)
        if len(self._waiting) > MOST_WAITING or self._waiting_chars > MOST_WAITING_CHARS:
            self._is_closing = True
            self._waiting.clear()
            # Without a word, which would wait as well.
            self._later(self._websocket.close(CLOSE_POLICY, "slow"))

    async def _flush(self) -> None:
        """Send what waits, in order."""
        async with self._sending:
            while self._waiting:
                text = self._waiting.pop(0)
                self._waiting_chars -= len(text)
                await self._websocket.send_text(text)

    async def _end_by(self, error: DemineError) -> None:
        code = CLOSE_POLICY if isinstance(error, NotFound) else CLOSE_TRY_AGAIN
        await self._end(what_of(error), explain_to_client(error), code)

    async def _end(self, what: str, message: str, code: int) -> None:
        if self._is_closing:
            return
        self._is_closing = True
        self._waiting.clear()
        await end_with_reason(self._websocket, what, message, code)

    def _later(self, work: Coroutine[object, object, None]) -> asyncio.Task[None]:
        """Do something after the present step, in a task that this connection keeps."""
        task = asyncio.ensure_future(work)
        self._tasks |= {task}
        task.add_done_callback(self._forget)
        return task

    def _forget(self, task: asyncio.Task[None]) -> None:
        self._tasks -= {task}
        error = None if task.cancelled() else task.exception()
        if error is not None and not isinstance(error, WebSocketDisconnect | DemineError):
            _LOG.error("a connection failed", exc_info=error)


class _Asked(NamedTuple):
    """An act as a client sends it."""

    number: int
    verb: Verb
    cell: tuple[int, int]
    delay_ms: int
    seen: int | None
    """How many events the player had seen, if the client says so."""


_VERBS: Final = {verb.value: verb for verb in Verb}
_TURNS_BACK: Final = frozenset({Verb.FLAG, Verb.QUESTION, Verb.UNDO})
"""The verbs that, played once more, turn back what the first one did."""


def _parameter(websocket: WebSocket, name: str, form: re.Pattern[str]) -> str | None:
    value = websocket.query_params.get(name)
    if value is not None and not form.fullmatch(value):
        raise RequestError("{name} cannot be {value}", name=name, value=quoted(value))
    return value


def _refusal(what: str, error: DemineError) -> Refusal:
    return Refusal(what, explain_to_client(error))


def _fact(open_game: OpenGame, name: str) -> str | None:
    """Return a fact about a game that has an umpire; that of an imported game may be made up."""
    found = open_game.game.facts.get(name)
    return found if open_game.umpire is not None and isinstance(found, str) else None
