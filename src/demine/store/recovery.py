"""Recover into a new database all that damaged ones and the one beside it still hold."""

from __future__ import annotations

import sqlite3
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from demine.store import merge_databases
from demine.store.damage_checks import SQL_ERRORS
from demine.store.database_paths import set_database_aside
from demine.store.notices import (
    DAMAGED_KEPT,
    FOREIGN_KEPT,
    HEALED,
    HEALED_PARTLY,
    REPLACED,
    SALVAGED,
    SALVAGED_LATER,
    TAKEN_IN,
    NoticeKind,
    StoreNotice,
)
from demine.store.salvage import Losses, salvaged_database

if TYPE_CHECKING:
    from demine.store.opened_file_status import FileStatus, RunBatch


def fill_new_database(batch: RunBatch, arrival: FileStatus) -> list[StoreNotice]:
    """Carry over what there is to carry over; return what the player should be told.

    What fails is tried again at the next start: a damaged file counts as done by a row that is
    written in the transaction of its last games.
    """
    notices = []
    if arrival.has_partial_import:
        with suppress(*SQL_ERRORS):
            merge_databases.delete_partial_imports(batch)
    if arrival.is_new and arrival.set_aside_path is None:
        notices.append(_replaced_notice(arrival))
    told = False
    for kept in arrival.to_salvage:
        saved = _salvage(batch, kept)
        if kept == arrival.set_aside_path and arrival.problem is not None:
            notices.append(
                _damaged_notice(arrival, *(saved or (merge_databases.Counts(), Losses())))
            )
            told = True
        elif saved is not None and saved[0].games:
            notices.append(_salvaged_later_notice(kept, *saved))
    if arrival.problem is not None and not told:
        notices.append(_damaged_notice(arrival, merge_databases.Counts(), Losses()))
    if arrival.side_database is not None:
        notices += _import_side_database(batch, arrival.side_database)
    return notices


def read_into_memory(batch: RunBatch, path: Path) -> None:
    """Read all that a database holds into another, in memory; raises `OSError`."""
    with salvaged_database(path) as (source, _):
        merge_databases.copy_in_batches(source, batch)


def _salvage(batch: RunBatch, kept: Path) -> tuple[merge_databases.Counts, Losses] | None:
    """Carry over what can still be read of a damaged database; None if that cannot be done now."""
    with suppress(OSError, *SQL_ERRORS), salvaged_database(kept) as (source, losses):
        return merge_databases.copy_in_batches(
            source, batch, last=partial(_mark_as_salvaged, kept.name)
        ), losses
    return None


def _mark_as_salvaged(name: str, target: sqlite3.Connection) -> None:
    target.execute("INSERT INTO salvaged (name) VALUES (?)", (name,))


def _import_side_database(batch: RunBatch, left: Path) -> list[StoreNotice]:
    """Take in what was kept in a file beside, and set that aside."""
    with suppress(OSError, *SQL_ERRORS):
        with salvaged_database(left) as (source, _):
            source.execute("DELETE FROM settings")  # of two that differ, those here stay
            counts = merge_databases.copy_in_batches(source, batch)
        kept = set_database_aside(left, NoticeKind.MERGED.value)
        return [StoreNotice(TAKEN_IN, games=counts.games, beside=left, kept=kept)]
    return []


def _replaced_notice(arrival: FileStatus) -> StoreNotice:
    """Return that the database is another one; of two reasons, that games waited tells more."""
    template = REPLACED
    if arrival.unreadable_in_memory is not None:
        template = HEALED_PARTLY if arrival.unreadable_in_memory else HEALED
    return StoreNotice(template, path=arrival.path, missing=arrival.unreadable_in_memory)


def _damaged_notice(
    arrival: FileStatus, counts: merge_databases.Counts, losses: Losses
) -> StoreNotice:
    template = (
        SALVAGED if counts != merge_databases.Counts() or losses != Losses() else DAMAGED_KEPT
    )
    if arrival.problem is not None and arrival.problem.kind is NoticeKind.FOREIGN:
        template = FOREIGN_KEPT
    return StoreNotice(
        template,
        path=arrival.path,
        kept=arrival.set_aside_path,
        reason=arrival.problem.reason if arrival.problem is not None else "",
        games=counts.games,
        settings=counts.settings,
        missing=losses.missing,
        changed=losses.changed,
    )


def _salvaged_later_notice(
    kept: Path, counts: merge_databases.Counts, losses: Losses
) -> StoreNotice:
    return StoreNotice(
        SALVAGED_LATER,
        kept=kept,
        games=counts.games,
        missing=losses.missing,
        changed=losses.changed,
    )
