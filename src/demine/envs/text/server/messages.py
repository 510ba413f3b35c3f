"""What clients may send, checked, and the descriptions of it."""

from __future__ import annotations

import json
from typing import Any, Final, NamedTuple

from demine.envs.text.server.errors import Invalid, NotJson, RequestError
from demine.logic.errors import quoted

MOST_BYTES: Final = 1 << 20
"""The longest message, in bytes; an answer is read in its last characters only."""
MESSAGE_SECONDS: Final = 30.0
"""How long a client may take to send a message, and to receive an answer."""
LONGEST_ID: Final = 255
_MOST_BITS: Final = 63
_RESET_FIELDS: Final = frozenset({"seed", "episode_id"})
_STEP_FIELDS: Final = frozenset({"action", "episode_id", "timeout_s", "request_id"})
_ACTION_FIELDS: Final = frozenset({"message", "metadata"})

SCHEMAS: Final = {
    "action": {
        "title": "MinesweeperAction",
        "type": "object",
        "required": ["message"],
        "properties": {
            "message": {"type": "string", "description": "The whole answer of the model."},
            "metadata": {"type": "object"},
        },
        "additionalProperties": False,
    },
    "observation": {
        "title": "MinesweeperObservation",
        "type": "object",
        "required": ["text"],
        "properties": {"text": {"type": "string"}, "metadata": {"type": "object"}},
    },
    "state": {
        "title": "MinesweeperState",
        "type": "object",
        "properties": {"episode_id": {"type": "string"}, "step_count": {"type": "integer"}},
    },
}
"""The JSON schemas of `/schema`."""


class ResetRequest(NamedTuple):
    """A request for a new game; it gets an id where `episode_id` is empty."""

    seed: int | None
    episode_id: str


def parse_object(text: str | bytes) -> dict[str, Any]:
    """Return the JSON object of a message, `{}` for an empty one; raises `RequestError`."""
    try:
        found = json.loads(text or "{}")
    except (ValueError, RecursionError):  # bytes that are not UTF-8 are a ValueError too
        raise NotJson("this is not JSON") from None
    return _object("the message", found)


def reset_request(message: dict[str, Any]) -> ResetRequest:
    """Return a checked request to reset; raises `RequestError`."""
    _check_fields(message, _RESET_FIELDS)
    seed = message.get("seed")
    if seed is not None and not (type(seed) is int and 0 <= seed < 1 << _MOST_BITS):
        raise Invalid(
            "seed is a whole number from 0 to 2**{bits} - 1, not {value}",
            bits=_MOST_BITS,
            value=quoted(seed),
        )
    return ResetRequest(seed, episode_id(message))


def step_message(message: dict[str, Any]) -> str:
    """Return the answer of the model in a request to step; raises `RequestError`."""
    _check_fields(message, _STEP_FIELDS)
    return action_message(object_field(message, "action"))


def action_message(action: dict[str, Any]) -> str:
    """Return the answer of the model in an action; raises `RequestError`."""
    _check_fields(action, _ACTION_FIELDS)
    answer = action.get("message")
    if not isinstance(answer, str):
        raise Invalid("an action has a message, which is a text")
    return answer


def object_field(
    message: dict[str, Any], name: str, default: dict[str, Any] | None = None
) -> dict[str, Any]:
    """Return the field of a message that is an object; raises `RequestError`."""
    return _object(name, message.get(name, default))


def episode_id(message: dict[str, Any]) -> str:
    """Return the checked id of a request, empty without one; raises `RequestError`."""
    found = message.get("episode_id")
    if found is None:
        return ""
    if not isinstance(found, str) or not 0 < len(found) <= LONGEST_ID:
        raise Invalid("episode_id is a text of 1 to {most} characters", most=LONGEST_ID)
    try:
        found.encode()
    except UnicodeEncodeError:
        raise Invalid(
            "{value} cannot be an episode_id: no answer could name it", value=quoted(found)
        ) from None
    return found


def error_message(error: RequestError) -> dict[str, str]:
    """Return what a client is told of a refusal."""
    return {"message": str(error), "code": error.code}


def _object(name: str, value: Any) -> dict[str, Any]:  # noqa: ANN401 - any JSON
    if not isinstance(value, dict):
        raise Invalid("{name} is not a JSON object", name=name)
    return value


def _check_fields(message: dict[str, Any], known: frozenset[str]) -> None:
    unknown = message.keys() - known
    if unknown:
        raise Invalid(
            "there is no field {name}: use {known}",
            name=quoted(min(unknown)),
            known=", ".join(sorted(known)),
        )
