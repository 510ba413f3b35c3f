"""The options of the verbs that play many games: `study`, `match` and `dataset`."""

from __future__ import annotations

from demine.cli.options import Option, Switch
from demine.cli.param_types import CELL, CompletedText, Completions, Number
from demine.logic.rules import First
from demine.scene.translation import mark, tr
from demine.studies.process_pool import MAX_WORKERS


def options_of_games() -> list[Option]:
    """Return the options that say which games are played."""
    return [
        Option("--games", Number(), tr("How many games."), 1000),
        first_option(),
        Option("--start", CELL, tr("The first cell, counted from 0 (sentences count from 1).")),
        Option("--seed", Number(), tr("Seed of the boards (default: random, printed to stderr).")),
    ]


def first_option() -> Option:
    """Return the option `--first`, what the rules promise about the first cell."""
    return Option("--first", [each.value for each in First], tr("What the first click guarantees."))


def scheduler_option() -> Option:
    """Return the option `--scheduler`, a Dask cluster whose workers play."""
    return Option(
        "--scheduler",
        CompletedText(mark("ADDRESS"), Completions),
        tr("Play on the cluster of this Dask scheduler, such as tcp://host:8786."),
    )


def workers_option() -> Option:
    """Return the option `--workers`, how many processes play."""
    said = tr("Processes on this machine (default: one per processor).")
    return Option("--workers", Number(1, MAX_WORKERS), said)


def resume_option() -> Switch:
    """Return the option `--resume`, to go on with what was stopped."""
    return Switch("--resume", tr("Continue what was stopped."))
