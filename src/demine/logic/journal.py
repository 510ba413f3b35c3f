"""A game as text: a JSON header line, then one JSON array per event.

The form is specified in docs/journal.md. Append-only, so that a journal cut off by a crash is a
journal of the game up to then.
"""

from __future__ import annotations

import json
from typing import Any, Final

from demine.logic import fast_journal
from demine.logic.errors import DemineError, JournalError
from demine.logic.event import Act, Event, Verb, check_nameless, parse_event
from demine.logic.fast_replay import limited_work
from demine.logic.game import AnyGame, Dealer, Game, Origin, follow
from demine.logic.metadata import FIELD_CELL, Fact
from demine.logic.rules import Rules

VERSIONS: Final = (1, 2)
"""The versions that are read, for ever.

Version 2 may say who did an act, and at how many pixels a cell touches are. It is written only of a
game that needs it: what version 1 can hold is written as it always was.
"""
LONG: Final = 1 << 19
"""From so many characters on a journal is read at once, which pays and makes a log of its events.

Others become lists, which are added to sooner while somebody plays on.
"""
_LINE_ENDS: Final = {ord(end): f"\\u{ord(end):04x}" for end in "\x85\u2028\u2029"}
"""Characters that JSON leaves as they are and many programs take for the end of a line."""
_ENTRIES: Final = frozenset({"demine", "rules", "seed", "origin", "start", "facts"})
_CELL_PX: Final = "cell_px"
"""The entry that version 2 has besides."""


def dumps(game: Game) -> str:
    """Return the journal of a game; `loads` returns an equal game."""
    lines = [header_line(game), *(str(event) for event in game.events)]
    return "\n".join(lines) + "\n"


def loads(text: str, dealer: Dealer | None = None, *, trusted: bool = False) -> Game:
    """Return the game of a journal; see `loads_as`."""
    return loads_as(Game, text, dealer, trusted=trusted)


def loads_as(
    game_class: type[AnyGame], text: str, dealer: Dealer | None = None, *, trusted: bool = False
) -> AnyGame:
    """Read a journal and play it through the rules; `dealer` is for mines not laid yet.

    One that is trusted is read however long its openings take.

    Raises `JournalError` with the line and the reason; an unfinished last line is an error too.
    Stricter than a game under way: the mines stand in the journal before the first cell is opened,
    and that happens at 0, or the times after it would mean something else.
    """
    head, more, lines = text.rstrip("\n").partition("\n")
    header = _parse_json(head)
    game = _game_of(game_class, header, dealer)
    named = header["demine"] != 1
    with limited_work(game, trusted=trusted):
        if len(lines) >= LONG:
            _read_at_once(game, lines, named=named)
            return game
        for number, line in enumerate(lines.split("\n") if more else (), start=2):
            try:
                event = parse_event(line)
                if not named:
                    check_nameless(event)
                _play_checked(game, event)
            except DemineError as error:
                raise _line_error(number, error) from None
    return game


def _read_at_once(game: Game, lines: str, *, named: bool) -> None:
    try:
        fast_journal.play_lines(game, lines + "\n", _play_checked, named=named)
    except fast_journal.LineError as error:
        raise _line_error(error.place + 2, error.reason) from None


def _line_error(number: int, reason: DemineError) -> JournalError:
    return JournalError("line {line}: {reason}", line=number, reason=reason)


def _play_checked(game: Game, event: Event) -> None:
    _check_opening(game, event)
    follow(game, event)


def _check_opening(game: Game, event: Event) -> None:
    if game.begun or not isinstance(event, Act) or event.verb is not Verb.OPEN:
        return
    if event.t:
        raise JournalError("the first cell opens at 0 ms, not at {t}", t=event.t)
    if not game.board.laid:
        raise JournalError("a cell is opened before the mines are laid")


def version_of(game: Game) -> int:
    """Return the version in which a game is written: the first that holds all of it so far."""
    return 1 if game.cell_px == FIELD_CELL and not game.named else 2


def header_line(game: Game) -> str:
    """Return the first line of a game's journal: everything but its events."""
    header: dict[str, object] = {
        "demine": version_of(game),
        "rules": str(game.rules),
        "seed": game.seed,
        "origin": game.origin.value,
    }
    if game.start is not None:
        header["start"] = list(game.start)
    if game.cell_px != FIELD_CELL:
        header[_CELL_PX] = game.cell_px
    if game.facts:
        header["facts"] = dict(game.facts)
    return json.dumps(header, ensure_ascii=False, separators=(",", ":")).translate(_LINE_ENDS)


def event_line(event: Event) -> str:
    """Return the journal line of one event."""
    return str(event)


def _parse_json(line: str) -> dict[str, object]:
    """Return a header of a version that is known."""
    try:
        header = json.loads(line, object_pairs_hook=_dict_without_duplicates)
    except (ValueError, RecursionError):
        raise JournalError("line 1: {text!r} is no journal header", text=line[:80]) from None
    if not isinstance(header, dict) or "demine" not in header:
        raise JournalError("line 1: {text!r} is no journal header", text=line[:80])
    version = header["demine"]
    if type(version) is not int or version not in VERSIONS:
        raise JournalError(
            "line 1: this is journal version {found}, and only versions up to {known} can be read",
            found=_quoted(version),
            known=VERSIONS[-1],
        )
    return header


def _game_of(
    game_class: type[AnyGame], header: dict[str, object], dealer: Dealer | None
) -> AnyGame:
    try:
        return game_class(**_parse_fields(header), dealer=dealer)
    except DemineError as error:
        raise JournalError("line 1: {reason}", reason=error) from None


def _dict_without_duplicates(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """Return a JSON object as a dict; a name said twice would hide its first value."""
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError
    return found


def _parse_fields(header: dict[str, object]) -> dict[str, Any]:
    """Return the arguments with which the game of a header is made."""
    unknown = header.keys() - (_ENTRIES if header["demine"] == 1 else _ENTRIES | {_CELL_PX})
    if unknown:
        raise JournalError("{text} is no entry of a header", text=_quoted(min(unknown)))
    rules, seed, origin = header.get("rules"), header.get("seed"), header.get("origin", "fresh")
    if not isinstance(rules, str):
        raise JournalError("the header has no rules")
    if type(seed) is not int:
        raise JournalError("the header has no whole number as its seed")
    if origin not in tuple(Origin):
        raise JournalError("{text} is no origin of a game", text=_quoted(origin))
    return {
        "rules": Rules.parse(rules),
        "seed": seed,
        "origin": origin,
        "start": _parse_start(header.get("start")),
        "facts": _parse_facts(header.get("facts", {})),
        "cell_px": header.get(_CELL_PX, FIELD_CELL),
    }


def _quoted(value: object) -> str:
    """Return a value for a sentence; deep lists cannot even be written."""
    if isinstance(value, list | dict):
        return type(value).__name__
    return repr(value)[:80]


def _parse_start(start: object) -> tuple[int, int] | None:
    if start is None:
        return None
    if isinstance(start, list) and len(start) == 2 and all(type(value) is int for value in start):
        return start[0], start[1]
    raise JournalError("{text} is no cell", text=_quoted(start))


def _parse_facts(facts: object) -> dict[str, Fact]:
    if not isinstance(facts, dict):
        raise JournalError("the facts are no JSON object")
    return facts
