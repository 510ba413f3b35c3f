"""The two languages of reference pictures, and the key presses that lead from one to the other.

Further languages, however little of them is translated, change nothing about these tests.
"""

from __future__ import annotations

from typing import Final

from demine.scene.translation import languages

PICTURED: Final = ("en", "zh_CN")
"""The languages that have reference pictures."""
KNOWN: Final = list(languages())
TO_CHINESE: Final = ("ctrl+l",) * KNOWN.index("zh_CN")
"""From English, each press shows the next language."""
TO_ENGLISH: Final = ("ctrl+l",) * (len(KNOWN) - KNOWN.index("zh_CN"))
"""From Chinese, past the last language to the first."""
