"""Hostile files of ten megabytes, of every format that is read; for `hostile.py`."""
# ruff: noqa: PLW0108 - files are made one after the other, when they are asked for

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from itertools import product

import numpy as np
from numpy.typing import NDArray

from benchmarks.hostile_boards import boards
from demine.game import Game
from demine.logic.event import Lay
from demine.logic.neighbours import count_around
from demine.logic.rules import MAX_CELLS, Rules
from tests.replay.builders import Arbiter, Meta, arbiter_event, sitting
from tests.replay.others import Clone, Vienna, beginner, raw_line, vienna_event

Mines = NDArray[np.bool_]
Hand = list[tuple[int, int, int, int]]
Make = Callable[[], bytes]


def files(size: int) -> dict[str, Make]:
    """What makes each file of about so many bytes."""
    return {**journals(size), **layings(size), **replays(size), **raw(size), **boards(size)}


# Boards


def walls(height: int, width: int, every_one: int = 4) -> Mines:
    """Columns of zeros between walls of mines."""
    mines = np.zeros((height, width), np.bool_)
    mines[:, ::every_one] = True
    return mines


def boxes(height: int, width: int, every_one: int = 4) -> Mines:
    """Openings of one zero, or more, between walls of mines."""
    mines = walls(height, width, every_one)
    mines[::every_one] = True
    return mines


def winding(height: int, width: int) -> Mines:
    """One corridor, up and down."""
    mines = walls(height, width)
    mines[1:4, 4::8], mines[-4:-1, 8::8] = False, False
    return mines


def comb(height: int, width: int) -> Mines:
    """One opening of teeth that are joined at one end."""
    mines = walls(height, width)
    mines[:4] = False
    return mines


def rings(height: int, width: int, every_one: int = 4) -> Mines:
    """Openings around each other."""
    far = np.minimum(np.arange(height)[:, None], np.arange(width))
    near = np.minimum(far, np.minimum(np.arange(height)[::-1, None], np.arange(width)[::-1]))
    found: Mines = near % every_one == 0
    return found


def spiral(height: int, width: int) -> Mines:
    """Rings that lead into each other, the wall of each ending before its corner."""
    mines = rings(height, width)
    for begin in range(0, min(height, width) // 2 - 8, 4):
        mines[begin + 1 : begin + 4, begin + 4] = begin + 4 > 4
        mines[begin + 4, begin + 5 : begin + 8] = False
    return mines


def empty(height: int, width: int) -> Mines:
    """One mine in a corner."""
    mines = np.zeros((height, width), np.bool_)
    mines[0, 0] = True
    return mines


def many(height: int, width: int, share: float = 0.05) -> Mines:
    """Mines as chance lays them."""
    found: Mines = np.random.default_rng(1).random((height, width)) < share
    return found


def zeros(mines: Mines) -> list[list[int]]:
    """Zero cells that reach all openings of a board of any of these patterns, by rows."""
    free = (count_around(mines) == 0) & ~mines
    # The first cell of each run of zeros, of those whose row above is none.
    first = free.copy()
    first[:, 1:] &= ~free[:, :-1]
    first[1:] &= ~free[:-1]
    found: list[list[int]] = np.argwhere(first).tolist()
    return found


# Journals


def game(mines: Mines) -> Game:
    """A game whose mines are laid."""
    height, width = mines.shape
    found = Game(Rules(width, height, int(mines.sum()), first="any"), 0)
    found.lay(Lay(0, mines))
    return found


def cut(head: str, lines: Iterator[str] | list[str], size: int) -> bytes:
    """A text of so many bytes at most."""
    found, left = [head], size - len(head)
    for line in lines:
        left -= len(line) + 1
        if left < 0:
            break
        found.append(line + "\n")
    return "".join(found).encode()


def repeated(mines: Mines | None, first: str, lines: str, size: int) -> bytes:
    """A journal of the same lines over and over."""
    start = Game(Rules(30, 16, 99), 0) if mines is None else game(mines)
    head = start.journal() + first
    return (head + lines * ((size - len(head)) // len(lines))).encode()


def opened(mines: Mines, size: int) -> bytes:
    """A journal that opens every opening of a board."""
    cells = zeros(mines)
    return cut(game(mines).journal(), (f'[0,"open",{row},{col}]' for row, col in cells), size)


def chords(size: int) -> bytes:
    """A journal of numbers opened, flagged and chorded."""
    side = int((size / 6) ** 0.5)
    mines = np.zeros((side, side), np.bool_)
    mines[1::3, 1::3] = True
    acts = (
        f'[0,"open",{row},{col}]\n[0,"flag",{row + 1},{col + 1}]\n[0,"chord",{row},{col}]'
        for row in range(0, side - 2, 3)
        for col in range(0, side - 2, 3)
    )
    return cut(game(mines).journal(), acts, size)


def corridor(size: int) -> bytes:
    """A journal of chords that open one cell each, along corridors between rows of flags."""
    side = int((size / 34) ** 0.5)
    mines = np.zeros((side, side), np.bool_)
    mines[::2] = True
    acts = (
        line
        for row in range(1, side - 1, 2)
        for line in (
            *(f'[0,"flag",{row - 1},{col}]' for col in range(side)),
            *(f'[0,"flag",{row + 1},{col}]' for col in range(side) if row + 2 > side - 2),
            *(f'[0,"open",{each},0]' for each in (row,)),
        )
    )
    found = [*acts]
    found += [
        f'[0,"chord",{row},{col}]' for row in range(1, side - 2, 2) for col in range(side - 1)
    ]
    return cut(game(mines).journal(), found, size)


def journals(size: int) -> dict[str, Make]:
    """Journals of many lines."""
    head = Game(Rules(30, 16, 99), 0).journal()
    one = np.array([[False, False, True]])
    block = np.zeros((5, 5), np.bool_)
    block[4, 4] = True
    chord = '[0,"open",4,3]\n[0,"flag",4,4]\n'
    return {
        "journal flags": lambda: repeated(None, "", '[0,"flag",1,1]\n', size),
        "journal questions": lambda: repeated(None, "", '[0,"question",1,1]\n', size),
        "journal hints": lambda: repeated(None, "", '[0,"hint",1,1]\n', size),
        "journal touches": lambda: repeated(None, "", '[0,"move",1,1]\n', size),
        "journal pauses": lambda: repeated(
            one, '[0,"open",0,0]\n', '[0,"pause"]\n[0,"resume"]\n', size
        ),
        "journal spaces": lambda: repeated(None, "", '[ 0 , "flag" , 1 , 1 ]\n', size),
        "journal escapes": lambda: repeated(None, "", '[0,"\\u0066lag",1,1]\n', size),
        "journal flags undone": lambda: repeated(
            None, "", '[0,"flag",1,1]\n[0,"undo"]\n', size
        ),
        "journal flags, then undone": lambda: (
            head + '[0,"flag",1,1]\n' * (size // 26) + '[0,"undo"]\n' * (size // 26)
        ).encode(),
        "journal cells undone": lambda: repeated(
            walls(3, 2, 2), '[0,"open",0,1]\n', '[0,"open",1,1]\n[0,"undo"]\n', size
        ),
        "journal mines undone": lambda: repeated(
            one, '[0,"open",0,0]\n', '[0,"open",0,2]\n[0,"undo"]\n', size
        ),
        "journal tiny openings undone": lambda: repeated(
            np.array([[0, 0, 1, 0]], np.bool_), '[0,"open",0,3]\n', '[0,"open",0,0]\n[0,"undo"]\n',
            size,
        ),
        "journal large openings undone": lambda: repeated(
            many(400, 400), '[0,"open",1,1]\n[0,"undo"]\n', '[0,"open",199,200]\n[0,"undo"]\n',
            size,
        ),
        "journal chords": lambda: chords(size),
        "journal chords undone": lambda: repeated(
            block, chord, '[0,"chord",4,3]\n[0,"undo"]\n', size
        ),
        "journal chords of one cell": lambda: corridor(size),
        "journal blank lines": lambda: (head + "\n" * size).encode(),
        "journal blank lines within": lambda: (head + "\n" * size + "[0]").encode(),
        "journal blank beginning": lambda: (" \n" * (size // 2) + head).encode(),
        "journal deep line": lambda: (head + "[" * size).encode(),
        "journal deep lines": lambda: (head + ("[" * 900 + "]" * 900 + "\n") * 5500).encode(),
        "journal long number": lambda: (head + "[" + "9" * size).encode(),
        "journal long text": lambda: (head + '[0,"' + "x" * size + '"]').encode(),
        "journal long header": lambda: head.replace('"seed"', '"%s"' % ("x" * size)).encode(),
        "journal many facts": lambda: head.replace(
            '"seed":0', '"seed":0,"facts":{"":0' + "".join(f',"{n}":{n}' for n in range(size // 16))
            + "}",
        ).encode(),
        "journal open brace": lambda: b"{" * size,
        "journal lays": lambda: repeated(None, "", '[0,"lay","1x1:A"]\n', size),
        "journal resigned": lambda: repeated(one, '[0,"open",0,0]\n', '[0,"resign"]\n', size),
    }  # fmt: skip


def _laid(pattern: Callable[[int, int], Mines], one: int, two: int, size: int) -> bytes:
    """A journal of a board by a pattern and its two numbers."""
    return opened(pattern(one, two), size)


def layings(size: int) -> dict[str, Make]:
    """Journals of the largest boards."""
    # Six cells a character; some room is left for the acts.
    most = int(min(MAX_CELLS, size * 5.9) ** 0.5)
    some, few = int(min(MAX_CELLS, size * 3) ** 0.5), int((size * 0.7) ** 0.5)
    sides = {"largest": most, "large": some, "": few}
    found: dict[str, Make] = {}
    for pattern in (walls, boxes, winding, comb, rings, spiral, empty, many):
        for name, side in sides.items():
            found[f"openings {pattern.__name__} {name}"] = partial(_laid, pattern, side, side, size)
    gaps: dict[str, Callable[[int, int], Mines]] = {
        "walls": lambda side, gap: walls(side, side, gap),
        "rows": lambda side, gap: walls(side, side, gap).T.copy(),
        "boxes": lambda side, gap: boxes(side, side, gap),
        "rings": lambda side, gap: rings(side, side, gap),
    }
    for side, gap, name in product((some, few, 2000), (6, 12, 24, 64, 200), gaps):
        found[f"openings {name} of {gap}, {side}"] = partial(_laid, gaps[name], side, gap, size)
    found["openings few, high"] = lambda: opened(walls(size * 3 // 64, 64), size)
    found["openings few, wide"] = lambda: opened(walls(64, size * 3 // 64), size)
    found["openings chance of 10 %"] = lambda: opened(many(some, some, 0.1), size)
    found["openings chance of 20 %"] = lambda: opened(many(few, few, 0.2), size)
    return found


# Replays


HANDS: dict[str, Hand] = {
    "movements": [(0, 1, 8, 8), (0, 1, 9, 9)],
    "presses": [(0, 2, 8, 8), (0, 3, 8, 8)],
    "flags": [(0, 4, 40, 8), (0, 5, 40, 8)],
    "chords": [(0, 2, 8, 8), (0, 4, 8, 8), (0, 3, 8, 8), (0, 5, 8, 8)],
}


def avf(lines: Hand, times: int) -> bytes:
    """A file of Arbiter in which a hand does the same over and over."""
    data = Arbiter(lines=lines).data()
    events = b"".join(arbiter_event(*line) for line in lines)
    return data.replace(events, events * times, 1)


def meta(version: int, lines: Hand, times: int) -> bytes:
    """The same of Metasweeper."""
    mark = b"<events>"
    start = Meta(version=version, events=mark).data()
    before, _, behind = start.partition(mark)
    whole = Meta(version=version, lines=lines).data()
    events = whole.removeprefix(before).removesuffix(behind)
    return start.replace(mark, events * times)


def vienna(version: int, lines: Hand, times: int) -> bytes:
    """The same of Viennasweeper."""
    events = b"".join(vienna_event(*line, version=version) for line in lines)
    return Vienna(version=version, events=events * times).data()


def clone(year: int, board: Mines, lines: Hand, times: int) -> bytes:
    """The same of Clone."""
    held, states = "", []
    for t, code, x, y in lines:
        letter = {2: "l", 3: "l", 4: "r", 5: "r"}.get(code, "")
        held = held + letter if code in {2, 4} else held.replace(letter, "")
        states.append((t, x, y, held))
    data = Clone(year=year, board=board, states=states).data()
    length = {0: 8, 5: 5}.get(year, 6) * len(states)
    if not year:
        at = 4 + 2 * int(board.sum()) + 2
        return data[:at] + data[at : at + length] * times + data[at + length :]
    times = min(times, 0xFFFFFF // len(states))
    at = len(data) - length
    return data[: at - 3] + (times * len(states)).to_bytes(3, "big") + data[at:] * times


def replays(size: int) -> dict[str, Make]:
    """Replays of many events, and of as many as are played."""
    makers: dict[str, tuple[int, Callable[[Hand, int], bytes]]] = {
        "AVF": (8, avf),
        **{f"EVF {each}": (8 if each < 4 else 6, partial(meta, each)) for each in range(5)},
        **{f"RMV {each}": (8, partial(vienna, each)) for each in (1, 2)},
        "MVF 0.97": (5, partial(clone, 5, boxes(9, 9))),
        "MVF 2007": (6, partial(clone, 7, boxes(9, 9))),
        "MVF 0.96": (8, partial(clone, 0, beginner())),
    }
    found: dict[str, Make] = {}
    for name, (each, make) in makers.items():
        for kind, lines in HANDS.items():
            found[f"{name} {kind}"] = partial(make, lines, size // (each * len(lines)))
            if kind != "movements":
                few = 199_999 // len(lines)
                found[f"{name} {kind}, as many as are played"] = partial(make, lines, few)
    return {**found, **records(size), **sittings(size), **wide_replays()}


def records(size: int) -> dict[str, Make]:
    """EVF 4 files of records that are no mouse's."""
    kinds = {
        "alone": b"\1\1\0\1\0\0\x51\1\1\1\xff\xff\0\0",
        "pauses": b"\xff\0\1",
        "board": b"\x65\0\1\0",
        "words": b"\xc9\0\0\0\0",
        "states": b"\x51\1",
    }
    return {
        f"EVF 4 {name}": Meta(version=4, events=events * (size // len(events))).data
        for name, events in kinds.items()
    }


def sittings(size: int) -> dict[str, Make]:
    """EVFS files."""
    small = Meta(version=4, board=empty(1, 2), lines=[]).data()
    return {
        "EVFS": lambda: sitting([Meta(board=boxes(255, 255)).data()] * (size // 8400), 0),
        "EVFS of many": lambda: sitting([small] * (size // (len(small) + 16)), 0),
        "EVFS name": lambda: b"\0\0\0" + b"x" * size,
    }


def wide_replays() -> dict[str, Make]:
    """Replays that open the largest boards that bytes can count."""
    found: dict[str, Make] = {}
    for pattern in (boxes, winding):
        mines = pattern(255, 255)
        lines = [
            (0, code, 16 * col + 8, 16 * row + 8) for row, col in zeros(mines) for code in (2, 3)
        ]
        name = f"{pattern.__name__} 255x255"
        found[f"EVF 3 {name}"] = Meta(board=mines, lines=lines).data
        found[f"EVF 4 {name}"] = Meta(board=mines, version=4, lines=lines).data
        found[f"AVF {name}"] = Arbiter(board=mines, lines=lines).data
    return found


# RawVF


def rawvf(mines: Mines, lines: list[str], size: int, *, status: bool = True) -> bytes:
    """A RawVF file of a board and clicks."""
    head = ["RawVF_Version: Rev6.1", *(["Status: nonstandard"] if status else []), "Board:"]
    rows = [row.tobytes().decode() for row in np.where(mines, b"*", b"0")]
    return cut("\n".join([*head, *rows, "Events:", ""]), lines, size)


def clicked(mines: Mines) -> list[str]:
    """Lines that open every opening of a board."""
    points = [(16 * col + 8, 16 * row + 8) for row, col in zeros(mines)]
    return [raw_line(0, code, *point) for point in points for code in (2, 3)]


def _raw(make: Callable[[], Mines], size: int, status: bool = True) -> bytes:
    """A RawVF file of a board of which every opening is clicked."""
    mines = make()
    return rawvf(mines, clicked(mines), size, status=status)


def _typed(lines: list[str], times: int, size: int) -> bytes:
    """A RawVF file of the same lines again and again."""
    return rawvf(boxes(8, 8), lines * times, 2 * size)


def raw(size: int) -> dict[str, Make]:
    """RawVF files."""
    few, most = int((size * 0.4) ** 0.5), int((size * 0.97) ** 0.5)
    found: dict[str, Make] = {}
    for pattern in (walls, boxes, winding, comb, rings, spiral, empty, many):
        for side in (few, most):
            for status in (True, False):
                word = "" if status else " untold"
                make = partial(pattern, side, side)
                found[f"RawVF {pattern.__name__} {side}{word}"] = partial(_raw, make, size, status)
    for gap in (24, 64, 200):
        found[f"RawVF walls of {gap}"] = partial(_raw, partial(walls, most, most, gap), size)
    hands = {
        "movements": ["0.000 mv 1 1 (1 1)"],
        "flags": ["0.00 rc 1 1 (40 1)", "0.00 rr 1 1 (40 1)"],
        "short": ["0.00 mv(1 1)"],
        "blank": [""],
        "words": ["won"],
        "numbers": ["number1 1 1"],
        "scrolls": ["0.00 sx 1"],
        "toggles": ["0.00 mt 1 1 (1 1)"],
        "nothing": ["x"],
        "long number": ["9" * size],
    }
    for name, lines in hands.items():
        times = size // sum(len(line) + 1 for line in lines)
        found[f"RawVF {name}"] = partial(_typed, lines, times, size)
    found["RawVF kinds"] = lambda: rawvf(
        boxes(8, 8), ["x" * n for n in range(int((2 * size) ** 0.5))], size
    )
    found["RawVF head"] = lambda: b"RawVF_Version: 6\n" + b"A: b\n" * (size // 5)
    found["RawVF one line"] = lambda: b"RawVF_Version: " + b"x" * size
    return found
