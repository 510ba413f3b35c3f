"""The texts and boards of the page "How to play", what mouse and fingers do: data for every scene.

A board is a diagram of `demine.scene.diagram`. What a text says about a marked cell follows from
the numbers beside it; the tests check that with every layout that fits them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, TypeAlias

from demine.scene.translation import mark

Cell: TypeAlias = tuple[int, int]
"""Row and column."""


@dataclass(frozen=True, slots=True)
class LessonBoard:
    """A board with a caption (a message id) and marks: a ring, and dots on safe cells."""

    diagram: str
    caption: str
    ring: Cell | None = None
    """The cell that the text is about."""
    safe: tuple[Cell, ...] = ()


@dataclass(frozen=True, slots=True)
class Lesson:
    """A section; heading and paragraphs are message ids."""

    name: str
    """Its anchor."""
    heading: str
    paragraphs: tuple[str, ...]
    boards: tuple[LessonBoard, ...] = ()
    for_fingers: tuple[str, ...] = ()
    """The paragraphs for those who play with fingers, where these do it otherwise."""

    def paragraphs_for(self, *, fingers: bool) -> tuple[str, ...]:
        """Return the paragraphs for players with fingers, or else with mouse and keys."""
        return self.for_fingers if fingers and self.for_fingers else self.paragraphs


_AIM = mark(
    "Some of the covered cells hide mines. Open every cell that has none and you win; "
    "open a mine and the game is over. The clock starts with your first cell."
)
_FLAGGED = "5x3/2\n1 1 1 # #\n1 F 1 # #\n1 1 1 # #"

LESSONS: Final = (
    Lesson(
        "aim",
        mark("The aim"),
        (
            _AIM,
            mark(
                "Left click opens a cell; right click places or removes a flag. Everything works "
                "from the keyboard too: see the page of keys."
            ),
        ),
        for_fingers=(
            _AIM,
            mark(
                "Tap a cell to open it; press it longer to place or remove a flag. Flag mode, "
                "below the board, swaps the two."
            ),
        ),
    ),
    Lesson(
        "opening",
        mark("Openings"),
        (
            mark(
                "A cell with no mines around it is empty. All its neighbours are safe, so they "
                "open automatically, and so on up to the first numbers: that is an opening. With "
                "the usual rules your first click makes one."
            ),
        ),
        (
            LessonBoard(
                "8x6/8" + "\n# # # # # # # #" * 6,
                mark("Before the first click, on the ringed cell"),
                ring=(3, 2),
            ),
            LessonBoard(
                "8x6/8\n# # # # # # # #\n# 2 1 2 # # # #\n# 2 . 1 1 2 # #\n"
                "# 1 . . . 1 # #\n# 2 1 . 1 2 # #\n# # 1 . 1 # # #",
                mark("After it: an opening and its rim of numbers"),
                ring=(3, 2),
            ),
        ),
    ),
    Lesson(
        "numbers",
        mark("Numbers"),
        (
            mark(
                "A number tells you how many of the cells around it, at most eight, hold a mine. "
                "When a number has only as many covered cells around it as it says, all of them "
                "are mines."
            ),
            mark("When a number has all its mines, every other cell around it is safe."),
        ),
        (
            LessonBoard(
                _FLAGGED.replace("F", "#"),
                mark("The ringed 1 touches only one covered cell: a mine"),
                ring=(0, 0),
            ),
            LessonBoard(
                _FLAGGED,
                mark("This 1 has its mine now: the three marked cells are safe"),
                ring=(1, 2),
                safe=((0, 3), (1, 3), (2, 3)),
            ),
        ),
    ),
    Lesson(
        "chord",
        mark("Flags and chords"),
        (
            mark(
                "A flag is your note that a mine is here. A click does not open a flagged cell, "
                "and the counter shows how many mines have no flag yet."
            ),
            mark(
                "A number with as many flags around it as it says turns pale. One chord then "
                "opens everything else around it: press the left and right buttons together, "
                "middle click, or Shift + left click. Beware: if a flag is wrong, the chord opens "
                "a mine. A number with too many flags turns pink."
            ),
        ),
        (
            LessonBoard(_FLAGGED, mark("The ringed 1 has its flag"), ring=(1, 2)),
            LessonBoard(
                "5x3/2\n1 1 1 1 #\n1 F 1 1 #\n1 1 1 1 #",
                mark("One chord there opened three cells"),
                ring=(1, 2),
            ),
        ),
        for_fingers=(
            mark(
                "A flag is your note that a mine is here. A tap does not open a flagged cell, "
                "and the counter shows how many mines have no flag yet."
            ),
            mark(
                "A number with as many flags around it as it says turns pale. Tap it then, and "
                "everything else around it opens: that is a chord. Beware: if a flag is wrong, "
                "the chord opens a mine. A number with too many flags turns pink."
            ),
        ),
    ),
    Lesson(
        "one-one",
        mark("The pattern 1-1"),
        (
            mark(
                "Two ones side by side at the edge: the second touches everything the first "
                "touches, plus one more cell. The mine is among the cells they share, so that "
                "extra cell is safe."
            ),
        ),
        (
            LessonBoard(
                "5x3/2\n# # # # #\n1 1 1 1 1\n. . . . .",
                mark("From either edge the third cell is safe"),
                ring=(1, 1),
                safe=((0, 2),),
            ),
        ),
    ),
    Lesson(
        "one-two",
        mark("The pattern 1-2"),
        (
            mark(
                "A one and a two side by side: the two touches three covered cells, and the one "
                "touches two of them, so those hold at most one mine. The third must be a mine."
            ),
        ),
        (
            LessonBoard(
                "6x3/3\n# # # # # #\n1 2 2 1 1 1\n. . . . . .",
                mark("A one and, ringed, a two"),
                ring=(1, 1),
            ),
            LessonBoard(
                "6x3/3\n# # F # # #\n1 2 2 1 1 1\n. . . . . .",
                mark("The third cell is a mine, and the 1 below it makes two cells safe"),
                ring=(1, 3),
                safe=((0, 3), (0, 4)),
            ),
        ),
    ),
    Lesson(
        "end",
        mark("Winning and losing"),
        (
            mark(
                "You win when every safe cell is open; you need no flags. With the other goal, "
                "which you can choose in Setup, you win when every mine is flagged and nothing "
                "else."
            ),
            mark(
                "You lose when you open a mine. The board then shows that mine and those you had "
                "not flagged, and crosses out wrong flags. Nothing covers it, so you can see what "
                "went wrong, or undo: the game continues as practice and does not count for best "
                "times."
            ),
        ),
        (
            LessonBoard(
                "6x4/5\nF 2 1 . . .\n2 F 1 1 2 2\n1 1 1 1 F F\n. . . 1 3 F",
                mark("Won: every safe cell is open"),
            ),
            LessonBoard(
                "6x4/5\n* 2 1 . . .\n2 F 1 1 2 2\n1 1 1 1 X *\n. . . 1 ! *",
                mark("Lost: a mine was opened, and one flag was wrong"),
            ),
        ),
    ),
    Lesson(
        "guess",
        mark("When nothing is certain"),
        (
            mark(
                "Sometimes the numbers leave more than one answer. First check the whole border "
                "of the opened cells and the number of mines left: most positions have a safe "
                "cell somewhere. If there is none, guess where a mine is least likely, and sooner "
                "rather than later."
            ),
        ),
        (
            LessonBoard(
                "5x2/1\n. . . 1 #\n. . . 1 #",
                mark("One mine, two cells, nothing to tell them apart: a pure guess"),
            ),
        ),
    ),
)

MOUSE: Final = (
    (mark("Left click"), mark("Open the cell")),
    (mark("Right click, or Ctrl + left click"), mark("Place or remove a flag")),
    (
        mark("Both buttons, middle click, or Shift + left click"),
        mark("Chord: open the cells around a number with all its flags"),
    ),
    (mark("Drag off the cell before releasing"), mark("Cancel the click")),
    (mark("Tap, long press"), mark("Open and flag, or the reverse")),
    (mark("Wheel, Ctrl + wheel"), mark("Scroll, zoom")),
)
"""Mouse and touch actions, and what they do: message ids."""

FINGERS: Final = (
    (mark("A tap"), mark("Open the cell")),
    (mark("A long press"), mark("Place or remove a flag")),
    (
        mark("A tap on a number"),
        mark("Chord: open the cells around a number with all its flags"),
    ),
    (mark("Flag mode"), mark("A tap flags, a long press opens")),
    (mark("Drag"), mark("Move the board")),
    (mark("Two fingers"), mark("Zoom and move the board")),
)
"""What fingers do on a page, as `MOUSE`; the setting "A tap" swaps the first two."""
