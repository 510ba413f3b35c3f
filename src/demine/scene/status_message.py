"""The status line of the panel: what is played, how the game ended, and short messages.

It is the same in every scene.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable

SECONDS: Final = 4.0
"""How long a short message is shown, and a trouble at least."""


class StatusMessage:
    """The message about what just happened.

    A short message (the theme's name) disappears by itself. A trouble stays until the player has
    had the time to read it and then acts. `now` is a monotonic clock in seconds.
    """

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._text = ""
        self._until = 0.0
        self._trouble = False
        self.troubles: list[str] = []
        """Every trouble so far, for a page that has the room."""

    @property
    def text(self) -> str:
        """The text to show now, empty for none."""
        if not self._trouble and self._now() >= self._until:
            self._text = ""
        return self._text

    @property
    def is_trouble(self) -> bool:
        """Whether a trouble is shown."""
        return bool(self._text) and self._trouble

    def show(self, text: str) -> None:
        """Show a short message for SECONDS."""
        self._put(text, trouble=False)

    def show_trouble(self, text: str) -> None:
        """Show a trouble until the player acts, and for SECONDS at least."""
        self.troubles.append(text)
        self._put(text, trouble=True)

    def dismiss_on_action(self) -> None:
        """Clear the message because the player acts, unless it is a trouble shown for too short."""
        if not self._trouble or self._now() >= self._until:
            self._text = ""

    def clear(self) -> None:
        """Clear the message, even a trouble."""
        self._text = ""

    def redraw_after_s(self) -> float:
        """Return after how many seconds to draw the line again: when the message disappears.

        It is 60 if the message does not disappear by itself.
        """
        if not self._text or self._trouble:
            return 60.0
        return max(0.0, self._until - self._now()) + 0.001

    def _put(self, text: str, *, trouble: bool) -> None:
        # Reasons start in lower case, as parts of longer sentences; here they stand alone.
        self._text, self._trouble = text[:1].upper() + text[1:], trouble
        self._until = self._now() + SECONDS


def status_line(end: str, end_note: str, message: str, title: str) -> str:
    """Return the status line, of texts that may be empty.

    A game that is over shows its `end` and, after it, the message or else `end_note`. Any other
    shows the message, or else `title`, what is played.
    """
    if not end:
        return message or title
    more = message or end_note
    return f"{end} · {more}" if more else end
