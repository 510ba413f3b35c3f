"""The system's clipboard: where share codes are copied to and come from."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pygame

from demine.logic.errors import DemineError
from demine.scene.translation import explain, mark, tr

if TYPE_CHECKING:
    from demine.play.next_game import Games
    from demine.play.session import Session
    from demine.store.store import Store


class ClipboardError(DemineError):
    """The clipboard takes or gives nothing."""


def copy(text: str) -> None:
    """Put a text into the clipboard; raises `ClipboardError`."""
    try:
        pygame.scrap.put_text(text)
    except (pygame.error, AttributeError) as error:
        raise ClipboardError(mark("there is no clipboard here")) from error


def pasted() -> str:
    """Return the share code in the clipboard; raises `ClipboardError`."""
    try:
        text = pygame.scrap.get_text().strip()
    except (pygame.error, AttributeError) as error:
        raise ClipboardError(mark("there is no clipboard here")) from error
    if not text.startswith("1."):
        raise ClipboardError(mark("no share code in the clipboard"))
    return text


def share(session: Session) -> str:
    """Put the board's share code into the clipboard; return what to tell the player."""
    try:
        copy(session.game.share())
    except DemineError as error:
        return explain(error)
    return tr("Share code copied")


def share_result(session: Session) -> str:
    """Put the line about a daily board into the clipboard; return what to tell the player."""
    try:
        copy(session.daily_line())
    except DemineError as error:
        return explain(error)
    return tr("Result copied")


def take_along(store: Store) -> str:
    """Put what no place takes into the clipboard; return what to tell the player."""
    try:
        copy(store.waiting.text())
    except DemineError as error:
        return explain(error)
    return tr(
        "Your games are in the clipboard as text. Save it to a file, then use demine records "
        "--import."
    )


def open_shared(games: Games) -> str:
    """Begin the board whose share code is in the clipboard; return why not, if it is none."""
    try:
        games.open_share(pasted())
    except DemineError as error:
        return explain(error)
    return ""
