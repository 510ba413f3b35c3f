"""The line of words in the panel: what is played, how it ended, and what just happened.

It is the same in every scene.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable

SECONDS: Final = 4.0
"""How long a word about a switch stands, and how long at least a trouble."""


class StatusMessage:
    """The message about what just happened. `now` gives seconds that never jump.

    A short word (the theme's name) goes by itself; trouble stays until the player has had the time
    to read it and does something else.
    """

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._text = ""
        self._until = 0.0
        self._trouble = False
        self.troubles: list[str] = []
        """Every trouble shown so far, for a page with more room."""

    @property
    def text(self) -> str:
        """The text to show now; empty for none."""
        if not self._trouble and self._now() >= self._until:
            self._text = ""
        return self._text

    @property
    def is_trouble(self) -> bool:
        """Whether what stands there is trouble."""
        return bool(self._text) and self._trouble

    def show(self, text: str) -> None:
        """Show a short text for a while."""
        self._put(text, trouble=False)

    def show_trouble(self, text: str) -> None:
        """Show trouble until the player has had the time to read it."""
        self.troubles.append(text)
        self._put(text, trouble=True)

    def player_acted(self) -> None:
        """Clear the text as the player does something; trouble only if it stood long enough."""
        if not self._trouble or self._now() >= self._until:
            self._text = ""

    def clear(self) -> None:
        """Clear the text, which the player has read."""
        self._text = ""

    def seconds_left(self) -> float:
        """Return the seconds until the text goes by itself; a minute when it does not."""
        if not self._text or self._trouble:
            return 60.0
        return max(0.0, self._until - self._now()) + 0.001

    def _put(self, text: str, *, trouble: bool) -> None:
        # Reasons begin small, as parts of longer sentences do; here they stand alone.
        self._text, self._trouble = text[:1].upper() + text[1:], trouble
        self._until = self._now() + SECONDS


def status_line(end: str, told: str, news: str, title: str) -> str:
    """Return the line: the end with what it means or with news, else news, else what is played."""
    if not end:
        return news or title
    more = news or told
    return f"{end} · {more}" if more else end
