"""Why the server cannot start, or refuses a request, and the status and code of each."""

from __future__ import annotations

from typing import ClassVar

from demine.logic.errors import DemineError


class ServerError(DemineError, RuntimeError):
    """A server that cannot start."""


class RequestError(DemineError):
    """A request that is refused: `code` is what OpenEnv calls it, `status` what HTTP does."""

    code: ClassVar[str] = "EXECUTION_ERROR"
    status: ClassVar[int] = 500


class NotJson(RequestError):
    """A message that is not JSON."""

    code = "INVALID_JSON"
    status = 400


class Invalid(RequestError):
    """JSON that is not what it should be."""

    code = "VALIDATION_ERROR"
    status = 422


class TooLarge(Invalid):
    """A message with more bytes than are taken."""

    status = 413


class TooSlow(Invalid):
    """A message whose bytes took too long to arrive."""

    status = 408


class UnknownKind(RequestError):
    """A message of a kind that there is not."""

    code = "UNKNOWN_TYPE"
    status = 404


class NoSuchEpisode(RequestError):
    """An episode that is not there, or not any more."""

    code = "SESSION_ERROR"
    status = 404


class NoGame(RequestError):
    """An answer in an episode whose game is over or has not begun."""

    status = 409


class ServerFull(RequestError):
    """One episode more than the server keeps."""

    code = "CAPACITY_REACHED"
    status = 503
