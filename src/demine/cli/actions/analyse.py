"""What `demine analyse` does: how often each promising cell of a position wins."""

from __future__ import annotations

import importlib.util
import logging
import sys
from contextlib import nullcontext
from typing import TYPE_CHECKING, Unpack

import click

from demine.cli.ctrl_c import catch_ctrl_c, interrupt_between_kernels
from demine.cli.exit_codes import DONE, INTERRUPTED, print_negative_answer
from demine.cli.position_options import PositionChoice
from demine.cli.progress_line import Progress
from demine.cli.read_position import read_position
from demine.cli.text_table import aligned_lines
from demine.kernels import kernel_set
from demine.logic.errors import DemineError
from demine.logic.json_text import to_json
from demine.scene.translation import tr
from demine.solver.errors import InconsistentBoard, TooComplex
from demine.solver.player.kernels import PLAYER_KERNELS
from demine.solver.playout_limits import DEFAULT_SECONDS
from demine.solver.win_chances import Analysis, analyse

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractContextManager

    from demine.cli.read_position import Position


def run_analyse(
    seconds: float | None,
    playouts: int | None,
    policy: str,
    seed: int,
    as_json: bool,
    window: bool,
    **chosen: Unpack[PositionChoice],
) -> int:
    """Carry out `demine analyse` and return the exit code."""
    if window:
        is_named = chosen["paste"] or chosen["file"] is not None
        return _open_window(read_position("analyse", **chosen) if is_named else None)
    position = read_position("analyse", **chosen)
    _announce_compiling()
    limit = None if playouts else seconds or DEFAULT_SECONDS
    with catch_ctrl_c() as stopped, _ctrl_c_ends_compiling(stopped):
        try:
            with Progress(playouts, "layouts", seconds=limit) as progress:
                found = analyse(
                    position.seen(),
                    seconds=seconds,
                    playouts=playouts,
                    policy=policy,
                    seed=seed,
                    progress=progress.update,
                    stop=stopped,
                )
        except (InconsistentBoard, TooComplex) as error:
            return print_negative_answer("analyse", error, position.source)
        interrupted = stopped()
    if as_json:
        facts = {"rules": str(position.rules), **found.to_dict(), "text": str(found)}
        click.echo(to_json(facts))
    else:
        click.echo(_report_text(found))
    return INTERRUPTED if interrupted else DONE


def _open_window(position: Position | None) -> int:
    """Show a position, or else an empty board, until the window is closed; return the exit code."""
    if importlib.util.find_spec("PySide6") is None:
        raise DemineError(
            "the analysis board needs a library that is not installed: "
            "pip install 'demine[desktop]'"
        )
    from demine.desktop.analysis_app import run

    language = click.get_current_context().find_root().params.get("lang")
    settings = {} if language is None else {"language": language}
    return run(None if position is None else position.seen(), settings)


def _announce_compiling() -> None:
    """Print that the policies must be compiled first, or are slow without Numba."""
    if not kernel_set.numba_available():
        click.echo(
            tr("Numba is not installed, so games are played in plain Python, very slowly."),
            err=True,
        )
    elif sys.stderr.isatty() and PLAYER_KERNELS.would_compile():
        click.echo(tr("Compiling the player first; this takes a while, once."), err=True)
        # The library would say the same, in English.
        logging.getLogger("demine.kernels").setLevel(logging.ERROR)


def _ctrl_c_ends_compiling(stopped: Callable[[], bool]) -> AbstractContextManager[None]:
    """Let Ctrl-C interrupt compiling within this context."""
    if not kernel_set.numba_available():
        return nullcontext()
    return kernel_set.report_compilations(interrupt_between_kernels(stopped))


def _report_text(found: Analysis) -> str:
    lines = found.table_rows()
    if not lines:
        return str(found)
    head = (tr("Cell"), tr("Risk"), tr("Wins"), "" if found.exact else "95%")
    rows = aligned_lines([head, *lines], right_columns=range(len(head)))
    return "\n".join([*rows, "", str(found)])
