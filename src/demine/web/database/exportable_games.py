"""Which games are given to researchers: over, alone, fresh, unaided, and open to all."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

from sqlalchemy import and_, func, select

from demine.web.database.concealed_games import is_open_to_all
from demine.web.database.games import journal_text
from demine.web.database.partners import is_together
from demine.web.database.schema import (
    GAMES,
    JOURNALS,
    PLAYERS,
    RANKED_ATTEMPTS,
    RANKED_BOARDS,
)

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import date

    from sqlalchemy import ColumnElement
    from sqlalchemy.engine import Connection

_G: Final = GAMES.c
_AT_ONCE: Final = 64
"""How many games are read in one transaction."""


class ExportableGame(NamedTuple):
    """A game that is given away if its journal can be verified."""

    num: int
    player: str
    name: str
    """Empty unless the player wants to appear in everybody's leaderboards."""
    finished_at: str
    arrived_ms: int
    leaderboard: str | None
    ranked_board: str | None
    """Day and level of the ranked board it was played on: "2026-11-27 expert"."""
    journal: str


def count_exportable_games(connection: Connection, since: date | None, today: date) -> int:
    """Return how many games may be given away that ended on a day or later."""
    found = select(func.count()).select_from(GAMES.join(PLAYERS))
    return int(connection.execute(found.where(_is_exportable(since, today))).scalar_one())


def exportable_games(
    connection: Connection, after: int, since: date | None, today: date
) -> list[ExportableGame]:
    """Return some of these games, the first ones of those whose `num` is above `after`."""
    return [
        ExportableGame(
            row.num,
            row.player,
            row.name if row.is_listed else "",
            row.finished_at,
            row.arrived_ms,
            row.leaderboard,
            row.day and f"{row.day} {row.level}",
            journal_text(connection, row.num),
        )
        for row in _rows(connection, and_(_G.num > after, _is_exportable(since, today)))
    ]


def _rows(connection: Connection, condition: ColumnElement[bool]) -> Sequence[Any]:
    found = (
        select(
            _G.num, _G.player, _G.finished_at, _G.arrived_ms, _G.leaderboard,
            PLAYERS.c.name, PLAYERS.c.is_listed, RANKED_BOARDS.c.day, RANKED_BOARDS.c.level,
        )
        .join(PLAYERS, PLAYERS.c.id == _G.player)
        .outerjoin(RANKED_ATTEMPTS, RANKED_ATTEMPTS.c.game == _G.num)
        .outerjoin(RANKED_BOARDS, RANKED_BOARDS.c.num == RANKED_ATTEMPTS.c.board)
    )  # fmt: skip
    return connection.execute(found.where(condition).order_by(_G.num).limit(_AT_ONCE)).all()


def _is_exportable(since: date | None, today: date) -> ColumnElement[bool]:
    """Return the condition on rows of `GAMES` and `PLAYERS`."""
    return and_(
        _G.result.in_(("won", "lost")),
        _G.unranked == "",
        _G.arrived_ms.is_not(None),
        _G.finished_at >= ("" if since is None else since.isoformat()),
        _G.num.not_in(select(JOURNALS.c.game)),
        ~is_together(),
        PLAYERS.c.banned_at.is_(None),
        is_open_to_all(today),
    )
