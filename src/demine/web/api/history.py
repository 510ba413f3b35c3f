"""A player's games as lists: all of them, best times, and what the plots are drawn from."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal

from msgspec import Meta, Struct
from sqlalchemy import and_, func, literal_column, or_, select

from demine.play.game_title import UNRANKED_REASONS
from demine.play.history_table import HEADS, parse_search_word
from demine.play.record_table import RESULTS, format_seconds, record_heads, record_row
from demine.scene.board_title import board_title
from demine.scene.translation import tr
from demine.statistics.chosen_counters import format_value
from demine.store.history import SORTED_BY, Column
from demine.store.records import compute_record
from demine.web.api.door import JSON_TYPE, Door, Nothing, Visit
from demine.web.database.dialects import has_text
from demine.web.database.partners import is_played_by
from demine.web.database.races import RACED_GAMES
from demine.web.database.schema import GAMES

if TYPE_CHECKING:
    from sqlalchemy import ColumnElement, Row
    from sqlalchemy.engine import Connection

PAGE: Final = 50
"""Games of one page of the history."""
MOST_WINS: Final = 1000
"""The wins that a plot shows at most, the last ones."""
_G: Final = GAMES.c


class Wanted(Struct):
    """Which games of the history, in which order, and which page of them."""

    page: Annotated[int, Meta(ge=0, le=1 << 30)] = 0
    sort: Column = "ended"
    order: Literal["asc", "desc"] = "desc"
    rules: Annotated[str, Meta(max_length=200)] = ""
    result: Literal["", "won", "lost", "resigned"] = ""
    find: Annotated[str, Meta(max_length=80)] = ""


class OfRules(Struct):
    """The rules of a plot; empty for those won most often."""

    rules: Annotated[str, Meta(max_length=200)] = ""


def _own(visit: Visit[Any]) -> ColumnElement[bool]:
    """Return what makes a game one of the player's that are over, and no race goes on about it.

    Statistics of a board tell of its mines.
    """
    return _over(_G.player == visit.player_id)


def _over(own: ColumnElement[bool]) -> ColumnElement[bool]:
    return and_(own, _G.finished_at.is_not(None), _G.num.not_in(RACED_GAMES))


async def _history(visit: Visit[Wanted]) -> dict[str, Any]:
    asked = visit.asked
    own = _over(is_played_by(visit.player_id or ""))
    wanted = and_(own, *_conditions(asked))

    def read(connection: Connection) -> tuple[int, list[Row[Any]], list[str]]:
        count = connection.execute(select(func.count()).where(wanted)).scalar_one()
        listed = (
            select(GAMES)
            .where(wanted)
            .order_by(*_order(asked))
            .limit(PAGE)
            .offset(asked.page * PAGE)
        )
        played = select(_G.rules).where(own).distinct().order_by(_G.rules)
        rows = list(connection.execute(listed))
        return count, rows, list(connection.execute(played).scalars())

    count, rows, played = await visit.services.database.read(read)
    return {
        "count": count,
        "page": asked.page,
        "pages": -(-count // PAGE),
        "heads": [{"key": name, "label": tr(head)} for name, head in HEADS.items()],
        "rows": [
            {"id": row.id, "rules": row.rules, "status": row.status, "cells": _cells(row)}
            for row in rows
        ],
        "filters": {
            "rules": [[text, board_title(text)] for text in played],
            "results": [[value, tr(name)] for value, name in RESULTS.items()],
        },
    }


def _conditions(asked: Wanted) -> list[ColumnElement[bool]]:
    conditions: list[ColumnElement[bool]] = []
    if asked.rules:
        conditions.append(_G.rules == asked.rules)
    if asked.result:
        conditions.append(_G.status == asked.result)
    conditions.extend(_finds(word) for word in asked.find.split()[:8])
    return conditions


def _finds(word: str) -> ColumnElement[bool]:
    """Return whether a word stands in the date, the rules, or the screen's words of a game."""
    term = parse_search_word(word)
    return or_(
        has_text(_G.rules, term.text),
        has_text(_G.finished_at, word),
        _G.rules.in_(term.rules),
        _G.status.in_(term.states),
        _G.unranked.in_(term.reasons),
    )


def _order(asked: Wanted) -> list[ColumnElement[Any]]:
    """Return what the games are sorted by; those equal in that follow their dates."""
    keys: list[ColumnElement[Any]] = [
        literal_column(key) for key in SORTED_BY.get(asked.sort, ("finished_at",))
    ]
    ways = [key.desc() if asked.order == "desc" else key.asc() for key in keys]
    return [keys[0].is_(None), *ways, _G.finished_at.desc(), _G.id.asc()]


def _cells(row: Row[Any]) -> list[str]:
    reason = UNRANKED_REASONS.get(row.unranked, "")
    return [
        row.finished_at,
        board_title(row.rules),
        tr(RESULTS.get(row.status, row.status)),
        format_seconds(row.time_ms),
        *map(format_value, (row.bv, row.bv_s, row.ioe, row.clicks, row.acts)),
        tr(reason) if reason else "",
    ]


async def _records(visit: Visit[Nothing]) -> dict[str, Any]:
    counted = (
        select(_G.rules, _G.id, _G.result, _G.time_ms, _G.finished_at)
        .where(_own(visit), _G.result.is_not(None))
        .order_by(_G.finished_at, _G.id)
    )
    found = await visit.services.database.read(lambda connection: connection.execute(counted).all())
    games: defaultdict[str, list[tuple[str, str, int, str]]] = defaultdict(list)
    for row in found:
        games[row.rules].append((row.id, row.result, row.time_ms, row.finished_at))
    records = [compute_record(rules, own) for rules, own in games.items()]
    records.sort(key=lambda record: -record.games)
    return {
        "heads": record_heads(),
        "rows": [
            {"rules": each.rules, "best_id": each.best_id, "cells": record_row(each)}
            for each in records
        ],
    }


async def _plots(visit: Visit[OfRules]) -> dict[str, Any]:
    counted = and_(_own(visit), _G.result.is_not(None))

    def read(connection: Connection) -> tuple[list[str], str, list[Row[Any]], list[Row[Any]]]:
        wins = func.count().filter(_G.result == "won")
        known = connection.execute(
            select(_G.rules).where(counted).group_by(_G.rules).order_by(wins.desc(), _G.rules)
        ).scalars()
        choices = list(known)
        rules = visit.asked.rules if visit.asked.rules in choices else (choices or [""])[0]
        here = and_(counted, _G.rules == rules)
        won = (
            select(_G.id, _G.finished_at, _G.time_ms, _G.bv_s, _G.ioe)
            .where(here, _G.result == "won")
            .order_by(_G.finished_at.desc())
            .limit(MOST_WINS)
        )
        day = func.substr(_G.finished_at, 1, 10)
        days = (
            select(day.label("day"), func.count().label("games"), wins.label("wins"))
            .where(here)
            .group_by(day)
            .order_by(day)
        )
        return choices, rules, [*connection.execute(won)], [*connection.execute(days)]

    choices, rules, won, days = await visit.services.database.read(read)
    return {
        "rules": rules,
        "title": board_title(rules) if rules else "",
        "choices": [[text, board_title(text)] for text in choices],
        "wins": [
            {"id": row.id, "at": row.finished_at, "time_ms": row.time_ms, "bv_s": row.bv_s,
             "ioe": row.ioe}
            for row in reversed(won)
        ],
        "days": [{"day": row.day, "games": row.games, "wins": row.wins} for row in days],
    }  # fmt: skip


DOORS: Final = (
    Door(method="GET", path="/api/history", summary="My games, a page at a time",
         handler=_history, asks=Wanted, answers=JSON_TYPE),
    Door(method="GET", path="/api/records", summary="My best times and averages",
         handler=_records, asks=Nothing, answers=JSON_TYPE),
    Door(method="GET", path="/api/plots", summary="My wins and days for plots",
         handler=_plots, asks=OfRules, answers=JSON_TYPE),
)  # fmt: skip
