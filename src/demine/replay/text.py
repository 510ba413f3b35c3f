"""Texts whose encoding nobody wrote down: players' names in the code page of their computer."""

from __future__ import annotations

import re
from typing import Final

_PAIRS: Final = re.compile(rb"(?:[\x00-\x7f]|[\xa1-\xf7][\xa1-\xfe])*")
"""Characters of GB2312 beside plain ones, as Chinese names are written."""


def as_line(said: str) -> str:
    """Return a fact as a line of a text format holds it: it can neither end the line nor begin one.

    Whatever any reader takes for the end of a line, and runs of spaces, become one space.
    """
    return " ".join(said.split())


def decode(data: bytes) -> tuple[str, bool]:
    """Return a text and whether its encoding is certain. Never fails.

    UTF-8 proves itself. Of what is left, bytes above 127 that stand in pairs are taken as Chinese
    (GB 18030), others as Western (code page 1252), whose lone accents they mostly are. Whoever
    is not certain keeps the bytes.
    """
    try:
        return data.decode("utf-8"), True
    except UnicodeDecodeError:
        pass
    if _PAIRS.fullmatch(data):
        try:
            return data.decode("gb18030"), False
        except UnicodeDecodeError:
            pass
    try:
        return data.decode("cp1252"), False
    except UnicodeDecodeError:
        return data.decode("latin-1"), False
