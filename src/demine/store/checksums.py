"""Checksums of what is kept: whatever a damaged byte changed is noticed when it is read.

A game is sealed by the CRC-32 of its row, of its daily board, and of the checksum of its journal; a
row of figures by a checksum of its own. One row of the table `tally` counts the games that are over
and adds up their seals, so that a game that is gone is noticed too; triggers keep it.
"""

from __future__ import annotations

import sqlite3
import zlib
from typing import Final

GAME: Final = (
    "id", "rules", "header", "status", "unranked", "result", "time_ms", "hits", "acts",
    "began_at", "seen_at", "finished_at", "crc",
)  # fmt: skip
"""The columns of a game that are sealed: all but its number and who plays it."""
DAILY: Final = ("day", "level", "opened_at", "outcome")
FIGURES: Final = ("num", "edition", "bv", "bv_solved", "clicks", "bv_s", "ioe")
SEAL_OF_GAME: Final = f"demine_seal({', '.join((*GAME, *DAILY))})"
"""SQL over `games LEFT JOIN dailies USING (num)`."""
SEAL_OF_FIGURES: Final = f"demine_seal({', '.join(FIGURES)})"
RESEAL: Final = (
    f"UPDATE games SET seal = (SELECT {SEAL_OF_GAME} FROM games AS kept"  # noqa: S608 (names)
    " LEFT JOIN dailies USING (num) WHERE kept.num = games.num)"
)
SEAL_OF_ARRIVAL: Final = "demine_seal(num, id, owner)"
FALSE_ARRIVAL: Final = f"SELECT num FROM arrivals WHERE seal IS NOT {SEAL_OF_ARRIVAL} LIMIT 1"  # noqa: S608 (names)
CHECKED: Final = ("games", "dailies", "figures", "tally")
"""The tables that `demine.store.connection.verify` reads."""
BROKEN: Final = (
    f"""SELECT id FROM games NOT INDEXED LEFT JOIN dailies USING (num)
        WHERE seal <> {SEAL_OF_GAME} LIMIT 1""",  # noqa: S608 (names)
    f"SELECT num FROM figures WHERE seal <> {SEAL_OF_FIGURES} LIMIT 1",  # noqa: S608 (names)
)
TALLY: Final = (
    "SELECT (SELECT count(*) FROM tally), games, seals, found, total FROM tally,"
    " (SELECT count(*) AS found, coalesce(sum(seal), 0) AS total FROM games NOT INDEXED"
    " WHERE status IN ('won', 'lost', 'resigned'))"
)


def seal(*values: object) -> int:
    """Return the checksum of the values of a row."""
    return zlib.crc32("\x1f".join(map(str, values)).encode())


def chain(before: int, lines: str | None) -> int:
    """Return the checksum of a running game's journal, grown by lines (joined by newlines)."""
    return before if lines is None else zlib.crc32(f"\n{lines}".encode(), before)


def register(connection: sqlite3.Connection) -> None:
    """Teach a connection the functions that the statements here use."""
    connection.create_function("demine_seal", -1, seal, deterministic=True)
    connection.create_function("demine_chain", 2, chain, deterministic=True)
    connection.create_function("demine_crc", 1, zlib.crc32, deterministic=True)


def reseal(connection: sqlite3.Connection, num: int) -> None:
    """Seal a game anew after a change on purpose, in the transaction of the change."""
    connection.execute(f"{RESEAL} WHERE num = ?", (num,))
