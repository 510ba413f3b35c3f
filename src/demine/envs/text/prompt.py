"""What a language model is told: the instructions, and the board with numbered rows and columns."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from demine.envs.text.answer import EXAMPLE, WORDS
from demine.logic.errors import mark
from demine.logic.event import Verb
from demine.logic.rules import First, Flags, Goal
from demine.scene.diagram import FACE_LETTERS
from demine.scene.translation import ntr, tr
from demine.solver.hint import join_sentences

if TYPE_CHECKING:
    from collections.abc import Iterable

    import numpy as np
    from numpy.typing import NDArray

    from demine.logic.rules import Rules

_GOAL: Final = {
    Goal.OPEN: mark("You win by opening every cell that has no mine."),
    Goal.FLAG: mark("You win when the flags are exactly on the mines."),
}
_FIRST: Final = {
    First.ZERO: mark("The first cell you open has no mine in it or next to it."),
    First.SAFE: mark("The first cell you open has no mine in it."),
    First.ANY: mark("Even the first cell you open may have a mine in it."),
}
_EFFECT: Final = {
    Verb.OPEN: mark("{verb} ROW COLUMN opens a covered cell without a flag"),
    Verb.FLAG: mark("{verb} ROW COLUMN puts a flag on a covered cell, or takes it off"),
    Verb.CHORD: mark(
        "{verb} ROW COLUMN opens all covered cells without a flag next to a number that has as "
        "many flags next to it"
    ),
}


def usual_instructions(rules: Rules, verbs: Iterable[Verb]) -> str:
    """Return the rules, how the board is written and how to answer, in the current language."""
    loses = ntr(
        "You lose by opening a mine.", "You lose by opening the mine number {n}.", rules.lives
    )
    signs = tr(
        "On the board # is a covered cell, F a flag, . an open cell with no mine next to it, and a "
        "number counts the mines in the up to eight cells next to it."
    )
    lines = [
        tr(
            "This is Minesweeper on {height} rows and {width} columns with {mines} mines.",
            height=rules.height,
            width=rules.width,
            mines=rules.mines,
        ),
        join_sentences([tr(_GOAL[rules.goal]), loses, tr(_FIRST[rules.first])]),
        join_sentences([signs, tr("X is a mine that was opened.")]) if rules.lives > 1 else signs,
        tr("Answer with one action; rows and columns count from 1:"),
        *(f"- {tr(_EFFECT[verb], verb=WORDS[verb][0])}" for verb in verbs),
        tr(
            "You may think first: the last action of your answer counts. It may look like this: "
            "{example}",
            example=EXAMPLE,
        ),
    ]
    if rules.flags is Flags.HOLD:
        lines.insert(3, tr("Flags stay when cells around them are opened."))
    return "\n".join(lines)


def numbered_board(faces: NDArray[np.uint8]) -> str:
    """Draw a scene board, uint8 of `Face` `(height, width)`, with its rows and columns numbered."""
    height, width = faces.shape
    side, wide = len(str(height)), len(str(width))
    heads = " ".join(f"{col:>{wide}}" for col in range(1, width + 1))
    lines = [f"{'':>{side}} | {heads}", f"{'':->{side}}-+-{'':->{len(heads)}}"]
    for number, row in enumerate(faces, 1):
        cells = " ".join(f"{FACE_LETTERS[face]:>{wide}}" for face in row)
        lines.append(f"{number:>{side}} | {cells}")
    return "\n".join(lines)
