"""The scene that plays a recorded game back in the terminal."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Final

from demine.logic.metadata import FIELD_CELL
from demine.play.board_message import NO_MESSAGE
from demine.reviews import watch_text
from demine.reviews.watch_review import next_guess_or_mistake, with_judged_act
from demine.reviews.watch_text import LAST_MS, PATHS
from demine.scene.digit_palettes import next_palette, palette_announcement
from demine.scene.mouse_automaton import Button
from demine.scene.overlay import Overlay
from demine.scene.panel import Panel
from demine.scene.playback_commands import commands_by_name
from demine.scene.status_message import StatusMessage
from demine.scene.themes import THEMES, next_theme, with_palette
from demine.scene.translation import explain, languages, mark, tr, use_next_language
from demine.terminal.playback_footer import bar_time_ms_at, footer_lines
from demine.terminal.render import FrameState
from demine.terminal.terminal_theme import TerminalTheme
from demine.terminal.text_pages import KeyTable, Page, Paragraph
from demine.terminal.text_scene import TextScene
from demine.terminal.tool_line import Tool

if TYPE_CHECKING:
    from collections.abc import Callable

    from demine.scene.playback import Playback, Snapshot
    from demine.scene.themes import Theme
    from demine.terminal.replay_analysis import BackgroundAnalysis
    from demine.terminal.text_pages import Block
    from demine.terminal.text_scene import Point
    from demine.terminal.text_style import Line

Cell = tuple[int, int]

FOOTER_ROWS: Final = 3
"""Rows below the board: the bar, and two of text."""
KEYS: Final = {
    "play": (("space",), mark("Play or pause; at the end, play again")),
    "back": (("left",), mark("Back one move")),
    "forth": (("right",), mark("Forward one move")),
    "second-back": (("shift+left", ","), mark("Back one second")),
    "second-forth": (("shift+right", "."), mark("Forward one second")),
    "start": (("home",), mark("To the start")),
    "end": (("end",), mark("To the end")),
    "faster": (("up", "]"), mark("Faster: up to 16 times")),
    "slower": (("down", "["), mark("Slower: down to 0.1 times")),
    "guess": (("g",), mark("To just before the next guess")),
    "mistake": (("m",), mark("To just before the next mistake")),
    "chances": (("o",), mark("Show or hide risks")),
    "path": (("p",), mark("Pointer trail: recent, full, off")),
    "counters": (("c",), mark("Show or hide counters")),
    "theme": (("t",), mark("Next theme")),
    "palette": (("shift+t",), mark("Next number colours")),
    "ascii": (("a",), mark("Unicode or plain ASCII signs")),
    "language": (("ctrl+l",), mark("Next language")),
    "help": (("f1", "?"), mark("Show the keys")),
    "close": (("escape", "q", "ctrl+q", "ctrl+c"), mark("Close the page, or the player")),
}
"""Every action, with its keys and what it does."""
_OFFERED: Final = {
    "play": mark("Play"), "back": mark("Back"), "forth": mark("Forward"), "guess": mark("Guess"),
    "mistake": mark("Mistake"), "help": mark("Help"), "close": mark("Quit"),
}  # fmt: skip
_HAND: Final = {
    mark("Click on the board"): mark("Play or pause"),
    mark("Click on the bar, or drag"): mark("Go to that moment"),
    mark("Wheel, Shift + wheel"): mark("Back or forward one second, or ten"),
}
_FRAME_S: Final = 1 / 30
_LONG: Final = 60.0


class ReplayScene(TextScene):
    """The playback of one game.

    `now` returns monotonic seconds; `palette` is that of the theme, if it has one.
    """

    def __init__(
        self,
        playback: Playback,
        name: str,
        theme: TerminalTheme,
        analysis: BackgroundAnalysis,
        now: Callable[[], float] = time.monotonic,
        *,
        palette: str = "",
    ) -> None:
        super().__init__(
            playback.game.rules.shape,
            may_grow=theme.colours > 0,
            footer_rows=FOOTER_ROWS,
        )
        self.playback = playback
        self._name = name
        self._theme, self._palette = theme, palette
        self._review, self._risks, self._counters = analysis
        self._now = now
        self._since = now()
        self._news = StatusMessage(now)
        self._dragging = False
        self._waiting = ""
        self._jumped_to = -1
        self.playing = False
        self.chances = False
        self.counting = True
        self.path = "last"

    # Output

    def frame_state(self) -> FrameState:
        """Return everything that the screen shows now."""
        snapshot = self.playback.snapshot()
        self._scroll_to_game(snapshot)
        pointed = self._pointed_cell(snapshot)
        return FrameState(
            layout=self._layout,
            theme=self._theme,
            tools=self._tools(),
            panel=Panel(snapshot.mines_left, snapshot.seconds, snapshot.mood, ""),
            mine_digits=max(3, len(str(self.playback.game.rules.mines))),
            line=self._news.text or watch_text.playback_line(self.playback, snapshot.faces),
            message=NO_MESSAGE,
            keys="",
            faces=snapshot.faces,
            overlay=self._overlay_of(snapshot),
            looks=snapshot.looks,
            cursor=pointed,
            start=None,
            modal_content=self._modal.content,
            footer=self._footer(),
            path_cells=self._path_cells(),
        )

    def _tools(self) -> tuple[Tool, ...]:
        found = []
        for action, text in _OFFERED.items():
            shown = tr("Pause") if action == "play" and self.playing else tr(text)
            found.append(Tool(action, shown, _key_labels(action).partition("  ")[0]))
        return tuple(found)

    def _footer(self) -> tuple[Line, ...]:
        playback = self.playback
        said: str | list[str] = ""
        if self._jumped_to >= 0:
            said = watch_text.verdict_text(self._review.judged[self._jumped_to])
        elif self.counting:
            ms = None if playback.ended else round(playback.ms)
            said = self._counters.counter_texts(ms)
        title = watch_text.replay_title(playback.game, self._name)
        return footer_lines(
            self._layout, self._theme, playback, said or title, self._review, playing=self.playing
        )

    def _overlay_of(self, snapshot: Snapshot) -> Overlay:
        rows, cols = snapshot.faces.shape
        found = self._risks.request_overlay(snapshot) if self.chances else None
        found = found or Overlay.empty((rows, cols))
        if self._jumped_to >= 0:
            found = with_judged_act(found, self._review.judged[self._jumped_to])
        return found

    def _pointed_cell(self, snapshot: Snapshot) -> Cell | None:
        """Return the cell under the pointer, or that of the last act by keyboard."""
        if snapshot.pointer is None:
            return snapshot.cursor
        x, y = snapshot.pointer
        return self._cell_on_board(y // FIELD_CELL, x // FIELD_CELL)

    def _cell_on_board(self, row: int, col: int) -> Cell | None:
        height, wide = self.playback.game.rules.shape
        return (row, col) if 0 <= row < height and 0 <= col < wide else None

    def _path_cells(self) -> frozenset[Cell]:
        if self.path == "off":
            return frozenset()
        points = self.playback.trail(LAST_MS if self.path == "last" else None).points
        cells = {(int(y), int(x)) for x, y in points // FIELD_CELL}
        return frozenset(cell for cell in cells if self._cell_on_board(*cell) is not None)

    def _scroll_to_game(self, snapshot: Snapshot) -> None:
        """Scroll a board that does not fit to where the game is going on."""
        if self._layout.shows_whole_board:
            return
        cell = self._pointed_cell(snapshot)
        if self._jumped_to >= 0:
            act = self._review.judged[self._jumped_to]
            cell = (act.row, act.col) if act.row >= 0 else cell
        if cell is not None and not self._layout.shows_cell(cell):
            self._layout = self._layout.scrolled_to(cell)

    # Time

    def seconds_until_redraw(self) -> float:
        """Return how many seconds may pass before the screen changes by itself."""
        return _FRAME_S if self.playing else min(_LONG, self._news.redraw_after_s())

    def tick(self) -> None:
        """Advance the playback to the present, and collect finished results of the analysis."""
        now = self._now()
        passed, self._since = now - self._since, now
        if self.playing:
            self.playback.advance(passed * 1000)
            self.playing = not self.playback.ended
        for collect in (self._review.collect_result, self._risks.collect_result):
            trouble = collect()
            if trouble is not None:
                self._news.show_trouble(explain(trouble))
                self._waiting = ""
        if self._waiting:
            self._finish_jump()

    # Actions

    def run_action(self, action: str) -> None:
        """Carry out one of `KEYS`."""
        actions: dict[str, Callable[[], object]] = {
            **commands_by_name(self),
            "chances": self._toggle_chances,
            "path": self._next_path,
            "counters": self._toggle_counters,
            "theme": self._next_theme,
            "palette": self._next_palette,
            "ascii": self._toggle_ascii,
            "language": self._next_language,
            "help": self._open_help,
            "close": self.close,
        }
        actions[action]()

    def toggle_playing(self) -> None:
        """Play or pause; at the end, play again from the start."""
        if not self.playing and self.playback.ended:
            self.playback.seek(self.playback.start)
        self._forget_jump()
        self.playing = not self.playing
        self._since = self._now()

    def seek(self, ms: float) -> None:
        """Go to a time of the game; it goes on playing if it was."""
        self._forget_jump()
        self.playback.seek(ms)

    def step(self, acts: int) -> None:
        """Go forward, or back if negative, by that many acts, and pause."""
        self._forget_jump()
        self.playing = False
        self.playback.step(acts)

    def change_speed(self, steps: int) -> None:
        """Change the speed by that many steps of `SPEEDS`."""
        self.playback.change_speed(steps)

    def jump_to_next(self, kind: str) -> None:
        """Pause just before the next `guess` or `mistake`, once the game is judged."""
        self.playing = False
        self._waiting = kind
        self._review.start()
        self._finish_jump()

    def _finish_jump(self) -> None:
        review = self._review.review
        if review is None:
            self._news.show(self._review.progress_text())
            return
        kind, self._waiting = self._waiting, ""
        here = self.playback.place
        first = here + (self._jumped_to == here)
        place = next_guess_or_mistake(self._review.judged, review, kind, first)
        if place is None:
            self._news.show(watch_text.no_further_jump_text(kind))
        else:
            self._news.show("")
            self.playback.seek_before_event(place)
            self._jumped_to = place

    def _forget_jump(self) -> None:
        """Forget where the last jump led, and a jump that waits for the review."""
        self._jumped_to, self._waiting = -1, ""

    def _toggle_chances(self) -> None:
        self.chances = not self.chances

    def _toggle_counters(self) -> None:
        self.counting = not self.counting

    def _next_path(self) -> None:
        self.path = PATHS[(PATHS.index(self.path) + 1) % len(PATHS)]
        said = {"off": tr("No trail"), "last": tr("Recent trail")}
        self._news.show(said.get(self.path, tr("Full trail")))

    def _next_theme(self) -> None:
        theme = next_theme(self._theme.theme.name)
        self._use_theme(theme, ascii_only=self._theme.ascii_only)
        self._news.show(tr(theme.title))

    def _next_palette(self) -> None:
        self._palette = next_palette(self._palette)
        self._use_theme(THEMES[self._theme.theme.name], ascii_only=self._theme.ascii_only)
        self._news.show(palette_announcement(self._palette))

    def _toggle_ascii(self) -> None:
        self._use_theme(self._theme.theme, ascii_only=not self._theme.ascii_only)

    def _use_theme(self, theme: Theme, *, ascii_only: bool) -> None:
        if self._palette:
            theme = with_palette(theme, self._palette)
        self._theme = TerminalTheme(
            theme,
            colours=self._theme.colours,
            ascii_only=ascii_only,
            shows_led_digits=self._theme.shows_led_digits,
        )

    def _next_language(self) -> None:
        self._news.show(languages()[use_next_language()])

    def _open_help(self) -> None:
        rows = tuple((_key_labels(action), tr(text)) for action, (_, text) in KEYS.items())
        hand = tuple((tr(how), tr(what)) for how, what in _HAND.items())
        troubles = [Paragraph(text) for text in self._news.troubles]
        if self._jumped_to >= 0:  # it may not fit below the board
            troubles.append(
                Paragraph(watch_text.verdict_text(self._review.judged[self._jumped_to]))
            )
        blocks: tuple[Block, ...] = (
            *troubles,
            KeyTable(rows),
            Paragraph(tr("Mouse"), heading=True),
            KeyTable(hand),
        )
        self._modal.content = Page(tr("Keys"), blocks)

    # Input

    def key(self, names: tuple[str, ...]) -> None:
        """Handle a key press, with the names that the key may have."""
        self._news.dismiss_on_action()
        action = next(
            (action for action, (keys, _) in KEYS.items() if set(keys) & set(names)), None
        )
        if self._modal and (action in ("close", "help") or not names):
            self._modal.close()
        elif self._modal and self._modal.handle_key(names, None, self._layout):
            return
        elif action is not None:
            self._modal.close()
            self.run_action(action)

    def paste(self, text: str) -> None:
        """Ignore a pasted text."""

    def press(self, button: Button, at: Point, *, shift: bool = False, ctrl: bool = False) -> None:
        """Handle a press: on a button in the first row, on the bar, or on the board."""
        del shift, ctrl
        action = self._tool_at(at)
        if action is not None or self._modal:
            self._modal.close()
            if action is not None:
                self.run_action(action)
        elif bar_time_ms_at(self._layout, self._theme, self.playback, at) is not None:
            self._dragging = True
            self.move(at)
        elif button is Button.LEFT and (
            self._layout.is_on_restart_button(*at) or self._layout.cell_at(*at) is not None
        ):
            self.toggle_playing()

    def release(self, button: Button, at: Point) -> None:
        """Let go of the bar."""
        del button, at
        self._dragging = False

    def move(self, at: Point) -> None:
        """Seek while the bar is dragged."""
        if self._dragging:
            ms = bar_time_ms_at(self._layout, self._theme, self.playback, at, dragging=True)
            if ms is not None:
                self.seek(ms)

    def wheel(self, steps: int, *, sideways: bool = False) -> None:
        """Scroll the page, or seek by a second for each step, by ten if `sideways`."""
        if self._modal:
            self._modal.scroll(steps, self._layout)
        else:
            self.seek(self.playback.ms + steps * (10_000 if sideways else 1000))

    def set_focused(self, focused: bool) -> None:
        """Let go of the bar when the terminal loses the keyboard."""
        self._dragging &= focused

    def resized(self, cols: int, rows: int) -> None:
        """Fit the screen to a new size of the terminal."""
        self._layout = self._layout.resized(cols, rows)
        self._modal.scroll(0, self._layout)


def _key_labels(action: str) -> str:
    from demine.scene.key_bindings import key_label

    return "  ".join(map(key_label, KEYS[action][0]))
