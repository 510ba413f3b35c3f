"""Turns any recording into one in hundredths of a second, as Arbiter and Clone record games.

Both begin to record with the first press. Their clocks show 0 until the first cell opens, and stop
when the game ends. A cell has 16 pixels.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

import numpy as np

from demine.logic.metadata import FIELD_CELL
from demine.replay import reduce_to_mouse
from demine.replay.errors import Loss, ReplayError
from demine.statistics.play_recording import play_recording
from demine.statistics.recording_type import Recording, Signal

if TYPE_CHECKING:
    from demine.replay.model import Replay
    from demine.statistics.played_recording import PlayedRecording

TICK: Final = 10
"""The resolution in milliseconds."""
_FLAG_CLICK: Final = (Signal.RC, Signal.RR)


def as_centisecond_recording(replay: Replay, format: str) -> Recording:  # noqa: A002 - its name
    """Return a recording from the first press to the end of the game, with `MV` to `MR` only.

    Its times are multiples of `TICK`, counted from the moment when the first cell opens, or from
    the first press if none does. A cell has 16 pixels. Raises `ReplayError` naming `format` if
    there is no press.
    """
    recording, course = _as_three_button_recording(replay)
    first, last = _first_press_and_end(recording, course)
    if first < 0:
        raise ReplayError("{format} files cannot hold a game without clicks", format=format)
    kept = slice(first, last)
    t = np.maximum(recording.t[kept] - _clock_start_ms(recording, course), 0) // TICK * TICK
    x, y = (
        (column[kept].astype(np.int64) * FIELD_CELL // recording.cell).astype(np.int32)
        for column in (recording.x, recording.y)
    )
    return replace(recording, t=t, signal=recording.signal[kept], x=x, y=y, cell=FIELD_CELL)


def losses(replay: Replay) -> tuple[Loss, ...]:
    """Return what `as_centisecond_recording` leaves out or changes about the player's input."""
    recording, course = _as_three_button_recording(replay)
    lost = [*reduce_to_mouse.losses(replay)]
    first, last = _first_press_and_end(recording, course)
    t = recording.t[max(first, 0) : last] - _clock_start_ms(recording, course)
    if first > 0 or (t < 0).any():
        lost.append(Loss(
            "the times of everything before the first opening, "
            "and the pointer's path to the first click"
        ))  # fmt: skip
    if last < recording.t.size:
        lost.append(Loss("what the hand did after the game was over"))
    if (t[t > 0] % TICK).any():
        lost.append(Loss("the thousandths of a second"))
    if recording.cell != FIELD_CELL:
        lost.append(Loss(
            "the pointer's path at {cell} pixels a cell: it was kept at {kept}",
            cell=recording.cell, kept=FIELD_CELL,
        ))  # fmt: skip
    return tuple(lost)


def _as_three_button_recording(replay: Replay) -> tuple[Recording, PlayedRecording]:
    """Return the recording by three buttons, and the game that results from it."""
    recording = reduce_to_mouse.as_three_button_recording(replay)
    course = play_recording(recording)
    if (recording.signal == Signal.PF).any():
        recording = _with_flag_clicks(recording, course)
        course = play_recording(recording)
    return recording, course


def _with_flag_clicks(recording: Recording, course: PlayedRecording) -> Recording:
    """Return a recording in which right clicks set the flags that stood before it began."""
    stood = recording.signal == Signal.PF
    said = np.zeros_like(stood)
    said[course.events] = stood[course.events]
    # A second flag on a cell had no effect, but a click would remove the first.
    times = np.where(said, 2, np.where(stood, 0, 1))
    from_event = np.repeat(np.arange(stood.size), times)
    signal = recording.signal[from_event]
    signal[signal == Signal.PF] = np.tile(_FLAG_CLICK, np.count_nonzero(said))
    t, x, y = recording.t[from_event], recording.x[from_event], recording.y[from_event]
    return replace(recording, t=t, signal=signal, x=x, y=y)


def _first_press_and_end(recording: Recording, course: PlayedRecording) -> tuple[int, int]:
    """Return the index of the first press, or -1, and the number of events up to the end."""
    pressed = np.isin(recording.signal, (Signal.LC, Signal.RC, Signal.MC)).nonzero()[0]
    last = course.end + 1 if course.end >= 0 else recording.t.size
    return (int(pressed[0]) if pressed.size else -1), last


def _clock_start_ms(recording: Recording, course: PlayedRecording) -> int:
    """Return the time in the recording at which the clock starts."""
    first, _ = _first_press_and_end(recording, course)
    return course.start_ms if course.start >= 0 or first < 0 else int(recording.t[first])
