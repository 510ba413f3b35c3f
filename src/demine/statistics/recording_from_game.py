"""The mines and the touches of a game: `recording_from_game` makes a recording of them."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from demine.logic.board_state import board_events_not_undone
from demine.logic.errors import LayoutError
from demine.logic.event import BOARD_VERBS, Act, Verb
from demine.logic.event_log import EventLog, indexed_non_touches
from demine.logic.rules import Flags
from demine.statistics.mouse_event_signals import ACT_SIGNALS, SIGNALS_OF_KINDS
from demine.statistics.play_recording import (
    RecordingPlayer,
    cells_under_pointer,
    with_modifiers_resolved,
)
from demine.statistics.recording_type import Recording, Signal

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from demine.logic.game import BaseGame

_ALL: Final = slice(None)


class _GameSignals(NamedTuple):
    """The touches and the acts of a game as signals, in order."""

    t: NDArray[np.int64]
    signal: NDArray[np.uint8]
    x: NDArray[np.int64]
    y: NDArray[np.int64]
    acts: Mapping[int, tuple[Verb, int, int]]
    """The acts among them by index: verb, row, column."""


def recording_from_game(game: BaseGame) -> Recording:
    """Return the recording of a game.

    Touches are kept with the acts they caused, at the times of these: the mines of a guess-free
    board are laid in between. Acts by key or finger are added. If the touches do not explain the
    acts, or some acts were undone, the recording has the acts alone and touches only move the
    pointer. Raises `LayoutError` before the mines are laid, and for a game that went
    on after a mine: a recording ends there.
    """
    if not game.board.laid:
        raise LayoutError("a game without mines cannot be a recording")
    if game.board.blown and game.rules.lives > 1:
        raise LayoutError(
            "a game of {lives} lives that hit a mine cannot be a recording, which ends at the "
            "first",
            lives=game.rules.lives,
        )
    said = _signals_of_game(game)
    found: dict[int, Recording] = {}
    if not game.undone:
        asks = any(verb is Verb.QUESTION for verb, _, _ in said.acts.values())
        for questions, chords in product((False, True)[: 1 + asks], (False, True)):
            kept = _recording_if_touches_explain_acts(
                game, said, questions=questions, chords=chords
            )
            if kept is not None:
                found.setdefault(int(np.count_nonzero(kept.signal >= Signal.OPEN)), kept)
            if 0 in found:
                break
    return found[min(found)] if found else _recording_of_acts_alone(game, said)


def _signals_of_game(game: BaseGame) -> _GameSignals:
    events, cell = EventLog.of(game.events), game.cell_px
    standing = {id(event) for event in board_events_not_undone(events)}
    touches, held = events.touches, events.touch_indices
    signal = np.zeros(len(events), np.uint8)
    x, y = np.zeros((2, len(events)), np.int64)
    signal[held], x[held], y[held] = SIGNALS_OF_KINDS[touches.kind], touches.x, touches.y
    acts = {}
    for place, event in indexed_non_touches(events):
        if isinstance(event, Act) and event.verb in BOARD_VERBS and id(event) in standing:
            signal[place] = ACT_SIGNALS[event.verb]
            x[place], y[place] = (cell * at + cell // 2 for at in (event.col, event.row))
            acts[place] = (event.verb, event.row, event.col)
        elif isinstance(event, Act) and event.verb is Verb.RESIGN:
            # The game lasted until then: the pointer, standing still, says so in a recording.
            before = np.flatnonzero(signal[:place])[-1:]
            signal[place] = Signal.MV if before.size else 0
            x[place], y[place] = x[before].sum(), y[before].sum()
    kept = np.flatnonzero(signal)
    found = np.searchsorted(kept, list(acts)).tolist()
    return _GameSignals(
        events.times_ms[kept], signal[kept], x[kept], y[kept],
        dict(zip(found, acts.values(), strict=True)),
    )  # fmt: skip


def _recording_if_touches_explain_acts(
    game: BaseGame, said: _GameSignals, *, questions: bool, chords: bool
) -> Recording | None:
    """Return the touches and the acts they do not cause; None if they cause other acts."""
    made = _make_recording(game, said, questions=questions, chords=chords)
    player = RecordingPlayer(made)
    buttons = np.flatnonzero(said.signal != Signal.MV)
    plain = with_modifiers_resolved(said.signal)[buttons].tolist()
    rows = zip(buttons.tolist(), plain, cells_under_pointer(made, buttons).tolist(), strict=True)
    kept, t = np.ones(said.t.size, np.bool_), said.t.copy()
    awaited: tuple[int, tuple[Verb, int, int]] | None = None
    for at, signal, cell in rows:
        act = said.acts.get(at)
        if awaited is not None:
            cause, caused = awaited
            if act != caused:
                return None
            awaited, kept[at], t[cause:at] = None, False, t[at]
            continue
        clicks = player.clicks
        if player.end < 0:
            player.play_events([at], [signal], [cell])
        if player.clicks > clicks and act is None:
            last = player.last_act()
            awaited = None if last is None else (at, last)
    if awaited is not None:
        return None
    timed = said._replace(t=t)
    return _make_recording(game, timed, kept, questions=questions, chords=chords)


def _recording_of_acts_alone(game: BaseGame, said: _GameSignals) -> Recording:
    moves = np.where(said.signal < Signal.OPEN, np.uint8(Signal.MV), said.signal)
    return _make_recording(game, said._replace(signal=moves), questions=False, chords=False)


def _make_recording(
    game: BaseGame,
    said: _GameSignals,
    kept: NDArray[np.bool_] | slice = _ALL,
    *,
    questions: bool,
    chords: bool,
) -> Recording:
    # Points of a game may not fit 32 bits; no real pointer is that far away.
    far = np.iinfo(np.int32)
    x, y = (np.clip(column, far.min, far.max).astype(np.int32) for column in (said.x, said.y))
    return Recording(
        game.board.mine_map.copy(),
        said.t[kept],
        said.signal[kept],
        x[kept],
        y[kept],
        cell=game.cell_px,
        questions=questions,
        left_chords=chords,
        flags_hold=game.rules.flags is Flags.HOLD,
    )
