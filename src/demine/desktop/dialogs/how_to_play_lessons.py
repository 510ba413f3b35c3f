"""The texts and boards of the page "How to play": data without a toolkit.

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


_FLAGGED = "5x3/2\n1 1 1 # #\n1 F 1 # #\n1 1 1 # #"

LESSONS: Final = (
    Lesson(
        "aim",
        mark("The aim"),
        (
            mark(
                "Mines lie under some of the covered cells. Open every cell that has none and you "
                "have won; open a mine and the game is over. The clock starts with your first cell."
            ),
            mark(
                "A left click opens a cell, a right click puts a flag on it or takes it away. The "
                "keys do all of this too: see the page of keys."
            ),
        ),
    ),
    Lesson(
        "opening",
        mark("Openings"),
        (
            mark(
                "A cell without any mine around it is empty. All its neighbours are safe, so they "
                "open by themselves, and so on as far as the first numbers: that is an opening. "
                "With the usual rules your first click makes one."
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
                "A number says how many of the cells around it, eight at most, hold a mine. When "
                "no more cells are left covered around a number than it says, all of them are "
                "mines."
            ),
            mark("When a number has all its mines, every other cell around it is safe."),
        ),
        (
            LessonBoard(
                _FLAGGED.replace("F", "#"),
                mark("The ringed 1 touches a single covered cell: a mine"),
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
                "A flag is your own note that a mine is here. A flagged cell does not open by a "
                "click, and the counter shows how many mines have no flag yet."
            ),
            mark(
                "A number that has as many flags around it as it says turns pale. Then one chord "
                "opens everything else around it: press the left and the right button together, "
                "or the middle one, or Shift and the left one. Beware: with a wrong flag a chord "
                "opens a mine. A number with too many flags turns pink."
            ),
        ),
        (
            LessonBoard(_FLAGGED, mark("The ringed 1 has its flag"), ring=(1, 2)),
            LessonBoard(
                "5x3/2\n1 1 1 1 #\n1 F 1 1 #\n1 1 1 1 #",
                mark("One chord there has opened three cells"),
                ring=(1, 2),
            ),
        ),
    ),
    Lesson(
        "one-one",
        mark("The pattern 1-1"),
        (
            mark(
                "Two ones beside each other at the edge: what the first one touches, the second "
                "one touches too, and one cell more. The mine lies where both touch, so the cell "
                "beyond is safe."
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
                "A one and a two beside each other: of the three covered cells the two touches, "
                "the one touches two, so these hold one mine at most. The third must be a mine."
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
                "You win when every safe cell is open; flags are not needed. Under the other goal, "
                "to be chosen in the setup, you win when the flags stand on all mines and nowhere "
                "else."
            ),
            mark(
                "You lose when you open a mine. The board then shows that mine, those you had not "
                "flagged, and crosses out wrong flags. Nothing hides it, so look what went wrong, "
                "or undo: the game goes on as practice and enters no best times."
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
                "Sometimes the numbers leave more than one answer. Look first at the whole border "
                "of the opened cells and at the count of mines left: most positions have a safe "
                "cell somewhere. If there is none, guess where a mine is least likely, and rather "
                "now than at the end."
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
