"""`demine warm`: compiles the solver's kernels in advance, so that nothing waits for them later."""

from __future__ import annotations

import time

import click

from demine.cli.ctrl_c import catch_ctrl_c, interrupt_between_kernels
from demine.cli.options import json_option
from demine.cli.progress_line import Progress
from demine.logic.json_text import to_json
from demine.scene.translation import mark, tr

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
    from demine.warm_kernels import every_kernel_set

    sets = every_kernel_set()
    folders = [each.cache_folder() for each in sets]
    folder = str(cache.kernel_cache_folder())
    if not all(each.can_write_cache() for each in sets):
        return _print_refusal(
            as_json,
            tr("{folder} is not writable, so compiled code could not be kept", folder=folder),
        )
    begin = time.perf_counter()
    names = set[str]().union(*(each.kernel_names() for each in sets))
    with (
        catch_ctrl_c() as stop,
        Progress(len(names), "kernels") as progress,
        kernel_set.report_compilations(interrupt_between_kernels(stop)),
        # Numba compiles some more for itself.
        kernel_set.report_compilations(lambda name: progress.step() if name in names else None),
    ):
        kernel_set.load_sets(sets, anyway=True)
    seconds = time.perf_counter() - begin
    if not all(each.is_cached(before) for each, before in zip(sets, folders, strict=True)):
        return _print_refusal(
            as_json,
            tr("compiled, but {folder} is not writable, so nothing was kept", folder=folder),
        )
    _print_report(
        as_json,
        loaded=not progress.done,
        kernels=len(names),
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
