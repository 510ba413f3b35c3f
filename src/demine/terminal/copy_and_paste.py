"""Share codes and results: out by the terminal's clipboard, in by what is pasted."""

from __future__ import annotations

from typing import TYPE_CHECKING

from demine.logic.errors import DemineError
from demine.scene.key_bindings import Command, key_label
from demine.scene.translation import explain, tr

if TYPE_CHECKING:
    from demine.play.controller import Controller
    from demine.scene.key_bindings import KeyMap


def share_code_note(code: str, keys: KeyMap) -> str:
    """Return what to say at length of a share code that was copied, if there is one.

    Not every terminal has a clipboard, so the code is shown too; and whoever pressed Ctrl+C to get
    out learns how.
    """
    quits = [tr("{key} quits", key=key_label(key)) for key in keys.keys(Command.QUIT)[:1]]
    return " · ".join([*filter(None, [code]), *quits])


def open_pasted_share_code(controller: Controller, text: str) -> str:
    """Begin the board of a share code that was pasted; return why not, if it is none."""
    code = text.strip()
    if not code.startswith("1."):
        return tr("What was pasted is no share code")
    try:
        controller.begin_shared_board(code)
    except DemineError as error:
        return explain(error)
    return ""
