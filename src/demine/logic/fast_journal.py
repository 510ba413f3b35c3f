"""Long journals read at once: their lines become columns of numbers, and these are played.

What follows from every line is the same as if it had been read alone, errors too. Lines in another
than the usual form are first written in it, those of no event are read alone.
"""

from __future__ import annotations

import json
import re
from dataclasses import replace
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from demine.logic.errors import DemineError, WorkError
from demine.logic.event import (
    BUTTONS,
    CELL_VERBS,
    MAX_TIME,
    Act,
    Lay,
    Verb,
    check_nameless,
    parse_event,
)
from demine.logic.event_log import KINDS, LAY, VERBS, Acts, EventLog, Touches, between
from demine.logic.fast_replay import play_acts

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from demine.logic.event import Event
    from demine.logic.game import Game
    from demine.logic.opening_and_undo import WorkLimit

_DIGITS: Final = 16
"""A longer number is beyond any game."""
_HANDS: Final = "|".join(map(re.escape, BUTTONS))
_ON_CELLS: Final = "|".join(verb for verb in VERBS if verb in CELL_VERBS)
_ALONE: Final = "|".join(verb for verb in VERBS if verb not in CELL_VERBS)


def _run_pattern(gap: str, end: str) -> re.Pattern[str]:
    """Return what matches lines of touches and acts, as many as there are."""
    comma, number = f"{gap},{gap}", rf"-?(?:0|[1-9]\d{{0,{_DIGITS - 1}}}+)"
    hand = f'(?:press|release)"{comma}"(?:{_HANDS})'
    on_cell = f'"(?:move|{hand}|{_ON_CELLS})"{comma}{number}{comma}{number}'
    event = rf'\[{gap}{number}{comma}(?:{on_cell}|"(?:{_ALONE})"){gap}\]'
    return re.compile(f"(?:{gap}{event}{end}\n)++", re.ASCII)


_RUN: Final = _run_pattern("", "\r?")
_WIDE_RUN: Final = _run_pattern(r"[ \t\r]*+", r"[ \t\r]*+")
"""The same with spaces where JSON has them."""
_LONG: Final = re.compile(rf"\d{{{_DIGITS}}}", re.ASCII)
_ACTS: Final = len(KINDS)
"""From here on the kinds of lines are the verbs of acts."""
_WORDS: Final = (
    *(
        (f'"{action}","{button}",' if button else f'"{action}",', f"{kind},")
        for kind, (button, action) in enumerate(KINDS)
    ),
    *(
        (f'"{verb}",', f"{kind},") if verb in CELL_VERBS else (f'"{verb}"', f"{kind},-1,-1")
        for kind, verb in enumerate(VERBS, _ACTS)
    ),
)
_HANDLESS: Final = tuple(said for said in _WORDS if not said[0].startswith(('"press', '"release')))
"""The same without presses and releases."""
_PART: Final = 1 << 20
"""So many characters become numbers at a time."""
_ODD: Final = 4
"""To write a line in the usual form is as much work as to open so many cells."""
_STRETCH: Final = 1 << 16
"""So many are written in the usual form at a time."""


class LineError(Exception):
    """An error of a line: its number from the first event on, and the error."""

    def __init__(self, place: int, reason: DemineError) -> None:
        super().__init__(place, reason)
        self.place = place
        self.reason = reason


class _Lines(NamedTuple):
    """What lines say."""

    rows: NDArray[np.int64]
    """Shape (4, lines): time, kind, and the two numbers behind it."""
    lays: dict[int, Lay]
    """The layings of mines by their lines."""
    error: DemineError | None
    """What is wrong with the line after them."""
    players: dict[int, str]
    """Who did what is on a line, where it says so."""

    def acts(self) -> tuple[Acts, NDArray[np.int64]]:
        """Return the acts and the layings, and the lines where they stand."""
        t, kind, one, two = self.rows
        places = np.flatnonzero(kind >= _ACTS)
        lays = {int(np.searchsorted(places, line)): lay for line, lay in self.lays.items()}
        players = {int(np.searchsorted(places, line)): name for line, name in self.players.items()}
        verb = (kind[places] - _ACTS).astype(np.uint8)
        return Acts(t[places], verb, one[places], two[places], lays, players), places

    def touches(self) -> Touches:
        """Return the touches."""
        t, kind, one, two = self.rows[:, self.rows[1] < _ACTS]
        return Touches(t, kind.astype(np.uint8), one, two)

    def between(self, begin: int, end: int) -> _Lines:
        """Return some of them."""
        lays, players = between(self.lays, begin, end), between(self.players, begin, end)
        return _Lines(self.rows[:, begin:end], lays, None, players)

    def event(self, line: int) -> Event:
        """Return the event of a line."""
        alone = self.between(line, line + 1)
        acts, places = alone.acts()
        return EventLog(alone.touches(), acts, places)[0]


def play_lines(
    game: Game,
    text: str,
    follow: Callable[[Game, Event], None],
    *,
    named: bool = False,
) -> None:
    """Play all lines of a text, each with its end; `follow` plays the event of one.

    `named`: acts may say who did them. Raises `LineError` for the first line that is refused.
    """
    lines = _read(text, game.board.work, named=named)
    count = lines.rows.shape[1]
    late = _first_out_of_time(lines)
    known = lines.between(0, late)
    acts, places = known.acts()
    refused = play_acts(game, acts, follow)
    if refused is not None:
        raise LineError(int(places[refused[0]]), refused[1])
    game.keep(EventLog(known.touches(), acts, places))
    if late < count:
        try:
            follow(game, lines.event(late))
        except DemineError as error:
            raise LineError(late, error) from None
    if lines.error is not None:
        raise LineError(count, lines.error)


def _first_out_of_time(lines: _Lines) -> int:
    """Return the first line that is too early or too late; the number of lines if none is."""
    t, kind = lines.rows[:2]
    bad = np.zeros(t.size, np.bool_)
    np.less(t[1:], t[:-1], out=bad[1:])
    opens = np.flatnonzero(kind == _ACTS + VERBS.index(Verb.OPEN))[:1]
    waiting = int(opens[0]) + 1 if opens.size else t.size
    bad[:waiting] |= t[:waiting] - t[:1] > MAX_TIME
    return int(bad.argmax()) if bad.any() else t.size


def _read(text: str, work: WorkLimit, *, named: bool) -> _Lines:
    """Return what lines say up to the first that cannot be read."""
    reader, at = _LineReader(work, named=named), 0
    while at < len(text) and not reader.must_stop:
        run = _RUN.match(text, at) or _WIDE_RUN.match(text, at)
        if run is not None:
            reader.take(run[0])
            at = run.end()
        else:
            at = reader.take_odd(text, at)
    return reader.lines()


class _LineReader:
    """Lines as they come."""

    def __init__(self, work: WorkLimit, *, named: bool) -> None:
        self._work = work
        self._named = named
        self._players: dict[int, str] = {}
        self._runs: list[str] = []
        self._count = 0
        self._lays: dict[int, Lay] = {}
        self._error: DemineError | None = None

    @property
    def must_stop(self) -> bool:
        """Whether no game goes on behind these lines."""
        return self._error is not None or len(self._lays) > 1

    def take(self, run: str) -> None:
        """Take lines in the usual form, but for spaces."""
        self._runs.append(run)
        self._count += run.count("\n")

    def take_odd(self, text: str, at: int) -> int:
        """Take some lines of which the first is not in the usual form; return where they end."""
        stop = text.index("\n", at) + 1
        if self._take_one(text[at : stop - 1]):
            # Letters may be escapes, and there may be many such lines.
            begin, stop = stop, text.rfind("\n", stop, stop + _STRETCH) + 1 or stop
            if not self._has_time(text.count("\n", begin, stop)):
                return stop
            usual = _in_usual_form(text[begin:stop])
            if usual is not None:
                self.take(usual)
            else:
                for line in text[begin:stop].split("\n")[:-1]:
                    if not self.must_stop:
                        self._take_one(line)
        return stop

    def _has_time(self, lines: int) -> bool:
        """Count odd lines as work; they are wrong where that is too much."""
        try:
            self._work.add(lines * _ODD)
        except WorkError as error:
            self._error = error
        return self._error is None

    def _take_one(self, line: str) -> bool:
        """Take one line; return whether it is a touch or an act."""
        try:
            event = parse_event(line)
            if not self._named:
                check_nameless(event)
        except DemineError as error:
            self._error = error
            return False
        if isinstance(event, Lay):
            self._lays[self._count] = event
            # It stands for this line in the table.
            self.take(str(Act(event.t, Verb.UNDO)) + "\n")
            return False
        if isinstance(event, Act) and event.player:
            self._players[self._count] = event.player
            event = replace(event, player="")
        self.take(f"{event}\n")
        return True

    def lines(self) -> _Lines:
        """Return what was taken."""
        text = "".join(self._runs)
        rows = _parse_numbers(text.replace("\r", "").replace(" ", "").replace("\t", ""))
        rows[1, list(self._lays)] = _ACTS + LAY
        far = (np.abs(rows[[0, 2, 3]]) > MAX_TIME).any(axis=0)
        if not far.any():
            return _Lines(rows, self._lays, self._error, self._players)
        first = int(far.argmax())
        known = _Lines(rows, self._lays, None, self._players).between(0, first)
        try:
            parse_event(text.split("\n", first + 1)[first])
        except DemineError as error:
            return known._replace(error=error)
        return known  # pragma: no cover - such a line is no event


def _in_usual_form(lines: str) -> str | None:
    """Return lines in the usual form; None if one of them is not a touch or an act."""
    count = lines.count("\n")
    if not count or lines.count("[") != count or lines.count("]") != count:
        return None
    # With a bracket for each line, none of them in a text, every line is a value by itself.
    try:
        values = json.loads("[" + lines[:-1].replace("\n", ",") + "]")
    except (ValueError, RecursionError):
        return None
    if len(values) != count:
        return None
    usual = json.dumps(values, separators=(",", ":"))[1:-1].replace("],[", "]\n[") + "\n"
    far = max(map(int, _LONG.findall(usual)), default=0) > MAX_TIME
    return usual if _RUN.fullmatch(usual) and not far else None


def _parse_numbers(text: str) -> NDArray[np.int64]:
    """Return what lines in the usual form say, a column each."""
    tables, at = [np.empty((0, 4), np.int64)], 0
    while at < len(text):
        end = text.find("\n", at + _PART) + 1 or len(text)
        part = text[at + 1 : end - 2].replace("]\n[", ",")
        # Words that are not there take as long to look for as others; most games have no presses.
        for word, kind in _WORDS if '"press"' in part or '"release"' in part else _HANDLESS:
            part = part.replace(word, kind)
        tables.append(np.fromstring(part, np.int64, sep=",").reshape(-1, 4))
        at = end
    return np.concatenate(tables).T.copy()
