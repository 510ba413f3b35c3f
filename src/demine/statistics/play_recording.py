"""Play a recording by the usual rules: presses and releases become clicks, clicks open cells.

The transition table is made from the automaton in `demine.scene.mouse_automaton`; here it runs over
all button events of a recording at once.
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

import numpy as np

from demine.logic import undoable_openings
from demine.logic.errors import LayoutError
from demine.logic.flood import WALL
from demine.logic.flood_by_rows import OpenedRows
from demine.logic.neighbours import neighbour_table
from demine.logic.undoable_openings import WorkLimit
from demine.scene import mouse_automaton
from demine.scene.mouse_automaton import ClickTally, State, next_state
from demine.statistics.kernels import STATISTICS_KERNELS
from demine.statistics.layout_regions import LayoutRegions
from demine.statistics.played_recording import TAKES_BACK, VERBS, Click, PlayedRecording
from demine.statistics.recording_type import Signal

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from demine.logic.event import Verb
    from demine.statistics.recording_type import Recording

_OPEN, _MARK, _CHORD, _CHORD_BACK, _ASK, _PREFLAG = range(1, 7)
"""What a press or release does; 0 is nothing."""
_NONE: Final = 64
"""States are multiples of this, so that a state and a signal add up to one key."""
_KEYS: Final = {state: place * _NONE for place, state in enumerate(State)}
_SIGNALS: Final = {
    Signal.LC: mouse_automaton.Signal.LC,
    Signal.LR: mouse_automaton.Signal.LR,
    Signal.RC: mouse_automaton.Signal.RC,
    Signal.RR: mouse_automaton.Signal.RR,
    Signal.MR: mouse_automaton.Signal.MR,
}
_DIRECT: Final = {
    Signal.PF: _PREFLAG,
    Signal.OPEN: _OPEN,
    Signal.FLAG: _MARK,
    Signal.QUESTION: _ASK,
    Signal.CHORD: _CHORD,
}
_ON_NOTHING: Final = 0
"""The key of `Signal.RC` from `UU` where there is no covered cell under the pointer."""


def _action_of_transition(state: State, signal: mouse_automaton.Signal) -> int:
    """Return what a press or release does, read off the clicks that it is counted as."""
    tally = ClickTally()
    tally.add(state, signal, inside=True)
    if tally.double:
        return _CHORD_BACK if tally.right < 0 else _CHORD
    return _OPEN if tally.left else _MARK if tally.right else 0


def _transition_table() -> list[tuple[int, int]]:
    """Return the automaton's table by key: the next state, and what to do."""
    steps = [(key // _NONE * _NONE, 0) for key in range(_NONE * len(State))]
    for state, base in _KEYS.items():
        for code, signal in _SIGNALS.items():
            after, _ = next_state(state, signal, covered=True)
            steps[base + code] = (_KEYS[after], _action_of_transition(state, signal))
        for code, action in _DIRECT.items():
            steps[base + code] = (base, action)
    after, _ = next_state(State.UU, mouse_automaton.Signal.RC, covered=False)
    steps[_ON_NOTHING] = (_KEYS[after], _MARK)
    return steps


_STEPS: Final = _transition_table()
_STEP_TABLE: Final = np.array([*_STEPS, *[(0, 0)] * 256], np.int64)
"""The same for the compiled kernel, padded for signals that do not exist."""
_FACTS: Final = 13
"""The size of the kernel's `facts`, see `demine.statistics.kernels.play_recording`."""
_MOVE: Final = int(Signal.MV)
"""A plain number, which NumPy compares an array with in a fifth of the time."""
_UU_RC: Final = _KEYS[State.UU] + Signal.RC
_FAR: Final = 4096
"""Openings of boards with more cells may take long."""


@STATISTICS_KERNELS.stands_in
def play_recording(recording: Recording, max_work: float = math.inf) -> PlayedRecording:
    """Play a recording up to the event that wins or loses the game; return its clicks and cells.

    Raises `LayoutError` for a mine map without rows and columns, and `WorkError` if the openings of
    a board of more than 4,096 cells visit more than `max_work` cells.
    """
    if recording.mine_map.ndim != 2 or not recording.mine_map.size:
        raise LayoutError(
            "a mine map has rows and columns, not shape {shape}", shape=recording.mine_map.shape
        )
    events = np.flatnonzero(recording.signal != _MOVE)
    signals = recording.signal[events]
    cells = cells_under_pointer(recording, events)
    kernel = STATISTICS_KERNELS.compiled_kernel("play_button_events")
    if kernel is not None and recording.mine_map.size <= _FAR:
        return _play_compiled(kernel, recording, events, signals, cells)
    player = RecordingPlayer(recording, max_work)
    plain = with_modifiers_resolved(signals).tolist()
    player.play_events(events.tolist(), plain, cells.tolist())
    return player.result()


def _play_compiled(
    kernel: Callable[..., int],
    recording: Recording,
    events: NDArray[np.int64],
    signals: NDArray[np.uint8],
    cells: NDArray[np.int64],
) -> PlayedRecording:
    """Return the same as `RecordingPlayer`, for boards of at most `_FAR` cells."""
    regions = LayoutRegions.of(recording.mine_map)
    mines = regions.mines
    order = np.empty(mines.size, np.int64)
    blown = np.empty(mines.size, np.int64)
    log = np.empty((6, events.size), np.int64)
    facts = np.zeros(_FACTS, np.int64)
    facts[0] = mines.shape[1]
    facts[1:4] = recording.questions, recording.left_chords, recording.flags_hold
    facts[_FACTS - 1] = are_context_free(signals)
    marks = np.zeros((3, mines.size), np.uint8)
    clicks = kernel(
        events, signals, cells, _STEP_TABLE, mines.view(np.uint8).reshape(-1),
        regions.hint.reshape(-1), np.full(3, -1), marks, order, blown, facts, log,
    )  # fmt: skip
    done, codes, at, ends, flags, wrong = log[:, :clicks].copy()
    opened, bangs, _, _, _, counted, start, end, _ = facts[4:].tolist()
    _, flagged, asked = marks
    return PlayedRecording(
        recording, done, codes, at, ends, flags, wrong,
        order[:opened].copy(), tuple(blown[:bangs].tolist()),
        start, end, end >= 0 and not bangs, counted, flagged.tobytes(), asked.tobytes(),
        regions,
    )  # fmt: skip


def cells_under_pointer(recording: Recording, events: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the cell under the pointer at each event, and -1 outside the board."""
    height, width = recording.mine_map.shape
    rows, cols = recording.y[events] // recording.cell, recording.x[events] // recording.cell
    # As unsigned numbers, those left of the board or above it are beyond its end.
    inside = (rows.astype(np.uint32) < height) & (cols.astype(np.uint32) < width)
    return np.where(inside, rows.astype(np.int64) * width + cols, -1)


def are_context_free(signals: NDArray[np.uint8]) -> bool:
    """Whether no signal has a meaning that depends on the signals before it."""
    return not _MODIFIED[signals].any()


_MODIFIED: Final = np.isin(np.arange(256), (Signal.MC, Signal.MR, Signal.CC, Signal.SC, Signal.TR))
_PRESSES: Final[dict[int, tuple[str, int]]] = {
    Signal.LC: ("left", Signal.LC),
    Signal.RC: ("right", Signal.RC),
    Signal.MC: ("middle", Signal.MC),
    Signal.SC: ("left", Signal.MC),
    Signal.TR: ("left", Signal.RC),
}
_RELEASES: Final[dict[int, str]] = {Signal.LR: "left", Signal.RR: "right", Signal.MR: "middle"}
_UP: Final[dict[int, int]] = {Signal.LC: Signal.LR, Signal.RC: Signal.RR, Signal.MC: Signal.MR}


class _HeldButtons(dict[int, "tuple[_HeldButtons, int]"]):
    """Buttons held, and what each stands for; by signal, what it leads to and what it means.

    As in `demine.scene.mouse_automaton.Mouse`: a button stands for the same until it is released,
    and pressing one that stands for a button already held has no effect (`Signal.MV`).
    """

    def __init__(self, held: dict[str, int]) -> None:
        super().__init__()
        self.held = held

    def __missing__(self, signal: int) -> tuple[_HeldButtons, int]:
        held = dict(self.held)
        meaning = _meaning_of_signal(held, signal)
        key = tuple(sorted(held.items()))
        found = self[signal] = _HELD.setdefault(key, _HeldButtons(held)), meaning
        return found


_HELD: Final[dict[tuple[tuple[str, int], ...], _HeldButtons]] = {(): _HeldButtons({})}
"""Every combination of buttons held that has occurred."""


def _meaning_of_signal(held: dict[str, int], signal: int) -> int:
    """Return a signal with its button replaced by the one it stands for, and update the held."""
    if signal == Signal.CC:
        signal = Signal.RC if "left" in held else Signal.LC
    if signal in _PRESSES:
        button, means = _PRESSES[signal]
        counts = button not in held and means not in held.values()
        if button not in held:
            held[button] = means if counts else 0
        return means if counts else Signal.MV
    if signal in _RELEASES:
        return _UP.get(held.pop(_RELEASES[signal], 0), Signal.MV)
    return signal


def resolved_signals(signals: list[int]) -> list[int]:
    """Return the signals with each button replaced by the one that it stands for."""
    held, plain = _HELD[()], list[int]()
    for signal in signals:
        held, meaning = held[signal]
        plain.append(meaning)
    return plain


def with_modifiers_resolved(signals: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return the signals of a recording with each button replaced by the one it stands for."""
    if are_context_free(signals):
        return signals
    resolved = signals.copy()
    buttons = np.flatnonzero(signals != Signal.MV)
    resolved[buttons] = resolved_signals(signals[buttons].tolist())
    return resolved


class RecordingPlayer:
    """A board on which the events of a recording are played, in bytes that Python reads fastest."""

    def __init__(self, recording: Recording, max_work: float = math.inf) -> None:
        self.regions = LayoutRegions.of(recording.mine_map)
        mines = self.regions.mines
        self.recording = recording
        self.near = neighbour_table(*mines.shape)
        self.mine = mines.tobytes()
        self.hint = self.regions.hint.tobytes()
        self.opened = bytearray(mines.size)
        self.passed = bytearray(self.hint) if mines.size > _FAR else bytearray()
        self.work = WorkLimit(max_work)
        self.flag = bytearray(mines.size)
        self.question: set[int] = set()
        self.left = mines.size - int(np.count_nonzero(mines))
        self.order = array("q")
        self.blown: list[int] = []
        self.log = array("q")
        self.flags = self.wrong = 0
        self.clicks = self.counted = 0
        self.pressed = 0
        self.start = self.end = -1
        self.state = 0

    def play_events(self, events: list[int], signals: list[int], cells: list[int]) -> None:
        """Play button events after those played before; stop where the game ends.

        `events` are indices in the recording, `signals` resolved, `cells` -1 outside the board.
        """
        steps, opened = _STEPS, self.opened
        actions: tuple[Callable[[int], int], ...] = (
            self._nothing, self._open, self._mark, self._chord, self._chord_back, self._ask,
            self._preflag,
        )  # fmt: skip
        state = self.state
        for event, signal, cell in zip(events, signals, cells, strict=True):
            key = state + signal
            if key == _UU_RC and (cell < 0 or opened[cell]):
                key = _ON_NOTHING
            state, action = steps[key]
            if action:
                code = actions[action](cell)
                if code:
                    self._note(event, code, cell)
                    if self.end >= 0:
                        break
        self.state = state

    def result(self) -> PlayedRecording:
        """Return what was played so far."""
        log = np.array(self.log, np.int64).reshape(-1, 6).T.copy()
        events, codes, cells, ends, flags, wrong = log
        won = self.end >= 0 and not self.blown
        asked = bytearray(len(self.flag))
        for cell in self.question:
            asked[cell] = 1
        return PlayedRecording(
            self.recording, events, codes, cells, ends, flags, wrong,
            np.array(self.order), tuple(self.blown),
            self.start, self.end, won, self.counted, bytes(self.flag), bytes(asked),
            self.regions,
        )  # fmt: skip

    def last_act(self) -> tuple[Verb, int, int] | None:
        """Return verb, row and column of the last click; None if it did not change the board."""
        code, cell = self.log[-5] & (TAKES_BACK - 1), self.log[-4]
        return (
            (VERBS[code], *divmod(cell, self.recording.mine_map.shape[1]))
            if code in VERBS
            else None
        )

    def _note(self, event: int, code: int, cell: int) -> None:
        self.log.extend((event, code, cell, len(self.order), self.flags, self.wrong))
        self.clicks += 1
        if self.start < 0:
            if self.order or self.blown:
                self.start = event
            elif not self.flags:
                # The game has not begun, so counting starts again.
                self.counted = self.clicks
        if self.blown or len(self.order) == self.left:
            self.end = event

    def _nothing(self, _cell: int) -> int:
        return 0

    def _open(self, cell: int) -> int:
        if cell < 0:
            return Click.LEFT_OUTSIDE
        if self.opened[cell]:
            chords = self.recording.left_chords and self._chord(cell) == Click.CHORDED
            return Click.LEFT_CHORDED if chords else Click.LEFT_IDLE
        if self.flag[cell]:
            return Click.LEFT_IDLE
        self._uncover(cell)
        return Click.BLEW if self.blown else Click.OPENED

    def _mark(self, cell: int) -> int:
        # If this click marks nothing, a chord that follows takes it back.
        self.pressed = self.clicks
        if cell < 0:
            return Click.RIGHT_OUTSIDE
        if self.opened[cell]:
            return Click.RIGHT_IDLE
        if self.recording.questions and (self.flag[cell] or cell in self.question):
            return self._ask(cell)
        self.question.discard(cell)
        self._set_flag(cell, 1 - self.flag[cell])
        return Click.FLAGGED if self.flag[cell] else Click.UNFLAGGED

    def _preflag(self, cell: int) -> int:
        # Nobody clicked: where no flag can stand there is nothing to count either.
        unset = cell >= 0 and not self.flag[cell] and not self.opened[cell]
        return self._mark(cell) if unset else 0

    def _ask(self, cell: int) -> int:
        if cell < 0:
            return Click.RIGHT_OUTSIDE
        if self.opened[cell]:
            return Click.RIGHT_IDLE
        if cell in self.question:
            self.question.discard(cell)
            return Click.CLEARED
        doubted = self.flag[cell]
        self._set_flag(cell, 0)
        self.question.add(cell)
        return Click.DOUBTED if doubted else Click.ASKED

    def _chord(self, cell: int) -> int:
        if cell < 0:
            return Click.DOUBLE_OUTSIDE
        if not self.opened[cell]:
            return Click.DOUBLE_IDLE
        flag, near = self.flag, self.near[cell]
        # An open zero chords too: a flag, removed since, may have kept a neighbour covered.
        if sum(map(flag.__getitem__, near)) != self.hint[cell]:
            return Click.DOUBLE_IDLE
        opened = self.opened
        covered = [other for other in near if not opened[other] and not flag[other]]
        if not covered:
            return Click.DOUBLE_IDLE
        for other in covered:
            if not opened[other]:
                self._uncover(other)
        return Click.CHORDED

    def _chord_back(self, cell: int) -> int:
        back = TAKES_BACK if self.pressed >= self.counted else 0
        return self._chord(cell) + back

    def _set_flag(self, cell: int, flag: int) -> None:
        change = flag - self.flag[cell]
        self.flag[cell] = flag
        self.flags += change
        if not self.mine[cell]:
            self.wrong += change
        if self.passed and self.recording.flags_hold:
            self.passed[cell] = WALL if flag else self.hint[cell]

    def _uncover(self, cell: int) -> None:
        if self.mine[cell]:
            self.blown.append(cell)
        elif self.hint[cell]:
            self.opened[cell] = 1
            self.order.append(cell)
            self.question.discard(cell)
        else:
            self._spread(cell)

    def _spread(self, cell: int) -> None:
        """Open an opening; flags stop it or are removed, as the rules say."""
        if not self.passed:
            self._opened(self._spread_near(cell))
            return
        height, width = self.recording.mine_map.shape
        found = undoable_openings.open_opening(
            self.passed, self.opened, (height, width), cell, self.work
        )
        if isinstance(found, OpenedRows):
            self._opened_by_rows(np.flatnonzero(found.flags(width)) + found.first * width)
        else:
            self._opened(found.tolist())

    def _opened(self, cells: list[int]) -> None:
        self.order.extend(cells)
        if self.flags and not self.recording.flags_hold:
            for place in cells:
                self._set_flag(place, 0)
        if self.question:
            self.question.difference_update(cells)

    def _opened_by_rows(self, cells: NDArray[np.int64]) -> None:
        self.order.frombytes(cells.tobytes())
        flags = np.frombuffer(self.flag, np.bool_)
        for place in cells[flags[cells]].tolist():
            self._set_flag(place, 0)
        self.question = {place for place in self.question if not self.opened[place]}

    def _spread_near(self, cell: int) -> list[int]:
        """Open an opening cell by cell; return its cells."""
        opened, flag, hint, near = self.opened, self.flag, self.hint, self.near
        holds = self.recording.flags_hold and self.flags > 0
        opened[cell] = 1
        found = [cell]
        for place in found:
            if not hint[place]:
                for other in near[place]:
                    if not opened[other] and not (holds and flag[other]):
                        opened[other] = 1
                        found.append(other)
        return found
