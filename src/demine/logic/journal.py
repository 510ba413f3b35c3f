"""A game as text: a JSON header line, then one JSON array per event.

The form is specified in docs/journal.md. Append-only, so that a journal cut off by a crash is a
journal of the game up to then.
"""

from __future__ import annotations

import json
from typing import Final

from demine.logic.errors import DemineError, JournalError
from demine.logic.event import Event, parse_event
from demine.logic.game import Fact, Game, follow
from demine.logic.rules import Rules

VERSION: Final = 1
MAX_FACTS: Final = 256


def dumps(game: Game) -> str:
    """Return the journal of a game; `loads` returns an equal game."""
    lines = [header_line(game), *(str(event) for event in game.events)]
    return "\n".join(lines) + "\n"


def loads(text: str) -> Game:
    """Read a journal and play it through the rules.

    Raises `JournalError` with the line and the reason; an unfinished last line is an error too.
    """
    head, *lines = text.rstrip("\n").split("\n")
    game = parse_header(head)
    for number, line in enumerate(lines, start=2):
        try:
            follow(game, parse_event(line))
        except DemineError as error:
            raise JournalError("line {line}: {reason}", line=number, reason=error) from None
    return game


def header_line(game: Game) -> str:
    """Return the first line of a game's journal: everything but its events."""
    header: dict[str, object] = {
        "demine": VERSION,
        "rules": str(game.rules),
        "seed": game.seed,
        "origin": game.origin.value,
    }
    if game.start is not None:
        header["start"] = list(game.start)
    if game.facts:
        header["facts"] = dict(game.facts)
    return json.dumps(header, ensure_ascii=False, separators=(",", ":"))


def event_line(event: Event) -> str:
    """Return the journal line of one event."""
    return str(event)


def parse_header(line: str) -> Game:
    """Return a game without events from a journal's first line; raises `JournalError`."""
    try:
        header = json.loads(line)
    except (ValueError, RecursionError):
        raise JournalError("line 1: {text!r} is no journal header", text=line[:80]) from None
    if not isinstance(header, dict) or "demine" not in header:
        raise JournalError("line 1: {text!r} is no journal header", text=line[:80])
    if header["demine"] != VERSION:
        raise JournalError(
            "line 1: this is journal version {found!r}, and only version {known} can be read",
            found=header["demine"],
            known=VERSION,
        )
    try:
        return _parse_fields(header)
    except DemineError as error:
        raise JournalError("line 1: {reason}", reason=error) from None


def _parse_fields(header: dict[str, object]) -> Game:
    rules, seed, origin = header.get("rules"), header.get("seed"), header.get("origin", "fresh")
    if not isinstance(rules, str):
        raise JournalError("the header has no rules")
    if type(seed) is not int:
        raise JournalError("the header has no whole number as its seed")
    if origin not in ("fresh", "seed", "share", "again"):
        raise JournalError("{text!r} is no origin of a game", text=origin)
    parsed = Rules.parse(rules)
    return Game(
        parsed,
        seed,
        origin=str(origin),
        start=_parse_start(header.get("start"), parsed),
        facts=_parse_facts(header.get("facts", {})),
    )


def _parse_start(start: object, rules: Rules) -> tuple[int, int] | None:
    if start is None:
        return None
    if isinstance(start, list) and len(start) == 2 and all(type(value) is int for value in start):
        row, col = start
        if 0 <= row < rules.height and 0 <= col < rules.width:
            return row, col
    raise JournalError("{text!r} is no cell of the board", text=start)


def _parse_facts(facts: object) -> dict[str, Fact]:
    if not isinstance(facts, dict) or len(facts) > MAX_FACTS:
        raise JournalError("the facts are no JSON object of at most {most} entries", most=MAX_FACTS)
    for name, value in facts.items():
        if value is not None and not isinstance(value, str | int | float | bool):
            raise JournalError("the fact {name!r} is neither text nor a number", name=name)
    return dict(facts)
