"""A recording played by the rules: `game_from_recording` makes the game of it."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import TYPE_CHECKING, Final

import numpy as np

from demine.logic import event_log
from demine.logic.event import Lay
from demine.logic.event_log import LAY, Acts, EventLog, Touches
from demine.logic.fast_replay import MOST_WORK, play_acts
from demine.logic.game import BaseGame, Origin, play_event
from demine.logic.rules import First, Flags, Rules
from demine.statistics.mouse_event_signals import NO_TOUCH, TOUCH_KINDS
from demine.statistics.play_recording import are_context_free, play_recording
from demine.statistics.played_recording import CLICKS, VERBS
from demine.statistics.recording_type import Signal

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from demine.logic.game import AnyGame
    from demine.logic.metadata import Fact
    from demine.logic.undoable_openings import Change
    from demine.statistics.played_recording import PlayedRecording
    from demine.statistics.recording_type import Recording

_NO_VERB: Final = 255
_CLICK_VERBS: Final = np.full(CLICKS, _NO_VERB, np.uint8)
_CLICK_VERBS[list(VERBS)] = [event_log.VERBS.index(verb) for verb in VERBS.values()]
"""The verb of each `Click`, as its index in `demine.logic.event_log.VERBS`."""


def game_from_recording(
    game_class: type[AnyGame],
    recording: Recording,
    facts: Mapping[str, Fact] | None = None,
    origin: Origin | str = Origin.SHARE,
    played: PlayedRecording | None = None,
    *,
    trusted: bool = True,
) -> AnyGame:
    """Return the game of a recording: its mines, its acts, and every touch unchanged.

    `played` is what `play_recording` returned for it, if that is known. Raises `RulesError` for a
    board without a safe cell, and `WorkError` for openings that take too long if the recording is
    not trusted.
    """
    if played is None:
        played = play_recording(recording, math.inf if trusted else MOST_WORK)
    game = game_class(
        _rules(recording, played), 0, origin=origin, facts=facts, cell_px=recording.cell
    )
    events = RecordedEvents(played)
    game.board.restore(
        played.regions.mines, played.regions.hint, played.opened, played.flagged, played.asked,
        played.blown,
    )  # fmt: skip
    game._go_on_after(events, events.changes, begun=played.start >= 0)
    return game


class RecordedEvents(EventLog):
    """The events of a recording's game, which know how it was played.

    They are made of the recording on first access, since statistics do not need them.
    """

    __slots__ = ("played",)

    def __init__(self, played: PlayedRecording) -> None:
        self.played = played

    def __getattr__(self, name: str) -> object:
        # Only called for slots that are not filled yet.
        if name not in EventLog.__slots__:
            raise AttributeError(name)
        recording, start = self.played.recording, self.played.start_ms
        acts, events = _acts(self.played)
        heard, touches = _touches(recording, start)
        # An act follows the touches that caused it.
        before = np.searchsorted(heard, events, "right")
        super().__init__(touches, acts, before + np.arange(before.size))
        return getattr(self, name)

    @property
    def names_players(self) -> bool:
        """No recording says who did what."""
        return False

    def changes(self) -> list[Change]:
        """Return what the acts changed on the board, by playing them through the rules."""
        game = BaseGame(_rules(self.played.recording, self.played), 0)
        refused = play_acts(game, _acts(self.played)[0], play_event)
        if refused is not None:
            raise refused.reason
        return game.changes

    def __reduce__(self) -> tuple[object, ...]:
        # Played again, it is the same.
        return EventLog, (self.touches, self.non_touches, self.non_touch_indices)


def source_recording(game: BaseGame) -> PlayedRecording | None:
    """Return the recording that a game was made of; None if there was none or it went on since."""
    events = game.events
    return events.played if isinstance(events, RecordedEvents) else None


def _acts(played: PlayedRecording) -> tuple[Acts, NDArray[np.int64]]:
    """Return the mines and the acts of the clicks, and the event index of each (-1 for mines)."""
    recorded = played.recording.t
    lay = Lay(int(recorded[0]) - played.start_ms if recorded.size else 0, played.recording.mine_map)
    verbs = _CLICK_VERBS[played.clicks]
    did = np.flatnonzero(verbs != _NO_VERB)
    events = played.events[did]
    rows, cols = np.divmod(played.cells[did], played.recording.mine_map.shape[1])
    times = recorded[events] - played.start_ms
    columns = ((lay.t, times), (LAY, verbs[did]), (-1, rows), (-1, cols), (-1, events))
    t, verb, row, col, event = (np.append(first, rest) for first, rest in columns)
    return Acts(t, verb.astype(np.uint8), row, col, {0: lay}), event


def _rules(recording: Recording, played: PlayedRecording) -> Rules:
    broken = played.start >= 0 and not played.opened.size
    mines = int(np.count_nonzero(recording.mine_map))
    return _rules_of(*recording.mine_map.shape, mines, broken, recording.flags_hold)


@lru_cache(maxsize=64)
def _rules_of(height: int, width: int, mines: int, broken: bool, flags_hold: bool) -> Rules:
    """Return the rules, of which there are few in thousands of replays."""
    first = First.ANY if broken else First.SAFE
    flags = Flags.HOLD if flags_hold else Flags.YIELD
    return Rules(width, height, mines, first=first, flags=flags)


def _touches(recording: Recording, start: int) -> tuple[NDArray[np.int64], Touches]:
    """Return the indices of the events that are touches, and the touches."""
    signal = recording.signal
    if not are_context_free(signal):
        signal = _with_second_buttons_named(signal)
    kind = TOUCH_KINDS[signal]
    heard = np.flatnonzero(kind != NO_TOUCH)
    x, y = (column[heard].astype(np.int64) for column in (recording.x, recording.y))
    return heard, Touches(recording.t[heard] - start, kind[heard], x, y)


_OF_LEFT_BUTTON: Final = np.isin(
    np.arange(256), (Signal.LC, Signal.SC, Signal.TR, Signal.CC, Signal.LR)
)


def _with_second_buttons_named(signal: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return signals with each second button named: right if left was held, else left."""
    second = np.flatnonzero(signal == Signal.CC)
    # Whichever button the second one was, the left one is held afterwards.
    left = np.flatnonzero(_OF_LEFT_BUTTON[signal])
    before = np.searchsorted(left, second) - 1
    down = (before >= 0) & (signal[left[before]] != Signal.LR)
    plain = signal.copy()
    plain[second] = np.where(down, np.uint8(Signal.RC), np.uint8(Signal.LC))
    return plain
