"""From recordings to games and back: the same evidence, judged and not judged."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from demine.logic import event_log
from demine.logic.board import effective
from demine.logic.errors import LayoutError
from demine.logic.event import BOARD_VERBS, Act, Lay, Touch, Verb
from demine.logic.event_log import KINDS, LAY, Acts, EventLog, Touches, placed
from demine.logic.fast_replay import MOST_WORK, limited_work, play_acts
from demine.logic.game import Origin, follow
from demine.logic.rules import First, Flags, Rules
from demine.statistics.play_recording import (
    RecordingPlayer,
    cells_under_pointer,
    has_no_modifiers,
    play_recording,
    signals_without_modifiers,
)
from demine.statistics.played_recording import CLICKS, VERBS
from demine.statistics.recording_type import Recording, Signal

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from demine.logic.event import Action
    from demine.logic.game import AnyGame, Game
    from demine.logic.metadata import Fact
    from demine.statistics.played_recording import PlayedRecording

_TOUCHES: Final[Mapping[int, tuple[str, Action]]] = {
    Signal.MV: ("", "move"),
    Signal.LC: ("left", "press"),
    Signal.LR: ("left", "release"),
    Signal.RC: ("right", "press"),
    Signal.RR: ("right", "release"),
    Signal.MC: ("middle", "press"),
    Signal.MR: ("middle", "release"),
    Signal.SC: ("shift+left", "press"),
    Signal.TR: ("ctrl+left", "press"),
}
_NO_TOUCH: Final = 255
_TOUCH_KINDS: Final = np.full(256, _NO_TOUCH, np.uint8)
_TOUCH_KINDS[list(_TOUCHES)] = [KINDS.index(touch) for touch in _TOUCHES.values()]
"""The kinds of touches by their signals."""


def button_without_release_modifiers(touch: Touch) -> str:
    """Return a touch's button, of a release without the modifiers that only a press can use."""
    return _without_release_modifiers(touch.button, touch.action)


def _without_release_modifiers(button: str, action: Action) -> str:
    return button if action != "release" else button.rpartition("+")[2]


TOUCH_SIGNALS: Final = {touch: Signal(signal) for signal, touch in _TOUCHES.items()}
"""The signal of each touch, by its button and action."""
ACT_SIGNALS: Final = {
    Verb.OPEN: Signal.OPEN,
    Verb.FLAG: Signal.FLAG,
    Verb.QUESTION: Signal.QUESTION,
    Verb.CHORD: Signal.CHORD,
}
_KIND_SIGNALS: Final = np.array(
    [TOUCH_SIGNALS[_without_release_modifiers(button, action), action] for button, action in KINDS],
    np.uint8,
)
"""The signals of touches by their kinds."""
_NO_VERB: Final = 255
_CLICK_VERBS: Final = np.full(CLICKS, _NO_VERB, np.uint8)
_CLICK_VERBS[list(VERBS)] = [event_log.VERBS.index(verb) for verb in VERBS.values()]
"""The verbs of clicks, as places in `demine.logic.event_log.VERBS`."""
_ALL: Final = slice(None)


def game_from_recording(
    game_class: type[AnyGame],
    recording: Recording,
    facts: Mapping[str, Fact] | None = None,
    origin: Origin | str = Origin.SHARE,
    course: PlayedRecording | None = None,
    *,
    trusted: bool = True,
) -> AnyGame:
    """Return a recording as a game: its mines, its acts, and every touch as it was.

    `course` saves the work of a `run` that was made before. Raises `RulesError` where no rules have
    such a board: one without a safe cell. Raises `WorkError` for openings that take too long, where
    the recording is not trusted.
    """
    if course is None:
        course = play_recording(recording, math.inf if trusted else MOST_WORK)
    rules = _rules(recording, course)
    game = game_class(rules, 0, origin=origin, facts=facts, cell_px=recording.cell)
    start = course.start_ms
    first = int(recording.t[0]) - start if recording.t.size else 0
    acts, events = _acts(course, Lay(first, recording.mine_map))
    with limited_work(game, trusted=trusted):
        refused = play_acts(game, acts, follow)
    if refused is not None:
        raise refused[1]
    heard, touches = _touches(recording, start)
    # Acts stand behind the touches that led to them.
    before = np.searchsorted(heard, events, "right")
    game.keep(EventLog(touches, acts, before + np.arange(before.size)))
    return game


def _acts(course: PlayedRecording, lay: Lay) -> tuple[Acts, NDArray[np.int64]]:
    """Return the laying of the mines and what the clicks changed; and the event of each."""
    verbs = _CLICK_VERBS[course.clicks]
    did = np.flatnonzero(verbs != _NO_VERB)
    events = course.events[did]
    rows, cols = np.divmod(course.cells[did], course.recording.mine_map.shape[1])
    times = course.recording.t[events] - course.start_ms
    columns = ((lay.t, times), (LAY, verbs[did]), (-1, rows), (-1, cols), (-1, events))
    t, verb, row, col, event = (np.append(first, rest) for first, rest in columns)
    return Acts(t, verb.astype(np.uint8), row, col, {0: lay}), event


def _rules(recording: Recording, course: PlayedRecording) -> Rules:
    height, width = recording.mine_map.shape
    broken = course.start >= 0 and not course.opened.size
    return Rules(
        width,
        height,
        int(np.count_nonzero(recording.mine_map)),
        first=First.ANY if broken else First.SAFE,
        flags=Flags.HOLD if recording.flags_hold else Flags.YIELD,
    )


def _touches(recording: Recording, start: int) -> tuple[NDArray[np.int64], Touches]:
    """Return the events that are touches, and these."""
    signal = recording.signal
    if not has_no_modifiers(signal):
        signal = _second_buttons_told_apart(signal)
    kind = _TOUCH_KINDS[signal]
    heard = np.flatnonzero(kind != _NO_TOUCH)
    x, y = (column[heard].astype(np.int64) for column in (recording.x, recording.y))
    return heard, Touches(recording.t[heard] - start, kind[heard], x, y)


def _second_buttons_told_apart(signal: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return signals with a second button as the one it was: right if left was down, else left."""
    second = np.flatnonzero(signal == Signal.CC)
    # A second button leaves the left one down, whichever it was.
    left = np.flatnonzero(np.isin(signal, (Signal.LC, Signal.SC, Signal.TR, Signal.CC, Signal.LR)))
    before = np.searchsorted(left, second) - 1
    down = (before >= 0) & (signal[left[before]] != Signal.LR)
    plain = signal.copy()
    plain[second] = np.where(down, np.uint8(Signal.RC), np.uint8(Signal.LC))
    return plain


class _GameSignals(NamedTuple):
    """A game as signals, those of touches and those of acts by themselves, in order."""

    t: NDArray[np.int64]
    signal: NDArray[np.uint8]
    x: NDArray[np.int64]
    y: NDArray[np.int64]
    acts: Mapping[int, tuple[Verb, int, int]]
    """The acts among them by their places: verb, row, column."""


def recording_from_game(game: Game) -> Recording:
    """Return a game's evidence as a recording.

    Touches that led to the acts are kept as they are; acts by key or finger stand beside them. If
    the acts cannot be made out from the touches, because some were undone, the acts stand alone and
    the touches only show the way of the pointer. Raises `LayoutError` before the mines are laid,
    and for a game that went on after a mine: a recording ends there.
    """
    if not game.board.laid:
        raise LayoutError("a game without mines is no recording")
    if game.board.blown and game.rules.lives > 1:
        raise LayoutError(
            "a game of {lives} lives in which a mine blew is no recording: that ends at the first",
            lives=game.rules.lives,
        )
    said = _signals_of_game(game)
    asks = any(verb is Verb.QUESTION for verb, _, _ in said.acts.values())
    tries = [
        kept
        for questions in ([False, True] if asks else [False])
        for chords in (False, True)
        if (
            kept := _recording_if_touches_explain_acts(
                game, said, questions=questions, chords=chords
            )
        )
        is not None
    ]
    if tries and not game.undone:
        return min(tries, key=lambda recording: np.count_nonzero(recording.signal >= Signal.OPEN))
    return _recording_of_acts_alone(game, said)


def _signals_of_game(game: Game) -> _GameSignals:
    events, cell = EventLog.of(game.events), game.cell_px
    standing = {id(event) for event in effective(events)}
    touches, held = events.touches, events.touch_places
    signal = np.zeros(len(events), np.uint8)
    x, y = np.zeros((2, len(events)), np.int64)
    signal[held], x[held], y[held] = _KIND_SIGNALS[touches.kind], touches.x, touches.y
    acts = {}
    for place, event in placed(events):
        if isinstance(event, Act) and event.verb in BOARD_VERBS and id(event) in standing:
            signal[place] = ACT_SIGNALS[event.verb]
            x[place], y[place] = (cell * at + cell // 2 for at in (event.col, event.row))
            acts[place] = (event.verb, event.row, event.col)
    kept = np.flatnonzero(signal)
    found = np.searchsorted(kept, list(acts)).tolist()
    return _GameSignals(
        events.times[kept], signal[kept], x[kept], y[kept],
        dict(zip(found, acts.values(), strict=True)),
    )  # fmt: skip


def _recording_if_touches_explain_acts(
    game: Game, said: _GameSignals, *, questions: bool, chords: bool
) -> Recording | None:
    """Return the touches with the acts that they do not explain; None if they say other acts."""
    made = _make_recording(game, said, questions=questions, chords=chords)
    play = RecordingPlayer(made)
    heard = np.flatnonzero(said.signal != Signal.MV)
    plain = signals_without_modifiers(said.signal[heard].tolist())
    rows = zip(heard.tolist(), plain, cells_under_pointer(made, heard).tolist(), strict=True)
    width = made.mine_map.shape[1]
    kept = np.ones(said.t.size, np.bool_)
    awaited: tuple[int, tuple[Verb, int, int]] | None = None
    for at, signal, cell in rows:
        act = said.acts.get(at)
        if awaited is not None:
            if awaited != (at, act):
                return None
            awaited, kept[at] = None, False
            continue
        clicks = play.clicks
        if play.end < 0:
            play.follow([at], [signal], [cell])
        if play.clicks > clicks and act is None:
            code = play.log[-5] & 31
            awaited = (at + 1, (VERBS[code], *divmod(cell, width))) if code in VERBS else None
    if awaited is not None:
        return None
    return _make_recording(game, said, kept, questions=questions, chords=chords)


def _recording_of_acts_alone(game: Game, said: _GameSignals) -> Recording:
    moves = np.where(said.signal < Signal.OPEN, np.uint8(Signal.MV), said.signal)
    return _make_recording(game, said._replace(signal=moves), questions=False, chords=False)


def _make_recording(
    game: Game,
    said: _GameSignals,
    kept: NDArray[np.bool_] | slice = _ALL,
    *,
    questions: bool,
    chords: bool,
) -> Recording:
    # Points of a game may be farther off than any recorder's; no pointer goes that far.
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
