"""Our own player as an engine: it answers the commands of the protocol, one after the other.

One thread reads lines, one searches, and the main loop alone writes: it hears of lines and found
moves through one queue, and keeps the time. So commands are answered while a search goes on, and a
search that does not end in time is left to itself.
"""

from __future__ import annotations

import queue
import threading
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, TypeAlias

from demine.logic.errors import DemineError
from demine.logic.rules import Rules
from demine.logic.sanitize import escape_to_one_line
from demine.scene.diagram import parse_position
from demine.solver.engine import protocol
from demine.solver.engine.bounded_lines import LineTooLong, read_lines
from demine.solver.engine.built_in_player import FoundMove, Search
from demine.solver.engine.protocol import SearchLimits

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from demine.solver.engine.built_in_player import EnginePlayer

_LINES_AHEAD: Final = 64
"""How many lines are read before they are obeyed."""
SECONDS_AFTER_END: Final = 10.0
"""How long a search may go on when there is nobody left to stop it."""
_SHOWN: Final = 80


class _Refused(Exception):
    """A command that cannot be obeyed; the message, always in English, says why."""


@dataclass
class _Done:
    """Something that the searching thread has done: a search, or loading if it is None."""

    search: Search | None
    error: Exception | None = None


_Event: TypeAlias = str | LineTooLong | _Done | None


@dataclass(frozen=True)
class EngineOption:
    """An option of an engine: its name, its values and how it is set."""

    name: str
    default: str
    values: Sequence[str]
    set_value: Callable[[str], EnginePlayer]
    """Returns the player with a value."""

    def __str__(self) -> str:
        """Return the line that tells the option."""
        values = " ".join(f"var {value}" for value in self.values)
        return f"{protocol.OPTION} name {self.name} type combo default {self.default} {values}"


@dataclass
class EngineServer:
    """Answers the commands that come from `source`, a file descriptor, by `write(line)`.

    `name` and `author` are told in the handshake, `player` chooses the moves.
    """

    name: str
    author: str
    player: EnginePlayer
    source: int
    write: Callable[[str], object]
    options: Sequence[EngineOption] = ()
    _events: queue.Queue[_Event] = field(default_factory=lambda: queue.Queue(_LINES_AHEAD))
    _rules: Rules | None = None
    _scene: NDArray[np.uint8] | None = None
    _search: Search | None = None
    _workers: list[_SearchThread] = field(default_factory=list)
    """The last one searches; the others are at searches that nobody waits for any more."""
    _waiting_for_ready: int = 0
    _ended: bool = False

    def run(self) -> None:
        """Obey commands until `quit`, or until they end and a last search is answered."""
        threading.Thread(target=self._read, daemon=True).start()
        while not self._ended or self._search is not None or self._waiting_for_ready:
            try:
                self._handle(self._events.get(timeout=self._seconds_left()))
            except queue.Empty:
                self._answer()
            except _Quit:
                return

    @property
    def is_busy(self) -> bool:
        """Whether a thread is still searching or loading, though nobody waits for it."""
        return any(worker.is_busy for worker in self._workers)

    def _read(self) -> None:
        for line in read_lines(self.source, protocol.LONGEST_LINE):
            self._events.put(line)
        self._events.put(None)

    def _seconds_left(self) -> float | None:
        left = None if self._search is None else self._search.seconds_left
        return None if left is None else max(0.0, left)

    def _handle(self, event: _Event) -> None:
        if event is None:
            self._on_end()
        elif isinstance(event, _Done):
            self._on_done(event)
        else:
            try:
                self._obey(event)
            except (DemineError, _Refused) as error:
                self._say_error(str(error))

    def _on_end(self) -> None:
        """Nobody writes any more: answer the search under way, in a bounded time."""
        self._ended = True
        if self._search is not None:
            latest = time.monotonic() + SECONDS_AFTER_END
            self._search.deadline = min(self._search.deadline or latest, latest)

    def _on_done(self, done: _Done) -> None:
        if done.search is None:
            for _ in range(self._waiting_for_ready):
                self.write(protocol.READY_DONE)
            self._waiting_for_ready = 0
        elif done.search is self._search:
            if done.error is not None:
                self._search = None
                self._say_error(str(done.error) or type(done.error).__name__)
            else:
                self._answer()

    def _answer(self) -> None:
        """Answer the search under way with the best move so far, and let it end."""
        search = self._search
        if search is None:
            return
        self._search = None
        search.stopped.set()
        for line in _answer_lines(search.best):
            self.write(line)

    def _obey(self, line: str | LineTooLong) -> None:
        if isinstance(line, LineTooLong):
            raise _Refused(f"a line has more than {protocol.LONGEST_LINE} bytes")
        name, *words = line.split() or [""]
        if not name:
            return
        obey = self._commands().get(name)
        if obey is None:
            raise _Refused(f"unknown command: {_shown(line)}")
        obey(words)

    def _commands(self) -> Mapping[str, Callable[[list[str]], None]]:
        return {
            protocol.HANDSHAKE: self._shake_hands,
            protocol.SET_OPTION: self._set_option,
            protocol.READY: self._say_when_ready,
            protocol.NEW_GAME: self._begin_game,
            protocol.POSITION: self._set_position,
            protocol.GO: self._go,
            protocol.STOP: lambda _words: self._answer(),
            protocol.QUIT: _quit,
        }

    def _shake_hands(self, _words: list[str]) -> None:
        self.write(f"{protocol.ID} name {self.name}")
        self.write(f"{protocol.ID} author {self.author}")
        for option in self.options:
            self.write(str(option))
        self.write(protocol.HANDSHAKE_DONE)

    def _set_option(self, words: list[str]) -> None:
        text = " ".join(words)
        name, _, value = text.removeprefix("name ").partition(" value ")
        option = next((each for each in self.options if each.name.lower() == name.lower()), None)
        if option is None:
            raise _Refused(f"there is no option {_shown(name)}")
        if value not in option.values:
            values = ", ".join(option.values)
            raise _Refused(f"{option.name} is one of {values}, not {_shown(value)}")
        self.player = option.set_value(value)

    def _say_when_ready(self, _words: list[str]) -> None:
        """Say that everything is loaded, at once if a search is under way, as nothing is then."""
        if self._search is not None:
            self.write(protocol.READY_DONE)
            return
        self._waiting_for_ready += 1
        if self._waiting_for_ready == 1:
            self._submit(self.player, None)

    def _begin_game(self, words: list[str]) -> None:
        self._rules, self._scene = None, None
        self._rules = Rules.parse(" ".join(words))

    def _set_position(self, words: list[str]) -> None:
        self._scene = None
        if self._rules is None:
            raise _Refused("position needs the rules: send newgame first")
        self._scene = parse_position("".join(words), self._rules)

    def _go(self, words: list[str]) -> None:
        if self._search is not None:
            raise _Refused("a search is under way: send stop first")
        if self._rules is None or self._scene is None:
            raise _Refused("go needs a position")
        search = Search(self._scene, self._rules, _parse_limits(words))
        self._search = search
        if search.best.cell is None:
            self._answer()
        else:
            self._submit(self.player, search)

    def _submit(self, player: EnginePlayer, search: Search | None) -> None:
        if not self._workers or self._workers[-1].is_busy:
            # A search that was stopped goes on for a while, and this one is not to wait for it.
            self._workers = [worker for worker in self._workers if worker.is_busy]
            self._workers.append(_SearchThread(self._events))
        self._workers[-1].submit(player, search)

    def _say_error(self, sentence: str) -> None:
        self.write(f"{protocol.ERROR} {escape_to_one_line(sentence)[:300]}")


class _SearchThread:
    """A thread that searches, one position after the other."""

    def __init__(self, events: queue.Queue[_Event]) -> None:
        self._tasks: queue.SimpleQueue[tuple[EnginePlayer, Search | None]] = queue.SimpleQueue()
        self._events = events
        # Each of them is counted by one thread alone.
        self._submitted = self._finished = 0
        threading.Thread(target=self._run, daemon=True).start()

    @property
    def is_busy(self) -> bool:
        """Whether it is at a task, or will be."""
        return self._submitted > self._finished

    def submit(self, player: EnginePlayer, search: Search | None) -> None:
        """Search, or only load the player if there is no search."""
        self._submitted += 1
        self._tasks.put((player, search))

    def _run(self) -> None:
        while True:
            player, search = self._tasks.get()
            done = _Done(search)
            try:
                player.load() if search is None else player.search(search)
            except Exception as error:  # noqa: BLE001 - told by an error line; the loop goes on
                done.error = error
            self._finished += 1
            self._events.put(done)


class _Quit(Exception):
    """The command `quit`."""


def _quit(_words: list[str]) -> None:
    raise _Quit


def _parse_limits(words: list[str]) -> SearchLimits:
    """Read what follows `go`: pairs of a word and a number."""
    most = {
        protocol.MOVE_TIME: protocol.MAX_MOVE_TIME,
        protocol.PLAYOUTS: protocol.MAX_PLAYOUTS,
    }
    limits: dict[str, int] = {}
    for name, number in zip(words[::2], [*words[1::2], ""], strict=False):
        if name not in most:
            raise _Refused(f"go does not know {_shown(name)}")
        fits = number.isascii() and number.isdecimal() and len(number) <= 9
        if not fits or not 1 <= int(number) <= most[name]:
            raise _Refused(f"{name} is a whole number from 1 to {most[name]}, not {_shown(number)}")
        limits[name] = int(number)
    return SearchLimits(**limits)


def _answer_lines(found: FoundMove) -> list[str]:
    facts = [
        f"{name} {value:.6g}"
        for name, value in (("risk", found.risk), ("win", found.win))
        if value is not None
    ]
    if found.playouts:
        facts.append(f"playouts {found.playouts}")
    cell = protocol.NO_MOVE if found.cell is None else "{} {}".format(*found.cell)
    answer = [f"{protocol.BEST_MOVE} {cell}"]
    return [f"{protocol.INFO} {' '.join(facts)}", *answer] if facts else answer


def _shown(text: str) -> str:
    """Return the beginning of a text from outside, quoted."""
    return repr(text[:_SHOWN])
