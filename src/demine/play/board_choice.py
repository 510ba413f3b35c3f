"""The board that a player chooses in Setup: what does not fit, and the nearest board that does."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from demine.logic.rules import First, Goal, Rules, most_mines, option_by_name
from demine.scene.board_title import format_size
from demine.scene.preferences import MOST_SIDE
from demine.scene.translation import ntr, tr

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True, slots=True)
class Misfit:
    """Why a chosen board cannot be played."""

    field: str
    """The field of `Rules` to look at first."""
    text: str
    """What fits and how to make it fit, in the player's words."""


@dataclass(frozen=True, slots=True)
class BoardChoice:
    """What the fields of Setup say; `width`, `height` and `mines` may be any number from 0 on.

    `options` are further fields of `Rules`; what they leave out is as in `before`, the rules from
    which the choice began, whose sides may be kept however long they are.
    """

    before: Rules
    width: int
    height: int
    mines: int
    options: Mapping[str, Any]

    @property
    def misfit(self) -> Misfit | None:
        """What does not fit, the first such thing; None if the board can be played."""
        return self._side_misfit() or self._mines_misfit() or self._option_misfit()

    @property
    def nearest(self) -> Rules:
        """The rules that were chosen, or the nearest that can be played."""
        width = min(max(1, self.width), self._most_wide)
        height = min(max(1, self.height), self._most_high)
        least = 1 if self._option("goal") is Goal.FLAG and width * height > 1 else 0
        mines = min(max(least, self.mines), most_mines(width, height, First.SAFE))
        chosen = {**self.options, "width": width, "height": height, "mines": mines}
        if self._option("first") is First.ZERO and mines > most_mines(width, height, First.ZERO):
            chosen["first"] = First.SAFE
        if not mines:
            chosen["goal"] = Goal.OPEN
        if self._option("first") is First.ANY or width * height > _most_guess_free_cells():
            chosen["guess_free"] = False
        return replace(self.before, **chosen)

    @property
    def _most_wide(self) -> int:
        return max(MOST_SIDE, self.before.width)

    @property
    def _most_high(self) -> int:
        return max(MOST_SIDE, self.before.height)

    def _option(self, name: str) -> object:
        value = self.options.get(name, getattr(self.before, name))
        return option_by_name(name).parse_value(value)  # fields of a form may hold its text

    def _side_misfit(self) -> Misfit | None:
        if not 1 <= self.width <= self._most_wide:
            text = tr("A board is 1 to {most} cells wide.", most=self._most_wide)
            return Misfit("width", text)
        if not 1 <= self.height <= self._most_high:
            text = tr("A board is 1 to {most} cells high.", most=self._most_high)
            return Misfit("height", text)
        return None

    def _mines_misfit(self) -> Misfit | None:
        size = format_size(self.width, self.height)
        most = most_mines(self.width, self.height, First.SAFE)
        if self.mines > most:
            text = ntr(
                "At most {n} mine fits {board}. Make the board larger or use fewer mines.",
                "At most {n} mines fit {board}. Make the board larger or use fewer mines.",
                most, board=size,
            )  # fmt: skip
            return Misfit("mines", text)
        most = most_mines(self.width, self.height, First.ZERO)
        if self._option("first") is First.ZERO and self.mines > most:
            text = ntr(
                "To start with an opening, {board} has room for {n} mine at most. Use fewer mines, "
                "make the board larger, or change the first click.",
                "To start with an opening, {board} has room for {n} mines at most. Use fewer "
                "mines, make the board larger, or change the first click.",
                max(0, most), board=size,
            )  # fmt: skip
            return Misfit("mines", text)
        if self._option("goal") is Goal.FLAG and not self.mines:
            text = tr("Winning by flags takes a mine to flag. Add a mine or change the goal.")
            return Misfit("mines", text)
        return None

    def _option_misfit(self) -> Misfit | None:
        if not self._option("guess_free"):
            return None
        if self._option("first") is First.ANY:
            text = tr("Guess-free boards need a safe first click")
            return Misfit("guess_free", text)
        most = _most_guess_free_cells()
        if self.width * self.height > most:
            text = tr(
                "A guess-free board has at most {most} cells. Make the board smaller or allow "
                "guesses.",
                most=most,
            )
            return Misfit("guess_free", text)
        return None


def _most_guess_free_cells() -> int:
    from demine.solver.deal.guess_free import MAX_CELLS

    return MAX_CELLS
