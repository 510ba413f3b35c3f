"""The statistics of one file: a row for each game or board in it, or why there is none."""

from __future__ import annotations

import os
from dataclasses import dataclass
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeAlias

from demine.cli.game_input import STDIN, read_bytes
from demine.logic.errors import DemineError
from demine.replay.claimed_statistics import contradictions
from demine.replay.limited_file_io import read_up_to_limit_or_oserror
from demine.replay.load_save import read
from demine.replay.model import FACTS, Layout, Replay
from demine.replay.registry import all_formats, recognised_format
from demine.reviews.review import ReviewError, luck
from demine.scene.system_errors import system_error_reason
from demine.scene.translation import explain, mark, tr
from demine.statistics.compute import Timeline, stats
from demine.statistics.definitions import TABLE, Statistics

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from demine.logic.metadata import Fact
    from demine.replay.claimed_statistics import Contradiction
    from demine.reviews.review_result import Luck

Cell: TypeAlias = "str | int | float | bool | None"
"""A value in a table; None where there is none."""

RESULT: Final = "result"
RESULTS: Final = (mark("won"), mark("lost"), mark("unfinished"))
DEFAULT_COLUMNS: Final = (
    RESULT, "time", "bv", "bv_solved", "bv_s", "left", "right", "double", "clicks_s", "ioe",
    "corr_strict", "thrp_strict", "flags", "path", "openings", "islands",
)  # fmt: skip
"""The columns after the file's name if none are chosen."""
ALL_COLUMNS: Final = (RESULT, *TABLE)
"""All columns, slow ones included, except `JUDGED_COLUMNS` and a file's facts."""
JUDGED_COLUMNS: Final[Mapping[str, Callable[[Luck], float]]] = {"pluck": lambda luck: luck.pluck}
"""The columns that need the game judged, as `review` does. They take long and are shown only if
asked for by name; docs/review.md defines them."""
_OWN_ENDINGS: Final = (".jsonl",)


class ColumnError(DemineError, ValueError):
    """There is no column of this name."""


@dataclass(frozen=True, slots=True)
class StatisticsRow:
    """A game or a board: its file, and the values of the columns asked for."""

    file: str
    values: tuple[Cell, ...]
    contradicted: tuple[Contradiction, ...] = ()
    """The claims of its file that its events contradict."""


@dataclass(frozen=True, slots=True)
class UncountedFile:
    """A file without statistics, and the reason in the player's language."""

    file: str
    reason: str


RowsOfFile: TypeAlias = tuple[StatisticsRow | UncountedFile, ...]


def checked_columns(names: Iterable[str]) -> tuple[str, ...]:
    """Return the column names without repetitions; raise `ColumnError` for an unknown one."""
    known = (RESULT, *TABLE, *JUDGED_COLUMNS, *FACTS)
    for name in names:
        if name not in known:
            raise ColumnError(
                "there is no column {name}: `demine stats --list-columns` lists them",
                name=repr(name),
            ).with_suggestion(name, known)
    return tuple(dict.fromkeys(names))


def expand_folders(paths: Sequence[str]) -> Iterator[str | UncountedFile]:
    """Yield the paths in order; a folder is replaced by the files of games and boards below it.

    In a folder only files with an extension of a known format count, since there may be others.
    """
    for path in paths:
        if path == STDIN or not os.path.isdir(path):  # noqa: PTH112 - too long for Path
            yield path
        else:
            endings = (*(end for each in all_formats() for end in each.extensions), *_OWN_ENDINGS)
            yield from _files_in_folder(path, endings)


def _files_in_folder(folder: str, endings: tuple[str, ...]) -> Iterator[str | UncountedFile]:
    failed: list[UncountedFile] = []

    def fail(error: OSError) -> None:
        failed.append(uncounted_file(str(error.filename), error))

    for place, folders, files in os.walk(folder, onerror=fail):
        yield from failed
        failed.clear()
        folders.sort()
        for name in sorted(files):
            if name.lower().endswith(endings):
                yield str(Path(place) / name)
    yield from failed


def uncounted_file(file: str, error: BaseException) -> UncountedFile:
    """Return a file with the reason, for the player, why an error left it without statistics."""
    if isinstance(error, MemoryError):
        return UncountedFile(file, tr("there is not enough memory"))
    reason = system_error_reason(error)
    return UncountedFile(file, explain(reason) if isinstance(reason, DemineError) else str(reason))


def rows_of_file(file: str, columns: Sequence[str]) -> RowsOfFile:
    """Return a row for each game or board in a file, or one `UncountedFile`; never raises."""
    try:
        data = read_bytes(file, read_up_to_limit_or_oserror)
        return tuple(_parse_rows(file, data, columns))
    except (DemineError, OSError, ValueError, MemoryError) as error:
        if isinstance(error, ValueError) and not isinstance(error, DemineError):
            # A path with a zero byte; the readers' own errors are `DemineError`s.
            return (UncountedFile(file, str(error)),)
        return (uncounted_file(file, error),)


def _parse_rows(file: str, data: bytes, columns: Sequence[str]) -> Iterator[StatisticsRow]:
    known = recognised_format(data)
    if known is None:
        yield _row_of_game(file, _read_own_format(data), columns)
        return
    if known.read_all is None:
        yield _row_of_game(file, known.read(data), columns)
        return
    found: Sequence[Replay | Layout] = known.read_all(data)
    for number, each in enumerate(found, 1):
        yield _row_of_game(f"{file}#{number}", each, columns)


def _read_own_format(data: bytes) -> Replay | Layout:
    """Return the game or the layout in a file of our own formats."""
    game = read(data)
    # A layout or a share code has a board, but no game was played on it.
    return Layout.of(game) if game.board.laid and not game.begun else Replay.of(game)


def _row_of_game(file: str, found: Replay | Layout, columns: Sequence[str]) -> StatisticsRow:
    if isinstance(found, Layout):
        return StatisticsRow(
            file, tuple(_values_of_columns(stats(found.mine_map), None, {}, found.facts, columns))
        )
    timeline = Timeline(found.recording, found.course)
    played = timeline.cumulative.played
    result = RESULTS[0 if played.won else 1 if played.lost else 2]
    judged = _judged_values(found, columns)
    values = tuple(_values_of_columns(timeline.at(), result, judged, found.facts, columns))
    return StatisticsRow(file, values, contradictions(found))


def _judged_values(replay: Replay, columns: Sequence[str]) -> dict[str, float]:
    """Return the finite values of `JUDGED_COLUMNS`; none for a game that cannot be judged."""
    names = JUDGED_COLUMNS.keys() & set(columns)
    if not names:
        return {}
    try:
        found = luck(replay.game())
    except ReviewError:
        return {}
    values = {name: JUDGED_COLUMNS[name](found) for name in names}
    return {name: value for name, value in values.items() if isfinite(value)}


def _values_of_columns(
    statistics: Statistics,
    result: str | None,
    judged: Mapping[str, float],
    facts: Mapping[str, Fact],
    columns: Sequence[str],
) -> Iterator[Cell]:
    for name in columns:
        if name == RESULT:
            yield result
        elif name in TABLE:
            yield statistics.get(name)
        elif name in JUDGED_COLUMNS:
            yield judged.get(name)
        else:
            yield facts.get(name)
