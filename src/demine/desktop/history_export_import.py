"""Exports games of the history to a folder of files, and imports such folders; no window needed."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final

from demine.logic.errors import DemineError
from demine.replay import read_write_folder as folders
from demine.replay.read_write_folder import SkippedFile
from demine.store.errors import StoreError
from demine.store.importing import GameToImport

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from demine.replay.read_write_folder import FoundGame, LossyFile
    from demine.store import GameRow, Store

BATCH: Final = 32
"""Files that are imported in one transaction: all of them or none."""


class UnfinishedError(DemineError):
    """A replay whose game is not over."""


@dataclass
class Report:
    """What an export or an import did."""

    done: int = 0
    """Games that were written or added."""
    known: int = 0
    """Games that were in the history already."""
    lost: list[LossyFile] = field(default_factory=list)
    """Files whose format cannot hold everything of their game."""
    bad: list[SkippedFile] = field(default_factory=list)
    """Games and files that were left out."""
    stopped: bool = False


def export_games(
    store: Store,
    ids: Sequence[str],
    target: Path,
    format_name: str,
    on_progress: Callable[[int, int], object] = lambda _done, _count: None,
    should_stop: Callable[[], bool] = lambda: False,
) -> Report:
    """Write games to a folder, one file each; raises `ReplayError` for the folder.

    With journals comes a list that marks them as the player's own when they are imported.
    `on_progress` is called with the games done and their number.
    """
    report, made = Report(), folders.GameFolderWriter(target, format_name)
    for number, game_id in enumerate(ids):
        if should_stop():
            report.stopped = True
            break
        try:
            row = store.game_row(game_id)
            lost = made.write_game(_file_stem(row), store.load_game(game_id), _list_entry(row))
        except DemineError as error:
            report.bad.append(SkippedFile(game_id, error))
        else:
            report.done += 1
            report.lost += [] if lost is None else [lost]
        on_progress(number + 1, len(ids))
    made.close()
    return report


def _file_stem(row: GameRow) -> str:
    """Return a file name without ending: the end of the game, rules, result and time in seconds."""
    ended = datetime.fromisoformat(row.finished_at or row.seen_at).astimezone()
    rules = row.rules.partition(" ")[0].replace("/", "-")
    return f"{ended:%Y%m%d-%H%M%S}-{rules}-{row.status}-{row.time_ms / 1000:.3f}"


def _list_entry(row: GameRow) -> dict[str, object]:
    return {
        "game": row.id,
        "unranked": row.unranked,
        "began_at": row.began_at,
        "seen_at": row.seen_at,
        "finished_at": row.finished_at,
        "opened_at": row.opened_at,
    }


def import_games(
    store: Store,
    source: Path,
    on_progress: Callable[[int, int], object] = lambda _done, _count: None,
    should_stop: Callable[[], bool] = lambda: False,
) -> Report:
    """Add every game in a folder to the history; raises `ReplayError` for the folder.

    Files that cannot be read, and batches that the store refuses, are listed and left out.
    `on_progress` is called with the files read and their number.
    """
    paths = folders.list_files_recursively(source)
    report, importer = Report(), store.importer()
    for first in range(0, len(paths), BATCH):
        waiting: list[FoundGame] = []
        for number, found in enumerate(
            folders.read_game_files(paths[first : first + BATCH]), first + 1
        ):
            if should_stop():
                report.stopped = True
                break
            if isinstance(found, SkippedFile):
                report.bad.append(found)
            else:
                waiting += found
            on_progress(number, len(paths))
        _import_batch(importer.import_batch, waiting, report)
        if report.stopped:
            break
    return report


def _import_batch(
    import_batch: Callable[[Sequence[GameToImport]], Sequence[str]],
    found: Sequence[FoundGame],
    report: Report,
) -> None:
    try:
        taken = import_batch(
            [GameToImport(each.game, _modified_at(each.path), each.listed) for each in found]
        )
    except StoreError as error:
        report.bad += [SkippedFile(str(each.path), error) for each in found]
        return
    for each, fate in zip(found, taken, strict=True):
        if fate == "unfinished":
            unfinished = UnfinishedError("the game in it is not over")
            report.bad.append(SkippedFile(str(each.path), unfinished))
    report.done += taken.count("new")
    report.known += taken.count("known")


def _modified_at(path: Path) -> str:
    try:
        return datetime.fromtimestamp(path.stat().st_mtime, UTC).isoformat()
    except (OSError, OverflowError, ValueError):
        return ""
