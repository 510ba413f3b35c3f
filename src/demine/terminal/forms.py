"""A small form for the keyboard and the mouse: fields, one of which has the keyboard."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

MAX_DIGITS: Final = 8


@dataclass(slots=True)
class NumberField:
    """A whole number, typed or stepped; `limit` says how far it goes, in words."""

    name: str
    label: str
    text: str
    limit: Callable[[], str] = str

    @property
    def shown(self) -> str:
        """What stands in the field."""
        return self.text

    @property
    def value(self) -> int:
        """The number; 0 where nothing is written."""
        return int(self.text or "0")

    def step(self, by: int) -> None:
        """Make the number larger or smaller."""
        self.text = str(min(max(0, self.value + by), 10**MAX_DIGITS - 1))

    def type_digit(self, letter: str) -> None:
        """Write one digit more."""
        if letter.isascii() and letter.isdigit() and len(self.text) < MAX_DIGITS:
            self.text = letter if self.text == "0" else self.text + letter

    def erase_digit(self) -> None:
        """Take the last digit away."""
        self.text = self.text[:-1]


@dataclass(slots=True)
class ChoiceField:
    """One of some values, each with its words."""

    name: str
    label: str
    options: Sequence[tuple[object, str]]
    at: int = 0
    limit: Callable[[], str] = str

    @property
    def shown(self) -> str:
        """What stands in the field."""
        return self.options[self.at][1]

    @property
    def value(self) -> object:
        """The value chosen."""
        return self.options[self.at][0]

    def step(self, by: int) -> None:
        """Choose the next or the one before."""
        self.at = (self.at + by) % len(self.options)

    def choose(self, value: object) -> None:
        """Choose a value; one that is not offered changes nothing."""
        self.at = next((n for n, (known, _) in enumerate(self.options) if known == value), self.at)


Field: TypeAlias = NumberField | ChoiceField


class Form:
    """Fields below each other.

    `changed` is called with a field's name when its value has changed, `accept` with all values in
    the end: it returns why they will not do, in words, or nothing.
    """

    def __init__(
        self,
        title: str,
        fields: Sequence[Field],
        accept: Callable[[Mapping[str, object]], str],
        changed: Callable[[Form, str], None] | None = None,
    ) -> None:
        self.title = title
        self.fields = tuple(fields)
        self.at = 0
        self.first = 0
        """The first field that is seen, where not all have room."""
        self.trouble = ""
        self._fresh = True
        """Whether the next digit begins the number anew."""
        self._accept = accept
        self._changed = changed

    def __getitem__(self, name: str) -> Field:
        return next(field for field in self.fields if field.name == name)

    def values(self) -> dict[str, object]:
        """Return every field's value by its name."""
        return {field.name: field.value for field in self.fields}

    def first_visible_field(self, room: int) -> int:
        """Return the first field to be seen in so many rows: the keyboard's field always is."""
        return min(max(self.first, self.at - max(1, room) + 1), self.at)

    def select(self, by: int) -> None:
        """Give another field the keyboard."""
        self.at = (self.at + by) % len(self.fields)
        self._fresh = True

    def step_value(self, by: int) -> None:
        """Change the field that has the keyboard by a step."""
        self.fields[self.at].step(by)
        self._notify_changed()

    def type_digit(self, letter: str) -> None:
        """Write a digit into a number; the first one replaces what stood there."""
        field = self.fields[self.at]
        if isinstance(field, NumberField) and letter.isascii() and letter.isdigit():
            field.text = "" if self._fresh else field.text
            self._fresh = False
            field.type_digit(letter)
            self._notify_changed()

    def erase_digit(self) -> None:
        """Take a digit away from a number."""
        field = self.fields[self.at]
        if isinstance(field, NumberField):
            self._fresh = False
            field.erase_digit()
            self._notify_changed()

    def accept(self) -> bool:
        """Return whether the values will do; if not, `trouble` says why."""
        self.trouble = self._accept(self.values())
        return not self.trouble

    def _notify_changed(self) -> None:
        self.trouble = ""
        if self._changed is not None:
            self._changed(self, self.fields[self.at].name)
