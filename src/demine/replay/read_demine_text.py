"""Reads the texts that demine itself writes: journals, share codes and layouts."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import numpy as np

from demine.game import Game
from demine.logic.errors import DemineError, JournalError, TextError
from demine.logic.event import Lay
from demine.logic.game import Origin
from demine.logic.layout import parse_layout
from demine.logic.rules import First, Rules
from demine.logic.share_code import is_share_code
from demine.replay import limited_file_io
from demine.replay.claimed_statistics import contradictions
from demine.replay.errors import ReplayError
from demine.replay.registry import JOURNAL, plugin_errors
from demine.scene.unsupported_files import diagram_error, unsupported_file_error

_LAYOUT_LETTERS: Final = frozenset("*.012345678 \t\r\n")


class UnknownContentError(TextError):
    """Content that is not meant to be one of demine's texts at all."""


def is_demine_text(data: bytes) -> bool:
    """Whether bytes are meant as a journal, a share code or a layout."""
    try:
        body = data.decode("utf-8-sig").strip()
    except UnicodeDecodeError:
        return False
    return body.startswith("{") or is_share_code(body) or _is_layout(body)


def _is_layout(text: str) -> bool:
    """Whether a text has rules, and rows in which every cell shows whether it is a mine."""
    head, _, rows = text.partition("\n")
    try:
        Rules.parse(head)
    except DemineError:
        return False
    return "*" in rows and not set(rows) - _LAYOUT_LETTERS


def read_demine_text(data: bytes, *, trusted: bool) -> Game:
    """Return the game in a journal, a share code or a layout; raises `DemineError`."""
    try:
        return _read_game(data, trusted=trusted)
    except DemineError as error:
        for broken in plugin_errors(data):
            raise ReplayError("{reason}; {other}", reason=error, other=broken) from error
        raise


def _read_game(data: bytes, *, trusted: bool) -> Game:
    if len(data) > limited_file_io.MAX_BYTES:
        raise TextError("a game has at most {most} bytes", most=limited_file_io.MAX_BYTES)
    other = unsupported_file_error(data)
    if other is not None:
        raise _text_error(other, "text", 0)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        flaw = UnknownContentError("not UTF-8 text: byte {place} is invalid", place=error.start)
        raise _text_error(flaw, "text", error.start) from None
    body = text.strip()
    if body.startswith("{"):
        return _read_journal(data, text.lstrip(), trusted=trusted)
    try:
        if not body:
            raise TextError("it is empty")
        return Game.from_share(body) if is_share_code(body) else _read_layout(body)
    except DemineError as error:
        raise _text_error(error, "text", 0) from error


def _read_journal(data: bytes, text: str, *, trusted: bool) -> Game:
    try:
        game = Game.from_journal(text, trusted=trusted)
    except JournalError as error:
        line = error.params.get("line", 1)
        raise _text_error(
            error, JOURNAL, _line_offset(data, line if isinstance(line, int) else 1)
        ) from error
    game.notes = contradictions(game)
    return game


def _line_offset(data: bytes, line: int) -> int:
    """Return the offset of a line, counted from 1 at the first line that is not blank."""
    first = data.index(b"{")
    if line == 1:
        return first
    ends = np.flatnonzero(np.frombuffer(data, np.uint8, offset=first) == ord("\n"))
    return first + int(ends[line - 2]) + 1


def _text_error(reason: DemineError, format: str, offset: int) -> ReplayError:  # noqa: A002 - its name
    """Return an error about one of demine's own formats."""
    return ReplayError("{reason}", format=format, offset=offset, reason=reason)


def _read_layout(text: str) -> Game:
    head = text.partition("\n")[0]
    try:
        Rules.parse(head)
    except DemineError as error:
        diagram = diagram_error(text)
        if diagram is not None:
            raise diagram from None
        raise UnknownContentError(
            "not a journal, a share code or a layout, which would start with its rules: {reason}",
            reason=error,
        ) from error
    try:
        rules, mine_map = parse_layout(text)
    except DemineError:
        diagram = diagram_error(text)
        if diagram is not None:
            raise diagram from None
        raise
    game = Game(replace(rules, first=First.ANY, guess_free=False), 0, origin=Origin.SHARE)
    game.lay(Lay(0, mine_map))
    return game
