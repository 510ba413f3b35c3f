"""The libraries of the server, which a program may have been installed without."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING

from demine.logic.errors import DemineError

if TYPE_CHECKING:
    from collections.abc import Iterator


class MissingLibrary(DemineError):
    """A library that is not installed."""


@contextmanager
def web_libraries() -> Iterator[None]:
    """Import what needs the libraries of the server; raises `MissingLibrary` without them."""
    try:
        yield
    except ModuleNotFoundError as error:
        if (error.name or "").startswith("demine"):
            raise
        raise _missing_library(error.name or "") from error


def _missing_library(name: str) -> MissingLibrary:
    if getattr(sys, "frozen", False):  # nothing can be installed into a bundle
        return MissingLibrary(
            "this program was made without {library}, which the server needs: "
            "take another download of demine",
            library=name,
        )
    return MissingLibrary(
        "the server needs a library that is not installed: pip install 'demine[web]'"
    )
