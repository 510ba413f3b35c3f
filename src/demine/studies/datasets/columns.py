"""The columns of a dataset; everything about them is made from this table."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Table: TypeAlias = dict[str, NDArray[Any]]
    """The columns of positions: those per cell have the shape `(positions, height, width)`."""


class Column(NamedTuple):
    """A column: its name, the type of its values, and whether it has one for each cell."""

    name: str
    dtype: str
    per_cell: bool = False


COLUMNS: Final = (
    Column("board", "uint8", per_cell=True),
    Column("probability", "float32", per_cell=True),
    Column("best_row", "int16"),
    Column("best_col", "int16"),
    Column("risk", "float64"),
    Column("win_chance", "float64"),
    Column("game", "int64"),
    Column("move", "int32"),
    Column("won", "bool"),
)
MINES: Final = Column("mines", "uint8", per_cell=True)
"""The last column, for those who want it."""


def columns_with(mines: bool) -> tuple[Column, ...]:
    """Return the columns of a dataset with or without its mines."""
    return (*COLUMNS, MINES) if mines else COLUMNS


def joined(tables: list[Table], count: int) -> Table:
    """Return the first `count` positions of several tables as one."""
    return {name: np.concatenate([each[name] for each in tables])[:count] for name in tables[0]}
