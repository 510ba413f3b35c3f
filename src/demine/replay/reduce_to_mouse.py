"""Turns any recording into events of a mouse, for formats that hold nothing else.

Acts by key or finger become clicks in the middle of their cells. If such clicks among the recorded
button events would change the game, the button events are dropped: only the pointer's path is kept,
with clicks that lead to the same game.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from demine.replay.errors import Loss
from demine.statistics.play_recording import play_recording, with_modifiers_resolved
from demine.statistics.played_recording import VERBS, Click
from demine.statistics.recording_type import Recording, Signal

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from numpy.typing import NDArray

    from demine.replay.model import Replay
    from demine.statistics.played_recording import PlayedRecording

_OPEN: Final = (Signal.LC, Signal.LR)
_MARK: Final = (Signal.RC, Signal.RR)
_CHORD: Final = (Signal.LC, Signal.RC, Signal.RR, Signal.LR)
_STATES: Final = {
    Click.FLAGGED: 1,
    Click.UNFLAGGED: 0,
    Click.ASKED: 2,
    Click.DOUBTED: 2,
    Click.CLEARED: 0,
}
"""The mark on a cell after a click, in the order of right clicks: none, flag, question mark."""


class _ReplacementClicks(NamedTuple):
    """The mouse clicks that replace one click."""

    event: int
    clicks: tuple[tuple[int, int], ...]
    """Signal and cell."""


def as_mouse_recording(replay: Replay) -> Recording:
    """Return a recording that has only signals `MV` to `CC`, with its first event at 0 ms."""
    return _reduced(replay)[0]


def as_three_button_recording(replay: Replay) -> Recording:
    """Return a recording that has only signals `MV` to `MR`, with its first event at 0 ms."""
    return resolve_modifiers(as_mouse_recording(replay), Signal.CC)


def losses(replay: Replay) -> tuple[Loss, ...]:
    """Return what `as_mouse_recording` changes about the player's input."""
    lost = []
    if _has_acts(replay.recording):
        lost.append(Loss("what was done by key or finger: stored as clicks"))
    if np.isin(replay.recording.signal, (Signal.SC, Signal.TR)).any():
        lost.append(Loss("that keys were held: stored as other buttons"))
    if not _reduced(replay)[1]:
        lost.append(Loss("how the buttons were pressed: stored as plain clicks"))
    return tuple(lost)


def outside_points_at_corner(recording: Recording) -> Recording:
    """Move points outside the board to just beyond its far corner, as most formats do."""
    return with_points_at_corner(recording, _is_outside(recording))


def with_points_at_corner(recording: Recording, moved: NDArray[np.bool_]) -> Recording:
    """Move the pointer to just beyond the board's far corner at the events marked in `moved`."""
    height, width = (size * recording.cell for size in recording.mine_map.shape)
    x, y = np.where(moved, width, recording.x), np.where(moved, height, recording.y)
    return replace(recording, x=x.astype(np.int32), y=y.astype(np.int32))


def outside_point_losses(recording: Recording) -> tuple[Loss, ...]:
    """Return the loss of the points that `outside_points_at_corner` moves."""
    if not _is_outside(recording).any():
        return ()
    return (Loss("where the pointer was while it was outside the board"),)


def _is_outside(recording: Recording) -> NDArray[np.bool_]:
    height, width = (size * recording.cell for size in recording.mine_map.shape)
    x, y = recording.x, recording.y
    outside: NDArray[np.bool_] = (x < 0) | (x >= width) | (y < 0) | (y >= height)
    return outside


def _reduced(replay: Replay) -> tuple[Recording, bool]:
    """Return the recording by mouse, and whether the button events are kept."""
    recording = resolve_modifiers(replay.recording, Signal.SC, Signal.TR)
    course = replay.course
    if recording.signal.size and recording.t[0]:
        recording = replace(recording, t=recording.t - recording.t[0])
    if not _has_acts(recording) and not recording.left_chords and recording.flags_hold:
        return recording, True
    deeds = list(_replacement_clicks(course, _uses_question_marks(course)))
    among = [deed for deed in deeds if recording.signal[deed.event] >= Signal.OPEN]
    tried = _with_clicks(recording, among, buttons=True, asks=_uses_question_marks(course))
    if not recording.left_chords and _same_outcome(play_recording(tried), course):
        return tried, True
    return _with_clicks(recording, deeds, buttons=False, asks=_uses_question_marks(course)), False


def _has_acts(recording: Recording) -> bool:
    return bool((recording.signal >= Signal.OPEN).any())


def _uses_question_marks(course: PlayedRecording) -> bool:
    asked = np.isin(course.clicks, (Click.ASKED, Click.DOUBTED, Click.CLEARED)).any()
    return bool(asked) or course.recording.questions


def _same_outcome(one: PlayedRecording, other: PlayedRecording) -> bool:
    flags = [course.flags[-1] if course.flags.size else 0 for course in (one, other)]
    return (
        np.array_equal(one.opened, other.opened)
        and one.blown == other.blown
        and bool(flags[0] == flags[1])
    )


def resolve_modifiers(recording: Recording, *when_recorded: Signal) -> Recording:
    """Replace buttons that held keys modify by what they meant, if any of these signals occurs."""
    if not np.isin(recording.signal, when_recorded).any():
        return recording
    return replace(recording, signal=with_modifiers_resolved(recording.signal))


def _replacement_clicks(course: PlayedRecording, asks: bool) -> Iterator[_ReplacementClicks]:
    """Yield for each click the mouse clicks with the same effect on a board where flags hold."""
    state: dict[int, int] = {}
    turns = 3 if asks else 2

    def marks(cell: int, after: int) -> list[tuple[int, int]]:
        before = state.pop(cell, 0)
        if after:
            state[cell] = after
        return [(signal, cell) for _ in range((after - before) % turns) for signal in _MARK]

    rows = zip(course.clicks.tolist(), course.cells.tolist(), course.events.tolist(), strict=True)
    for click, (code, cell, event) in enumerate(rows):
        if code in _STATES:
            yield _ReplacementClicks(event, tuple(marks(cell, _STATES[Click(code)])))
        elif code in VERBS:
            opened = course.opened_by(click).tolist() if state else []
            made = [each for at in opened if state.get(at) == 1 for each in marks(at, 0)]
            for at in opened:
                state.pop(at, None)
            chords = code in {Click.CHORDED, Click.LEFT_CHORDED}
            made += [(signal, cell) for signal in (_CHORD if chords else _OPEN)]
            yield _ReplacementClicks(event, tuple(made))


def _with_clicks(
    recording: Recording, deeds: Iterable[_ReplacementClicks], *, buttons: bool, asks: bool
) -> Recording:
    """Return a recording with replacement clicks inserted after their events.

    Without `buttons`, all recorded button events become moves.
    """
    signals = recording.signal.copy()
    signals[signals >= Signal.OPEN] = Signal.MV
    if not buttons:
        signals[:] = Signal.MV
    width, cell = recording.mine_map.shape[1], recording.cell
    places, codes, cells = [], [], []
    for deed in deeds:
        for signal, at in deed.clicks:
            places.append(deed.event)
            codes.append(signal)
            cells.append(at)
    after = np.array(places, np.intp)
    rows, cols = np.divmod(np.array(cells, np.int32), width)
    return replace(
        recording,
        t=np.insert(recording.t, after + 1, recording.t[after]),
        signal=np.insert(signals, after + 1, np.array(codes, np.uint8)),
        x=np.insert(recording.x, after + 1, (cols * cell + cell // 2).astype(np.int32)),
        y=np.insert(recording.y, after + 1, (rows * cell + cell // 2).astype(np.int32)),
        questions=asks,
        left_chords=False,
        flags_hold=True,
    )
