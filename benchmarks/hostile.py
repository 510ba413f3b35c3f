"""How long hostile files take to read, and how much memory: ten megabytes each, of every format.

    python benchmarks/hostile.py [--json] [--only WORD] [--megabytes 10]

Each file is loaded by `demine.load` in a process of its own, which has read a small file of every
format before. Told are CPU seconds; the same times a loop of plain Python that should take a tenth
of a second, and does on a quiet core of the table's machine; the most memory beyond what the
process had, as a multiple of the file; and what came of it: a game, or the error with its byte.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "src")]

from benchmarks.hostile_files import files  # noqa: E402 - the paths come first
from demine.game import Game  # noqa: E402
from demine.logic.rules import EXPERT  # noqa: E402
from tests.replay.builders import every  # noqa: E402

SIZE = 10_000_000
LOOP = 5_000_000
"""So many turns of the loop take a tenth of a second."""


def main() -> None:
    """Print a table, or one JSON object for each file."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--only", default="", help="files whose name has this in it")
    parser.add_argument("--megabytes", type=float, default=SIZE / 1e6)
    parser.add_argument("--one", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.one:
        print(json.dumps(loaded(options.one)))
        return
    if not options.json:
        print("| file | MB | CPU s | loops | memory, times the file | what came |")
        print("|---|---|---|---|---|---|")
    size = int(options.megabytes * 1e6)
    for name, make in files(size).items():
        if options.only in name:
            row = {"file": name, **alone(make())}
            print(json.dumps(row) if options.json else told(row), flush=True)


def told(row: dict[str, Any]) -> str:
    """A line of the table."""
    return (
        f"| {row['file']} | {row['bytes'] / 1e6:.1f} | {row['seconds']:.2f} "
        f"| {row['loops']:.1f} | {row['times']:.1f} | {row['came']} |"
    )


def alone(data: bytes) -> dict[str, Any]:
    """What a process of its own says of a file."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "hostile")
        path.write_bytes(data)
        command = [sys.executable, __file__, "--one", str(path)]
        said = subprocess.run(command, check=False, capture_output=True, text=True)
    if said.returncode:
        return {"bytes": len(data), "seconds": 0, "loops": 0, "times": 0, "came": "CRASH"}
    found: dict[str, Any] = json.loads(said.stdout)
    return found


def loaded(path: Path) -> dict[str, Any]:
    """Load one file in this process."""
    import demine
    from demine.logic.errors import DemineError

    for small in (*every().values(), Game(EXPERT, 0).journal().encode()):
        demine.load_all(small)
    began = time.process_time()
    for _ in range(LOOP):
        pass
    loop = time.process_time() - began
    before = memory("VmRSS")
    began = time.process_time()
    try:
        came = repr(demine.load(path))
    except DemineError as error:
        came = f"{type(error).__name__}: {error}".replace(f"{path}: ", "")[:110]
        came += f" (byte {getattr(error, 'offset', None)})"
    seconds = time.process_time() - began
    size = path.stat().st_size
    grown = (memory("VmHWM") - before) * 1024
    return {"bytes": size, "seconds": seconds, "loops": seconds / loop, "times": grown / size,
            "came": came.replace("|", "/")}  # fmt: skip


def memory(name: str) -> int:
    """KiB of memory of this process, as Linux tells."""
    status = Path("/proc/self/status").read_text(encoding="ascii")
    return next(int(line.split()[1]) for line in status.splitlines() if line.startswith(name))


if __name__ == "__main__":
    main()
