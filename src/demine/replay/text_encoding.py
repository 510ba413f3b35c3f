"""Texts in files that do not state their encoding, such as players' names."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

from demine.replay.errors import Loss

if TYPE_CHECKING:
    from collections.abc import Mapping

    from demine.logic.metadata import Fact

_PAIRS: Final = re.compile(rb"(?:[\x00-\x7f]|[\xa1-\xf7][\xa1-\xfe])*")
"""ASCII and characters of GB2312, as in Chinese names."""
_HAN: Final = re.compile(
    r"[\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U000323af\u00b7\u3000]"
)
"""The characters of Chinese names."""
_PLAIN_TRAIL: Final = re.compile(rb"[\x81-\xfe](?:[\x40-\x7e]|[\x30-\x39][\x81-\xfe][\x30-\x39])")
_WESTERN: Final = re.compile(
    rb"[\x00-\x7f\x8a\x8c\x8e\x9a\x9c\x9e\x9f\xc0-\xd6\xd8-\xf6\xf8-\xff]*"
)
"""ASCII and letters of code page 1252, as in Western names."""


class DecodedText(NamedTuple):
    """A text, and whether its encoding is certain rather than guessed."""

    text: str
    is_certain: bool


def decode_guessing(data: bytes, *, try_utf8_first: bool = True) -> DecodedText:
    """Decode a text of unknown encoding; never fails.

    Valid UTF-8 is certain. Anything else is taken as Chinese (GB 18030) if that makes a name, else
    as Western (code page 1252). If a file states that its texts are not UTF-8 (`try_utf8_first` is
    False), Chinese is tried first.
    """
    if not try_utf8_first and not data.isascii():
        chinese = _decode_chinese(data)
        if chinese is not None:
            return DecodedText(chinese, False)
    try:
        return DecodedText(data.decode("utf-8"), True)
    except UnicodeDecodeError:
        pass
    chinese = _decode_chinese(data)
    if chinese is not None:
        return DecodedText(chinese, False)
    try:
        return DecodedText(data.decode("cp1252"), False)
    except UnicodeDecodeError:
        return DecodedText(data.decode("latin-1"), False)


def text_facts(name: str, data: bytes, *, try_utf8_first: bool = True) -> dict[str, Fact]:
    """Return a text as the fact `name`, with `player_bytes` if it is a guessed player's name."""
    text, is_certain = decode_guessing(data, try_utf8_first=try_utf8_first)
    if name == "player" and not is_certain:
        return {name: text, "player_bytes": data.hex()}
    return {name: text}


def player_facts(name: bytes) -> dict[str, Fact]:
    """Return the player's name as a fact, with its bytes if the encoding was guessed."""
    return text_facts("player", name)


def _decode_chinese(data: bytes) -> str | None:
    """Return a text decoded as GB 18030, or None if it is no Chinese name.

    An accented letter before a plain one is a character of GB 18030 too. So bytes that would be
    nothing but letters in code page 1252 count as Chinese only if at least as many characters have
    a second byte above 127 as have an ASCII one.
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
    """Return the player's name for a file that does not state its encoding.

    These are the original bytes if it was read from such a file, else UTF-8.
    """
    said, kept = facts.get("player"), facts.get("player_bytes")
    name = said if isinstance(said, str) else ""
    try:
        data = bytes.fromhex(kept) if isinstance(kept, str) else b""
    except ValueError:
        data = b""
    # The original bytes count only if they still decode to the present name.
    return (
        data if data and decode_guessing(data) == (name, False) else name.encode("utf-8", "replace")
    )


def as_single_line(fact: Fact) -> str:
    """Return a text fact with line breaks replaced by spaces; empty if the fact is not a text."""
    return " ".join(fact.splitlines()) if isinstance(fact, str) else ""


def text_losses(facts: Mapping[str, Fact], written: Mapping[str, str | bytes]) -> tuple[Loss, ...]:
    """Return the loss of the texts that differ from what is written for them.

    `written` has the text or bytes by the name of the fact.
    """
    changed = [name for name, said in written.items() if _differs(facts.get(name), said)]
    if not changed:
        return ()
    return (Loss("the exact wording of {names}", names=", ".join(changed)),)


def _differs(fact: Fact, said: str | bytes) -> bool:
    if not isinstance(fact, str) or not fact:
        return False
    return (decode_guessing(said)[0] if isinstance(said, bytes) else said) != fact
