"""The table of records as text, the same for the command line and the terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from demine.scene.translation import tr

if TYPE_CHECKING:
    from demine.store import Record


def record_heads() -> tuple[str, ...]:
    """Return the translated heads of the columns."""
    return (
        tr("Rules"), tr("Best"), tr("Last 10"), tr("Last 100"),
        tr("Games"), tr("Won"), tr("Rate"), tr("Streak"), tr("Longest"),
    )  # fmt: skip


def record_row(record: Record, rules: str) -> tuple[str, ...]:
    """Return the columns of a record, with its rules as they are to be shown."""
    rate = "" if record.win_rate is None else f"{100 * record.win_rate:.1f} %"
    return (
        rules, format_seconds(record.best_ms), format_seconds(record.average_10),
        format_seconds(record.average_100), str(record.games), str(record.wins), rate,
        str(record.streak), str(record.best_streak),
    )  # fmt: skip


def format_seconds(ms: float | None) -> str:
    """Return a time in seconds with three decimals, without a unit; empty for None."""
    return "" if ms is None else f"{ms / 1000:.3f}"
