"""Every column that `stats` knows, with its unit and its meaning: `--list-columns`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from demine.cli.file_statistics import DEFAULT_COLUMNS, RESULT
from demine.cli.text_table import column_widths, padded, rows_as_name_value_lines, wrapped_lines
from demine.replay.model import FACTS
from demine.scene.translation import mark, tr
from demine.statistics.definitions import TABLE

if TYPE_CHECKING:
    from collections.abc import Iterator

_RESULT_MEANING: Final = mark("How the game ended: won, lost or unfinished.")
_PLUCK_MEANING: Final = mark(
    "How lucky the game was, -log10 of its luck; every game is judged for it, which takes long."
)
_MIN_MEANING_WIDTH: Final = 24
_WIDTH_OF_FILES: Final = 96
"""How wide the list is where it goes to no terminal."""


class Column(NamedTuple):
    """A column of `stats`."""

    name: str
    unit: str
    """Empty for a count, a plain number or a text."""
    kind: str
    """What it is about: `game`, `board` or, as the file says it, `fact`."""
    meaning: str
    """A sentence in the current language."""
    default: bool
    """Whether it is shown without `--columns`."""
    slow: bool
    """Whether it takes long."""


def all_columns() -> Iterator[Column]:
    """Yield every column: the result, the statistics, pluck and the facts of files."""
    yield Column(RESULT, "", "game", tr(_RESULT_MEANING), default=True, slow=False)
    for name, each in TABLE.items():
        explanation = tr(each.explanation_message, **each.parameters)
        meaning = tr("{title}: {explanation}", title=each.title(), explanation=explanation)
        yield Column(name, each.unit, each.about, meaning, name in DEFAULT_COLUMNS, each.slow)
    yield Column("pluck", "", "game", tr(_PLUCK_MEANING), default=False, slow=True)
    for name, meaning in FACTS.items():
        unit = "ms" if name.endswith("_ms") else ""
        yield Column(name, unit, "fact", tr(meaning), default=False, slow=False)


def column_names() -> tuple[str, ...]:
    """Return the name of every column."""
    return tuple(each.name for each in all_columns())


def column_table(width: int | None) -> str:
    """Return the list as text within so many terminal columns, its meanings wrapped."""
    columns = list(all_columns())
    rows = [[tr("Column"), tr("Unit"), tr("Meaning")]]
    rows += [[each.name + "*" * each.default, each.unit, each.meaning] for each in columns]
    names, units, _ = column_widths(rows)
    wide, indent = width or _WIDTH_OF_FILES, names + units + 4
    if wide - indent < _MIN_MEANING_WIDTH:
        lines = rows_as_name_value_lines(rows, wide)
    else:
        lines = list[str]()
        for name, unit, meaning in rows:
            head, *rest = wrapped_lines(meaning, wide - indent)
            lines.append(f"{padded(name, names)}  {padded(unit, units)}  {head}")
            lines += [" " * indent + line for line in rest]
    note = tr("* is shown unless other columns are chosen with --columns or --all.")
    return "\n".join([*lines, "", *wrapped_lines(note, wide)])
