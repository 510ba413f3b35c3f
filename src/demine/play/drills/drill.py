"""A drill: a position of a game to learn from, of a kind and with a pattern."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Final, Self

import numpy as np

from demine.game import Game
from demine.logic.json_text import ToJson
from demine.play.drills.patterns import DrillPattern
from demine.reviews.review_result import Verdict
from demine.scene.board_title import board_title
from demine.scene.cell_faces import Face
from demine.scene.diagram import format_scene
from demine.scene.moment import Moment
from demine.scene.translation import mark, tr
from demine.store.drills import DrillKey

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Cell = tuple[int, int]


class DrillKind(StrEnum):
    """What a drill asks, with everything that differs between kinds.

    >>> import demine
    >>> [kind.value for kind in demine.DrillKind]
    ['safe', 'prove-or-guess', 'best-guess', 'won', 'speed']
    """

    SAFE = (
        "safe",
        mark("Find the safe cell"),
        mark("Which covered cell is certainly safe?"),
        frozenset({Verdict.AVOIDABLE, Verdict.CERTAIN_MINE}),
        True,
        (4.0, 15.0),
    )
    PROVE_OR_GUESS = (
        "prove-or-guess",
        mark("Prove or guess?"),
        mark("Is a covered cell certainly safe? Name one, or say that it is a guess."),
        frozenset({Verdict.AVOIDABLE, Verdict.FORCED}),
        None,
        (6.0, 20.0),
    )
    BEST_GUESS = (
        "best-guess",
        mark("The best guess"),
        mark("No cell is certain. Which is the best to open?"),
        frozenset({Verdict.BLUNDER}),
        False,
        (6.0, 20.0),
    )
    WON = (
        "won",
        mark("Won already"),
        mark("This game can be won without a guess. Which covered cell is certainly safe?"),
        frozenset({Verdict.AVOIDABLE, Verdict.CERTAIN_MINE}),
        True,
        (4.0, 15.0),
    )
    SPEED = (
        "speed",
        mark("Against the clock"),
        mark("Quickly: which covered cell is certainly safe?"),
        frozenset({Verdict.PROVEN}),
        True,
        (2.0, 6.0),
    )

    heading: str
    """Its name, a message id, as is the `question`."""
    question: str
    verdicts: frozenset[Verdict]
    """The verdicts on acts of which drills of this kind are made."""
    is_proven: bool | None
    """Whether a cell is certainly safe in its positions; None if that is the question."""
    seconds: tuple[float, float]
    """Up to how many seconds an answer is quick, and from how many on it is slow."""

    def __new__(
        cls,
        value: str,
        heading: str = "",
        question: str = "",
        verdicts: frozenset[Verdict] = frozenset(),
        is_proven: bool | None = None,
        seconds: tuple[float, float] = (0.0, 0.0),
    ) -> Self:
        """Create a kind from its text and what differs between kinds."""
        kind = str.__new__(cls, value)
        kind._value_ = value
        kind.heading, kind.question = heading, question
        kind.verdicts, kind.is_proven, kind.seconds = verdicts, is_proven, seconds
        return kind


@dataclass(frozen=True, slots=True)
class Drill(ToJson):
    """A position of a game just before an act, and what is asked; `demine.drills` finds it.

    The position is that of the game, so nothing of it is kept here. Two drills are equal if they
    ask the same about the same act of the same game.

    >>> import demine
    >>> drill = demine.drills("9x9/10", seed=1)[0]
    >>> drill.kind.value, drill.pattern.code
    ('safe', 'reduction/edge')
    """

    game: Game = field(repr=False, compare=False)
    game_id: str
    """The game's id in the store, or one made from its events."""
    act: int
    """The number of the act, from 1 on and with pauses, as in `game.at("#17")`; the position is the
    one just before it."""
    cell: Cell
    """The cell that the answer shows: the easiest to prove, or the best guess."""
    kind: DrillKind
    pattern: DrillPattern

    @property
    def key(self) -> DrillKey:
        """The drill as it is stored."""
        return DrillKey(self.game_id, self.act, *self.cell, self.kind.value, self.pattern.code)

    @classmethod
    def of(cls, key: DrillKey, game: Game) -> Self:
        """Return the drill of a key; raises `ValueError` for a kind or pattern that is unknown."""
        pattern = DrillPattern.parse(key.pattern)
        return cls(game, key.game, key.act, (key.row, key.col), DrillKind(key.kind), pattern)

    @property
    def mines(self) -> int:
        """How many mines the board has."""
        return self.game.rules.mines

    def faces(self) -> NDArray[np.uint8]:
        """Return the position as the player saw it, without flags: a new array of `Face`.

        Raises `MomentError` if the game has no such act.
        """
        return without_marks(self.game.at(Moment("move", self.act)).scene)

    def __str__(self) -> str:
        """Return the question and the diagram, in the current language."""
        head = f"{tr(self.kind.heading)} · {board_title(self.game.rules)}"
        diagram = format_scene(self.game.rules, self.faces())
        return f"{head}\n{tr(self.kind.question)}\n{diagram}".rstrip()

    def to_dict(self) -> dict[str, Any]:
        """Return the drill as plain values, with its position as a diagram."""
        return {
            "game": self.game_id,
            "act": self.act,
            "cell": list(self.cell),
            "kind": self.kind.value,
            "pattern": self.pattern.code,
            "position": format_scene(self.game.rules, self.faces()),
        }


_MARKS: Final = (Face.FLAG, Face.QUESTION)


def without_marks(faces: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return a scene board with covered cells in the place of flags and question marks."""
    return np.where(np.isin(faces, _MARKS), np.uint8(Face.COVERED), faces).astype(np.uint8)
