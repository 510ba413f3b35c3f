"""The guard that a program needs whose worker processes run it again."""

from __future__ import annotations

import ast
import functools
import sys
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from demine.studies.errors import StudyError


def missing_guard() -> StudyError:
    """Return the error for a program without its guard."""
    return StudyError(
        "worker processes import this program, so what it does has to stand under "
        '`if __name__ == "__main__":`'
    )


def check_main_guard(executor: object) -> None:
    """Raise `StudyError` if the processes of an executor would play the study again themselves.

    Processes of the standard pool that are not forked import the main program. Those of
    `demine.studies.process_pool` do not.
    """
    context = getattr(executor, "_mp_context", None)
    file = getattr(sys.modules.get("__main__"), "__file__", None)
    if type(executor) is not ProcessPoolExecutor or context is None or file is None:
        return
    if context.get_start_method() != "fork" and not _has_guard(Path(file)):
        raise missing_guard()


@functools.cache
def _has_guard(program: Path) -> bool:
    """Whether a program asks for its `__name__`; also if it cannot be read."""
    try:
        tree = ast.parse(program.read_bytes())
    except (OSError, SyntaxError, ValueError):
        return True
    return any(isinstance(each, ast.If) and "__name__" in ast.dump(each.test) for each in tree.body)
