"""The text of a help page: what the keys do, and the troubles there have been."""

from __future__ import annotations

from typing import TYPE_CHECKING

from demine.scene.key_bindings import Command, key_label
from demine.scene.translation import tr

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from demine.scene.key_bindings import KeyMap
    from demine.scene.text_wrapping import Row


def key_rows(keys: KeyMap, commands: Iterable[Command]) -> list[Row]:
    """Return a row (keys, description) for each command that has a key."""
    return [
        ("  ".join(map(key_label, keys.keys(each))), tr(each.description))
        for each in commands
        if keys.keys(each)
    ]


def help_rows(
    keys: KeyMap, absent: Collection[Command], absent_heading: str, troubles: Iterable[str]
) -> list[Row]:
    """Return the rows of the help page: first every trouble in full, then what the keys do.

    The commands that this scene does not have come last, below `absent_heading`.
    """
    here = key_rows(keys, [each for each in Command if each not in absent])
    elsewhere = key_rows(keys, [each for each in Command if each in absent])
    return [*(("!", each) for each in troubles), *here, ("", ""), ("", absent_heading), *elsewhere]


def page_footer(*, all_shown: bool) -> str:
    """Return the line below a page: which keys close it and, unless all is shown, scroll it."""
    return tr("Esc closes") if all_shown else tr("Up and Down scroll, Esc closes")
