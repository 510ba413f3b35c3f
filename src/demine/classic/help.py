"""The page of keys, with what went wrong above it, and the small menu of the daily boards."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from demine.classic.shot import Page
from demine.classic.words import lines_on_page, page_lines
from demine.play.daily_page import RULE, sentence, until_next
from demine.scene.key_bindings import DESCRIPTIONS, WITH_DIALOGS, Command, label
from demine.scene.translation import tr
from demine.store.daily import standings, today

if TYPE_CHECKING:
    from collections.abc import Sequence

    from demine.play.session import Session
    from demine.scene.board_geometry import Rect
    from demine.scene.key_bindings import KeyMap


def page_of_keys(keys: KeyMap, troubles: Sequence[str]) -> Page:
    """Return the page: troubles in full, for which the panel's line is too short, then the keys."""
    rows = [("!", trouble) for trouble in troubles]
    rows += [
        ("  ".join(label(key) for key in names), tr(DESCRIPTIONS[command]))
        for command, names in keys.items()
        if names and command not in WITH_DIALOGS
    ]
    return Page(tr("Keys"), tuple(rows))


def page_of_daily(session: Session, keys: KeyMap) -> Page:
    """Return the small menu of today's boards: the key of each, and how things stand there."""
    rows = [
        ("  ".join(map(label, keys.keys(Command(found.level)))), sentence(found))
        for found in standings(session.dailies())
    ]
    rows += [
        ("  ".join(map(label, keys.keys(Command.RESULT))), tr(DESCRIPTIONS[Command.RESULT])),
        ("", ""),
        ("", f"{today().isoformat()} UTC · {until_next()}"),
        ("", tr(RULE)),
    ]
    return Page(tr("Daily boards"), tuple(rows), daily=True)


def scrolled(page: Page, rows: int, place: Rect) -> Page:
    """Return a page scrolled by so many rows, as far as it goes."""
    most = max(0, len(page_lines(page, place)) - lines_on_page(place))
    return replace(page, scroll=min(max(page.scroll + rows, 0), most))
