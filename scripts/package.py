"""Build the wheel and the source archive of the last commit, the same bytes wherever it is done.

    python scripts/package.py [FOLDER]     writes both into FOLDER (dist), and prints their hashes

Everything is built twice, from two clones in unlike places and surroundings, and the wheel a third
time from the source archive: unless all agree, nothing is written. What is not committed is not in
it. Every file inside bears the build back end's own fixed date, so no clock and no variable counts.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
GIT_COMMAND = ("git", "-c", f"safe.directory={ROOT}", "-c", f"safe.directory={ROOT / '.git'}")
BUILD_VARIANTS: tuple[tuple[str, int, dict[str, str]], ...] = (
    ("one", 0o022, {"TZ": "UTC", "PYTHONHASHSEED": "1"}),
    ("another place, 扫雷", 0o077, {"TZ": "Asia/Shanghai", "PYTHONHASHSEED": "2"}),
)
"""For each clone: its folder, what its files are not allowed (umask), its variables."""


class BuildsDifferError(Exception):
    """Two builds differ; the text says in which file."""


def main() -> int:
    """Build, compare, keep; the exit code."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folder", nargs="?", type=Path, default=ROOT / "dist", metavar="FOLDER")
    folder: Path = parser.parse_args().folder
    if run_command([*GIT_COMMAND, "status", "--porcelain"], ROOT):
        print("What is not committed is left out.", file=sys.stderr)
    try:
        with tempfile.TemporaryDirectory() as work:
            built = build_all(Path(work))
            folder.mkdir(parents=True, exist_ok=True)
            for path in built:
                shutil.copy(path, folder)
                print(hashlib.sha256(path.read_bytes()).hexdigest(), path.name)
    except BuildsDifferError as error:
        print(error, file=sys.stderr)
        return 1
    except subprocess.CalledProcessError as error:
        print(error, error.stdout, sep="\n", file=sys.stderr)
        return 1
    return 0


def build_all(work: Path) -> list[Path]:
    """Return the archives of the first build, when all others are the same."""
    commit = run_command([*GIT_COMMAND, "rev-parse", "HEAD"], ROOT).strip()
    builds = [
        build_archives(clone_commit(commit, work / name, umask), more)
        for name, umask, more in BUILD_VARIANTS
    ]
    for other in builds[1:]:
        compare_archives(builds[0], other)
    source = next(path for path in builds[0] if path.name.endswith(".tar.gz"))
    with tarfile.open(source) as tar:
        tar.extractall(work / "source", filter="data")
    (unpacked,) = (work / "source").iterdir()
    wheels = [path for path in builds[0] if path.suffix == ".whl"]
    compare_archives(wheels, build_archives(unpacked, {}, "wheel"))
    return builds[0]


def clone_commit(commit: str, folder: Path, umask: int) -> Path:
    """Return a fresh clone of a commit, whose files have the modes of that umask."""
    before = os.umask(umask)
    try:
        run_command(
            [*GIT_COMMAND, "clone", "--quiet", "--no-checkout", str(ROOT), str(folder)], ROOT
        )
        run_command(["git", "checkout", "--quiet", "--detach", commit], folder)
    finally:
        os.umask(before)
    return folder


def build_archives(folder: Path, variables: dict[str, str], *kinds: str) -> list[Path]:
    """Return the archives that a folder's sources make, by name."""
    targets = [word for kind in kinds or ("sdist", "wheel") for word in ("-t", kind)]
    stray = {"SOURCE_DATE_EPOCH", "PYTHONPATH"}
    kept = {key: value for key, value in os.environ.items() if key not in stray}
    out = folder.parent / f"{folder.name} built"
    command = [sys.executable, "-m", "hatchling", "build", "-d", str(out), *targets]
    run_command(command, folder, {**kept, **variables})
    return sorted(out.iterdir())


def compare_archives(ones: list[Path], others: list[Path]) -> None:
    """Raise unless both builds made the same files."""
    if [path.name for path in ones] != [path.name for path in others]:
        raise BuildsDifferError(f"one build made {ones}, another {others}")
    for one, other in zip(ones, others, strict=True):
        if one.read_bytes() != other.read_bytes():
            raise BuildsDifferError(f"two builds of {one.name} differ")


def run_command(command: list[str], folder: Path, variables: dict[str, str] | None = None) -> str:
    """Run a command in a folder, and return what it says."""
    return subprocess.run(
        command,
        cwd=folder,
        env=variables,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        check=True,
    ).stdout


if __name__ == "__main__":
    sys.exit(main())
