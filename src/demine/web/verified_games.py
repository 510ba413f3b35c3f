"""The verified games of a server as a Parquet file for researchers, without who played them.

docs/verified_games.md describes the columns.
"""

from __future__ import annotations

import hmac
import json
import secrets
from datetime import date
from typing import TYPE_CHECKING, Any, Final, NamedTuple, get_args, get_type_hints

from demine import __version__
from demine.replay.limited_file_io import atomic_write
from demine.store.cached_statistics import DEFINITIONS_VERSION, statistic_values
from demine.store.game_rows import act_count
from demine.web.verification import verified_game

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from demine.web.database.exportable_games import ExportableGame

METADATA_KEY: Final = b"demine.verified_games"
"""The metadata key of what is said of the whole file, as JSON."""
_ROWS_PER_GROUP: Final = 1 << 13
_CHARACTERS_PER_GROUP: Final = 1 << 22
"""A row group is written once it has so many rows or characters of journals."""
_ARROW_TYPES: Final = {date: "date32", str: "string", int: "int64", float: "double"}


class VerifiedGame(NamedTuple):
    """A row of the file: its columns, in their order."""

    day: date
    player: str
    name: str | None
    leaderboard: str | None
    ranked_board: str | None
    rules: str
    result: str
    time_ms: int
    acts: int
    bv: int | None
    bv_solved: int | None
    clicks: int | None
    bv_s: float | None
    ioe: float | None
    journal: str


class Pseudonyms:
    """Names for players by which nobody finds them again: other ones at each export."""

    def __init__(self) -> None:
        self._salt = secrets.token_bytes(32)

    def of(self, player: str) -> str:
        """Return the same 16 hexadecimal digits for the same player."""
        return hmac.digest(self._salt, player.encode(), "sha256").hex()[:16]


def verify(found: ExportableGame, pseudonyms: Pseudonyms) -> VerifiedGame | None:
    """Return the row of a game, computed from its journal alone; None if that is not verified."""
    game = verified_game(found.journal, found.arrived_ms)
    if game is None:
        return None
    values = (
        date.fromisoformat(found.finished_at[:10]),
        pseudonyms.of(found.player),
        found.name or None,
        found.leaderboard,
        found.ranked_board,
        str(game.rules),
        game.status.value,
        game.time_ms,
        act_count(game.events),
        *statistic_values(game),
        found.journal,
    )
    return VerifiedGame._make(values)


def write_verified_games(games: Iterable[VerifiedGame], target: Path, today: date) -> int:
    """Write rows to a file, which is replaced once it is complete; return how many there are.

    `today` is the day of the export. Raises `ReplayError` with the path and the reason.
    """
    from pyarrow import parquet

    said = {"demine": __version__, "day": today.isoformat(), "statistics": DEFINITIONS_VERSION}
    schema = _schema().with_metadata({METADATA_KEY: json.dumps(said).encode("ascii")})
    repeated = [name for name in schema.names if name != "journal"]
    count = 0
    with (
        atomic_write(target) as file,
        parquet.ParquetWriter(file, schema, compression="zstd", use_dictionary=repeated) as out,
    ):
        for rows in _row_groups(games):
            out.write_table(_table(rows, schema))
            count += len(rows)
    return count


def _row_groups(games: Iterable[VerifiedGame]) -> Iterator[list[VerifiedGame]]:
    rows: list[VerifiedGame] = []
    characters = 0
    for game in games:
        rows.append(game)
        characters += len(game.journal)
        if len(rows) == _ROWS_PER_GROUP or characters >= _CHARACTERS_PER_GROUP:
            yield rows
            rows, characters = [], 0
    if rows:
        yield rows


def _schema() -> Any:  # noqa: ANN401 - pyarrow has no types
    import pyarrow as pa

    fields = []
    for name, kind in get_type_hints(VerifiedGame).items():
        plain, *none = get_args(kind) or (kind,)
        fields.append(pa.field(name, pa.type_for_alias(_ARROW_TYPES[plain]), bool(none)))
    return pa.schema(fields)


def _table(rows: list[VerifiedGame], schema: Any) -> Any:  # noqa: ANN401
    import pyarrow as pa

    columns = zip(*rows, strict=True)
    arrays = [pa.array(each, field.type) for each, field in zip(columns, schema, strict=True)]
    return pa.Table.from_arrays(arrays, schema=schema)
