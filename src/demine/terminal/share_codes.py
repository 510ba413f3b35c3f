"""Share codes in a terminal: the note after copying one, and the check of a pasted one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from demine.logic.errors import DemineError
from demine.scene.key_bindings import Command, key_label
from demine.scene.translation import tr

if TYPE_CHECKING:
    from demine.scene.key_bindings import KeyMap


def copied_share_code_note(code: str, keys: KeyMap) -> str:
    """Return the note to show after a share code, or an empty text, was copied.

    It shows the code, since not every terminal has a clipboard, and the key that quits, since
    Ctrl+C may have been pressed to get out.
    """
    quits = [tr("{key} quits", key=key_label(key)) for key in keys.keys(Command.QUIT)[:1]]
    return " · ".join([*filter(None, [code]), *quits])


def checked_share_code(pasted: str) -> str:
    """Return a pasted share code without spaces around it; raise `DemineError` for other text."""
    code = pasted.strip()
    if not code.startswith("1."):
        raise DemineError("That isn't a share code")
    return code
