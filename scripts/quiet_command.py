"""Runs a tool quietly: what it prints is kept, and only its large downloads are shown.

Standard library only: `go.py` uses it before anything is installed.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
# As pip says it, a wheel with its version, and as uv does, a name alone.
LARGE_DOWNLOAD = re.compile(
    r"\s*(?:Downloading|Using cached) (?:\S*/)?(\w+)-([^-\s]+)-\S+ (\(\S+ MB\))"
    r"|\s*Downloading (\S+) (\(\S+MiB\))"
)


def print_line(text: str) -> None:
    """Print one line beside the program's own output, which may be read by a pipe."""
    print(text, file=sys.stderr, flush=True)


def clean_environment() -> dict[str, str]:
    """Return the environment without what would send an installation elsewhere."""
    stray = {"PYTHONHOME", "PYTHONPATH", "PIP_PREFIX", "PIP_ROOT", "PIP_TARGET", "PIP_USER"}
    return {key: value for key, value in os.environ.items() if key not in stray}


def run_quietly(*command: str) -> tuple[int, str]:
    """Run a command; return its exit code and all that it printed."""
    said = ""
    with subprocess.Popen(
        command,
        cwd=ROOT,
        env=clean_environment(),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    ) as child:
        for line in child.stdout or ():
            text = line.decode("utf-8", "replace")
            said += text
            for fetched in LARGE_DOWNLOAD.finditer(text):
                print_line(f"  {' '.join(filter(None, fetched.groups()))} ...")
    return child.returncode, said


def last_lines(output: str) -> str:
    """Return the end of a tool's message, indented."""
    lines = [line.rstrip() for line in output.splitlines() if line.strip()]
    telling = [line for line in lines if "Retrying (Retry(" not in line] or lines
    return "".join(f"\n  {line[:300]}" for line in telling[-4:])
