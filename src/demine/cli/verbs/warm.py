"""`demine warm`: compiles the solver's kernels in advance, so that nothing waits for them later."""

from __future__ import annotations

import sys
import time
from contextlib import suppress
from typing import TYPE_CHECKING

import click

from demine.cli.ctrl_c import catch_ctrl_c, interrupt_between_kernels
from demine.cli.options import json_option
from demine.cli.progress_line import redraw_line
from demine.logic.json_text import to_json
from demine.scene.translation import mark, tr

if TYPE_CHECKING:
    from types import TracebackType
    from typing import Self

ABOUT = mark("Compile the fast solver in advance.")
HELP_ORDER = 130


def command() -> click.Command:
    """Return the Click command of `demine warm`."""
    return click.Command(
        "warm",
        callback=_warm,
        help=tr(
            "Compile the fast solver in advance and keep it in your cache folder.\n\nHints and "
            "probabilities are the same without it, only slower. The windows do this by "
            "themselves in the background; the first large study does it before it starts."
        ),
        params=[
            json_option(),
        ],
    )


def _warm(as_json: bool) -> int:
    from demine.kernels import kernel_set

    if not kernel_set.numba_available():
        return _print_refusal(
            as_json,
            tr(
                "Numba is not installed, so the solver runs interpreted: same answers, but "
                'slower. Install it with `pip install "demine[solver]"`.'
            ),
        )
    try:
        return _compile_kernels(as_json)
    except ImportError as error:
        return _print_refusal(as_json, tr("Numba cannot be loaded: {reason}", reason=str(error)))


def _compile_kernels(as_json: bool) -> int:
    from demine.kernels import cache, kernel_set
    from demine.studies.all_kernels import every_kernel_set

    sets = every_kernel_set()
    folders = [each.cache_folder() for each in sets]
    folder = str(cache.kernel_cache_folder())
    if not all(each.can_write_cache() for each in sets):
        return _print_refusal(
            as_json,
            tr("{folder} is not writable, so compiled code could not be kept", folder=folder),
        )
    begin = time.perf_counter()
    with (
        catch_ctrl_c() as stop,
        _CompileProgress(frozenset().union(*(each.kernel_names() for each in sets))) as progress,
        kernel_set.report_compilations(interrupt_between_kernels(stop)),
        kernel_set.report_compilations(progress.show),
    ):
        kernel_set.load_sets(sets)
    seconds = time.perf_counter() - begin
    if not all(each.is_cached(before) for each, before in zip(sets, folders, strict=True)):
        return _print_refusal(
            as_json,
            tr("compiled, but {folder} is not writable, so nothing was kept", folder=folder),
        )
    _print_report(
        as_json,
        loaded=not progress.done_count,
        kernels=progress.kernel_count,
        seconds=seconds,
        folder=folder,
    )
    return 0


def _print_report(
    as_json: bool, *, loaded: bool, kernels: int, seconds: float, folder: str
) -> None:
    if as_json:
        text = {
            "ready": True,
            "loaded": loaded,
            "kernels": kernels,
            "seconds": round(seconds, 3),
            "cache": folder,
        }
        click.echo(to_json(text))
        return
    if loaded:
        click.echo(tr("Loaded from the cache in {seconds:.1f} s.", seconds=seconds))
    else:
        click.echo(tr("Compiled {n} kernels in {seconds:.1f} s.", n=kernels, seconds=seconds))
    click.echo(tr("Kept in {folder}", folder=folder))


def _print_refusal(as_json: bool, reason: str) -> int:
    if as_json:
        click.echo(to_json({"ready": False, "reason": reason}))
    else:
        click.echo(f"demine warm: {reason}", err=True)
    return 1


class _CompileProgress:
    """Shows on stderr what is compiled: one line redrawn on a terminal, else a line each."""

    def __init__(self, names: frozenset[str]) -> None:
        self._left = set(names)
        self.kernel_count = len(names)
        self._redraws = sys.stderr.isatty()

    @property
    def done_count(self) -> int:
        """How many kernels have been compiled."""
        return self.kernel_count - len(self._left)

    def show(self, name: str) -> None:
        """Count and show a kernel, unless it is one that Numba compiles for itself."""
        if name not in self._left:
            return
        self._left.discard(name)
        line = tr(
            "compiling {done} of {all}: {name}",
            done=self.done_count,
            all=self.kernel_count,
            name=name,
        )
        # A closed stderr does not stop the compiling.
        with suppress(OSError, ValueError):
            if self._redraws:
                redraw_line(line)
            else:
                click.echo(line, err=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._redraws and self.done_count:
            redraw_line("")
