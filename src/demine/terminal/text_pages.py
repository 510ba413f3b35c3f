"""Pages over the board: keys, records, daily boards, statistics; wrapped to any width."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING, Final, TypeAlias

from demine.logic.errors import DemineError
from demine.play import daily_page
from demine.play.daily_page import next_boards_countdown
from demine.play.game_title import UNRANKED_REASONS
from demine.play.record_table import RESULTS, format_seconds, record_heads, record_row
from demine.scene.board_title import board_title
from demine.scene.help_page import key_rows
from demine.scene.key_bindings import DESCRIPTIONS, Command, key_label
from demine.scene.text_wrapping import two_columns
from demine.scene.translation import explain, mark, ntr, tr
from demine.store.daily import LEVEL_NAMES, standing_at_each_level, today_utc
from demine.terminal.text_width import cut, fitted, width, wrapped

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from demine.game import Game
    from demine.play.game_session import GameSession
    from demine.scene.key_bindings import KeyMap
    from demine.store import GameRow, Store

ABSENT: Final = frozenset(
    {
        Command.OPEN_FILE,
        Command.ANALYSE,
        Command.ZOOM_IN,
        Command.ZOOM_OUT,
        Command.ZOOM_RESET,
        Command.SOUND,
        Command.FULLSCREEN,
    }
)
"""The commands that the terminal itself has, or that make no sense in one."""
MOUSE: Final[Mapping[str, str]] = {
    mark("Left click"): mark("Open the cell"),
    mark("Right click, or Ctrl + left click"): mark("Place or remove a flag"),
    mark("Both buttons, or middle click"): mark(
        "Chord: open the cells around a number with all its flags"
    ),
    mark("Drag off the cell before releasing"): mark("Cancel the click"),
    mark("Wheel, Shift + wheel"): mark("Scroll a large board down, or sideways"),
    mark("Paste"): mark("Open the pasted share code"),
}
TITLES: Final = {
    Command.HELP: mark("Keys"),
    Command.RECORDS: mark("Records"),
    Command.DAILY: mark("Daily boards"),
    Command.SETUP: mark("Setup"),
    Command.STATISTICS: mark("Statistics of the game"),
    Command.SETTINGS: mark("Settings"),
}
"""The titles of the pages and forms over the board."""
RESULT: Final = DESCRIPTIONS[Command.RESULT]
_LAST: Final = 100
_GAP: Final = 2
PageLine: TypeAlias = tuple[str, str]
"""A line of a page: bold text, then plain text."""


@dataclass(frozen=True, slots=True)
class KeyTable:
    """Rows of a key and what it does, wrapped to the width."""

    rows: tuple[tuple[str, str], ...]

    def lines(self, columns: int) -> list[PageLine]:
        """Return lines with the keys in bold."""
        key_room = max(1, columns * 2 // 5)
        column, lines = two_columns(self.rows, columns, key_room, _GAP, width)
        return [(fitted(key, column), text) for key, text in lines]


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A paragraph, bold if it is a heading."""

    text: str
    heading: bool = False

    def lines(self, columns: int) -> list[PageLine]:
        """Return the wrapped lines, in bold if it is a heading."""
        lines = wrapped(self.text, columns)
        return [(line, "") if self.heading else ("", line) for line in lines]


@dataclass(frozen=True, slots=True)
class Table:
    """Columns as wide as their widest entry; only the first shrinks if they do not fit."""

    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    right: int = 1
    """The columns from this one on are aligned to the right, as numbers are."""

    def lines(self, columns: int) -> list[PageLine]:
        """Return the heads in bold and then the rows, cut to the width."""
        table = [self.heads, *self.rows]
        widths = [max(width(row[col]) for row in table) for col in range(len(self.heads))]
        over = sum(widths) + _GAP * (len(widths) - 1) - columns
        widths[0] = max(6, widths[0] - max(0, over))
        lines = [cut(self._row_text(row, widths), columns) for row in table]
        return [(lines[0], ""), *(("", line) for line in lines[1:])]

    def _row_text(self, row: Sequence[str], widths: Sequence[int]) -> str:
        parts = []
        for col, (text, wide) in enumerate(zip(row, widths, strict=True)):
            text = cut(text, wide)  # noqa: PLW2901
            space = " " * (wide - width(text))
            parts.append(space + text if col >= self.right else text + space)
        return (" " * _GAP).join(parts)


@dataclass(frozen=True, slots=True)
class PreformattedLines:
    """Lines that are not wrapped, the first of them a heading, and a paragraph below them."""

    text: tuple[str, ...]
    below: str = ""

    def lines(self, columns: int) -> list[PageLine]:
        """Return the lines, cut to the width, and the wrapped paragraph."""
        first, *rest = (cut(line, columns) for line in self.text)
        return [(first, ""), *(("", line) for line in [*rest, *wrapped(self.below, columns)])]


Block: TypeAlias = KeyTable | Paragraph | Table | PreformattedLines


@dataclass(frozen=True, slots=True)
class Page:
    """A page of text over the board."""

    title: str
    blocks: tuple[Block, ...]
    scroll: int = 0
    """How many lines have been scrolled past."""
    daily: bool = False
    """Whether the keys of the levels play their daily boards."""

    def lines(self, columns: int) -> list[PageLine]:
        """Return the lines of all blocks, with an empty line between blocks."""
        found: list[PageLine] = []
        for block in self.blocks:
            found += [("", ""), *block.lines(columns)] if found else block.lines(columns)
        return found

    def scrolled(self, lines: int, columns: int, rows: int) -> Page:
        """Return the page scrolled by that many lines, within its ends; it shows `rows` rows."""
        most = max(0, len(self.lines(columns)) - rows)
        return replace(self, scroll=min(max(self.scroll + lines, 0), most))


def page_of_keys(keys: KeyMap, own_keys: Mapping[str, str], notes: Sequence[str]) -> Page:
    """Return the help: the notes in full, then the keys and the mouse.

    `own_keys` are those of this scene alone, with what they do.
    """
    rows = key_rows(keys, [each for each in Command if each not in ABSENT])
    rows += [(key_label(key), tr(text)) for key, text in own_keys.items()]
    hand = tuple((tr(button), tr(text)) for button, text in MOUSE.items())
    said = tuple(Paragraph(note) for note in notes)
    return Page(
        tr("Keys"),
        (*said, KeyTable(tuple(rows)), Paragraph(tr("Mouse"), heading=True), KeyTable(hand)),
    )


def page_of_records(store: Store) -> Page:
    """Return the page of best times, averages and the last games, or of the store's error."""
    try:
        records, games = store.records(), store.games(limit=_LAST)
    except DemineError as error:
        return Page(tr("Records"), (Paragraph(explain(error)),))
    games = tuple(game for game in games if game.status in RESULTS)
    blocks: list[Block] = []
    if records:
        rows = tuple(record_row(each) for each in records)
        blocks += [Table(record_heads(), rows)]
        about = "Times in seconds. Only games on fresh boards, played without undo or hints, count."
        blocks += [Paragraph(tr(about))]
    else:
        blocks += [Paragraph(tr("No ranked games yet."))]
    if games:
        blocks += [
            Paragraph(ntr("The last game", "The last {n} games", len(games)), heading=True),
            _last_games_table(games),
        ]
    return Page(tr("Records"), tuple(blocks))


def page_of_daily(session: GameSession, keys: KeyMap) -> Page:
    """Return the page of today's daily boards: results at each level, and this month's."""
    found = standing_at_each_level(session.daily_attempts())
    hand = [
        ("  ".join(map(key_label, keys.keys(Command(each.level)))),
         tr("Play today's board, {level}", level=tr(LEVEL_NAMES[each.level])))
        for each in found
    ]  # fmt: skip
    hand.append(("  ".join(map(key_label, keys.keys(Command.RESULT))), tr(RESULT)))
    when = f"{today_utc().isoformat()} UTC · {next_boards_countdown()}"
    names = daily_page.calendar_heading([tr(LEVEL_NAMES[each.level]) for each in found])
    return Page(
        tr(TITLES[Command.DAILY]),
        (
            Paragraph(when, heading=True),
            Table(
                daily_page.level_table_headings(),
                tuple(map(daily_page.level_table_row, found)),
                right=2,
            ),
            KeyTable(tuple(hand)),
            PreformattedLines(
                (names, *daily_page.calendars_side_by_side(found)), tr(daily_page.OUTCOME_LEGEND)
            ),
            Paragraph(tr(daily_page.DAILY_RULES_TEXT)),
        ),
        daily=True,
    )


def page_of_statistics(game: Game) -> Page:
    """Return the page of a finished game's statistics, except the slow ones."""
    from demine.statistics.compute import stats
    from demine.statistics.definitions import OF_ONE_GAME, TABLE

    try:
        found = stats(game)
    except DemineError as error:  # no mines, no statistics
        return Page(tr(TITLES[Command.STATISTICS]), (Paragraph(explain(error)),))
    wide = max(width(row.unit) for row in TABLE.values())
    rows = tuple(
        (row.title(), "–" if value is None else _formatted_value(value), fitted(row.unit, wide))
        for row, value in ((TABLE[name], found[name]) for name in OF_ONE_GAME)
    )
    where = Paragraph(tr("Definitions and the rest: docs/statistics.md, demine stats"))
    return Page(tr(TITLES[Command.STATISTICS]), (Table(("", "", ""), rows), where))


def _formatted_value(value: float) -> str:
    return str(value) if isinstance(value, int) else f"{value:.3f}"


def _last_games_table(games: Iterable[GameRow]) -> Table:
    heads = (tr("Rules"), tr("Ended"), tr("Result"), tr("Time"), tr("Note"))
    rows = []
    for game in games:
        moment = datetime.fromisoformat(game.finished_at or game.seen_at).astimezone()
        ended = moment.strftime("%Y-%m-%d %H:%M")
        note = tr(UNRANKED_REASONS[game.unranked]) if game.unranked in UNRANKED_REASONS else ""
        result = tr(RESULTS[game.status])
        rows.append((board_title(game.rules), ended, result, format_seconds(game.time_ms), note))
    return Table(heads, tuple(rows), right=len(heads))
