"""Share codes and results: out by the terminal's clipboard, in by what is pasted."""

from __future__ import annotations

from typing import TYPE_CHECKING

from demine.logic.errors import DemineError
from demine.scene.key_bindings import Command, label
from demine.scene.translation import explain, tr

if TYPE_CHECKING:
    from collections.abc import Callable

    from demine.play.next_game import Games
    from demine.play.session import Session
    from demine.scene.key_bindings import KeyMap


def share(session: Session, keys: KeyMap, copy: Callable[[str], object]) -> tuple[str, str]:
    """Give the board's share code to the terminal; return what to say shortly, and at length.

    Not every terminal has a clipboard, so the code is shown too; and whoever pressed Ctrl+C to get
    out learns how.
    """
    quits = [tr("{key} quits", key=label(key)) for key in keys.keys(Command.QUIT)[:1]]
    try:
        code = session.game.share()
    except DemineError as error:
        return explain(error), "".join(quits)
    copy(code)
    return tr("Share code copied"), " · ".join([code, *quits])


def share_result(session: Session, copy: Callable[[str], object]) -> tuple[str, str]:
    """Give the line about a daily board to the terminal; say it shortly, and at length."""
    try:
        line = session.daily_line()
    except DemineError as error:
        return explain(error), ""
    copy(line)
    return tr("Result copied"), line


def open_shared(games: Games, text: str) -> str:
    """Begin the board of a share code that was pasted; return why not, if it is none."""
    code = text.strip()
    if not code.startswith("1."):
        return tr("What was pasted is no share code")
    try:
        games.open_share(code)
    except DemineError as error:
        return explain(error)
    return ""
