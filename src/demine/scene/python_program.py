"""Which program runs Python code in another process."""

from __future__ import annotations

import sys
from pathlib import Path


def python_program() -> str:
    """Return the path of a program that takes `-W`, `-c` and `-m` as Python does.

    That is this interpreter, or in a bundle, whose program is demine itself, `demine-python` beside
    it. Raises `FileNotFoundError` where there is none: in a frozen program of somebody else.
    """
    if sys.executable and not getattr(sys, "frozen", False):
        return sys.executable
    own = Path(sys.executable or "")
    beside = own.with_name(f"demine-python{own.suffix}") if own.name else own
    if not beside.is_file():
        raise FileNotFoundError("there is no Python interpreter to start")
    return str(beside)
