"""Gives damaged files to every reader, until the time is over or something goes wrong.

    python scripts/fuzz.py [--seconds 60] [--seed N] [--format NAME] [FILE ...]

It begins with files that the tests put together, and with any others that are named; `--format`
takes those of one format and gives damage to its reader alone. Where Atheris is installed, damage
is led by what it makes the readers do; elsewhere it is chance. What goes wrong is written to
`fuzz-found.bin` in the current folder: another error than the typed one, more than a second for a
megabyte, or (by chance only) more memory than 24 times the file.
"""

from __future__ import annotations

import argparse
import contextlib
import random
import sys
import tempfile
import time
import tracemalloc
from pathlib import Path
from typing import TYPE_CHECKING

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "src")]

try:
    import atheris  # type: ignore[import-untyped, import-not-found, unused-ignore]
except ImportError:
    atheris = None
instrumented = (
    contextlib.nullcontext() if atheris is None else atheris.instrument_imports(["demine"])
)

with instrumented:
    from demine.logic.errors import DemineError
    from demine.replay.registry import all_formats

    all_formats()

from tests.replay.builders import every  # noqa: E402 - the paths come first
from tests.replay.damage import check, damaged  # noqa: E402

if TYPE_CHECKING:
    from collections.abc import Sequence

    from demine.replay.format import AnyFormat

FAILURE_FILE = Path("fuzz-found.bin")
SECONDS_PER_MEGABYTE = 1.0 if atheris is None else 5.0
"""Of the processor; code that is watched takes several times as long."""
MAX_MEMORY_FACTOR, MEMORY_ALLOWANCE = 24, 400_000


def main() -> int:
    """Fuzz; 1 if something went wrong."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--seed", type=int, default=None)
    parser.add_argument("--format", choices=[known.name for known in all_formats()], default=None)
    parser.add_argument("files", nargs="*", type=Path)
    options = parser.parse_args()
    seed = random.randrange(1 << 30) if options.seed is None else options.seed
    whole = [*every().values(), *(path.read_bytes() for path in options.files)]
    readers = [known for known in all_formats() if options.format == known.name]
    if readers:
        whole = [data for data in whole if readers[0].recognises(data)]
    names = ", ".join(known.name for known in readers or all_formats())
    print(f"{len(whole)} files, seed {seed}, formats: {names}", flush=True)
    if atheris is None:
        return fuzz_at_random(whole, options.seconds, random.Random(seed), readers)

    def one(data: bytes) -> None:
        read_within_limits(data, readers)

    with tempfile.TemporaryDirectory() as folder:
        for number, data in enumerate(whole):
            Path(folder, str(number)).write_bytes(data)
        led = [
            sys.argv[0], folder, f"-max_total_time={options.seconds:.0f}", f"-seed={seed}",
            f"-exact_artifact_path={FAILURE_FILE}", f"-max_len={2 * max(map(len, whole))}",
        ]  # fmt: skip
        atheris.Setup(led, one)
        atheris.Fuzz()
    return 0


def fuzz_at_random(
    whole: list[bytes], seconds: float, source: random.Random, readers: Sequence[AnyFormat]
) -> int:
    """Damage files at random."""
    end, count, games = time.monotonic() + seconds, 0, 0
    while time.monotonic() < end:
        data = damaged(source.choice(whole), source, whole)
        try:
            games += read_within_limits(data, readers, weigh=count % 50 == 0)
        except Exception as error:  # noqa: BLE001 - that is what is looked for
            FAILURE_FILE.write_bytes(data)
            print(f"{type(error).__name__}: {error}\n{len(data)} bytes in {FAILURE_FILE}")
            return 1
        count += 1
    print(f"{count} files, {games} of them still games, nothing went wrong")
    return 0


def read_within_limits(data: bytes, readers: Sequence[AnyFormat], *, weigh: bool = False) -> bool:
    """Whether a file is a game; an error if reading it is slow, needs much memory or fails."""
    if weigh:
        check_memory(data, readers)
    began = time.process_time()
    game = check(data, readers)
    took = time.process_time() - began
    if took > SECONDS_PER_MEGABYTE * (1 + len(data) / 1e6):
        raise RuntimeError(f"{took:.1f} seconds")
    return game


def check_memory(data: bytes, readers: Sequence[AnyFormat]) -> None:
    """Raise an error if a reader needs much more memory than the file has."""
    for known in readers or all_formats():
        tracemalloc.start()
        try:
            known.read(data)
        except DemineError:
            pass
        finally:
            _, peak = tracemalloc.get_traced_memory()
            tracemalloc.stop()
        if peak > MAX_MEMORY_FACTOR * len(data) + MEMORY_ALLOWANCE:
            raise RuntimeError(f"{known.name}: {peak} bytes of memory for {len(data)}")


if __name__ == "__main__":
    sys.exit(main())
