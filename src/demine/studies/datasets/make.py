"""Make a dataset: play games, solve their positions and write them to files."""

from __future__ import annotations

import contextlib
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from demine.kernels.compile_notice import log_compiling
from demine.kernels.kernel_set import load_sets, report_compilations
from demine.logic.errors import mark
from demine.logic.json_text import ToJson
from demine.studies.datasets.folder import DatasetFolder
from demine.studies.datasets.plan import DEFAULT_SHARD, FILE_FORMATS, DatasetPlan
from demine.studies.datasets.shard import DATASET_KERNELS, Shard, make_shard
from demine.studies.errors import StudyError
from demine.studies.plan import StudyPlan
from demine.studies.process_pool import processor_count
from demine.studies.resumable_study import Workers, checked_workers, local_workers
from demine.studies.run import Work, do_missing_chunks

if TYPE_CHECKING:
    import os
    from collections.abc import Callable
    from concurrent.futures import Executor

    from demine.kernels.kernel_set import KernelSet
    from demine.logic.rules import Rules
    from demine.solver.player.policy_types import PolicyLike

DEFAULT_POLICY: Final = "fast"


@dataclass(frozen=True)
class Dataset(ToJson):
    """A dataset in a folder: how many positions its files have, of how many that were wanted.

    It is that of a `seed`.

    >>> import tempfile
    >>> import demine
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     made = demine.dataset("8x8/10", folder, positions=8, shard=4, format="npz")
    >>> made.positions, made.files
    (8, 2)
    """

    folder: Path
    positions: int
    wanted: int
    files: int
    seed: int

    @property
    def is_complete(self) -> bool:
        """Whether all positions are there."""
        return self.positions == self.wanted

    def to_dict(self) -> dict[str, Any]:
        """Return its plain values, as for JSON."""
        return {
            "folder": str(self.folder),
            "positions": self.positions,
            "files": self.files,
            "seed": self.seed,
        }


def dataset(  # noqa: PLR0913 - passed by name, and most seldom
    rules: Rules | str,
    folder: str | os.PathLike[str],
    *,
    positions: int = 100_000,
    policy: PolicyLike = DEFAULT_POLICY,
    random: float = 0.0,
    per_game: int = 4,
    mines: bool = False,
    format: str = FILE_FORMATS[0],  # noqa: A002 - what it is called everywhere
    shard: int = DEFAULT_SHARD,
    seed: int = 0,
    start: tuple[int, int] | None = None,
    executor: Executor | Callable[[], Executor] | None = None,
    workers: int | None = None,
    resume: bool = False,
    progress: Callable[[int, int], object] | None = None,
    stop: Callable[[], bool] | None = None,
) -> Dataset:
    """Write positions with exact probabilities and best moves to files, and return what there is.

    Games of `rules` are played by a `policy`, by its name or one of your own, which opens proven
    cells in any order; a share `random` of the moves is any covered cell instead. At most
    `per_game` positions are taken of each game. The files in `folder` are `"parquet"` or `"npz"`,
    with `shard` positions each; with `mines` they have the mines as well. Their bytes depend on
    these arguments, on `seed` and `start` alone, if your policy always answers alike.

    `executor`, `workers`, `progress`, in positions, and `stop` are those of `demine.study`, and
    `resume` goes on with a folder that was begun. Raises `StudyError` if that cannot be done, or
    files cannot be written, and what `StudyPlan` raises.

    >>> import tempfile
    >>> import demine
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     demine.dataset("8x8/10", folder, positions=20, format="npz").is_complete
    True
    """
    study = StudyPlan.of_policies(rules, [policy], seed, 1, start)
    plan = DatasetPlan(study, positions, per_game, random, mines, format, shard)
    opened = open_folder(plan, Path(folder), resume=resume)
    with contextlib.ExitStack() as stack:
        if executor is None:
            compile_dataset_kernels()
            who = stack.enter_context(local_workers(1 if workers is None else workers))
        else:
            count = max(2, processor_count()) if workers is None else checked_workers(workers)
            who = Workers(executor, count)
        return make_missing_files(
            opened,
            who,
            on_progress=None if progress is None else lambda done: progress(done, plan.positions),
            should_stop=stop,
        )


def open_folder(plan: DatasetPlan, path: Path, *, resume: bool = False) -> DatasetFolder:
    """Begin the folder of a dataset, or go on with it; raises what `dataset` raises about it."""
    if plan.form == "parquet" and find_spec("pyarrow") is None:
        raise StudyError(
            'Parquet needs pyarrow: install it with `pip install "demine[study]"`, or write npz'
        )
    return DatasetFolder.open(path, plan, resume=resume)


def make_missing_files(
    folder: DatasetFolder,
    who: Workers,
    *,
    on_progress: Callable[[int], object] | None = None,
    should_stop: Callable[[], bool] | None = None,
) -> Dataset:
    """Make the files of a dataset that are missing, and return what there is.

    `on_progress` is called with the number of positions that are there.
    """
    plan = folder.plan
    work = Work[DatasetPlan, Shard](
        plan,
        plan.shards,
        make_shard,
        custom=plan.is_custom,
        largest_chunk=1,
        dies=mark("a worker process dies each time it makes file {first}: {reason}"),
    )
    told = None if on_progress is None else lambda _: on_progress(folder.positions)
    try:
        do_missing_chunks(
            work,
            folder,
            who.executor,
            who.chunks,
            who.begin_here,
            on_progress=told,
            should_stop=should_stop,
        )
    finally:
        folder.write_manifest()
    return Dataset(
        folder.path, folder.positions, plan.positions, folder.counts.games, plan.study.seed
    )


def compile_dataset_kernels(
    before_compiling: Callable[[KernelSet], object] = log_compiling,
    before_each: Callable[[str], object] = str,
) -> None:
    """Compile what makes datasets once, before many processes would each do it.

    `before_compiling` is called first unless all is there, `before_each` with the name of each
    kernel; it may raise to stop.
    """
    missing = [each for each in DATASET_KERNELS if each.would_compile()]
    if missing:
        before_compiling(missing[0])
        with contextlib.suppress(ImportError), report_compilations(before_each):
            load_sets(missing)
