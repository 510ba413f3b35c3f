"""The plan of a dataset: everything that its files depend on."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from demine import __version__
from demine.logic.errors import mark
from demine.solver.player.custom_policy import CustomPolicy
from demine.solver.player.kernels_for_simulation import fits_kernels
from demine.studies.datasets.columns import columns_with
from demine.studies.errors import StudyError
from demine.studies.plan import MAX_GAMES, StudyPlan, checked_number

if TYPE_CHECKING:
    from demine.logic.rules import Rules
    from demine.solver.player.resolve_policy import ResolvedPolicy

FORMAT: Final = "demine dataset 1"
FILE_FORMATS: Final = ("parquet", "npz")
DEFAULT_SHARD: Final = 10_000
MAX_SHARD_CELLS: Final = 1 << 25
"""A shard is made in memory, where a cell takes some six bytes."""
MAX_SHARDS: Final = 100_000
GAMES_PER_SHARD: Final = 1 << 32
"""The games of shard `i` have the indices from `i * GAMES_PER_SHARD` on."""


@dataclass(frozen=True, slots=True)
class DatasetPlan:
    """Which positions a dataset has, and how they are written.

    `study` says which games: rules, one policy, seed and first cell. At most `per_game` positions
    of each game are taken, drawn evenly from all it went through. A share `random` of the moves is
    any covered cell instead of the policy's. Every file has `shard` positions, the last one may
    have fewer. Raises `StudyError` for numbers out of range and for boards that are too large.
    """

    study: StudyPlan
    positions: int
    per_game: int = 4
    random: float = 0.0
    mines: bool = False
    """Whether the dataset has the column `mines`."""
    form: str = FILE_FORMATS[0]
    shard: int = DEFAULT_SHARD

    def __post_init__(self) -> None:
        rules = self.study.rules
        checked_number(mark("the number of positions"), self.positions, 1, MAX_GAMES)
        checked_number(mark("the number of positions of a game"), self.per_game, 1, MAX_GAMES)
        checked_number(mark("the number of positions of a file"), self.shard, 1, MAX_GAMES)
        if len(self.study.policies) != 1:
            raise StudyError("the games of a dataset are played by one policy")
        if self.form not in FILE_FORMATS:
            raise StudyError(
                "a dataset is written as {formats}, not as {format}",
                formats=", ".join(FILE_FORMATS),
                format=repr(self.form)[:40],
            )
        _check_share(self.random)
        if not fits_kernels(rules):
            raise StudyError("boards of {cells} cells are too large", cells=rules.cells)
        if min(self.shard, self.positions) * rules.cells > MAX_SHARD_CELLS:
            raise StudyError(
                "files of {shard} positions are too large: at most {most} of this size",
                shard=self.shard,
                most=MAX_SHARD_CELLS // rules.cells,
            )
        if self.shards > MAX_SHARDS:
            raise StudyError(
                "{shards} files are too many: give a file more positions", shards=self.shards
            )

    @property
    def rules(self) -> Rules:
        """The rules of the games."""
        return self.study.rules

    @property
    def player(self) -> ResolvedPolicy:
        """The policy that plays."""
        return self.study.player(self.study.policies[0])

    @property
    def is_custom(self) -> bool:
        """Whether the policy is one's own."""
        return isinstance(self.player, CustomPolicy)

    @property
    def shards(self) -> int:
        """The number of files."""
        return math.ceil(self.positions / self.shard)

    def positions_of(self, shard: int) -> int:
        """Return how many positions a file has."""
        return min(self.shard, self.positions - shard * self.shard)

    def file_name(self, shard: int) -> str:
        """Return the name of a file."""
        return f"positions-{shard:05}.{self.form}"

    def to_dict(self) -> dict[str, Any]:
        """Return the plain values that tell this dataset from others, for its manifest."""
        study = self.study
        return {
            "form": FORMAT,
            "demine": __version__,
            "rules": str(study.rules),
            "height": study.rules.height,
            "width": study.rules.width,
            "policy": study.policies[0],
            "policy_version": study.versions[0],
            "seed": study.seed,
            "start": list(study.start),
            "positions": self.positions,
            "per_game": self.per_game,
            "random": float(self.random),
            "format": self.form,
            "shard": self.shard,
            "columns": {each.name: each.dtype for each in columns_with(self.mines)},
        }


def _check_share(share: object) -> None:
    if not (isinstance(share, int | float) and 0 <= share <= 1):
        raise StudyError(
            "the share of random moves is a number from 0 to 1, not {share}", share=repr(share)[:40]
        )
