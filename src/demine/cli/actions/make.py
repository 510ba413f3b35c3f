"""What `demine make` does: generates boards and writes where their mines are."""

from __future__ import annotations

import contextlib
import json
import secrets
import sys
from dataclasses import replace
from typing import TYPE_CHECKING, Final

import click
import numpy as np

from demine.boards import BoardRequest, NoSuchBoard, generate_boards
from demine.cli.ctrl_c import catch_ctrl_c, interrupt_between_kernels
from demine.cli.exit_codes import ANSWER_IS_NO, DONE, INTERRUPTED, print_negative_answer
from demine.cli.progress_line import Progress
from demine.kernels import kernel_set
from demine.kernels.background import compile_setting
from demine.logic.layout import format_layout
from demine.logic.rules import Rules
from demine.replay.formats import mbf
from demine.replay.limited_file_io import atomic_write
from demine.scene.translation import tr
from demine.solver.errors import NoGuessFreeBoard, Stopped
from demine.solver.proof.difficulty_levels import Pattern
from demine.solver.proof.kernels import SOLVER_KERNELS

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import BinaryIO

    from demine.boards import GeneratedBoard
    from demine.cli.param_types import NumberRange
    from demine.solver.proof.rating import Rating


BOARDS_TO_LOAD_SOLVER: Final = 20
"""With this many guess-free boards, the compiled solver saves more time than loading it takes."""
BOARDS_TO_COMPILE_SOLVER: Final = 500
"""The same if it has to be compiled first."""
_TRIES_PER_BOARD: Final = 20
"""About how many boards are tried for one that passes a filter."""


def run_make(
    rules: str,
    count: int,
    seed: int | None,
    first: tuple[int, int] | None,
    guess_free: bool,
    easiest: str | None,
    hardest: str | None,
    limit: int | None,
    three_bv: NumberRange | None,
    form: str,
    as_json: bool,
    target: str | None,
) -> int:
    """Carry out `demine make` and return the exit code."""
    form = "json" if as_json else form
    rated = easiest is not None or hardest is not None
    chosen = Rules.parse(rules)
    if guess_free or rated:
        chosen = replace(chosen, guess_free=True)
    request = BoardRequest(
        rules=chosen,
        count=count,
        seed=secrets.randbelow(1 << 32) if seed is None else seed,
        first=first,
        rated=rated or form == "json",
        easiest=Pattern(easiest or Pattern.SATISFIED),
        hardest=Pattern(hardest or Pattern.CASES),
        three_bv=three_bv,
        limit=limit,
    ).validated()
    _check_request(request, form, target)
    if seed is None:
        click.echo(tr("demine make: seed {seed}", seed=request.seed), err=True)
    try:
        if target in {None, "-"}:
            return _write_boards(request, form, sys.stdout.buffer)
        with atomic_write(str(target)) as file:
            return _write_boards(request, form, file)
    except (NoSuchBoard, NoGuessFreeBoard) as error:
        return print_negative_answer("make", error)


def _check_request(request: BoardRequest, form: str, target: str | None) -> None:
    """Raise an error for a request that cannot be written, before any board is generated."""
    if request.limit is not None and not request.rules.guess_free:
        raise click.UsageError(tr("--limit is for guess-free boards: add --guess-free"))
    if request.easiest.level > request.hardest.level:
        raise click.UsageError(tr("--min-rating is harder than --max-rating"))
    if form != "mbf":
        return
    mbf.check_size(request.rules.width, request.rules.height)
    if request.count > 1:
        raise click.UsageError(tr("a board file holds one board: omit -n"))
    if target in {None, "-"} and sys.stdout.isatty():
        raise click.UsageError(tr("a board file is not text for a terminal: use -o FILE"))


def _write_boards(request: BoardRequest, form: str, file: BinaryIO) -> int:
    """Write the boards, each of them whole, and return the exit code.

    If there is not a single board, the error is raised, so that no file is replaced.
    """
    encode = _ENCODERS[form]

    def show_tries(boards: int, _steps: int) -> None:
        progress.show_failed_tries(boards)

    with catch_ctrl_c() as stop, Progress(request.count, "boards") as progress:
        _load_solver_if_worth_it(request, stop)
        try:
            for made in generate_boards(request, stop, show_tries):
                file.write(encode(request, made, progress.done))
                file.flush()
                progress.step()
        except (NoSuchBoard, NoGuessFreeBoard) as error:
            if not progress.done:
                raise
            progress.clear()
            print_negative_answer("make", error)
        except Stopped:
            pass
    done = progress.done
    if done == request.count:
        return DONE
    if not done:
        raise KeyboardInterrupt
    click.echo(
        tr("demine make: {done} of {count} boards written", done=done, count=request.count),
        err=True,
    )
    return INTERRUPTED if stop() else ANSWER_IS_NO


def _load_solver_if_worth_it(request: BoardRequest, stop: Callable[[], bool]) -> None:
    """Load or compile the compiled solver if that saves time."""
    tries = request.count * (_TRIES_PER_BOARD if request.has_filter else 1)
    if (
        not request.rules.guess_free
        or tries < BOARDS_TO_LOAD_SOLVER
        or not kernel_set.numba_available()
    ):
        return
    # Without Numba the boards are the same.
    with contextlib.suppress(ImportError):
        if not kernel_set.are_cached(SOLVER_KERNELS):
            if tries < BOARDS_TO_COMPILE_SOLVER or not compile_setting().compiles:
                return
            click.echo(tr("demine make: compiling the solver first ..."), err=True)
        with kernel_set.report_compilations(interrupt_between_kernels(stop)):
            kernel_set.load_sets(SOLVER_KERNELS)


def _as_text(request: BoardRequest, made: GeneratedBoard, number: int) -> bytes:
    gap = "\n" if number else ""
    return (gap + format_layout(request.rules, made.mine_map)).encode("ascii")


def _as_json(request: BoardRequest, made: GeneratedBoard, _number: int) -> bytes:
    rating = made.rating
    facts = {
        "rules": str(request.rules),
        "seed": made.seed,
        "first": request.first,
        "mines": np.argwhere(made.mine_map).tolist(),
        "guess_free": request.rules.guess_free,
        "method": made.method,
        "rating": None if rating is None else _rating_facts(rating),
        "3bv": made.three_bv,
    }
    return (json.dumps(facts) + "\n").encode("ascii")


def _rating_facts(rating: Rating) -> dict[str, object]:
    return {"hardest": rating.hardest, "times": rating.times}


def _as_mbf(_order: BoardRequest, made: GeneratedBoard, _number: int) -> bytes:
    return mbf.dumps(made.mine_map)


_ENCODERS: Final = {"text": _as_text, "json": _as_json, "mbf": _as_mbf}
