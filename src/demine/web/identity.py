"""Players without accounts: a signed cookie names a player, a recovery link moves them.

A cookie holds the player's id and a signature by the server's key, so that nobody makes one up. A
recovery token is a secret of its own, of which the database keeps a hash: it leads a new device
to the same player until another one is made. Neither expires by itself.
"""

from __future__ import annotations

import hmac
import re
import secrets
from base64 import urlsafe_b64decode, urlsafe_b64encode
from binascii import Error as Base64Error
from hashlib import sha256
from typing import TYPE_CHECKING, Final
from unicodedata import category, normalize
from uuid import UUID

from demine.logic.sanitize import replace_control_characters

if TYPE_CHECKING:
    from starlette.requests import HTTPConnection
    from starlette.responses import Response

KEY_BYTES: Final = 32
MOST_NAME: Final = 40
"""Characters of the longest name of a player."""
_JOINERS: Final = "\u200c\u200d"
_LOOSE_JOINERS: Final = re.compile(
    rf"(?<![^\x00-\x7f])[{_JOINERS}]+|[{_JOINERS}]+(?![^\x00-\x7f])|[{_JOINERS}]{{2,}}"
)
"""Joiners with nothing to join: beside ASCII or an end, and several of them."""
_FILLERS: Final = "\u034f\u115f\u1160\u2800\u3164\uffa0"
"""What Unicode calls letters, marks and signs, and what is blank all the same."""
_COOKIE: Final = "demine"
_SECURE_COOKIE: Final = "__Host-demine"
"""A name that browsers accept from the very host only, over TLS."""
_PURPOSE: Final = b"demine player 1\0"
_ID_BYTES: Final = 16
_COOKIE_BYTES: Final = _ID_BYTES + sha256().digest_size
_YEAR: Final = 365 * 24 * 3600
_TOKEN_BYTES: Final = 24


def new_key() -> bytes:
    """Return a new key for signing cookies."""
    return secrets.token_bytes(KEY_BYTES)


def signed(player: str, key: bytes) -> str:
    """Return the value of the cookie that names a player, whose id is a UUID."""
    content = UUID(player).bytes
    return urlsafe_b64encode(content + _signature(content, key)).decode()


def read_signed(value: str, key: bytes) -> str | None:
    """Return the player whom the value of a cookie names; None for one that was made up."""
    try:
        found = urlsafe_b64decode(value.encode("ascii"))
    except (UnicodeEncodeError, Base64Error, ValueError):
        return None
    content, signature = found[:_ID_BYTES], found[_ID_BYTES:]
    right = len(found) == _COOKIE_BYTES and hmac.compare_digest(signature, _signature(content, key))
    return str(UUID(bytes=content)) if right else None


def _signature(content: bytes, key: bytes) -> bytes:
    return hmac.digest(key, _PURPOSE + content, "sha256")


def player_of(connection: HTTPConnection, key: bytes) -> str | None:
    """Return the player whom the cookie of a request or socket names, None without one."""
    value = connection.cookies.get(_cookie_name(connection))
    return None if value is None else read_signed(value, key)


def set_cookie(response: Response, connection: HTTPConnection, player: str, key: bytes) -> None:
    """Name a player to the browser that sent a request, for a year from now on."""
    response.set_cookie(
        _cookie_name(connection),
        signed(player, key),
        max_age=_YEAR,
        path="/",
        secure=_is_secure(connection),
        httponly=True,
        samesite="lax",
    )


def add_cookie(connection: HTTPConnection, player: str, key: bytes) -> None:
    """Have a request that came without a player name one, as if the browser had sent it."""
    cookie = f"{_cookie_name(connection)}={signed(player, key)}"
    connection.scope["headers"].append((b"cookie", cookie.encode()))


def delete_cookie(response: Response, connection: HTTPConnection) -> None:
    """Have the browser forget its player."""
    response.delete_cookie(
        _cookie_name(connection),
        path="/",
        secure=_is_secure(connection),
        httponly=True,
        samesite="lax",
    )


def _cookie_name(connection: HTTPConnection) -> str:
    return _SECURE_COOKIE if _is_secure(connection) else _COOKIE


def _is_secure(connection: HTTPConnection) -> bool:
    return connection.url.scheme in {"https", "wss"}


def new_recovery_token() -> str:
    """Return a new secret that can stand in a link."""
    return secrets.token_urlsafe(_TOKEN_BYTES)


def recovery_hash(token: str) -> str:
    """Return what the database keeps of a token; it is too long to be guessed from that."""
    return sha256(token.encode()).hexdigest()


def clean_name(name: str) -> str:
    """Return a player's name as it is kept: one line, without characters that nobody sees.

    It has at most `MOST_NAME` characters; what looks the same is written the same (NFC). Joiners
    stay between letters and signs beyond ASCII, where scripts and emoji need them.
    """
    plain = normalize("NFC", replace_control_characters(name, " "))
    seen = "".join(each for each in plain if each in _JOINERS or not _is_invisible(each))
    joined = normalize("NFC", _LOOSE_JOINERS.sub("", seen))
    return " ".join(joined.split())[:MOST_NAME].rstrip(" " + _JOINERS)


def _is_invisible(character: str) -> bool:
    return category(character) == "Cf" or character in _FILLERS
