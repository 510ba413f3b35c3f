"""The game that `demine.Game` is: one that can deal guess-free boards and that notebooks draw.

The rules know neither a solver nor pictures, so that this class stands above both of them. Whatever
is above it makes its games with it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from demine.logic import game
from demine.logic.layout import deal

if TYPE_CHECKING:
    from typing import Self

    import numpy as np
    from numpy.typing import NDArray

    from demine.logic.daily_board import Daily
    from demine.logic.game import Cell
    from demine.logic.rules import Rules


class Game(game.Game):
    """One game of Minesweeper: an append-only list of events and the board they lead to.

    Arguments, times and errors are those of `demine.logic.game.Game`. Guess-free boards are looked
    for by the solver at the first open, which raises `NoGuessFreeBoard` where it finds none.
    """

    @classmethod
    def from_daily(cls, daily: Daily) -> Self:
        """Return a new game on a daily board; its mines are laid by the first open."""
        return cls(
            daily.rules, daily.seed, origin=game.Origin.SEED, start=daily.start, facts=daily.facts
        )

    @classmethod
    def from_journal(cls, text: str, *, trusted: bool = False) -> Self:
        """Return the game of a journal; raises `JournalError` as `demine.logic.journal.loads`."""
        from demine.logic.journal import loads_as

        return loads_as(cls, text, trusted=trusted)

    @staticmethod
    def _deal_mines(rules: Rules, seed: int, first: Cell) -> NDArray[np.bool_]:
        """Lay the mines of any rules; the errors are those of `demine.make`."""
        if not rules.guess_free:
            return deal(rules, seed, first)
        from demine.solver.deal.make_layout import make

        return make(rules, seed, first)

    def _repr_svg_(self) -> str | None:
        """Return the game as its player sees it; None for a board that is too large for a page."""
        from demine.picture.notebook_svg import game_svg, is_too_large

        return None if is_too_large(self.rules.cells) else game_svg(self)

    def _repr_html_(self) -> str | None:
        """Return a sentence about a game whose board is too large for a picture, else None."""
        from demine.picture.notebook_svg import is_too_large
        from demine.scene.html_fragments import paragraph
        from demine.scene.translation import tr

        if not is_too_large(self.rules.cells):
            return None
        return paragraph(
            tr(
                "A game of {rules}: too large for a picture here. demine.show(game, region=...) "
                "shows some of it.",
                rules=self.rules,
            )
        )
