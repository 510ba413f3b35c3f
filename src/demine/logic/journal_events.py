"""Reads the event lines of a journal: they become columns of numbers, which are then played.

Every line has the same effect, errors included, as if it had been read on its own. Lines that are
not in the usual form are first rewritten in it; those that are not touches or acts are read one by
one.
"""

from __future__ import annotations

import json
import re
from dataclasses import replace
from functools import cache
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
    check_has_no_player,
    parse_event,
)
from demine.logic.event_log import KINDS, LAY, VERBS, Acts, EventLog, Touches, slice_by_index
from demine.logic.fast_replay import play_acts

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from demine.logic.event import Event
    from demine.logic.game import BaseGame
    from demine.logic.undoable_openings import WorkLimit

_DIGITS: Final = 16
"""A number with more digits is beyond any game."""
_HANDS: Final = "|".join(map(re.escape, BUTTONS))
_ON_CELLS: Final = "|".join(verb for verb in VERBS if verb in CELL_VERBS)
_ALONE: Final = "|".join(verb for verb in VERBS if verb not in CELL_VERBS)


@cache
def _run_pattern(*, wide: bool = False) -> re.Pattern[str]:
    """Return a pattern for a run of lines that are touches or acts.

    A `wide` one has spaces wherever JSON allows them.
    """
    gap, end = 2 * (r"[ \t\r]*+",) if wide else ("", "\r?")
    comma, number = f"{gap},{gap}", rf"-?(?:0|[1-9]\d{{0,{_DIGITS - 1}}}+)"
    hand = f'(?:press|release)"{comma}"(?:{_HANDS})'
    on_cell = f'"(?:move|{hand}|{_ON_CELLS})"{comma}{number}{comma}{number}'
    event = rf'\[{gap}{number}{comma}(?:{on_cell}|"(?:{_ALONE})"){gap}\]'
    return re.compile(f"(?:{gap}{event}{end}\n)++", re.ASCII)


_LONG: Final = re.compile(rf"\d{{{_DIGITS}}}", re.ASCII)
_ACTS: Final = len(KINDS)
"""Line kinds from this number on are the verbs of acts."""
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
"""How many characters are turned into numbers at a time."""
_ODD: Final = 4
"""Rewriting a line in the usual form counts as much work as opening this many cells."""
_STRETCH: Final = 1 << 16
"""How many characters are rewritten in the usual form at a time."""


class LineError(Exception):
    """An error in a line: the index of the line, from 0 at the first event, and the reason."""

    def __init__(self, line_index: int, reason: DemineError) -> None:
        super().__init__(line_index, reason)
        self.line_index = line_index
        self.reason = reason


class _Lines(NamedTuple):
    """The parsed lines."""

    rows: NDArray[np.int64]
    """Shape (4, lines): time in ms, kind, and the two numbers after it."""
    lays: dict[int, Lay]
    """The layings of mines by line index."""
    error: DemineError | None
    """What is wrong with the line after these, if anything."""
    players: dict[int, str]
    """The player by line index, where a line names one."""

    def acts_by_line(self) -> tuple[Acts, NDArray[np.int64]]:
        """Return the acts and layings, and the line index of each."""
        t, kind, one, two = self.rows
        places = np.flatnonzero(kind >= _ACTS)
        lays = {int(np.searchsorted(places, line)): lay for line, lay in self.lays.items()}
        players = {int(np.searchsorted(places, line)): name for line, name in self.players.items()}
        verb = (kind[places] - _ACTS).astype(np.uint8)
        return Acts(t[places], verb, one[places], two[places], lays, players), places

    def touches(self) -> Touches:
        """Return the touches."""
        t, kind, one, two = self.rows.take(np.flatnonzero(self.rows[1] < _ACTS), axis=1)
        return Touches(t, kind.astype(np.uint8), one, two)

    def sliced(self, begin: int, end: int) -> _Lines:
        """Return the lines from index `begin` up to but not including `end`."""
        lays, players = (
            slice_by_index(self.lays, begin, end),
            slice_by_index(self.players, begin, end),
        )
        return _Lines(self.rows[:, begin:end], lays, None, players)

    def event_at(self, line_index: int) -> Event:
        """Return the event on a line."""
        alone = self.sliced(line_index, line_index + 1)
        acts, places = alone.acts_by_line()
        return EventLog(alone.touches(), acts, places)[0]


def play_journal_lines(
    game: BaseGame,
    text: str,
    play_event: Callable[[BaseGame, Event], None],
    *,
    players_allowed: bool = False,
) -> None:
    """Play all event lines of a journal in a game; each ends with a newline.

    `play_event` plays an event that needs the full rules. `players_allowed` says whether acts may
    name their players. Raises `LineError` for the first line that is refused.
    """
    lines = _read(text, game.board.work, players_allowed=players_allowed)
    count = lines.rows.shape[1]
    late = _first_out_of_time(lines)
    known = lines.sliced(0, late)
    acts, places = known.acts_by_line()
    refused = play_acts(game, acts, play_event)
    if refused is not None:
        raise LineError(int(places[refused.act_index]), refused.reason)
    game._replace_events(EventLog(known.touches(), acts, places))
    if late < count:
        try:
            play_event(game, lines.event_at(late))
        except DemineError as error:
            raise LineError(late, error) from None
    if lines.error is not None:
        raise LineError(count, lines.error)


def _first_out_of_time(lines: _Lines) -> int:
    """Return the index of the first line whose time is out of order or out of bounds.

    It is the number of lines if there is none.
    """
    t, kind = lines.rows[:2]
    bad = np.zeros(t.size, np.bool_)
    np.less(t[1:], t[:-1], out=bad[1:])
    opens = np.flatnonzero(kind == _ACTS + VERBS.index(Verb.OPEN))[:1]
    waiting = int(opens[0]) + 1 if opens.size else t.size
    bad[:waiting] |= t[:waiting] - t[:1] > MAX_TIME
    return int(bad.argmax()) if bad.any() else t.size


def _read(text: str, work: WorkLimit, *, players_allowed: bool) -> _Lines:
    """Parse lines up to the first that cannot be read."""
    reader, at = _LineReader(work, players_allowed=players_allowed), 0
    while at < len(text) and not reader.rest_is_unplayable:
        run = _run_pattern().match(text, at) or _run_pattern(wide=True).match(text, at)
        if run is not None:
            reader.add_usual_lines(run[0])
            at = run.end()
        else:
            at = reader.read_unusual_lines(text, at)
    return reader.parsed_lines()


class _LineReader:
    """Collects lines in the usual form and parses them at the end."""

    def __init__(self, work: WorkLimit, *, players_allowed: bool) -> None:
        self._work = work
        self._players_allowed = players_allowed
        self._players: dict[int, str] = {}
        self._runs: list[str] = []
        self._count = 0
        self._lays: dict[int, Lay] = {}
        self._error: DemineError | None = None

    @property
    def rest_is_unplayable(self) -> bool:
        """Whether a line cannot be read, or the mines are laid twice."""
        return self._error is not None or len(self._lays) > 1

    def add_usual_lines(self, run: str) -> None:
        """Add lines that are in the usual form, apart from spaces."""
        self._runs.append(run)
        self._count += run.count("\n")

    def read_unusual_lines(self, text: str, start: int) -> int:
        """Read some lines, the first not in the usual form; return the offset after the last."""
        stop = text.index("\n", start) + 1
        if self._add_one_line(text[start : stop - 1]):
            # Letters may be written as escapes, and many such lines may follow.
            begin, stop = stop, text.rfind("\n", stop, stop + _STRETCH) + 1 or stop
            if not self._has_time(text.count("\n", begin, stop)):
                return stop
            usual = _in_usual_form(text[begin:stop])
            if usual is not None:
                self.add_usual_lines(usual)
            else:
                for line in text[begin:stop].split("\n")[:-1]:
                    if not self.rest_is_unplayable:
                        self._add_one_line(line)
        return stop

    def _has_time(self, lines: int) -> bool:
        """Count unusual lines as work; return False and note the error if that is too much."""
        try:
            self._work.add(lines * _ODD)
        except WorkError as error:
            self._error = error
        return self._error is None

    def _add_one_line(self, line: str) -> bool:
        """Add one line; return whether it is a touch or an act."""
        try:
            event = parse_event(line)
            if not self._players_allowed:
                check_has_no_player(event)
        except DemineError as error:
            self._error = error
            return False
        if isinstance(event, Lay):
            self._lays[self._count] = event
            # A placeholder for this line in the table.
            self.add_usual_lines(str(Act(event.t, Verb.UNDO)) + "\n")
            return False
        if isinstance(event, Act) and event.player:
            self._players[self._count] = event.player
            event = replace(event, player="")
        self.add_usual_lines(f"{event}\n")
        return True

    def parsed_lines(self) -> _Lines:
        """Return all lines added so far, up to the first with a number out of bounds."""
        text = "".join(self._runs)
        rows = _parse_numbers(text.replace("\r", "").replace(" ", "").replace("\t", ""))
        rows[1, list(self._lays)] = _ACTS + LAY
        far = np.abs(rows) > MAX_TIME
        if not far.any():
            return _Lines(rows, self._lays, self._error, self._players)
        first = int(far.any(axis=0).argmax())
        known = _Lines(rows, self._lays, None, self._players).sliced(0, first)
        try:
            parse_event(text.split("\n", first + 1)[first])
        except DemineError as error:
            return known._replace(error=error)
        return known  # pragma: no cover - such a line is no event


def _in_usual_form(lines: str) -> str | None:
    """Return lines rewritten in the usual form; None if one is not a touch or an act."""
    count = lines.count("\n")
    if not count or lines.count("[") != count or lines.count("]") != count:
        return None
    # With as many brackets as lines, none within a string, every line is one JSON value.
    try:
        values = json.loads("[" + lines[:-1].replace("\n", ",") + "]")
    except (ValueError, RecursionError):
        return None
    if len(values) != count:
        return None
    usual = json.dumps(values, separators=(",", ":"))[1:-1].replace("],[", "]\n[") + "\n"
    far = max(map(int, _LONG.findall(usual)), default=0) > MAX_TIME
    return usual if _run_pattern().fullmatch(usual) and not far else None


def _parse_numbers(text: str) -> NDArray[np.int64]:
    """Return lines in the usual form as columns of four numbers."""
    tables, at = [np.empty((0, 4), np.int64)], 0
    while at < len(text):
        end = text.find("\n", at + _PART) + 1 or len(text)
        part = text[at + 1 : end - 2].replace("]\n[", ",")
        # Searching for absent words takes time too, and most games have no presses.
        for word, kind in _WORDS if '"press"' in part or '"release"' in part else _HANDLESS:
            part = part.replace(word, kind)
        tables.append(np.fromstring(part, np.int64, sep=",").reshape(-1, 4))
        at = end
    return np.concatenate(tables).T.copy()
