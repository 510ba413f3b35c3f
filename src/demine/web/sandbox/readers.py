"""What is done with files of strangers in the processes of `demine.web.sandbox.process`."""

from __future__ import annotations

import io
from typing import Any, Final

import msgspec

from demine.game import Game
from demine.replay import load
from demine.reviews.watch_text import replay_title
from demine.store.cached_statistics import STATISTIC_NAMES, statistic_values
from demine.store.game_rows import compress_journal, prepare_game
from demine.store.json_lines import PlayedEntry, SettingEntry, read_entries

MOST_CELLS: Final = 1 << 16
"""The largest board of a game that is taken: as large as any that the server plays."""
_COLUMNS: Final = (
    "id", "rules", "header", "status", "unranked", "result", "time_ms", "hits", "acts",
    "began_at", "seen_at", "finished_at",
)  # fmt: skip
"""The first values of a prepared game."""


class TakenGame(msgspec.Struct, frozen=True):
    """A game that was read and played again; `columns` are those of the server's table."""

    columns: dict[str, Any]
    journal: bytes
    """Compressed, as `demine.store.game_rows.compress_journal` does."""


class TakenExport(msgspec.Struct):
    """What was read of an export; `left` counts the games that were not taken."""

    settings: dict[str, Any]
    games: list[TakenGame]
    left: int


class TakenReplay(msgspec.Struct, frozen=True):
    """A replay that was read; `title` says who played what, in the language spoken."""

    title: str
    journal: bytes
    """Compressed, as `demine.store.game_rows.compress_journal` does."""


def read_replay(data: bytes) -> bytes:
    """Return a replay of any format as msgpack of a `TakenReplay`; raises `ReplayError`."""
    game = load(data)
    taken = TakenReplay(replay_title(game, ""), compress_journal(game.journal()))
    return msgspec.msgpack.encode(taken)


def read_export(data: bytes) -> bytes:
    """Return an export as msgpack of a `TakenExport`; raises `StoreError` with the line.

    Games under way are left where they are: whoever has the file can see their mines. So are
    damaged ones, and boards that the server does not play.
    """
    taken = TakenExport({}, [], 0)
    for entry in read_entries(io.BytesIO(data)):
        if isinstance(entry, SettingEntry):
            taken.settings[entry.key] = entry.value
        elif entry is None or not _is_taken(entry.game):
            taken.left += 1
        else:
            taken.games.append(_taken_game(entry))
    return msgspec.msgpack.encode(taken)


def _is_taken(game: Game) -> bool:
    return game.status.over and game.rules.cells <= MOST_CELLS


def _taken_game(entry: PlayedEntry) -> TakenGame:
    ready = prepare_game(entry.id, entry.game, entry.dates, 0, "", imported=entry.imported)
    columns = dict(zip(_COLUMNS, ready.values, strict=False))
    columns["opened_at"] = entry.dates.opened
    columns |= zip(STATISTIC_NAMES, statistic_values(entry.game), strict=True)
    return TakenGame(columns, compress_journal(entry.game.journal(), quickly=True))
