"""Importing games into the history, batch by batch, from files of any program."""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Mapping, Sequence
from copy import copy
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias

from demine.logic.errors import DemineError
from demine.logic.event_log import EventLog
from demine.logic.metadata import FIELD_CELL
from demine.store import game_rows
from demine.store.errors import StoreError
from demine.store.json_lines import parse_dates, parse_game_id
from demine.store.utc_text import utc_text

if TYPE_CHECKING:
    from demine.game import Game
    from demine.store.self_replacing_database import Database

ImportOutcome: TypeAlias = Literal["new", "known", "unfinished"]
_GameKey: TypeAlias = tuple[str, int, int]


class GameToImport(NamedTuple):
    """A game to be imported."""

    game: Game
    ended_at: str
    """The date of its file (ISO text with offset): when it ended, if nothing better is known."""
    export_entry: Mapping[str, object] | None = None
    """Its entry in an export of the player's own, with id and dates; None for other games."""


class GameImporter:
    """Imports games. Each batch is one transaction: all of it is saved, or nothing.

    A game of the player's own export is restored as it was. Any other counts nowhere, whatever its
    journal says of its origin, and its id is made from its events, so that it is imported once. A
    game with the events of one that is stored already is known.
    """

    def __init__(self, database: Database) -> None:
        self._database = database
        self._known_games: dict[_GameKey, list[int]] = {}
        for num, rules, time_ms, acts in database.read_verified(_keys_of_stored_games):
            self._known_games.setdefault((rules, time_ms, acts), []).append(num)

    def import_batch(self, games: Sequence[GameToImport]) -> list[ImportOutcome]:
        """Import games; return the outcome of each. Raises `StoreError` with nothing imported."""
        added: list[tuple[_GameKey, int]] = []
        # Other programs wait while a batch is written, so slow work is done before.
        ready = [_prepare_import(each) for each in games]

        def work(connection: sqlite3.Connection) -> list[ImportOutcome]:
            added.clear()
            return [self._import_one(connection, each, added) for each in ready]

        done = self._database.write(work)
        for key, num in added:
            self._known_games.setdefault(key, []).append(num)
        return done

    def _import_one(
        self,
        connection: sqlite3.Connection,
        ready: _PreparedImport | None,
        added: list[tuple[_GameKey, int]],
    ) -> ImportOutcome:
        if ready is None:
            return "unfinished"
        key = ready.key
        nums = [*self._known_games.get(key, ()), *(num for other, num in added if other == key)]
        if _is_stored(connection, ready.game.id) or any(
            _stored_events_text(connection, num, key[0]) in ready.played for num in nums
        ):
            return "known"
        added.append((key, game_rows.write_game(connection, ready.game)))
        return "new"


class _PreparedImport(NamedTuple):
    """A game that is over, ready to be written."""

    game: game_rows.PreparedGame
    played: frozenset[str]
    """What was played, as texts of this journal version and of the first."""
    key: _GameKey


def _prepare_import(given: GameToImport) -> _PreparedImport | None:
    game = given.game
    if not game.status.over:
        return None
    played = _events_text(game.journal(), str(game.rules))
    key = (str(game.rules), game_rows.play_time_ms(game), game_rows.act_count(game.events))
    own = _own_id_and_dates(given.export_entry)
    game_id, dates = own or (_id_from_events(played), _dates_from_metadata(given))
    imported = own is None or _was_imported_before(given.export_entry)
    said = frozenset({played, _events_text(_as_version_1(game).journal(), key[0])})
    return _PreparedImport(
        game_rows.prepare_game(game_id, game, dates, 0, "", imported=imported), said, key
    )


def _keys_of_stored_games(connection: sqlite3.Connection) -> list[tuple[int, str, int, int]]:
    return connection.execute(
        "SELECT num, rules, time_ms, acts FROM games WHERE status IN ('won', 'lost', 'resigned')"
    ).fetchall()


def _as_version_1(game: Game) -> Game:
    """Return a game as it was imported while all touches were stored at 16 pixels a cell."""
    if game.cell_px == FIELD_CELL:
        return game
    log = EventLog.of(game.events)
    small = copy(game)
    small.cell_px = FIELD_CELL
    small._replace_events(
        EventLog(
            log.touches.scaled(game.cell_px, FIELD_CELL), log.non_touches, log.non_touch_indices
        )
    )
    return small


def _events_text(journal: str, rules: str) -> str:
    """Return a journal's rules and events, without the rest of its header."""
    return f"{rules}\n{journal.partition(chr(10))[2]}"


def _id_from_events(played: str) -> str:
    """Return an id made from a text of rules and events: a UUID of version 8."""
    return game_rows.uuid_text(hashlib.sha256(played.encode()).digest()[:16], version=8)


def _is_stored(connection: sqlite3.Connection, game_id: str) -> bool:
    found = connection.execute("SELECT 1 FROM games WHERE id = ?", (game_id,))
    return found.fetchone() is not None


def _stored_events_text(connection: sqlite3.Connection, num: int, rules: str) -> str:
    try:
        return _events_text(game_rows.journal_text(connection, "", num), rules)
    except StoreError:  # what was played is lost
        return ""


def _own_id_and_dates(listed: Mapping[str, object] | None) -> tuple[str, game_rows.Dates] | None:
    """Return the id and dates in the player's own export; None without a valid entry."""
    if listed is None:
        return None
    entry = dict(listed)
    try:
        return parse_game_id(entry), parse_dates(entry)
    except DemineError:
        return None


def _was_imported_before(listed: Mapping[str, object] | None) -> bool:
    return listed is not None and listed.get("unranked") == game_rows.UNRANKED_IMPORTED


def _dates_from_metadata(given: GameToImport) -> game_rows.Dates:
    facts = given.game.facts
    ended = _utc_text_or_none(facts.get("ended")) or _utc_text_or_none(facts.get("started"))
    ended = ended or _utc_text_or_none(given.ended_at) or utc_text(datetime.now(UTC))
    return game_rows.Dates(_utc_text_or_none(facts.get("started")) or ended, ended, ended)


def _utc_text_or_none(text: object) -> str | None:
    """Return an ISO date as UTC text; one without offset is in local time. None if invalid."""
    if not isinstance(text, str):
        return None
    try:
        return utc_text(datetime.fromisoformat(text).astimezone())
    except (ValueError, OverflowError, OSError):
        return None
