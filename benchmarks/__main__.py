"""Run the benchmarks: wait for a quiet machine, measure, write the figures and the page.

    python -m benchmarks [--only NAME ...] [--quick] [--no-wait] [--page] [--json FILE]

Without options this one command does all: it takes every benchmark of `table.py`, each in a process
of its own, so that none profits from what another loaded, and writes `results.json` and the page
after each, so that what is done stays done if it is stopped. Before each it waits until the others
on the machine keep quiet, five minutes in all; where they do not, it repeats everything twice
as often. What fails is tried once more, and the exit code is 1 if something was not measured. Rows
below their goals are told at the end.
"""

from __future__ import annotations

import argparse
import importlib
import json
import os
import platform
import subprocess
import sys
import time
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from benchmarks.measure import Row, Run, peer_version
from benchmarks.page import PAGE, RESULTS, below_goals, page, table
from benchmarks.table import BENCHMARKS
from demine.kernels.kernel_set import KernelSet

ROOT: Final = Path(__file__).resolve().parents[1]
PEERS: Final = (
    "numpy",
    "numba",
    "scipy",
    "opencv-python-headless",
    "ms_toollib",
    "gymnasium",
    "jax",
    "jumanji",
    "popgym",
    "textual",
    "pyside6",
    "pygame-ce",
    "uvicorn",
)
QUIET: Final = 0.3
"""How many cores may be busy on a machine that counts as quiet."""
WAIT_SECONDS: Final = 300
REPEATS_IF_BUSY: Final = 2
LONGEST_SECONDS: Final = 600
"""After so long a benchmark is given up."""
_GIVEN_UP: Final = "given up"
_SIGN: Final = "rows: "


def main() -> None:
    """Measure, and write the figures and the page."""
    names = [each.name for each in BENCHMARKS]
    parser = argparse.ArgumentParser(description="Every speed of demine beside its peer.")
    parser.add_argument("--only", nargs="+", choices=names, metavar="NAME", help=", ".join(names))
    parser.add_argument("--quick", action="store_true", help="few repeats, to try it")
    parser.add_argument("--no-wait", action="store_true", help="do not wait for a quiet machine")
    parser.add_argument("--page", action="store_true", help="measure nothing, make the page anew")
    parser.add_argument("--json", type=Path, default=RESULTS, metavar="FILE", help="the figures")
    parser.add_argument("--one", choices=names, help=argparse.SUPPRESS)
    parser.add_argument("--repeats", type=int, default=1, help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.one:
        print(_SIGN + json.dumps(measured_here(asked.one, Run(asked.quick, asked.repeats))))
        return
    results = json.loads(asked.json.read_text()) if asked.json.exists() else {"benchmarks": {}}
    chosen = [] if asked.page else asked.only or names
    end = time.monotonic() + WAIT_SECONDS
    for name in chosen:
        hurried = asked.quick or asked.no_wait
        repeats = 1 if hurried or waited_for_quiet(end) else REPEATS_IF_BUSY
        found = results["benchmarks"][name] = measured(name, Run(asked.quick, repeats))
        write(results, asked.json)
        rows = [Row(**row) for row in found["rows"]]
        print(f"## {name}, {found['seconds']:.0f} s {found.get('failed', '')}\n\n{table(rows)}",
              flush=True)  # fmt: skip
    write(results, asked.json)
    told = [results["benchmarks"][name] for name in chosen]
    print("\n".join(below_goals(results)))
    sys.exit(any("failed" in found for found in told))


def write(results: dict[str, Any], file: Path) -> None:
    """Write the figures, and the page if they are its own."""
    file.write_text(json.dumps(results, indent=1) + "\n")
    if file == RESULTS:
        PAGE.write_text(page(results), encoding="utf-8")


def waited_for_quiet(end: float) -> bool:
    """Wait until the machine is quiet, up to a moment; return whether it became so."""
    while (busy := busy_cores()) > QUIET:
        if time.monotonic() > end:
            print(f"{busy:.1f} cores are busy with other work", file=sys.stderr)
            return False
        time.sleep(2)
    return True


def busy_cores() -> float:
    """Return how many cores work while this program waits, during a second.

    The system's load would count what was measured a minute ago.
    """
    stat = Path("/proc/stat")
    if not stat.exists():
        return os.getloadavg()[0]
    idle: list[tuple[int, int]] = []
    for _ in range(2):
        if idle:
            time.sleep(1)
        ticks = [int(number) for number in stat.read_text("ascii").split("\n", 1)[0].split()[1:9]]
        idle.append((ticks[3] + ticks[4], sum(ticks)))
    spent, total = (after - before for before, after in zip(*idle, strict=True))
    return float((os.cpu_count() or 1) * (1 - spent / max(1, total)))


def measured_here(name: str, run: Run) -> list[dict[str, Any]]:
    """Return the rows of a benchmark, measured in this process."""
    KernelSet.loads_in_background = False  # what is called plain stays so
    module = importlib.import_module(f"benchmarks.{name}")
    return [asdict(row) for row in module.rows(run)]


def measured(name: str, run: Run) -> dict[str, Any]:
    """Return the rows of a benchmark, measured in a process of its own, and what held meanwhile."""
    before, began = busy_cores(), time.monotonic()
    rows, failed = in_a_process(name, run)
    if failed and not failed.startswith(_GIVEN_UP):
        rows, failed = in_a_process(name, run)
    found = {
        "command": f"python -m benchmarks --only {name}{' --quick' * run.quick}",
        "date": datetime.now(UTC).date().isoformat(),
        "processor": processor(),
        "cores": os.cpu_count(),
        "seconds": round(time.monotonic() - began),
        "load_before": before,
        "load_after": busy_cores(),
        "quick": run.quick,
        "repeats": run.repeats,
        "python": platform.python_version(),
        "peers": {peer: number for peer in PEERS if (number := peer_version(peer))},
        "rows": rows,
    }
    return found | ({"failed": failed} if failed else {})


def in_a_process(name: str, run: Run) -> tuple[list[dict[str, Any]], str]:
    """Return the rows of a benchmark, and why it failed."""
    options = [*(["--quick"] if run.quick else []), "--repeats", str(run.repeats)]
    command = [sys.executable, "-m", "benchmarks", "--one", name, *options]
    longest = LONGEST_SECONDS * run.repeats
    try:
        done = subprocess.run(
            command, cwd=ROOT, check=True, text=True, capture_output=True, timeout=longest
        )
        return json.loads(done.stdout.rpartition(_SIGN)[2]), ""
    except subprocess.TimeoutExpired:
        return [], f"{_GIVEN_UP} after {longest} s"
    except subprocess.CalledProcessError as error:
        return [], (error.stderr.strip().splitlines() or ["it ended without a word"])[-1]


def processor() -> str:
    """Return what the system calls its processor."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
        return next(line.partition(": ")[2] for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.processor() or platform.machine()


if __name__ == "__main__":
    main()
