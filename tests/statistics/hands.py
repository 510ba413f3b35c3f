"""Hands for the tests: recordings from one line of text, and random ones."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from hypothesis import strategies as st
from numpy.typing import NDArray

from demine.game import Game
from demine.logic.event import Act, Lay, Touch
from demine.logic.game import Origin
from demine.logic.layout import parse_layout
from demine.logic.rules import First, Flags, Rules
from demine.scene.mouse_automaton import ClickTally, Mouse, MouseOptions
from demine.scene.sight import sight
from demine.statistics.recording_type import Recording, Signal

Line = tuple[int, int, int, int]
"""Milliseconds, signal, x, y."""


def recording(mines: NDArray[np.bool_], lines: Sequence[Line], **choices: int) -> Recording:
    """A recording of given events."""
    table = np.array(lines, np.int64).reshape(-1, 4)
    return Recording(
        mines,
        table[:, 0].copy(),
        table[:, 1].astype(np.uint8),
        table[:, 2].astype(np.int32),
        table[:, 3].astype(np.int32),
        **choices,  # type: ignore[arg-type]
    )


def hand(layout: str, text: str, **choices: int) -> Recording:
    """A recording from `lc 0,1; lr 0,1; 500; rc 1,1`: signals at cells, 100 ms between them.

    A bare number puts the clock forward. `out` in place of a cell is outside the board.
    """
    _, mines = parse_layout(layout)
    cell = choices.get("cell", 16)
    lines, t = [], 0
    for said in filter(None, (words.strip() for words in text.split(";"))):
        signal, _, where = said.partition(" ")
        if signal.isdigit():
            t += int(signal)
            continue
        row, col = (-3, -2) if where == "out" else map(int, where.split(","))
        middle = cell // 2
        lines.append((t, Signal[signal.upper()], col * cell + middle, row * cell + middle))
        t += 100
    return recording(mines, lines, **choices)


BUTTONS = [Signal.LC, Signal.LR, Signal.RC, Signal.RR, Signal.MC, Signal.MR, Signal.SC, Signal.TR]
_TOUCH = {
    Signal.LC: ("left", "press"), Signal.LR: ("left", "release"), Signal.RC: ("right", "press"),
    Signal.RR: ("right", "release"), Signal.MC: ("middle", "press"),
    Signal.MR: ("middle", "release"), Signal.SC: ("shift+left", "press"),
    Signal.TR: ("ctrl+left", "press"), Signal.MV: ("", "move"),
}  # fmt: skip


@st.composite
def recordings(draw: st.DrawFn, *, size: int = 5, most: int = 50) -> Recording:
    """Any hand over any small board."""
    height, width = draw(st.integers(1, size)), draw(st.integers(1, size))
    cells = height * width
    mines = np.zeros(cells, np.bool_)
    mines[draw(st.lists(st.integers(0, cells - 1), max_size=max(1, cells // 4)))] = True
    if mines.all():
        mines[0] = False
    one = st.tuples(
        st.sampled_from((0, 1, 40)),
        st.sampled_from([*BUTTONS, *BUTTONS[:4], Signal.MV]),
        st.integers(-20, width * 16 + 20),
        st.integers(-9, height * 16),
    )
    t, lines = draw(st.integers(-500, 500)), []
    for wait, signal, x, y in draw(st.lists(one, max_size=most)):
        t += wait
        lines.append((t, int(signal), x, y))
    return recording(
        mines.reshape(height, width), lines, flags_hold=draw(st.booleans()),
        questions=draw(st.booleans()), left_chords=draw(st.booleans()),
    )  # fmt: skip


@st.composite
def fields(draw: st.DrawFn) -> Recording:
    """Any hand over a field of any cells, with flags from before and buttons without names."""
    made = draw(recordings(most=40))
    cell = draw(st.sampled_from((1, 7, 16, 24, 42)))
    signal = made.signal.copy()
    presses = np.flatnonzero(np.isin(signal, (Signal.LC, Signal.RC)))
    for at in presses.tolist():
        signal[at] = draw(st.sampled_from((signal[at], signal[at], Signal.CC, Signal.PF)))
    x, y = ((points.astype(np.int64) * cell // 16).astype(np.int32) for points in (made.x, made.y))
    return replace(made, signal=signal, x=x, y=y, cell=cell)


def slowly(recorded: Recording, first: First = First.ANY) -> tuple[Game, ClickTally]:
    """What the windows' own mouse makes of a recording, touch by touch, and its count."""
    height, width = recorded.mine_map.shape
    flags = Flags.HOLD if recorded.flags_hold else Flags.YIELD
    mines = int(recorded.mine_map.sum())
    game = Game(Rules(width, height, mines, first, flags=flags), 0, origin=Origin.SHARE)
    tally = ClickTally()
    mouse = Mouse(MouseOptions(recorded.questions, recorded.left_chords), tally)
    times = recorded.t.tolist()
    game.lay(Lay(min(times, default=0), recorded.mine_map))
    clock = 0
    events = zip(
        times, recorded.signal.tolist(), recorded.x.tolist(), recorded.y.tolist(), strict=True
    )
    for t, signal, x, y in events:
        button, action = _TOUCH[Signal(signal)]
        touch = Touch(t - clock, button, action, x, y)  # type: ignore[arg-type]
        game.touch(touch)
        if game.status.over:
            continue
        for verb, row, col in mouse.replay_touch(touch, sight(game)):
            act = Act(t - clock, verb, row, col)
            if game.can(act):
                begun = game.begun
                game.play(act)
                if game.begun and not begun:
                    clock = t
    return game, tally
