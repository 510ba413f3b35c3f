"""Values as JSON text: `to_json`, and the classes that give every value its one way in and out."""

from __future__ import annotations

import json
import sys
from abc import abstractmethod
from collections.abc import Mapping
from typing import Any, Self

from demine.logic.errors import TextError
from demine.logic.sanitize import escape_control_characters_in_json


def to_json(value: object) -> str:
    """Return JSON with whole numbers of any length, in one line.

    Non-ASCII letters stand as they are; control characters are escaped.
    """
    limit = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(0)
    try:
        return escape_control_characters_in_json(json.dumps(value, ensure_ascii=False))
    finally:
        sys.set_int_max_str_digits(limit)


class ToJson:
    """A value that tells itself as plain values and as JSON."""

    __slots__ = ()

    @abstractmethod
    def to_dict(self) -> dict[str, Any]:
        """Return it as plain values: texts, numbers, lists and dicts, as JSON has them."""

    def to_json(self) -> str:
        """Return `to_dict` as one line of JSON."""
        return to_json(self.to_dict())


class JsonTwin(ToJson):
    """A value that is read back from its JSON, which holds all of it."""

    __slots__ = ()

    @classmethod
    @abstractmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Self:
        """Return the value that `to_dict` told; raises a `DemineError` for anything else."""

    @classmethod
    def from_json(cls, text: str) -> Self:
        """Return the value of a JSON text; raises `TextError` if it is none of an object.

        Errors about what is in it are those of `from_dict`.
        """
        try:
            values = json.loads(text)
        except (ValueError, RecursionError):
            values = None
        if not isinstance(values, dict):
            raise TextError("{text} is not a JSON object", text=repr(text)[:80])
        return cls.from_dict(values)
