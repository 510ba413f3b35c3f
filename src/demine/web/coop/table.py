"""The table of a co-op game: who has which seat, who is there, and where they point.

Nothing of it is stored but the seats. What all are told goes out together every tenth of a second,
so that nobody hears more than that, whatever one of them sends.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from demine.logic.errors import DemineError
from demine.play.race import MOST_SEATS
from demine.web.coop.table_news import Next, PlayerOnWire, Players, Pointers, Signal
from demine.web.database.partners import Partner, name_of_seat, names_of_seats

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from demine.web.coop.table_news import TableNews

TELL_S: Final = 0.1
"""How far apart news of players and pointers are at least."""
NOBODY: Final = 0
"""The seat of acts that no player did."""


class CoopError(DemineError):
    """Something that cannot be done in a co-op game."""


class Table:
    """The players of one board, by their seats, which count from 1.

    `seq` is the number of events that the game has by now; `tell` sends a message to everybody who
    is connected.
    """

    def __init__(
        self, partners: Iterable[Partner], seq: int, tell: Callable[[TableNews], None]
    ) -> None:
        self._partners = {each.seat: each for each in partners}
        self._known_from = seq
        self._tell = tell
        self._connections: Counter[int] = Counter()
        """How many each seat has."""
        self._reserved: dict[str, int] = {}
        """The seats that players had in the game before this one."""
        self._pointers: dict[int, tuple[int, int] | None] = {}
        """Those that moved since they were told."""
        self._is_news = False
        """Whether players came, left or have other names."""
        self._timer: asyncio.TimerHandle | None = None
        self._changed: dict[int, tuple[int, int]] = {}
        """For cells the number of events after the last act on them, and its seat."""
        self._acted: dict[int, int] = {}
        """For seats the number of events after their last act."""
        self.next_game: str | None = None
        """The game that the same players play next."""
        self.next_lock = asyncio.Lock()
        """Held while that is made, so that there is one."""

    # Seats

    def seat_of(self, player: str) -> int:
        """Return the seat of a player; `NOBODY` for everybody else."""
        found = (seat for seat, each in self._partners.items() if each.player == player)
        return next(found, NOBODY)

    def free_seat(self, player: str) -> int:
        """Return the seat for somebody new: their old one, else one that nobody waits for.

        Raises `CoopError` if all are taken.
        """
        free = [seat for seat in range(1, MOST_SEATS + 1) if seat not in self._partners]
        if not free:
            raise CoopError("all {most} seats are taken", most=MOST_SEATS)
        reserved = self._reserved.get(player, NOBODY)
        if reserved in free:
            return reserved
        return next((seat for seat in free if seat not in self._reserved.values()), free[0])

    def seat(self, partner: Partner) -> None:
        """Let somebody new sit down."""
        self._partners[partner.seat] = partner
        self._note_news()

    def reserve_as_in(self, before: Table) -> None:
        """Keep the seats that players had in the game before this one."""
        self._reserved = {each.player: seat for seat, each in before._partners.items()}

    def forget_player(self, player: str) -> None:
        """Let go of a player who was deleted."""
        self._partners.pop(self.seat_of(player), None)
        self._note_news()

    @property
    def players(self) -> set[str]:
        """The ids of all players."""
        return {each.player for each in self._partners.values()}

    def take_over_names(self, names: Mapping[str, str]) -> None:
        """Take over the names of players, by their ids; whoever is not among them keeps theirs."""
        partners = {
            seat: replace(each, name=names.get(each.player, each.name))
            for seat, each in self._partners.items()
        }
        if partners != self._partners:
            self._partners = partners
            self._note_news()

    def name_of(self, seat: int) -> str:
        """Return what a seat is called."""
        return names_of_seats(self._partners.values()).get(seat, name_of_seat(seat))

    def on_wire(self) -> list[PlayerOnWire]:
        """Return the players as everybody is told of them."""
        names = names_of_seats(self._partners.values())
        return [
            PlayerOnWire(seat, names[seat], self._connections[seat] > 0)
            for seat in sorted(self._partners)
        ]

    # Who is there, and points where

    def come(self, seat: int) -> None:
        """Note one more connection of a seat."""
        self._connections[seat] += 1
        self._note_news()

    def go(self, seat: int) -> None:
        """Note that a connection of a seat has ended."""
        self._connections[seat] -= 1
        if not self._connections[seat]:
            self.point(seat, None)
        self._note_news()

    def point(self, seat: int, point: tuple[int, int] | None) -> None:
        """Note where the pointer of a seat is; None where it left the board."""
        self._pointers[seat] = point
        self._tell_soon()

    def signal(self, seat: int, cell: tuple[int, int]) -> None:
        """Have everybody look at a cell."""
        self._tell(Signal((seat, *cell)))

    def set_next(self, game: str, seat: int) -> None:
        """Note which game comes next, and who made it."""
        self.next_game = game
        self._tell(Next(game, seat))

    def _note_news(self) -> None:
        self._is_news = True
        self._tell_soon()

    def _tell_soon(self) -> None:
        if self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(TELL_S, self._tell_news)

    def _tell_news(self) -> None:
        self._timer = None
        if self._is_news:
            self._is_news = False
            self._tell(Players(self.on_wire()))
        if self._pointers:
            moved, self._pointers = self._pointers, {}
            self._tell(Pointers([(seat, *(at or (-1, -1))) for seat, at in moved.items()]))

    # Whose act comes first

    def note_act(self, seat: int, seq: int, cells: Iterable[int] | None) -> None:
        """Note an act after which the game has `seq` events, and the cells that it changed.

        None stands for cells that are too many to be listed.
        """
        self._acted[seat] = seq
        if cells is not None:
            self._changed |= dict.fromkeys(cells, (seq, seat))

    def is_overtaken(self, seat: int, seen: int, cell: int | None = None) -> bool:
        """Whether somebody else acted, on the cell if it is given, after `seen` events.

        So it is taken to be if that is not known.
        """
        if seen < self._known_from:
            return True
        if cell is None:
            return any(seq > seen for other, seq in self._acted.items() if other != seat)
        seq, other = self._changed.get(cell, (0, seat))
        return other != seat and seq > seen
