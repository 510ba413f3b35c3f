"""Run the benchmarks: wait for a quiet machine, measure, write the figures and the page.

    python -m benchmarks [--only NAME ...] [--quick] [--no-wait] [--page] [--json FILE]

Each benchmark runs in a process of its own, so that none profits from what another loaded.
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
from benchmarks.page import PAGE, RESULTS, page, table
from benchmarks.table import BENCHMARKS
from demine.kernels.kernel_set import KernelSet

ROOT: Final = Path(__file__).resolve().parents[1]
PEERS: Final = (
    "numpy",
    "numba",
    "scipy",
    "opencv-python-headless",
    "ms_toollib",
    "textual",
    "pyside6",
    "pygame-ce",
)
QUIET: Final = 0.3
"""The load of each core below which a machine counts as quiet."""
WAIT_SECONDS: Final = 300
LONGEST_SECONDS: Final = 420
"""After so long a benchmark is given up."""
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
    if not asked.page:
        calm = asked.quick or asked.no_wait or wait_for_quiet()
        for name in asked.only or names:
            found = measured(name, Run(asked.quick, 1 if calm else 3))
            results["benchmarks"][name] = found
            rows = [Row(**row) for row in found["rows"]]
            print(f"## {name} {found.get('failed', '')}\n\n{table(rows)}", flush=True)
            asked.json.write_text(json.dumps(results, indent=1) + "\n")
    if asked.json == RESULTS:
        PAGE.write_text(page(results), encoding="utf-8")


def wait_for_quiet() -> bool:
    """Wait until the machine is quiet, up to five minutes; return whether it became so."""
    end = time.monotonic() + WAIT_SECONDS
    while (load := os.getloadavg()[0]) > QUIET * (os.cpu_count() or 1):
        if time.monotonic() > end:
            print(f"the load stays at {load:.1f}: everything is repeated more", file=sys.stderr)
            return False
        time.sleep(5)
    return True


def measured_here(name: str, run: Run) -> list[dict[str, Any]]:
    """Return the rows of a benchmark, measured in this process."""
    KernelSet.loads_in_background = False  # what is called plain stays so
    module = importlib.import_module(f"benchmarks.{name}")
    return [asdict(row) for row in module.rows(run)]


def measured(name: str, run: Run) -> dict[str, Any]:
    """Return the rows of a benchmark, measured in a process of its own, and what held meanwhile."""
    before = os.getloadavg()[0]
    options = [*(["--quick"] if run.quick else []), "--repeats", str(run.repeats)]
    command = [sys.executable, "-m", "benchmarks", "--one", name, *options]
    rows: list[dict[str, Any]] = []
    failed = ""
    try:
        done = subprocess.run(
            command, cwd=ROOT, check=True, text=True, capture_output=True, timeout=LONGEST_SECONDS
        )
        rows = json.loads(done.stdout.rpartition(_SIGN)[2])
    except subprocess.TimeoutExpired:
        failed = f"given up after {LONGEST_SECONDS} s"
    except subprocess.CalledProcessError as error:
        failed = (error.stderr.strip().splitlines() or ["it ended without a word"])[-1]
    found = {
        "command": f"python -m benchmarks --only {name}{' --quick' * run.quick}",
        "date": datetime.now(UTC).date().isoformat(),
        "processor": processor(),
        "cores": os.cpu_count(),
        "load_before": before,
        "load_after": os.getloadavg()[0],
        "quick": run.quick,
        "repeats": run.repeats,
        "python": platform.python_version(),
        "peers": {peer: number for peer in PEERS if (number := peer_version(peer))},
        "rows": rows,
    }
    return found | ({"failed": failed} if failed else {})


def processor() -> str:
    """Return what the system calls its processor."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
        return next(line.partition(": ")[2] for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.processor() or platform.machine()


if __name__ == "__main__":
    main()
