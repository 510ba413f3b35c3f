"""Python's garbage collector, which is off while a scene or a verb is being loaded.

What is loaded stays until the end, so looking through it again and again would only delay the
first press or the answer.
"""

from __future__ import annotations

import gc


def start_collecting() -> None:
    """Collect garbage from now on, but only of what is made from now on.

    Every scene and every verb calls it once, when it is loaded. Does nothing if the collector was
    never off.
    """
    if not gc.isenabled():
        gc.freeze()
        gc.enable()
