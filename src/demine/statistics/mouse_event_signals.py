"""The signals of recordings beside the touches and acts of games: which stands for which."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from demine.logic.event import Verb
from demine.logic.event_log import KINDS
from demine.statistics.recording_type import Signal

if TYPE_CHECKING:
    from collections.abc import Mapping

    from demine.logic.event import Action

_TOUCHES: Final[Mapping[int, tuple[str, Action]]] = {
    Signal.MV: ("", "move"),
    Signal.LC: ("left", "press"),
    Signal.LR: ("left", "release"),
    Signal.RC: ("right", "press"),
    Signal.RR: ("right", "release"),
    Signal.MC: ("middle", "press"),
    Signal.MR: ("middle", "release"),
    Signal.SC: ("shift+left", "press"),
    Signal.TR: ("ctrl+left", "press"),
}
NO_TOUCH: Final = 255
TOUCH_KINDS: Final = np.full(256, NO_TOUCH, np.uint8)
TOUCH_KINDS[list(_TOUCHES)] = [KINDS.index(touch) for touch in _TOUCHES.values()]
"""The place of each signal's touch in `demine.logic.event_log.KINDS`; `NO_TOUCH` for others."""
_SIGNALS: Final = {touch: Signal(signal) for signal, touch in _TOUCHES.items()}


def signal_of_touch(button: str, action: Action) -> Signal:
    """Return the signal of a touch; at a release the modifiers of its button do not matter."""
    return _SIGNALS[button if action != "release" else button.rpartition("+")[2], action]


SIGNALS_OF_KINDS: Final = np.array([signal_of_touch(*kind) for kind in KINDS], np.uint8)
"""The signals of the touches in `demine.logic.event_log.KINDS`."""
ACT_SIGNALS: Final = {
    Verb.OPEN: Signal.OPEN,
    Verb.FLAG: Signal.FLAG,
    Verb.QUESTION: Signal.QUESTION,
    Verb.CHORD: Signal.CHORD,
}
"""The signals of acts without the mouse, by key or finger."""
