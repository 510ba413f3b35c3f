"""Every check and every test, cheapest first; `python3 go.py test` runs them in its environment."""

from __future__ import annotations

import subprocess
from pathlib import Path

from scripts.quiet_command import ROOT, child_env, show

CHECKED = ("src", "tests", "benchmarks", "scripts", "go.py")
# A file of tests at a time to each processor: what tests of one file share is made once.
PARALLEL = ("-n", "auto", "--maxprocesses", "4", "--dist", "loadfile")


def steps(*arguments: str, root: Path = ROOT) -> list[tuple[str, ...]]:
    """Return the commands; the tests come last, and so does pytest's summary."""
    checked = [name for name in CHECKED if (root / name).exists()]
    return [
        ("ruff", "check", *checked),
        ("ruff", "format", "--check", *checked),
        ("mypy", *checked),
        ("lint-imports", "--no-logo"),
        ("pytest", *PARALLEL, *arguments),
    ]


def run(programs: Path, *arguments: str, root: Path = ROOT) -> tuple[int, str]:
    """Run them with the programs of a folder; return the first exit code but 0, and the tool."""
    env = {**child_env(), "PYTHONPATH": str(root / "src")}
    for tool, *rest in steps(*arguments, root=root):
        show("\n$ " + " ".join([tool, *rest]))
        code = subprocess.call([str(programs / tool), *rest], cwd=root, env=env)
        if code != 0:
            return code, tool
    return 0, ""
