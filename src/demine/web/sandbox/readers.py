"""What is done with files of strangers in the processes of `demine.web.sandbox.process`."""

from __future__ import annotations

import io
from typing import Any, Final

import msgspec

from demine.game import Game
from demine.replay import load
from demine.store.drills import DrillEntry, DrillKey
from demine.store.game_rows import compress_journal, prepare_game
from demine.store.json_lines import PlayedEntry, ReplayEntry, SettingEntry, read_entries
from demine.web.database.uploads import upload_summary
from demine.web.game_figures import computed_statistics

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


class TakenReplay(msgspec.Struct, frozen=True):
    """A replay that was read; `columns` are those of the server's table."""

    columns: dict[str, Any]


class TakenDrill(msgspec.Struct, frozen=True):
    """A drill that was read, and the values of its reviews after that."""

    key: DrillKey
    reviews: list[tuple[str, bool, int]]


class TakenExport(msgspec.Struct):
    """What was read of an export; `left` counts the games that were not taken."""

    settings: dict[str, Any]
    games: list[TakenGame]
    replays: list[TakenReplay]
    drills: list[TakenDrill]
    left: int


def read_replay(data: bytes) -> bytes:
    """Return a replay of any format as msgpack of a `TakenReplay`; raises `ReplayError`."""
    return msgspec.msgpack.encode(_taken_replay(load(data)))


def read_export(data: bytes) -> bytes:
    """Return an export as msgpack of a `TakenExport`; raises `StoreError` with the line.

    Games under way are left where they are: whoever has the file can see their mines. So are
    damaged ones, and boards that the server does not play.
    """
    taken = TakenExport({}, [], [], [], 0)
    for entry in read_entries(io.BytesIO(data)):
        if isinstance(entry, SettingEntry):
            taken.settings[entry.key] = entry.value
        elif isinstance(entry, ReplayEntry):
            replay = _taken_replay(entry.game)
            replay.columns.update(id=entry.id, name=entry.name, added_at=entry.added_at)
            taken.replays.append(replay)
        elif isinstance(entry, DrillEntry):
            answers = [(each.at, each.is_right, each.time_ms) for each in entry.reviews]
            taken.drills.append(TakenDrill(entry.drill, answers))
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
    columns |= computed_statistics(entry.game)
    return TakenGame(columns, compress_journal(entry.game.journal(), quickly=True))


def _taken_replay(game: Game) -> TakenReplay:
    return TakenReplay({**upload_summary(game), "journal": compress_journal(game.journal())})
