"""The sentences that the page's scripts say, found in their text.

A script says a sentence by `tr`, `ntr` or `mark`, given as literals in double quotes on one line.
The catalogues are kept in step by this, and the page is sent the translations of these alone.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

STATIC: Final = Path(__file__).parents[1] / "static"
"""The folder of the page's files."""
_TEXT: Final = r'"(?:[^"\\\n]|\\.)*"'
_SAID: Final = re.compile(
    rf"(?<![\w.$])(?:(?:tr|mark)\(\s*({_TEXT})|ntr\(\s*({_TEXT}),\s*({_TEXT}))", re.MULTILINE
)


class PageMessage(NamedTuple):
    """One sentence of a script, as the catalogues name it."""

    id: str | tuple[str, str]
    """The sentence, or both its forms."""
    path: Path
    line: int


def page_messages(static: Path = STATIC) -> Iterator[PageMessage]:
    """Yield every sentence of the page's scripts, in the order of files and lines."""
    for path in sorted((static / "js").rglob("*.js")):
        yield from messages_of(path.read_text(encoding="utf-8"), path)


def messages_of(text: str, path: Path) -> Iterator[PageMessage]:
    """Yield the sentences of one script."""
    for found in _SAID.finditer(text):
        line = text.count("\n", 0, found.start()) + 1
        single, one, many = (part and json.loads(part) for part in found.groups())
        yield PageMessage(single if single is not None else (one, many), path, line)
