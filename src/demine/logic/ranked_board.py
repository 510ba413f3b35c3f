"""The ranked board of a day and level: unknown before the day is over, and checked by all after it.

A server draws a secret for each and shows its digest beforehand. Secret, day and level give the
seed and the first cell, from which the guess-free dealer lays the mines. Once the secret is
published, anybody can draw the board again and compare the digest.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from demine.logic.daily_board import Daily
from demine.logic.errors import DemineError

if TYPE_CHECKING:
    from demine.logic.game import Cell

SECRET_BYTES: Final = 32
"""The length of a secret: too many to try them all within the day."""
_EDITION: Final = 1
"""Part of what is hashed: a different rule would need a different number."""


class SecretError(DemineError, ValueError):
    """A secret that is malformed, or does not have the digest that was shown beforehand."""


@dataclass(frozen=True, slots=True)
class RankedBoard:
    """A day's ranked board of one level, with its secret; raises `SecretError` for a malformed one.

    `repr` leaves the secret out, so that no log shows it.
    """

    daily: Daily
    """Day and level. The seed of that daily board is known to all, and is not used here."""
    secret: bytes

    def __post_init__(self) -> None:
        if len(self.secret) != SECRET_BYTES:
            raise SecretError("a secret has {count} bytes", count=SECRET_BYTES)

    def __repr__(self) -> str:
        return f"<RankedBoard {self.daily}>"

    @classmethod
    def draw(cls, daily: Daily) -> RankedBoard:
        """Draw a secret from the system's random numbers."""
        return cls(daily, os.urandom(SECRET_BYTES))

    @property
    def digest(self) -> str:
        """SHA-256 as hexadecimal digits, shown before the day: it tells nothing of the board."""
        return self._hash("digest").hex()

    @property
    def seed(self) -> int:
        """The seed for the dealer, 128 bits."""
        return int.from_bytes(self._hash("board")[:16])

    @property
    def start(self) -> Cell:
        """The cell to open first, `(row, col)`; it may be shown before the board is."""
        numbers, rules = self._hash("start"), self.daily.rules
        row, col = int.from_bytes(numbers[:4]), int.from_bytes(numbers[4:8])
        return row % rules.height, col % rules.width

    def check_digest(self, shown: str) -> None:
        """Raise `SecretError` unless this is the digest that was shown beforehand."""
        if self.digest != shown.lower():
            raise SecretError("this secret is not the one whose digest was shown beforehand")

    def _hash(self, purpose: str) -> bytes:
        from hashlib import sha256  # loads OpenSSL, and few starts are about ranked boards

        return sha256(
            f"demine ranked {_EDITION} {purpose} {self.daily} ".encode() + self.secret
        ).digest()
