"""Builds the documentation site: `python3 scripts/docs.py [-o FOLDER]`, then open its index.html.

Sets up the environment of the tests first, unless it runs in one that has all it needs. Warnings,
broken links, missing pages and missing translations fail. The default folder is build/site.
"""

from __future__ import annotations

import argparse
import importlib.util
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
NEEDED_MODULES = ("sphinx", "myst_parser", "furo", "babel", "numpy", "click", "platformdirs")


def main() -> int:
    """Build the site; the exit code."""
    if not all(importlib.util.find_spec(name) for name in NEEDED_MODULES):
        return _in_own_environment()
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("-o", "--output", type=Path, default=ROOT / "build" / "site")
    out = parser.parse_args().output.resolve()
    sys.path[:0] = [str(ROOT), str(ROOT / "src")]
    from scripts.handbook.build import build_site

    return build_site(out)


def _in_own_environment() -> int:
    """Set the environment of the tests up, and build there."""
    sys.path.insert(0, str(ROOT))
    import go

    if Path(sys.prefix).resolve() == go.VENV.resolve():
        print("the environment lacks what builds the site: run `python3 go.py lock`")
        return 1
    try:
        go.set_up("test")
    except go.SetupError as error:
        print(error, file=sys.stderr)
        return 1
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
    return subprocess.call([str(go.PYTHON), __file__, *sys.argv[1:]], env=environment)


if __name__ == "__main__":
    sys.exit(main())
