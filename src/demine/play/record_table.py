"""The table of records as text, the same in every scene and on the command line."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from demine.scene.board_title import board_title
from demine.scene.translation import mark, tr

if TYPE_CHECKING:
    from demine.store import Record


RESULTS: Final[Mapping[str, str]] = {
    "won": mark("won"),
    "lost": mark("lost"),
    "resigned": mark("given up"),
}
"""The message ids of the results of games, by the status in the store."""


def record_heads() -> tuple[str, ...]:
    """Return the translated heads of the columns: what players look for first."""
    return (
        tr("Rules"), tr("Best"), tr("Games"), tr("Won"), tr("Rate"),
        tr("Streak"), tr("Longest"), tr("Last 10"), tr("Last 100"),
    )  # fmt: skip


def record_row(record: Record) -> tuple[str, ...]:
    """Return the columns of a record as text."""
    return (
        board_title(record.rules), format_seconds(record.best_ms),
        str(record.games), str(record.wins), format_percent(record.win_rate),
        str(record.streak), str(record.best_streak),
        format_seconds(record.average_10), format_seconds(record.average_100),
    )  # fmt: skip


def format_seconds(ms: float | None) -> str:
    """Return a time in seconds with three decimals, without a unit; a dash for None."""
    return "–" if ms is None else f"{ms / 1000:.3f}"


def format_percent(fraction: float | None) -> str:
    """Return a fraction of 1 in percent; a dash for None."""
    return "–" if fraction is None else f"{100 * fraction:.1f}%"
