"""Which process of a server is the home of a player, a race or a shared game.

Whatever is kept in memory lives in one process, its home, so that everybody who has to do with it
meets there. A process works homes out from the list of those that are there, without asking the
others (rendezvous hashing): if one comes or goes, only what has its home there moves.

Two lists may differ for a moment, and two processes take the same game for theirs. Nothing is
played twice then: an event has its place in its journal, which the database gives away once.
"""

from __future__ import annotations

import time
from collections import deque
from hashlib import blake2b
from typing import TYPE_CHECKING, Final, NamedTuple

from demine.scene.translation import mark
from demine.web.errors import Busy

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Self

_MOVING: Final = mark("this is moving to another process: try again in a moment")
_REMEMBERED: Final = 256
"""How many changes of the list are remembered."""


class Member(NamedTuple):
    """A process that takes part, and the address at which the others reach it."""

    num: int
    address: str


class Elsewhere(Busy):
    """Something that another process has to answer, to which a request is handed on.

    Who hears of this as an error met a change of homes, and asks again in a moment.
    """

    member: Member | None = None
    """Who has to answer; None if nobody does at the moment."""

    @classmethod
    def to(cls, member: Member | None) -> Self:
        """Return the error for what a process has to answer."""
        error = cls(_MOVING, seconds=1)
        error.member = member
        return error


class _View(NamedTuple):
    """Who takes part from a moment on."""

    since: float
    me: int | None
    members: tuple[Member, ...]
    is_alone: bool = False

    def home(self, subject: str) -> Member | None:
        """Return the process with the highest draw for a subject."""
        return max(self.members, key=lambda each: _draw(each, subject), default=None)

    def is_here(self, subject: str) -> bool:
        found = self.home(subject)
        return self.is_alone or (found is not None and found.num == self.me)


def _draw(member: Member, subject: str) -> bytes:
    return blake2b(f"{member.num} {subject}".encode(), digest_size=8).digest()


class Homes:
    """The homes of all subjects as one process sees them.

    A subject is the id of a player, who is the home of their games too, of a race, or of a game
    that several play, or any other name. A process is the home of everything until it is told of
    others.
    """

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._views = deque([_View(now(), None, (), is_alone=True)], _REMEMBERED)

    @property
    def _view(self) -> _View:
        return self._views[-1]

    @property
    def is_alone(self) -> bool:
        """Whether there are no other processes, nor will there be any."""
        return self._view.is_alone

    @property
    def me(self) -> int | None:
        """The number of this process; None as long as it takes no part."""
        return self._view.me

    @property
    def members(self) -> tuple[Member, ...]:
        """The processes that take part."""
        return self._view.members

    def set_members(self, me: int | None, members: Sequence[Member]) -> None:
        """Take over who takes part; `me` is this process, None if it takes no part (any more)."""
        if self.is_alone:  # it was never the home of anything
            self._views.clear()
        self._views.append(_View(self._now(), me, tuple(members)))

    def is_here(self, subject: str) -> bool:
        """Whether this process is the home of a subject."""
        return self._view.is_here(subject)

    def require(self, subject: str) -> None:
        """Raise `Elsewhere` unless this process is the home of a subject."""
        if not self.is_here(subject):
            raise Elsewhere.to(self._view.home(subject))

    def here_since(self, subject: str) -> float:
        """Return since when, by `now`, a subject has its home here without a break."""
        since = self._view.since
        for view in reversed(self._views):
            if not view.is_here(subject):
                break
            since = view.since
        return since

    def new_subject(self, new_id: Callable[[], str]) -> str:
        """Return a new id, drawn until its home is here where this process is one at all."""
        found = new_id()
        while self._view.me is not None and not self.is_here(found):
            found = new_id()
        return found
