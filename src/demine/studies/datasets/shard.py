"""One file of a dataset: its positions, and its bytes, as a worker makes them."""

from __future__ import annotations

import io
import json
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from demine import __version__
from demine.kernels.kernel_set import load_sets, numba_available
from demine.logic.kernels import DEALING_KERNELS, OPENING_KERNELS
from demine.solver.player.kernels_for_simulation import PLAYER_KERNELS, PROBABILITY_KERNELS
from demine.studies.datasets.columns import columns_with, joined
from demine.studies.datasets.plan import GAMES_PER_SHARD
from demine.studies.datasets.play import MAX_GAMES_AT_ONCE, sample_positions
from demine.studies.datasets.solve import solve_positions
from demine.studies.errors import StudyError

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from demine.kernels.kernel_set import KernelSet
    from demine.studies.datasets.columns import Column, Table
    from demine.studies.datasets.plan import DatasetPlan

DATASET_KERNELS: Final[tuple[KernelSet, ...]] = (
    PROBABILITY_KERNELS,
    PLAYER_KERNELS,
    DEALING_KERNELS,
    OPENING_KERNELS,
)
"""What makes datasets fast."""
METADATA_KEY: Final = b"demine.dataset"
"""The metadata key of the plan, as JSON, in Parquet files."""
_MOST_EMPTY_GAMES: Final = 20_000
"""So many games in a row without a position mean that there are none."""


@dataclass(frozen=True, slots=True)
class Shard:
    """The bytes of a file of a dataset, from a worker."""

    first: int
    """Its number."""
    count: int
    """Always 1: workers make one file at a time."""
    data: bytes
    version: str
    seconds: float
    cpu_ns: int


def make_shard(plan: DatasetPlan, number: int, count: int, with_rows: bool) -> Shard:
    """Return one file of a dataset, the same wherever it is made."""
    del count, with_rows
    begun, cpu = time.monotonic(), time.thread_time_ns()
    if numba_available():
        load_sets(DATASET_KERNELS)
    data = _ENCODERS[plan.form](plan, shard_table(plan, number))
    return Shard(
        number,
        1,
        data,
        __version__,
        time.monotonic() - begun,
        time.thread_time_ns() - cpu,
    )


def shard_table(plan: DatasetPlan, number: int) -> Table:
    """Return the columns of a file, in order; raises `StudyError` if games have no positions."""
    played = _enough_positions(plan, number)
    columns = {**played, **solve_positions(played["board"], plan.rules.mines)}
    return {each.name: columns[each.name] for each in columns_with(plan.mines)}


def _enough_positions(plan: DatasetPlan, number: int) -> Table:
    """Play games until the file is full."""
    wanted = plan.positions_of(number)
    parts: list[Table] = []
    found = games = 0
    while found < wanted:
        if not found and games >= _MOST_EMPTY_GAMES:
            raise StudyError(
                "{games} games of {rules} were over after their first click, so there are no "
                "positions",
                games=games,
                rules=plan.rules,
            )
        # Somewhat more than have sufficed so far; what is too much is left out.
        rate = found / games if found else min(plan.per_game, 2)
        count = min(MAX_GAMES_AT_ONCE, int((wanted - found) / rate * 1.05) + 8)
        parts.append(sample_positions(plan, number * GAMES_PER_SHARD + games, count))
        found += len(parts[-1]["game"])
        games += count
    return joined(parts, wanted)


def _as_npz(plan: DatasetPlan, table: Table) -> bytes:
    del plan
    file = io.BytesIO()
    arrays: dict[str, Any] = table
    np.savez_compressed(file, **arrays)
    return file.getvalue()


def _as_parquet(plan: DatasetPlan, table: Table) -> bytes:
    import pyarrow as pa
    from pyarrow import parquet

    note = {METADATA_KEY: json.dumps(plan.to_dict()).encode("ascii")}
    columns = [_arrow_array(each, table[each.name]) for each in columns_with(plan.mines)]
    written = pa.Table.from_arrays(columns, names=list(table)).replace_schema_metadata(note)
    file = io.BytesIO()
    parquet.write_table(written, file, compression="zstd")
    return file.getvalue()


def _arrow_array(column: Column, values: NDArray[Any]) -> Any:  # noqa: ANN401 - pyarrow has no types
    import pyarrow as pa

    if column.per_cell:
        cells = values.reshape(len(values), -1)
        return pa.FixedSizeListArray.from_arrays(pa.array(cells.reshape(-1)), cells.shape[1])
    return pa.array(values, from_pandas=column.name == "win_chance")


_ENCODERS: Final[dict[str, Callable[[DatasetPlan, Table], bytes]]] = {
    "parquet": _as_parquet,
    "npz": _as_npz,
}
