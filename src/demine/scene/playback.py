"""Playback of a recorded game: a position in it, and what is visible there.

Events are found by bisection. Boards are replayed from the nearest one in a cache, so that any
moment of any game takes a bounded number of acts.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import OrderedDict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from demine.logic.board_state import Board
from demine.logic.event import BOARD_VERBS, Act, Lay, Touch, Verb
from demine.logic.event_log import KINDS, EventLog, acts, indexed_non_touches, non_touches
from demine.logic.game import Status
from demine.logic.metadata import FIELD_CELL
from demine.scene.cell_highlights import cell_looks
from demine.scene.face_mood import FaceMood
from demine.scene.mouse_automaton import Mouse
from demine.scene.sight import sight_of_board, sight_while_running

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from demine.logic.game import BaseGame
    from demine.scene.mouse_automaton import Cell

SPEEDS: Final = (0.1, 0.25, 0.5, 0.75, 1.0, 1.5, 2.0, 4.0, 8.0, 16.0)
LEAD_MS: Final = 10_000
"""How much time before the first opening is shown at most; earlier events are done at the start."""
TAIL_MS: Final = 3_000
"""How much time after the last act is shown at most."""
_KEPT_BYTES: Final = 3 << 25
"""The most memory for cached boards."""
_STRIDE: Final = 32
"""The fewest acts between two cached boards."""
_HELD: Final = 200
"""The most presses and releases that are replayed to find out which buttons are held."""
_MOVE: Final = KINDS.index(("", "move"))
_OWN_MS: Final = 100
"""An act that came more than this after the last touch was not made by the mouse."""


@dataclass(frozen=True, slots=True, eq=False)
class Snapshot:
    """What is visible at one moment."""

    ms: int
    """Milliseconds since the first opening; negative before it."""
    place: int
    """How many events have happened."""
    status: Status
    faces: NDArray[np.uint8]
    looks: NDArray[np.uint8]
    pointer: tuple[int, int] | None
    """The pointer, (x, y) from the board's corner at 16 pixels a cell."""
    cursor: Cell | None
    """The cell of the last act, if the mouse did not make it."""
    mines_left: int
    mood: FaceMood

    @property
    def seconds(self) -> int:
        """Whole seconds of play."""
        return max(0, self.ms) // 1000


class Trail(NamedTuple):
    """The pointer's path at 16 pixels a cell, and where buttons were pressed."""

    points: NDArray[np.int64]
    """Shape (n, 2): x, y."""
    clicks: tuple[tuple[int, int, str], ...]
    """x, y and the name of the button, for each press."""


class Playback:
    """A position in a recorded game: a time, and the number of events that have happened.

    Times are in milliseconds since the first opening, as in the game. Finished numbers fade if
    `fade_finished`.
    """

    def __init__(self, game: BaseGame, *, fade_finished: bool = True) -> None:
        self.game = game
        self.fade_finished = fade_finished
        self.events = game.events
        log = EventLog.of(self.events)
        self.times = log.times_ms
        self.acts = _act_places(log)
        """The indices of all acts among the events."""
        self._made = log.touches.scaled(game.cell_px, FIELD_CELL)
        self._touches = log.touch_indices
        self._presses = self._touches[log.touches.kind != _MOVE]
        self._boards = _Boards(game)
        self._quiet = _presses_when_all_up(self.events, self._presses)
        self._heard = (0, Mouse())
        """A mouse, and how many presses and releases it has replayed."""
        self._states = _status_flags(log)
        self.start, self.end = _shown_time_span(self.times, self.acts)
        self.ms: float = self.start
        self.place = 0
        self.speed = 1.0
        self.seek(self.start)

    # The position

    def seek(self, ms: float) -> None:
        """Go to a time, or the nearest in the game, after the events of that time."""
        self.ms = min(max(ms, self.start), self.end)
        self.place = int(np.searchsorted(self.times, self.ms, "right"))
        if self.ms >= self.end:
            self.place = len(self.events)

    def advance(self, real_ms: float) -> None:
        """Play for `real_ms` of real time at the current speed."""
        before = self.place
        self.seek(self.ms + real_ms * self.speed)
        # After a step the position may be between events of the same time.
        self.place = max(self.place, before)

    def step(self, acts: int) -> None:
        """Go to just after an act: `acts` forward, or backward if negative.

        Where there is no such act, go to the start or the end of the game.
        """
        done = int(np.searchsorted(self.acts, self.place))
        wanted = min(max(done + acts, 0), len(self.acts))
        if wanted == done:
            self.seek(self.end if acts > 0 else self.start)
        elif wanted == 0:
            self.seek(self.start)
            self.place = min(self.place, int(self.acts[0]))
        else:
            self._stand_after_event(int(self.acts[wanted - 1]) + 1)

    def seek_before_event(self, index: int) -> None:
        """Go to just before the event with an index, or to the end if there is none."""
        self.place = index
        at = int(self.times[index]) if index < len(self.times) else self.end
        self.ms = min(max(at, self.start), self.end)

    def _stand_after_event(self, place: int) -> None:
        self.place = place
        self.ms = min(max(int(self.times[place - 1]), self.start), self.end)

    def change_speed(self, steps: int) -> None:
        """Go up or down by a number of `SPEEDS`."""
        near = min(range(len(SPEEDS)), key=lambda at: abs(SPEEDS[at] - self.speed))
        self.speed = SPEEDS[min(max(near + steps, 0), len(SPEEDS) - 1)]

    @property
    def ended(self) -> bool:
        """Whether the position is after everything."""
        return self.ms >= self.end and self.place >= len(self.events)

    @property
    def acts_done(self) -> int:
        """How many acts have happened."""
        return int(np.searchsorted(self.acts, self.place))

    @property
    def next_act(self) -> Act | None:
        """The act that comes next; None after the last."""
        at = self.acts_done
        event = self.events[int(self.acts[at])] if at < len(self.acts) else None
        return event if isinstance(event, Act) else None

    # What is visible

    def snapshot(self) -> Snapshot:
        """Return what is visible now."""
        place = self.place
        board = self._boards.after_events(place)
        status = self._status(place, board)
        faces = sight_of_board(board, status)
        left = 0 if status is Status.WON else board.mines_except_forgiven - board.flags
        # From here on the board may be that of another moment.
        mouse = self._mouse(place) if status in (Status.READY, Status.RUNNING) else Mouse()
        over = {Status.WON: FaceMood.WON, Status.LOST: FaceMood.LOST}
        held = FaceMood.WORRIED if mouse.is_holding_cell else FaceMood.IDLE
        pointer, cursor = self._pointer_or_cursor(place)
        fade = self.fade_finished and not status.over
        looks = cell_looks(faces, mouse.pressed, fade_finished=fade)
        return Snapshot(
            round(self.ms), place, status, faces, looks, pointer, cursor, left,
            over.get(status, held),
        )  # fmt: skip

    def _status(self, place: int, board: Board) -> Status:
        begun, paused, resigned = self._states[int(np.searchsorted(self.acts, place))]
        if board.lost or resigned:
            return Status.LOST
        if begun and board.won:
            return Status.WON
        if paused:
            return Status.PAUSED
        return Status.RUNNING if begun else Status.READY

    def _pointer_or_cursor(self, place: int) -> tuple[tuple[int, int] | None, Cell | None]:
        """Return the pointer, or the cell of the last act if the mouse did not make it."""
        touched = int(np.searchsorted(self._touches, place)) - 1
        touch = self._touch(touched) if touched >= 0 else None
        acted = self.acts_done - 1
        act = self.events[int(self.acts[acted])] if acted >= 0 else None
        if isinstance(act, Act) and act.row >= 0:
            later = touched < 0 or self.acts[acted] > self._touches[touched]
            if later and (touch is None or act.t - touch.t > _OWN_MS):
                return None, (act.row, act.col)
        return (None if touch is None else (touch.x, touch.y)), None

    def _touch(self, number: int) -> Touch:
        """Return the touch with a number, at 16 pixels a cell."""
        return self._made.to_objects(number, number + 1)[0]

    def _mouse(self, place: int) -> Mouse:
        """Return the mouse with its buttons held: its last presses, replayed on their boards."""
        done = int(np.searchsorted(self._presses, place))
        quiet = max(int(self._quiet[done]), done - _HELD)
        heard, mouse = self._heard
        if not quiet <= heard <= done:
            heard, mouse = quiet, Mouse()
        for at in self._presses[heard:done].tolist():
            self._replay_press(mouse, at)
        self._heard = done, mouse
        touched = int(np.searchsorted(self._touches, place)) - 1
        if quiet < done and touched >= 0:
            touch = self._touch(touched)
            faces = sight_while_running(self._boards.after_events(place))
            mouse.replay_touch(Touch(touch.t, "", "move", touch.x, touch.y), faces)
        return mouse

    def _replay_press(self, mouse: Mouse, place: int) -> None:
        touch = self._touch(int(np.searchsorted(self._touches, place)))
        mouse.replay_touch(touch, sight_while_running(self._boards.after_events(place)))

    def trail(self, window_ms: int | None) -> Trail:
        """Return the pointer's path in the last `window_ms`; with None, since the beginning."""
        done = int(np.searchsorted(self._touches, self.place))
        times = self.times[self._touches[:done]]
        first = 0 if window_ms is None else int(np.searchsorted(times, self.ms - window_ms))
        hand = self._made
        points = np.stack((hand.x[first:done], hand.y[first:done]), axis=1)
        clicks: list[tuple[int, int, str]] = []
        for at in np.flatnonzero(hand.kind[first:done] != _MOVE).tolist():
            button, action = KINDS[hand.kind[first + at]]
            if action == "press":
                clicks.append((*points[at].tolist(), button))
        return Trail(points, tuple(clicks))

    def preload(self, acts: int) -> None:
        """Cache the boards of this many more acts, so that seeking to them is quick."""
        self._boards.preload(acts)

    @property
    def is_preloaded(self) -> bool:
        """Whether `preload` has reached the last act."""
        return not self._boards.coming

    @property
    def has_touches(self) -> bool:
        """Whether the mouse was recorded."""
        return bool(self._touches.size)


class _Boards:
    """The boards of a game, after any number of events.

    The acts on a board are a tree: undoing one leads to its parent. Boards at depths that are
    multiples of a stride are cached, as many as there is memory for.
    """

    def __init__(self, game: BaseGame) -> None:
        self._events = game.events
        self._parents: list[int] = [-1]
        self._depths: list[int] = [0]
        self._acts: list[int] = [-1]
        """For each node the index of its act among the events."""
        self._places: list[int] = []
        """The indices among the events of acts on the board and of undos."""
        self._nodes = self._build_tree()
        root = Board(game.rules)
        for event in non_touches(self._events):
            if isinstance(event, Lay):
                root.apply_unless_refused(event)
        room = max(4, _KEPT_BYTES // (3 * game.rules.cells))
        self._room = room
        self._stride = max(_STRIDE, -(-len(self._parents) // room))
        self._root = root
        self._kept: OrderedDict[int, Board] = OrderedDict()
        self._now = (0, root.copy())
        self._ahead = root.copy()
        self.coming = self._path_from_root(self._nodes[-1])
        """The nodes on the way to the end that are still to be preloaded, the next one last."""

    def _build_tree(self) -> list[int]:
        """Build the tree; return the node after each number of acts on the board and undos."""
        node, nodes = 0, [0]
        for place, event in indexed_non_touches(self._events):
            if not isinstance(event, Act):
                continue
            if event.verb is Verb.UNDO:
                node = max(0, self._parents[node])
            elif event.verb in BOARD_VERBS:
                self._parents.append(node)
                self._depths.append(self._depths[node] + 1)
                self._acts.append(place)
                node = len(self._parents) - 1
            else:
                continue
            self._places.append(place)
            nodes.append(node)
        return nodes

    def _path_from_root(self, node: int) -> list[int]:
        way: list[int] = []
        while node:
            way.append(node)
            node = self._parents[node]
        return way

    def preload(self, acts: int) -> None:
        """Cache the boards of this many more acts on the way to the end."""
        for _ in range(min(acts, len(self.coming))):
            node = self.coming.pop()
            if node in self._kept:
                self._ahead = self._kept[node].copy()
            else:
                self._play_node(node, self._ahead)

    def _play_node(self, node: int, board: Board) -> None:
        board.apply_unless_refused(self._events[self._acts[node]])
        if self._depths[node] % self._stride == 0:
            self._keep(node, board)

    def after_events(self, count: int) -> Board:
        """Return the board after `count` events; the caller must not change it, nor keep it."""
        node = self._nodes[bisect_left(self._places, count)]
        current, board = self._now
        way: list[int] = []
        at = node
        while at not in {0, current} and at not in self._kept:
            way.append(at)
            at = self._parents[at]
        if at != current:
            board = (self._kept[at] if at else self._root).copy()
            if at:
                self._kept.move_to_end(at)
        for step in reversed(way):
            self._play_node(step, board)
        self._now = (node, board)
        return board

    def _keep(self, node: int, board: Board) -> None:
        if node not in self._kept:
            self._kept[node] = board.copy()
            while len(self._kept) > self._room:
                self._kept.popitem(last=False)


def _act_places(log: EventLog) -> NDArray[np.int64]:
    return log.non_touch_indices[[isinstance(event, Act) for event in log.non_touches]]


def _presses_when_all_up(events: Sequence[object], presses: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return for each number of presses and releases how many the last moment without any had."""
    held: set[str] = set()
    quiet = [0]
    for at, place in enumerate(presses.tolist()):
        touch = events[place]
        if isinstance(touch, Touch):
            name = touch.button.rpartition("+")[2]
            (held.add if touch.action == "press" else held.discard)(name)
        quiet.append(quiet[-1] if held else at + 1)
    return np.array(quiet, np.int64)


def _status_flags(log: EventLog) -> list[tuple[bool, bool, bool]]:
    """Return whether a game has begun, is paused and is resigned, after each number of acts."""
    begun = paused = resigned = False
    states = [(begun, paused, resigned)]
    for act in acts(log):
        begun = begun or act.verb is Verb.OPEN
        resigned = resigned or act.verb is Verb.RESIGN
        if act.verb in (Verb.PAUSE, Verb.RESUME):
            paused = act.verb is Verb.PAUSE
        states.append((begun, paused, resigned))
    return states


def _shown_time_span(times: NDArray[np.int64], acts: NDArray[np.int64]) -> tuple[int, int]:
    """Return the first and the last moment to show, in milliseconds."""
    if not times.size:
        return 0, 0
    last_act = int(times[acts[-1]]) if acts.size else int(times[-1])
    first = min(max(int(times[0]), -LEAD_MS), last_act)
    return first, max(first, min(int(times[-1]), last_act + TAIL_MS))
