"""The rows below the board of a watched game: the time bar, and text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from demine.reviews.watch_text import format_time_to_tenths
from demine.terminal.text_width import cut, width, wrapped

if TYPE_CHECKING:
    from collections.abc import Sequence

    from demine.scene.playback import Playback
    from demine.terminal.replay_analysis import BackgroundReview
    from demine.terminal.screen_layout import ScreenLayout
    from demine.terminal.terminal_theme import TerminalTheme
    from demine.terminal.text_style import Line

_MIN_BAR_COLUMNS: Final = 10
"""The least columns of the bar; with fewer there is no bar."""


def footer_lines(
    layout: ScreenLayout,
    theme: TerminalTheme,
    playback: Playback,
    message: str | Sequence[str],
    review: BackgroundReview,
    *,
    playing: bool,
) -> tuple[Line, ...]:
    """Return the rows: the bar with its times and speed, then as much of the message as fits.

    A message given as parts breaks only between them.
    """
    before = theme.printable(_time_and_speed_text(playback, playing=playing))
    bar = _bar_text(_bar_width(layout, before), playback, review, ascii_only=theme.ascii_only)
    lines: list[Line] = [((before, theme.plain), (bar, theme.bold))]
    room = max(1, layout.cols - 2)
    words = (
        wrapped(theme.printable(message), room)
        if isinstance(message, str)
        else pack_parts(message, room, theme)
    )
    rows = max(0, layout.note_rows - 1)
    if len(words) > rows:
        words = words[:rows]
        if isinstance(message, str):
            tail = f" {theme.ellipsis}"
            words[-1:] = [cut(word, room - width(tail), "") + tail for word in words[-1:]]
    return (*lines, *(((f" {word}", theme.plain),) for word in words))


def pack_parts(parts: Sequence[str], columns: int, theme: TerminalTheme) -> list[str]:
    """Return lines that each hold as many of the parts as fit into that many columns."""
    lines: list[str] = []
    for part in map(theme.printable, parts):
        longer = f"{lines[-1]}{theme.printable(' · ')}{part}" if lines else part
        if lines and width(longer) <= columns:
            lines[-1] = longer
        else:
            lines.append(cut(part, columns))
    return lines


def _time_and_speed_text(playback: Playback, *, playing: bool) -> str:
    sign = ">" if playing else "||"
    speed = f"{playback.speed:g}x"
    now, end = format_time_to_tenths(playback.ms), format_time_to_tenths(playback.end)
    return f" {sign:>2} {speed:>5}  {now:>7} / {end}  "


def _bar_width(layout: ScreenLayout, before: str) -> int:
    room = layout.cols - width(before) - 1
    return room if room >= _MIN_BAR_COLUMNS else 0


def _bar_text(room: int, playback: Playback, review: BackgroundReview, *, ascii_only: bool) -> str:
    """Return the bar: time gone, now, and to come, with guesses and mistakes as letters."""
    if not room:
        return ""
    span = max(1, playback.end - playback.start)

    def place(ms: float) -> int:
        return min(max(round((ms - playback.start) / span * (room - 1)), 0), room - 1)

    now = place(playback.ms)
    gone, coming, here = ("=", "-", "O") if ascii_only else ("━", "─", "●")
    letters = [gone] * now + [here] + [coming] * (room - now - 1)
    for kind, times in (("g", review.guesses), ("m", review.mistakes)):
        for ms in times:
            if place(ms) != now:
                letters[place(ms)] = kind
    return "".join(letters)


def bar_time_ms_at(
    layout: ScreenLayout,
    theme: TerminalTheme,
    playback: Playback,
    at: tuple[int, int],
    *,
    dragging: bool = False,
) -> float | None:
    """Return the time in ms at a place (x, y) on the bar.

    Off the bar it is None or, while `dragging`, the nearest time.
    """
    before = theme.printable(_time_and_speed_text(playback, playing=False))
    room = _bar_width(layout, before)
    x = at[0] - width(before)
    if not room or (not dragging and (at[1] != layout.note_y or not 0 <= x < room)):
        return None
    share = min(max(x, 0), room - 1) / (room - 1)
    return playback.start + share * (playback.end - playback.start)
