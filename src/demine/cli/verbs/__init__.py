"""The verbs of the command line: one module each, named like the verb.

A verb's module has a function `command`, which makes the Click command, and two constants near its
top: `ABOUT = mark("...")`, its line in `demine --help`, as one plain string, and optionally
`HELP_ORDER`, a number that gives the place of that line. Both are read from the text of the
module, because importing all verbs takes seconds and help should appear at once. `EXAMPLES` holds
the command lines at the end of the verb's own help. `COLLECTS_WHEN_LOADED = True` says that the
verb loads most of its work once it runs, and calls `start_collecting` after that.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Final

_FOLDER: Final = Path(__file__).parent
_ABOUT_PATTERN: Final = re.compile(r'^ABOUT = mark\(\s*"([^"\\]+)",?\s*\)', re.MULTILINE)
_ORDER_PATTERN: Final = re.compile(r"^HELP_ORDER = (\d+)$", re.MULTILINE)
_LAST: Final = 10_000
"""The order of a verb without `HELP_ORDER`."""


@cache
def verb_names() -> frozenset[str]:
    """Return the name of every verb."""
    return frozenset(path.stem for path in _FOLDER.glob("[a-z]*.py"))


@cache
def help_lines_by_verb() -> Mapping[str, str]:
    """Return the untranslated help line of each verb, in the order of the help."""
    texts = {name: (_FOLDER / f"{name}.py").read_text("utf-8") for name in verb_names()}
    ordered = sorted(texts, key=lambda name: (_help_order(texts[name]), name))
    return MappingProxyType({name: _help_line(texts[name]) for name in ordered})


def _help_line(text: str) -> str:
    found = _ABOUT_PATTERN.search(text)
    return found[1] if found else ""


def _help_order(text: str) -> int:
    found = _ORDER_PATTERN.search(text)
    return int(found[1]) if found else _LAST
