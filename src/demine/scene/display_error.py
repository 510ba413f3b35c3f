"""The error of a window that cannot be shown, the same for every kind of window."""

from __future__ import annotations

from typing import Final

from demine.logic.errors import DemineError
from demine.scene.translation import mark

NO_SCREEN: Final = mark("neither DISPLAY nor WAYLAND_DISPLAY is set")
NO_ANSWER: Final = mark("the display {name!r} does not respond")


class DisplayError(DemineError):
    """No window can be shown here; also used for the reason within that sentence."""


def no_window_error(reason: str, **values: str) -> DisplayError:
    """Return the error that no window can be opened; `reason` is a message id, part of a sentence.

    `values` fill its fields.
    """
    return DisplayError("cannot open a window: {reason}", reason=DisplayError(reason, **values))
