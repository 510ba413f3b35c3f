"""The games of a study as a Parquet file, with the plan and the result in its metadata."""

from __future__ import annotations

import json
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from demine.replay.limited_file_io import atomic_write
from demine.studies.chunk import StudyCounts
from demine.studies.errors import StudyError
from demine.studies.output_check import check_writable
from demine.studies.play_games import GAME_DTYPE
from demine.studies.result import StudyResult

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from numpy.typing import NDArray

    from demine.studies.ledger import Ledger, StoredRows

METADATA_KEY: Final = b"demine.study"
"""The metadata key of the plan and the counts, as JSON."""
ENDINGS: Final = (".parquet", ".pq", "")
"""The suffixes that the name of a Parquet file may have."""
ROWS_PER_GROUP: Final = 1 << 16
"""About how many games a row group has."""


def check_parquet_target(target: Path) -> None:
    """Raise `StudyError` if the games cannot be written: wrong suffix, bad path, no pyarrow."""
    if target.suffix.lower() not in ENDINGS:
        raise StudyError(
            "{path}: games are written as Parquet, so name it *{ending}",
            path=target,
            ending=ENDINGS[0],
        )
    check_writable(target)
    if find_spec("pyarrow") is None:
        raise StudyError('Parquet needs pyarrow: install it with `pip install "demine[study]"`')


def write_games(ledger: Ledger, target: Path) -> None:
    """Write the games of a ledger, ordered by index, with a row for each game and policy.

    `target` is replaced when the file is complete. Columns: `index`, `seed` (what
    `demine play RULES --seed` takes; decimal), `policy`, `won`, `opened`, `guesses`, `survival`,
    `3bv`, `moves`, `ms` (of processor time). Raises `ReplayError` with the path and the reason.
    """
    from pyarrow import parquet

    plan = ledger.plan
    note = {"plan": plan.to_dict(), "counts": ledger.counts.to_dict()}
    schema = _schema().with_metadata({METADATA_KEY: json.dumps(note).encode("ascii")})
    with (
        atomic_write(target) as file,
        parquet.ParquetWriter(file, schema, compression="zstd") as out,
    ):
        for games in _row_groups(ledger):
            out.write_table(_table(games, plan.policies, plan.seed, schema))


def read_result(path: Path) -> StudyResult | None:
    """Return the result in the metadata of a Parquet file, or None if the file does not exist.

    Raises `StudyError` if it is not the Parquet file of a study.
    """
    from pyarrow import ArrowException, parquet

    from demine.studies.plan import StudyPlan

    if not path.exists():
        return None
    try:
        note = json.loads((parquet.read_metadata(path).metadata or {})[METADATA_KEY])
        return StudyResult(StudyPlan.from_dict(note["plan"]), StudyCounts.from_dict(note["counts"]))
    except (ArrowException, OSError, KeyError, TypeError, ValueError) as error:
        raise StudyError("{path} is not the Parquet file of a study", path=path) from error


def _row_groups(ledger: Ledger) -> Iterator[NDArray[np.void]]:
    """Yield the games in order, several chunks at a time, of shape `(games, policies)`."""
    waiting: list[NDArray[np.void]] = []
    for part in sorted(ledger.stored_rows, key=_first):
        waiting.append(ledger.read_rows(part))
        if sum(map(len, waiting)) >= ROWS_PER_GROUP:
            yield np.concatenate(waiting)
            waiting = []
    if waiting:
        yield np.concatenate(waiting)


def _first(part: StoredRows) -> int:
    return part.first


def _schema() -> Any:  # noqa: ANN401 - pyarrow has no types
    import pyarrow as pa

    return pa.schema(
        [
            ("index", pa.int64()),
            ("seed", pa.decimal128(38)),
            ("policy", pa.dictionary(pa.int8(), pa.string())),
            ("won", pa.bool_()),
            ("opened", pa.int32()),
            ("guesses", pa.int32()),
            ("survival", pa.float64()),
            ("3bv", pa.int32()),
            ("moves", pa.int32()),
            ("ms", pa.float64()),
        ]
    )


def _table(games: NDArray[np.void], policies: tuple[str, ...], seed: int, schema: object) -> Any:  # noqa: ANN401
    import pyarrow as pa

    flat = games.reshape(-1)
    # 128 bits, the lower half first: the index, and the study's seed above it.
    halves = np.empty((flat.size, 2), "<u8")
    halves[:, 0], halves[:, 1] = flat["index"], seed
    seeds = pa.Array.from_buffers(
        pa.decimal128(38), flat.size, [None, pa.py_buffer(halves.tobytes())]
    )
    who = np.tile(np.arange(len(policies), dtype=np.int8), len(games))
    plain = {name: pa.array(np.ascontiguousarray(flat[name])) for name in GAME_DTYPE.names or ()}
    return pa.Table.from_arrays(
        [
            plain["index"],
            seeds,
            pa.DictionaryArray.from_arrays(pa.array(who), pa.array(policies, pa.string())),
            plain["won"],
            plain["opened"],
            plain["guesses"],
            plain["survival"],
            plain["bv"],
            plain["moves"],
            pa.array(flat["ns"] / 1e6),
        ],
        schema=schema,
    )
