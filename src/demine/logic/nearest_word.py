"""What somebody probably meant: the known word that is most like a mistyped one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable

_LONGEST: Final = 80
"""What is longer is not typed by mistake, and would take long to compare."""


def nearest_word(word: str, known: Iterable[str]) -> str | None:
    """Return the known word that is most like a word, whatever its case, or None.

    >>> from demine.logic.nearest_word import nearest_word
    >>> nearest_word("Beginer", ["beginner", "expert"])
    'beginner'
    """
    from difflib import get_close_matches  # only after a mistake

    by_folded = {each.casefold(): each for each in known}
    near = get_close_matches(word.casefold(), by_folded, 1) if len(word) <= _LONGEST else []
    return by_folded[near[0]] if near else None
