"""Recovery: copy into a new database what damaged ones and the side database still hold."""

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
    from demine.store.opening_report import OpenedFileStatus, RunBatch


def recover_into_new_database(run_batch: RunBatch, opened: OpenedFileStatus) -> list[StoreNotice]:
    """Copy everything that `opened` lists into the new database; return the notices to show.

    What fails is tried again at the next start: the last transaction with games of a damaged file
    also marks that file as done.
    """
    notices = []
    if opened.has_partial_import:
        with suppress(*SQL_ERRORS):
            merge_databases.delete_partial_imports(run_batch)
    if opened.is_replacement and opened.set_aside_path is None:
        notices.append(_replaced_notice(opened))
    told = False
    for kept in opened.to_salvage:
        saved = _salvage(run_batch, kept)
        if kept == opened.set_aside_path and opened.problem is not None:
            notices.append(
                _damaged_notice(opened, *(saved or (merge_databases.Counts(), Losses())))
            )
            told = True
        elif saved is not None and saved[0].games:
            notices.append(_salvaged_later_notice(kept, *saved))
    if opened.problem is not None and not told:
        notices.append(_damaged_notice(opened, merge_databases.Counts(), Losses()))
    if opened.side_database is not None:
        notices += _import_side_database(run_batch, opened.side_database)
    return notices


def read_into_memory(run_batch: RunBatch, path: Path) -> None:
    """Copy everything readable of the database at `path` into one in memory; raises `OSError`."""
    with salvaged_database(path) as (source, _):
        merge_databases.copy_in_batches(source, run_batch)


def _salvage(run_batch: RunBatch, kept: Path) -> tuple[merge_databases.Counts, Losses] | None:
    """Copy what can still be read of a damaged database; None if that is impossible now."""
    with suppress(OSError, *SQL_ERRORS), salvaged_database(kept) as (source, losses):
        return merge_databases.copy_in_batches(
            source, run_batch, in_last_batch=partial(_mark_as_salvaged, kept.name)
        ), losses
    return None


def _mark_as_salvaged(name: str, target: sqlite3.Connection) -> None:
    target.execute("INSERT INTO salvaged (name) VALUES (?)", (name,))


def _import_side_database(run_batch: RunBatch, left: Path) -> list[StoreNotice]:
    with suppress(OSError, *SQL_ERRORS):
        with salvaged_database(left) as (source, _):
            source.execute("DELETE FROM settings")  # the present ones take precedence
            counts = merge_databases.copy_in_batches(source, run_batch)
        kept = set_database_aside(left, NoticeKind.MERGED.value)
        return [StoreNotice(TAKEN_IN, games=counts.games, beside=left, kept=kept)]
    return []


def _replaced_notice(opened: OpenedFileStatus) -> StoreNotice:
    """Return the notice that the database is another one, or that waiting games are in it now."""
    template = REPLACED
    if opened.unreadable_in_memory is not None:
        template = HEALED_PARTLY if opened.unreadable_in_memory else HEALED
    return StoreNotice(template, path=opened.path, missing=opened.unreadable_in_memory)


def _damaged_notice(
    opened: OpenedFileStatus, counts: merge_databases.Counts, losses: Losses
) -> StoreNotice:
    template = (
        SALVAGED if counts != merge_databases.Counts() or losses != Losses() else DAMAGED_KEPT
    )
    if opened.problem is not None and opened.problem.kind is NoticeKind.FOREIGN:
        template = FOREIGN_KEPT
    return StoreNotice(
        template,
        path=opened.path,
        kept=opened.set_aside_path,
        reason=opened.problem.reason if opened.problem is not None else "",
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
