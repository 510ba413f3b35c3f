"""How long hostile files take to read, and how much memory: ten megabytes each, of every format.

Each file is loaded by `demine.load` in a process of its own, which has read a small file of every
format before. Told are CPU seconds; the same times a loop of plain Python that should take a tenth
of a second, and does on a quiet core of the table's machine; the most memory beyond what the
process had, as a multiple of the file; and what came of it: a game, or the error with its byte.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from benchmarks.hostile_files import files
from benchmarks.measure import Row, Run
from demine.game import Game
from demine.logic.rules import EXPERT
from tests.replay.builders import every

SIZE = 10_000_000
LOOP = 5_000_000
"""So many turns of the loop take a tenth of a second."""


def rows(run: Run) -> list[Row]:
    """Return the slowest of each kind of file, and what takes most memory."""
    size = SIZE // 20 if run.quick else SIZE
    kinds: dict[str, list[dict[str, Any]]] = defaultdict(list)
    makers = list(files(size).items())
    chosen = makers[:: 12 if run.quick else 3]
    # Processor time and loops hardly depend on what else runs, so every core reads a file.
    with ThreadPoolExecutor(os.cpu_count()) as readers:
        told = readers.map(lambda item: alone(item[1]()), chosen)
        for (name, _), found_of_file in zip(chosen, told, strict=True):
            kind = name.partition(":")[0].partition(",")[0].partition(" ")[0]
            kinds[kind].append({"file": name, **found_of_file})
    found = []
    for kind, read in kinds.items():
        slowest = max(read, key=lambda row: float(row["loops"]))
        largest = max(read, key=lambda row: float(row["times"]))
        found += [
            Row(f"{kind}, {len(read)} files, slowest: {slowest['file']}", slowest["seconds"], "s"),
            Row(f"{kind}, the same", slowest["loops"], "loops", limit=12),
            Row(f"{kind}, most memory: {largest['file']}", largest["times"], "times the file"),
        ]
    return found


def alone(data: bytes) -> dict[str, Any]:
    """What a process of its own says of a file."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "hostile")
        path.write_bytes(data)
        command = [sys.executable, "-m", "benchmarks.hostile", str(path)]
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
    print(json.dumps(loaded(Path(sys.argv[1]))))
