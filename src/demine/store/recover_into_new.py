"""What a database is given when it is new: all that damaged ones and one beside it still hold."""

from __future__ import annotations

import sqlite3
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from demine.store import merge_databases
from demine.store.connection import SQL_ERRORS
from demine.store.errors import (
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
from demine.store.paths import set_aside
from demine.store.salvage import Losses, salvaged

if TYPE_CHECKING:
    from demine.store.file_status import Arrival, Batch


def furnish(batch: Batch, arrival: Arrival) -> list[StoreNotice]:
    """Carry over what there is to carry over; return what the player should be told.

    What fails is tried again at the next start: a damaged file counts as done by a row that is
    written in the transaction of its last games.
    """
    notices = []
    if arrival.halves:
        with suppress(*SQL_ERRORS):
            merge_databases.take_back(batch)
    if arrival.is_new and arrival.kept is None:
        notices.append(_moved(arrival))
    told = False
    for kept in arrival.owed:
        saved = _salvage(batch, kept)
        if kept == arrival.kept and arrival.unfit is not None:
            notices.append(_notice(arrival, *(saved or (merge_databases.Counts(), Losses()))))
            told = True
        elif saved is not None and saved[0].games:
            notices.append(_later(kept, *saved))
    if arrival.unfit is not None and not told:
        notices.append(_notice(arrival, merge_databases.Counts(), Losses()))
    if arrival.left is not None:
        notices += _take_in(batch, arrival.left)
    return notices


def read_only(batch: Batch, path: Path) -> None:
    """Read all that a database holds into another, in memory; raises `OSError`."""
    with salvaged(path) as (source, _):
        merge_databases.pour(source, batch)


def _salvage(batch: Batch, kept: Path) -> tuple[merge_databases.Counts, Losses] | None:
    """Carry over what can still be read of a damaged database; None if that cannot be done now."""
    with suppress(OSError, *SQL_ERRORS), salvaged(kept) as (source, losses):
        return merge_databases.pour(source, batch, last=partial(_mark, kept.name)), losses
    return None


def _mark(name: str, target: sqlite3.Connection) -> None:
    target.execute("INSERT INTO salvaged (name) VALUES (?)", (name,))


def _take_in(batch: Batch, left: Path) -> list[StoreNotice]:
    """Take in what was kept in a file beside, and set that aside."""
    with suppress(OSError, *SQL_ERRORS):
        with salvaged(left) as (source, _):
            source.execute("DELETE FROM settings")  # of two that differ, those here stay
            counts = merge_databases.pour(source, batch)
        kept = set_aside(left, NoticeKind.MERGED.value)
        return [StoreNotice(TAKEN_IN, games=counts.games, beside=left, kept=kept)]
    return []


def _moved(arrival: Arrival) -> StoreNotice:
    """Return that the database is another one; of two reasons, that games waited tells more."""
    template = REPLACED
    if arrival.healed is not None:
        template = HEALED_PARTLY if arrival.healed else HEALED
    return StoreNotice(template, path=arrival.path, missing=arrival.healed)


def _notice(arrival: Arrival, counts: merge_databases.Counts, losses: Losses) -> StoreNotice:
    template = (
        SALVAGED if counts != merge_databases.Counts() or losses != Losses() else DAMAGED_KEPT
    )
    if arrival.unfit is not None and arrival.unfit.kind is NoticeKind.FOREIGN:
        template = FOREIGN_KEPT
    return StoreNotice(
        template,
        path=arrival.path,
        kept=arrival.kept,
        reason=arrival.unfit.reason if arrival.unfit is not None else "",
        games=counts.games,
        settings=counts.settings,
        missing=losses.missing,
        changed=losses.changed,
    )


def _later(kept: Path, counts: merge_databases.Counts, losses: Losses) -> StoreNotice:
    return StoreNotice(
        SALVAGED_LATER,
        kept=kept,
        games=counts.games,
        missing=losses.missing,
        changed=losses.changed,
    )
