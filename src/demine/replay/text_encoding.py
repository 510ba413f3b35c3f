"""Texts whose encoding nobody wrote down: players' names in the code page of their computer.

And texts on their way into a file that has room for one line.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from demine.replay.errors import Loss

if TYPE_CHECKING:
    from collections.abc import Mapping

    from demine.logic.metadata import Fact

_PAIRS: Final = re.compile(rb"(?:[\x00-\x7f]|[\xa1-\xf7][\xa1-\xfe])*")
"""Characters of GB2312 beside plain ones, as Chinese names are written."""
_HAN: Final = re.compile(
    r"[\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U000323af\u00b7\u3000]"
)
"""The characters of Chinese names."""
_PLAIN_TRAIL: Final = re.compile(rb"[\x81-\xfe](?:[\x40-\x7e]|[\x30-\x39][\x81-\xfe][\x30-\x39])")
_WESTERN: Final = re.compile(
    rb"[\x00-\x7f\x8a\x8c\x8e\x9a\x9c\x9e\x9f\xc0-\xd6\xd8-\xf6\xf8-\xff]*"
)
"""Letters of code page 1252, as Western names are written."""


def decode_guessing(data: bytes, *, utf8: bool = True) -> tuple[str, bool]:
    """Return a text and whether its encoding is certain. Never fails.

    UTF-8 proves itself. What is left is taken as Chinese (GB 18030) where that makes a name, and
    else as Western (code page 1252). Whoever is not certain keeps the bytes. Where a file says that
    its texts are not UTF-8 (`utf8` is false), Chinese is thought of first.
    """
    if not utf8 and not data.isascii():
        chinese = _decode_chinese(data)
        if chinese is not None:
            return chinese, False
    try:
        return data.decode("utf-8"), True
    except UnicodeDecodeError:
        pass
    chinese = _decode_chinese(data)
    if chinese is not None:
        return chinese, False
    try:
        return data.decode("cp1252"), False
    except UnicodeDecodeError:
        return data.decode("latin-1"), False


def player_facts(name: bytes) -> dict[str, Fact]:
    """Return the player's name as facts, with its bytes where their encoding was guessed."""
    text, is_certain = decode_guessing(name)
    return {"player": text} if is_certain else {"player": text, "player_bytes": name.hex()}


def _decode_chinese(data: bytes) -> str | None:
    """Return a text in GB 18030, and None where it makes no Chinese name.

    An accent before a letter is a character of GB 18030 too. So what would be letters alone in code
    page 1252 has to have at least as many characters of two bytes above 127 as of such pairs.
    """
    try:
        text = data.decode("gb18030")
    except UnicodeDecodeError:
        return None
    if _PAIRS.fullmatch(data):
        return text
    others = [letter for letter in text if not letter.isascii()]
    if not all(map(_HAN.fullmatch, others)):
        return None
    plain = sum(_has_ascii_second_byte(letter) for letter in others)
    return text if 2 * plain <= len(others) or not _WESTERN.fullmatch(data) else None


def _has_ascii_second_byte(letter: str) -> bool:
    return _PLAIN_TRAIL.fullmatch(letter.encode("gb18030")) is not None


def player_name_bytes(facts: Mapping[str, Fact]) -> bytes:
    """Return the player's name for a file that does not tell in which encoding it is.

    Where it was read from such a file these are the bytes that stood there, else it is UTF-8.
    """
    said, kept = facts.get("player"), facts.get("player_bytes")
    name = said if isinstance(said, str) else ""
    try:
        data = bytes.fromhex(kept) if isinstance(kept, str) else b""
    except ValueError:
        data = b""
    # Whatever the bytes were once, they have to say the name that the game has now.
    return (
        data if data and decode_guessing(data) == (name, False) else name.encode("utf-8", "replace")
    )


def as_single_line(fact: Fact) -> str:
    """Return a text without what any reader would take for the end of a line."""
    return " ".join(fact.splitlines()) if isinstance(fact, str) else ""


def text_losses(facts: Mapping[str, Fact], written: Mapping[str, str | bytes]) -> tuple[Loss, ...]:
    """Return the loss of texts that are not written to the last letter, by what is written."""
    changed = [name for name, said in written.items() if _differs(facts.get(name), said)]
    if not changed:
        return ()
    return (Loss("the exact wording of {names}", names=", ".join(changed)),)


def _differs(fact: Fact, said: str | bytes) -> bool:
    if not isinstance(fact, str) or not fact:
        return False
    return (decode_guessing(said)[0] if isinstance(said, bytes) else said) != fact
