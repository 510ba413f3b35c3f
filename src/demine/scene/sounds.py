"""The sounds of acts, synthesised here; playing them is left to the scenes."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Final

import numpy as np

from demine.logic.game import Status

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from demine.logic.game import BaseGame

RATE: Final = 44_100
"""Samples per second."""


class Sound(StrEnum):
    """A sound of the game."""

    OPEN = "open"
    OPENING = "opening"
    FLAG = "flag"
    UNFLAG = "unflag"
    WON = "won"
    LOST = "lost"


def samples(sound: Sound) -> NDArray[np.int16]:
    """Return a sound as 16-bit mono samples at `RATE`."""
    wave: NDArray[np.float64] = _RECIPES[sound]()
    return np.rint(np.clip(wave, -1, 1) * 0.45 * 32767).astype(np.int16)


def _tone(
    hertz: float, seconds: float, decay: float, overtone: float = 0.25
) -> NDArray[np.float64]:
    """Return a struck tone: a sine with its octave, decaying as exp(-decay * seconds)."""
    time = np.arange(int(RATE * seconds)) / RATE
    wave = np.sin(2 * np.pi * hertz * time) + overtone * np.sin(4 * np.pi * hertz * time)
    attack = np.minimum(time / 0.004, 1.0)
    release = np.minimum((seconds - time) / 0.01, 1.0)
    shaped: NDArray[np.float64] = wave / (1 + overtone) * np.exp(-decay * time) * attack * release
    return shaped


def _melody(notes: list[tuple[float, float]], overlap: float, decay: float) -> NDArray[np.float64]:
    """Return notes (hertz, seconds) one after another; each rings on for `overlap` seconds."""
    starts = np.cumsum([0.0, *(seconds for _, seconds in notes)])
    wave = np.zeros(int(RATE * (starts[-1] + overlap)) + 1)
    for (hertz, seconds), start in zip(notes, starts, strict=False):
        tone = _tone(hertz, seconds + overlap, decay)
        begin = int(start * RATE)
        wave[begin : begin + tone.size] += tone
    return wave


def _boom() -> NDArray[np.float64]:
    """Return a blast: filtered noise over a falling low tone."""
    time = np.arange(int(RATE * 0.7)) / RATE
    noise = np.random.default_rng(1).standard_normal(time.size)
    rumble = np.convolve(noise, np.hanning(180) / 45, mode="same")
    fall = np.sin(2 * np.pi * (70 * time - 40 * time**2))
    wave: NDArray[np.float64] = (0.8 * rumble + 0.7 * fall) * np.exp(-5 * time)
    return wave * np.minimum(time / 0.002, 1.0)


_RECIPES: Final = {
    Sound.OPEN: lambda: _tone(660, 0.06, 50),
    Sound.OPENING: lambda: _melody([(523, 0.04), (659, 0.04), (784, 0.05)], 0.08, 25),
    Sound.FLAG: lambda: _melody([(880, 0.03), (1175, 0.04)], 0.05, 40),
    Sound.UNFLAG: lambda: _melody([(1175, 0.03), (880, 0.04)], 0.05, 40),
    Sound.WON: lambda: _melody([(523, 0.09), (659, 0.09), (784, 0.09), (1047, 0.2)], 0.3, 7),
    Sound.LOST: _boom,
}


def sound_of_last_act(
    game: BaseGame, opened_before: int, flags_before: int, blown_before: int
) -> Sound:
    """Return the sound of the last act of a game.

    The other arguments are the numbers of open cells, flags and blown mines before that act.
    """
    board, status = game.board, game.status
    if status.over:
        return Sound.WON if status is Status.WON else Sound.LOST
    if len(board.blown) > blown_before:
        return Sound.LOST
    if board.opened > opened_before:
        return Sound.OPENING if board.opened > opened_before + 1 else Sound.OPEN
    return Sound.FLAG if board.flags > flags_before else Sound.UNFLAG


def wav_bytes(sound: Sound) -> bytes:
    """Return a sound as a WAV file, for programs that play files."""
    import io
    import wave

    file = io.BytesIO()
    with wave.open(file, "wb") as writer:
        writer.setnchannels(1)
        writer.setsampwidth(2)
        writer.setframerate(RATE)
        writer.writeframes(samples(sound).astype("<i2").tobytes())
    return file.getvalue()
