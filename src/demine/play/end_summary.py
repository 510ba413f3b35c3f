"""How a game ended and what that means, in words: the same in every scene."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from demine.logic.game import Status
from demine.scene.translation import ntr, tr

if TYPE_CHECKING:
    from collections.abc import Sequence

    from demine.game import Game
    from demine.store.records import NewRecord


@dataclass(frozen=True, slots=True)
class EndSummary:
    """The end of one game, in the player's language; equal values read the same."""

    won: bool
    headline: str
    """How it ended and when, such as "You won in 41.832 s"."""
    meaning: tuple[str, ...]
    """What it means for the records, or why it counts for none; perhaps nothing."""
    time: str
    figures: tuple[str, ...]
    """Speed, efficiency and the like, those first that matter most."""
    luck: str = ""
    """The guesses and how likely they were to be safe; empty until the solver has told."""

    @property
    def result_text(self) -> str:
        """Everything but the headline in one line, for a scene that has no more."""
        return " · ".join(filter(None, (*self.meaning, self.time, *self.figures, self.luck)))

    @property
    def details(self) -> str:
        """What goes with the headline, which tells the time already, but for the luck."""
        return " · ".join((*self.meaning, *self.figures))


def luck_text(guesses: int, chance: float) -> str:
    """Return how many guesses a game took and how likely all of them were to be safe, 0 to 1.

    Only no guess at all is certain: it never says 0 or 100 percent.
    """
    if not guesses:
        return tr("no guesses")
    percent = "<0.1" if chance < 0.001 else f"{100 * min(chance, 0.999):.1f}"
    return ntr(
        "{n} guess, {percent}% safe", "{n} guesses, {percent}% safe", guesses, percent=percent
    )


def three_bv_of(game: Game) -> int:
    """Return the 3BV of a game's board."""
    from demine.statistics.board_3bv import three_bv

    return three_bv(game.board.mine_map)


def summarise_end(game: Game, clicks: int, meaning: Sequence[str], three_bv: int) -> EndSummary:
    """Return how a game that is over ended; `meaning` is what that means for the records.

    `three_bv` is looked at only if the game was won.
    """
    won = game.status is Status.WON
    if won:
        figures = _speed_texts(game.time_ms, clicks, three_bv)
    else:
        figures = [tr("{percent}% open", percent=100 * game.board.opened // game.rules.safe_cells)]
    figures.append(ntr("{n} click", "{n} clicks", clicks))
    time = f"{game.time_ms / 1000:.3f}"
    return EndSummary(
        won, _headline(game, time), tuple(meaning), tr("{time} s", time=time), tuple(figures)
    )


def _headline(game: Game, time: str) -> str:
    if game.status is Status.WON:
        return tr("You won in {time} s", time=time)
    if game.resigned:
        return tr("You gave up after {time} s", time=time)
    return tr("You hit a mine after {time} s", time=time)


def _speed_texts(time_ms: int, clicks: int, three_bv: int) -> list[str]:
    """Return the speed and the efficiency with which a board was solved, and its 3BV."""
    said = []
    if time_ms:
        said.append(f"3BV/s {1000 * three_bv / time_ms:.2f}")
    if clicks:
        said.append(tr("efficiency {percent}%", percent=100 * three_bv // clicks))
    return [*said, f"3BV {three_bv}"]


def record_texts(record: NewRecord | None, streak: int) -> list[str]:
    """Return what a ranked win means, in words: a best time, and how many in a row there are."""
    said = []
    if record is not None:
        gain = record.gain_ms
        faster = "" if gain is None else f"{gain / 1000:.3f}"
        said.append(
            tr("New best, {gain} s faster", gain=faster) if faster else tr("First win here")
        )
    if streak > 1:
        said.append(tr("{n} wins in a row", n=streak))
    return said
