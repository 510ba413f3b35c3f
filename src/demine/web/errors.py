"""The errors of the server: why it cannot go on, or refuses a request, and the status of each."""

from __future__ import annotations

import logging
from typing import Final

from demine.logic.errors import DemineError
from demine.scene.translation import explain, tr

_MOST_LOGGED: Final = 1000
_LOG: Final = logging.getLogger("demine.web")


class ServerError(DemineError):
    """A server that cannot start or go on."""


class DatabaseError(ServerError):
    """A database that cannot be opened, read or written."""


class OlderDatabase(DatabaseError):
    """A database of an older demine, which only a server brings up to date."""


class RequestError(DemineError):
    """A request that is refused; `what` says why in a word, `status` as HTTP does."""

    status = 400
    what = "bad_request"


class NotFound(RequestError):
    """Something that does not exist, or that this player may not see."""

    status = 404
    what = "not_found"


class Malformed(RequestError):
    """A request that is not what the door takes."""

    what = "malformed"


class Foreign(RequestError):
    """A request that another site made the browser send, or that has a wrong host."""

    status = 403
    what = "foreign"


class DraftError(RequestError):
    """A draft that cannot be checked."""

    status = 422
    what = "draft"


class Banned(RequestError):
    """A request of a player whom whoever runs the server has banned."""

    status = 403
    what = "banned"


class NotYet(RequestError):
    """Something that has to wait for the end of a game."""

    status = 409
    what = "not_yet"


class TooLarge(RequestError):
    """A request with more bytes than the door takes."""

    status = 413
    what = "too_large"


class TooSlow(RequestError):
    """A request whose bytes took too long to arrive."""

    status = 408
    what = "too_slow"


class TooMuchWork(RequestError):
    """A question that took more time or memory than one question may."""

    status = 422
    what = "too_much_work"


class TryLater(RequestError):
    """A request that is welcome later; the answer says when (`Retry-After`)."""

    @property
    def seconds(self) -> int:
        """Whole seconds to wait, 1 at least."""
        found = self.params.get("seconds")
        return max(1, found) if isinstance(found, int) else 1


class TooMany(TryLater):
    """More requests than one client may send."""

    status = 429
    what = "too_many"


class ClientLeft(RequestError):
    """An answer for which nobody waits any longer."""

    status = 408
    what = "left"


class Busy(TryLater):
    """Work that the server cannot take on now."""

    status = 503
    what = "busy"


def explain_to_client(error: DemineError) -> str:
    """Translate an error; one of SQLite is told to the log alone.

    It quotes the statement and its values, such as the ids of players.
    """
    cause = error.__cause__
    if not isinstance(error, DatabaseError) or cause is None:
        return explain(error)
    _LOG.error("%s", " ".join(str(cause).split())[:_MOST_LOGGED])
    return tr("the server cannot use its database now: try again later")


def status_of(error: DemineError) -> int:
    """Return the HTTP status of an error; what the game itself refuses is 422."""
    if isinstance(error, ServerError):
        return 503
    return error.status if isinstance(error, RequestError) else 422


def what_of(error: DemineError) -> str:
    """Return the name of an error for programs, such as `too_large` or `rules`."""
    return error.what if isinstance(error, RequestError) else _in_words(type(error).__name__)


def _in_words(name: str) -> str:
    """Return `rules` for `RulesError`, `not_a_game` for `NotAGame`."""
    core = name.removesuffix("Error")
    return "".join(f"_{c.lower()}" if c.isupper() else c for c in core).strip("_")
