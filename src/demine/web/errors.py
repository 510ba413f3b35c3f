"""The errors of the server."""

from __future__ import annotations

from demine.logic.errors import DemineError


class ServerError(DemineError):
    """A server that cannot start or go on."""


class DatabaseError(ServerError):
    """A database that cannot be opened, read or written."""


class RequestError(DemineError):
    """A request that is refused; `what` says why in a word, `status` as HTTP does."""

    status = 400
    what = "bad_request"


class NotFound(RequestError):
    """Something that does not exist, or that this player may not see."""

    status = 404
    what = "not_found"
