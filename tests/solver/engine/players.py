"""Engines for tests: small programs, honest and not."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

PYTHON = (sys.executable, "-I", "-S", "-c")
_LOOP = """
import sys, os, time
def say(line):
    sys.stdout.write(line + "\\n"); sys.stdout.flush()
def answer(line):
    word = line.split()[0]
    if word == "umi":
        say("id name test"); say("id author nobody"); say("umiok")
    elif word == "isready":
        say("readyok")
    elif word == "position":
        global rows
        rows = line.split()[1].split("/")
    elif word == "go":
        go()
    elif word == "quit":
        sys.exit()
def first():
    row = next(at for at, text in enumerate(rows) if "#" in text)
    return f"bestmove {row} {rows[row].index('#')}"
def go():
    say(first())
BODY
for line in sys.stdin:
    answer(line)
"""


def engine_file(path: Path, body: str = "") -> str:
    """The command line of `engine`, whose program is written to a file."""
    path.write_text(_LOOP.replace("BODY", body))
    return shlex.join([*PYTHON[:-1], str(path)])


def engine(body: str = "") -> tuple[str, ...]:
    """The words that start an engine; `body` replaces parts of one that opens the first cell."""
    return (*PYTHON, _LOOP.replace("BODY", body))
