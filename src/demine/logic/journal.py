"""A game as text: a JSON header line, then one JSON array per event.

The format is specified in docs/journal.md. It is append-only, so that a journal cut off by a crash
holds the game up to that moment.
"""

from __future__ import annotations

import json
from functools import lru_cache
from typing import TYPE_CHECKING, Final, NamedTuple

from demine.logic.errors import DemineError, JournalError
from demine.logic.event import Act, Event, Verb
from demine.logic.fast_replay import limited_work
from demine.logic.game import AnyGame, BaseGame, Dealer, Origin, play_event
from demine.logic.journal_events import LineError, play_journal_lines
from demine.logic.layout import checked_cell, checked_seed
from demine.logic.metadata import FIELD_CELL, Fact, checked_cell_px, checked_facts
from demine.logic.rules import Rules

if TYPE_CHECKING:
    from collections.abc import Mapping

    from demine.logic.game import Cell

VERSIONS: Final = (1, 2)
"""The versions that can be read.

Version 2 adds the players of acts, games of several players, and the cell size at which touches
were recorded. It is written only for a game that needs it.
"""
_LINE_ENDS: Final = {ord(end): f"\\u{ord(end):04x}" for end in "\x85\u2028\u2029"}
"""Characters that JSON does not escape but many programs treat as line breaks."""
_ENTRIES: Final = frozenset({"demine", "rules", "seed", "origin", "start", "facts"})
_CELL_PX: Final = "cell_px"
"""The header entry that only version 2 has."""


class Header(NamedTuple):
    """What the first line of a journal says: how a game begins. All of it is checked."""

    rules: Rules
    seed: int
    origin: Origin
    start: Cell | None
    facts: Mapping[str, Fact]
    cell_px: int


def format_journal(game: BaseGame) -> str:
    """Return the journal of a game; `parse_journal` returns an equal game."""
    lines = [header_line(game), *(str(event) for event in game.events)]
    return "\n".join(lines) + "\n"


def parse_journal(
    game_class: type[AnyGame], text: str, dealer: Dealer | None = None, *, trusted: bool = False
) -> AnyGame:
    """Read a journal, play its events through the rules and return a game of `game_class`.

    `dealer` lays the mines if the journal has not laid them yet. A trusted journal is read however
    long its openings take. Raises `JournalError` with the line number and the reason, also for an
    incomplete last line. Stricter than a running game: the mines must be laid before the first
    cell is opened, and that must happen at 0 ms, since all later times are counted from it.
    """
    head, more, lines = text.rstrip("\n").partition("\n")
    header = _parse_json(head)
    game = _game_of(game_class, header, dealer)
    try:
        with limited_work(game, trusted=trusted):
            play_journal_lines(
                game,
                lines + "\n" * bool(more),
                _play_checked,
                players_allowed=header["demine"] != 1,
            )
    except LineError as error:
        raise JournalError(
            "line {line}: {reason}", line=error.line_index + 2, reason=error.reason
        ) from None
    return game


def parse_header(line: str) -> Header:
    """Read the first line of a journal; errors are those of `parse_journal`."""
    return _checked_header(_parse_json(line))


def _play_checked(game: BaseGame, event: Event) -> None:
    _check_opening(game, event)
    play_event(game, event)


def _check_opening(game: BaseGame, event: Event) -> None:
    if game.begun or not isinstance(event, Act) or event.verb is not Verb.OPEN:
        return
    if event.t:
        raise JournalError("the first cell opens at 0 ms, not at {t}", t=event.t)
    if not game.board.laid:
        raise JournalError("a cell is opened before the mines are laid")


def required_journal_version(game: BaseGame) -> int:
    """Return the lowest journal version that can hold the game so far."""
    is_shared = game.names_players or game.origin is Origin.TOGETHER
    return 1 if game.cell_px == FIELD_CELL and not is_shared else 2


def header_line(game: BaseGame) -> str:
    """Return the first line of a game's journal: everything except its events."""
    header: dict[str, object] = {
        "demine": required_journal_version(game),
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
    """Return the header; raises `JournalError` for an unknown version."""
    try:
        header = _HEADER_DECODER.decode(line)
    except (ValueError, RecursionError):
        raise JournalError("line 1: {text!r} is not a journal header", text=line[:80]) from None
    if not isinstance(header, dict) or "demine" not in header:
        raise JournalError("line 1: {text!r} is not a journal header", text=line[:80])
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
    return game_class(**_checked_header(header)._asdict(), dealer=dealer)


def _checked_header(header: dict[str, object]) -> Header:
    try:
        return _parse_fields(header)
    except DemineError as error:
        raise JournalError("line 1: {reason}", reason=error) from None


def _dict_without_duplicates(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """Return a JSON object as a dict; raises `ValueError` for a repeated name."""
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError
    return found


_ORIGINS: Final = tuple(Origin)
_HEADER_DECODER: Final = json.JSONDecoder(object_pairs_hook=_dict_without_duplicates)


def _parse_fields(header: dict[str, object]) -> Header:
    unknown = header.keys() - (_ENTRIES if header["demine"] == 1 else _ENTRIES | {_CELL_PX})
    if unknown:
        raise JournalError("{text} is not an entry of a header", text=_quoted(min(unknown)))
    rules, seed, origin = header.get("rules"), header.get("seed"), header.get("origin", "fresh")
    if not isinstance(rules, str):
        raise JournalError("the header has no rules")
    if type(seed) is not int:
        raise JournalError("the seed in the header is not a whole number")
    if origin not in _ORIGINS:
        raise JournalError("{text} is not an origin of a game", text=_quoted(origin))
    known = _rules_of(rules)
    return Header(
        known,
        checked_seed(seed),
        Origin(str(origin)),
        _parse_start(known, header.get("start")),
        _parse_facts(header.get("facts", {})),
        checked_cell_px(header.get(_CELL_PX, FIELD_CELL)),
    )


@lru_cache(maxsize=64)
def _rules_of(text: str) -> Rules:
    """Return the rules of a text, of which there are few in thousands of journals."""
    return Rules.parse(text)


def _quoted(value: object) -> str:
    """Return a value for an error message; `repr` fails on deeply nested lists."""
    if isinstance(value, list | dict):
        return type(value).__name__
    return repr(value)[:80]


def _parse_start(rules: Rules, start: object) -> Cell | None:
    if start is None:
        return None
    if isinstance(start, list) and len(start) == 2 and all(type(value) is int for value in start):
        return checked_cell(rules, (start[0], start[1]))
    raise JournalError("{text} is not a cell", text=_quoted(start))


def _parse_facts(facts: object) -> dict[str, Fact]:
    if not isinstance(facts, dict):
        raise JournalError("the facts are not a JSON object")
    return checked_facts(facts)
