"""Writes requirements/*.lock with uv: hashed, for every system, without addresses.

python3 go.py lock [ARGS]     ARGS go to `uv pip compile`, as in `--upgrade-package numpy`
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
EXTRAS = ("desktop", "classic", "terminal", "web")
LOCKS = {"play": ("build", ()), "test": ("test", ()), "bundle": ("bundle", ("solver",))}
"""For each lock file: its dependency group of `pyproject.toml`, and what it adds to the extras."""


def main(arguments: list[str]) -> int:
    """Write every lock file; the exit code of the first that fails."""
    uv = shutil.which("uv")
    if uv is None:
        print("uv writes lock files; install it. 锁文件由 uv 写成；请安装 uv。", file=sys.stderr)
        return 1
    # Settings of this machine (its own wheels, its own index) must not reach the lock.
    env = {key: value for key, value in os.environ.items() if not key.startswith("UV_")}
    common = ["--universal", "--python-version", "3.11", "--generate-hashes", "--quiet"]
    common += ["--no-header", "--no-annotate", "--no-config"]
    earlier: list[str] = []
    for name, (group, more) in LOCKS.items():
        out = f"requirements/{name}.lock"
        extras = [word for extra in (*EXTRAS, *more) for word in ("--extra", extra)]
        command = [uv, "pip", "compile", "pyproject.toml", *common, *extras]
        command += ["--group", group, *earlier]
        code = subprocess.call([*command, "-o", out, *arguments], cwd=ROOT, env=env)
        if code != 0:
            return code
        # What is played is what is tested: a later set takes the versions of the earlier ones.
        earlier += ["--constraint", out]
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
