"""The page of the benchmarks, made from the file of a run."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

from benchmarks.measure import Row
from benchmarks.table import BENCHMARKS

RESULTS: Final = Path(__file__).with_name("results.json")
PAGE: Final = Path(__file__).with_name("README.md")
_HEAD: Final = """\
# Benchmarks

Every speed that demine claims, beside the strongest peer that could be installed, taking turns with
it in one run on one machine. Ratios travel from machine to machine, absolute figures hardly do.

```sh
python -m benchmarks                    # all of it, a quarter of an hour on a quiet machine
python -m benchmarks --only flood       # one table
python -m benchmarks --quick            # few repeats, to see that everything works
```

It waits up to five minutes in all for others on the machine to keep quiet, and otherwise repeats everything twice
as often. What fails twice is told and makes the exit code 1; rows below their goals are listed at the end of this page.
Each writes its figures to `benchmarks/results.json`, from which this page is made: no number is typed
by hand. The peers are in the dependency group `bench`; what is not installed is left out. *Times* is
how many times as fast demine is, or as many times as much a second; a row below its goal is marked,
and told at the end. [Positions](positions/README.md) are boards with known numbers of layouts.
"""


def page(results: dict[str, Any]) -> str:
    """Return the page of a run as Markdown."""
    parts = [_HEAD]
    for benchmark in BENCHMARKS:
        found = results["benchmarks"].get(benchmark.name)
        if found is None:
            continue
        rows = [Row(**row) for row in found["rows"]]
        parts += [f"## {benchmark.title}\n", f"{benchmark.about}\n", conditions(found)]
        if found.get("failed"):
            parts.append(f"Not measured: {found['failed']}\n")
        if rows:
            parts.append(table(rows))
    parts.append("## Below their goals\n")
    parts.append("\n".join(below_goals(results) or ["No row."]) + "\n")
    return "\n".join(parts)


def below_goals(results: dict[str, Any]) -> list[str]:
    """Return a line for each row that is below its goal."""
    return [
        f"* {benchmark.title}: {row.what} ({told(row)})"
        for benchmark in BENCHMARKS
        for row in (
            Row(**row) for row in results["benchmarks"].get(benchmark.name, {"rows": []})["rows"]
        )
        if row.misses
    ]


def conditions(found: dict[str, Any]) -> str:
    """Return where and when a table was measured."""
    peers = ", ".join(f"{name} {number}" for name, number in found["peers"].items())
    quick = ", few repeats" if found["quick"] else ""
    beside = f"; {peers}" if peers else ""
    return (
        f"*`{found['command']}`, {found['date']}, {found['processor']}, {found['cores']} cores, "
        f"others kept {found['load_before']:.1f} to {found['load_after']:.1f} of them busy{quick}; "
        f"Python {found['python']}{beside}.*\n"
    )


def table(rows: list[Row]) -> str:
    """Return a table of rows; columns that are empty throughout are left out."""
    beside = any(row.theirs is not None for row in rows)
    goals = any(row.goal is not None or row.limit is not None for row in rows)
    names = ["what", "demine", *(["peer", "times"] if beside else []), *(["goal"] if goals else [])]
    lines = ["| " + " | ".join(names) + " |", "|---" * len(names) + "|"]
    for row in rows:
        cells = [row.what, f"{figure(row.demine)} {row.unit}"]
        if beside and row.theirs is None:
            cells += ["", ""]
        elif beside:
            cells += [
                f"{figure(row.theirs or 0.0)} ({row.peer})",
                f"**{figure(row.times or 0.0)}**",
            ]
        if goals:
            cells.append(goal(row) + (" **missed**" if row.misses else ""))
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"


def goal(row: Row) -> str:
    """Return what a row means to reach."""
    ratio = "" if row.goal is None else f"{row.goal:g} times"
    most = "" if row.limit is None else f"{figure(row.limit)} {row.unit} at most"
    return ", ".join(filter(None, (ratio, most)))


def told(row: Row) -> str:
    times = row.times
    ratio = "" if row.goal is None or times is None else f"{figure(times)} times, "
    return f"{ratio}{figure(row.demine)} {row.unit}; goal {goal(row)}"


def figure(value: float) -> str:
    """Return a number with about three digits."""
    if abs(value) >= 100:
        return f"{value:,.0f}"
    return f"{value:.3g}"
