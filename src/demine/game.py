"""`demine.Game`: a game that can deal guess-free boards and shows itself in notebooks.

The rules know neither a solver nor pictures, so this class stands above both. All code above it
creates its games with this class.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from demine.logic.event import Verb
from demine.logic.game import BaseGame, Origin
from demine.logic.layout import deal
from demine.logic.rules import Goal

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Self

    import numpy as np
    from numpy.typing import NDArray

    from demine.logic.daily_board import Daily
    from demine.logic.game import Cell, Status
    from demine.logic.rules import Rules
    from demine.scene.moment import Moment
    from demine.scene.seen_position import SeenPosition
    from demine.solver.player.policy_types import PolicyLike


class Game(BaseGame):
    """One game of Minesweeper: an append-only list of events and the board they lead to.

    `open`, `flag`, `question`, `chord` and `undo` play the act of their name, `play` any act. For
    every act, `check` raises `ActError` with the reason if it is refused, and `can` says whether it
    is allowed.

    Times are integer milliseconds, and the act that opens the first cell happens at 0. Acts before
    it are given with any non-decreasing times; the opening act's time is then subtracted from all
    events so far, itself included, and from there on the caller's clock counts from 0. Paused time
    does not count: the caller stops the clock.

    `rules` are `Rules` or their text. `seed` defaults to a random one. `origin` is where the board
    comes from, `start` the cell where the game must begin, `facts` what a journal says beside the
    events. `dealer` lays the mines at the first open in place of the usual deal; that searches for
    a guess-free board if the rules ask for one, and raises `NoGuessFreeBoard` if it finds none.
    `cell_px` is the cell size in pixels at which touches are recorded. An invalid argument raises a
    `DemineError` that quotes it.

    Journals (`journal`, `from_journal`) hold all of a game, share codes (`share`, `from_share`) its
    board; `demine.save` and `demine.load` write and read files. `str` shows what the player sees.

    >>> import demine
    >>> game = demine.Game("9x9/10", seed=7)
    >>> game.open(4, 4)
    <Status.RUNNING: 'running'>
    >>> print(game)
    9x9/10
    . . . . . 1 # # #
    . . . . 1 3 # # #
    . . . . 1 # # # #
    1 1 1 . 1 2 2 # #
    # # 2 . . . 1 # #
    # # 3 . . . 1 # #
    # # 2 1 1 1 1 # #
    # # # # # # # # #
    # # # # # # # # #
    """

    @classmethod
    def from_daily(cls, daily: Daily) -> Self:
        """Return a new game on a daily board; its mines are laid at the first open."""
        return cls(
            daily.rules, daily.seed, origin=Origin.SEED, start=daily.start, facts=daily.facts
        )

    @classmethod
    def from_journal(cls, text: str, *, trusted: bool = False) -> Self:
        """Return the game that a journal describes, with every event played through the rules.

        A trusted journal is read however long its openings take. Raises `JournalError` with the
        line number and the reason; docs/journal.md says what a journal is.
        """
        from demine.logic.journal import parse_journal

        return parse_journal(cls, text, trusted=trusted)

    def journal(self) -> str:
        """Return the game as text, one event a line; `from_journal` returns an equal game."""
        from demine.logic.journal import format_journal

        return format_journal(self)

    @staticmethod
    def _deal_mines(rules: Rules, seed: int, first: Cell) -> NDArray[np.bool_]:
        """Lay the mines for any rules; errors are those of `demine.make`."""
        if not rules.guess_free:
            return deal(rules, seed, first)
        from demine.solver.deal.make_layout import make_layout

        return make_layout(rules, seed, first)

    def play_out(self, policy: PolicyLike | None = None) -> Status:
        """Play the game to its end by a policy, a name or one of your own; return its status.

        None plays `demine.best_move`. What a policy of your own sees and answers, `demine.Policy`
        says. Flags on cells that it opens are removed. All acts have the time of the last event,
        and the game counts as helped, not for best times. Raises `PolicyError` if the policy fails
        or does not guess, or if flags win the game, `NothingCertain` if it gives up, `SceneError`
        while the game is paused; what was played until then stays.

        >>> import demine
        >>> game = demine.Game("9x9/10", seed=7)
        >>> game.play_out("safest").over
        True
        """
        from demine.solver.player.policy_error import PolicyError

        if self.rules.goal is Goal.FLAG:
            raise PolicyError("policies open cells: they cannot play goal=flag")
        choose = _cell_chooser(policy)
        while not self.status.over:
            row, col = choose(self)
            if not self.hinted:
                self._play_now(Verb.HINT, None, row, col)
            if self.board.flag_map[row, col]:
                self.flag(row, col)
            self.open(row, col)
        return self.status

    def seen_position(self) -> SeenPosition:
        """Return what the solver may know of this game; raises `SceneError` while it is paused."""
        from demine.scene.seen_position import SeenPosition
        from demine.scene.sight import sight
        from demine.solver.errors import SceneError

        if self.paused:
            raise SceneError("the game is paused")
        return SeenPosition(sight(self), self.rules.mines, self.rules.first, self.start)

    def at(self, moment: Moment | float | str | None = None) -> SeenPosition:
        """Return the position that the player of this game saw at a moment, for the solver.

        A number is seconds since the first opening. A text is one of `Moment.parse`: `"50%"` of the
        time, `"#17"`, the position in which move 17 was made, `"start"` or `"end"`. Without a
        moment it is the position before the move that ended the game, or the last one of a game
        that has not ended. Raises `MomentError` if the game was over or paused then.
        """
        from demine.scene.moment import Moment, position_at

        return position_at(self, Moment.of(moment))

    def __str__(self) -> str:
        """Return the diagram of what the player sees."""
        from demine.scene.diagram import format_scene
        from demine.scene.sight import sight

        return format_scene(self.rules, sight(self)).rstrip("\n")

    def _repr_svg_(self) -> str | None:
        """Return the game as its player sees it; None if the board is too large for a page."""
        from demine.picture.notebook_svg import game_svg, is_too_large_for_page

        return None if is_too_large_for_page(self.rules.cells) else game_svg(self)

    def _repr_html_(self) -> str | None:
        """Return a sentence if the board is too large for a picture, else None."""
        from demine.picture.notebook_svg import is_too_large_for_page
        from demine.scene.html_fragments import paragraph
        from demine.scene.translation import tr

        if not is_too_large_for_page(self.rules.cells):
            return None
        return paragraph(
            tr(
                "A game of {rules}, too large to show here. demine.show(game, region=...) shows "
                "part of it.",
                rules=self.rules,
            )
        )


def _cell_chooser(policy: PolicyLike | None) -> Callable[[Game], Cell]:
    """Return a function that returns the policy's next cell in a game."""
    from demine.solver.player.choose_cell import best_move
    from demine.solver.player.custom_policy import CustomPolicy
    from demine.solver.player.resolve_policy import resolve_policy

    if policy is None:
        return lambda game: best_move(game)[:2]
    player = resolve_policy(policy)
    if isinstance(player, CustomPolicy):
        return lambda game: player.choose_in(game.seen_position(), game.rules)
    return lambda game: best_move(game, policy=player.name)[:2]
