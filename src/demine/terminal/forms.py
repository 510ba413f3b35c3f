"""Forms for keyboard and mouse: fields, one of which is selected."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

MAX_DIGITS: Final = 8


@dataclass(slots=True)
class NumberField:
    """A whole number, typed or stepped; `limit` returns a text about its range."""

    name: str
    label: str
    text: str
    limit: Callable[[], str] = str

    @property
    def shown_text(self) -> str:
        """The text in the field."""
        return self.text

    @property
    def value(self) -> int:
        """The number; 0 if the field is empty."""
        return int(self.text or "0")

    def step(self, amount: int) -> None:
        """Add an amount, which may be negative, within 0 and the largest number."""
        self.text = str(min(max(0, self.value + amount), 10**MAX_DIGITS - 1))

    def type_digit(self, digit: str) -> None:
        """Append a digit, unless the number is full."""
        if digit.isascii() and digit.isdigit() and len(self.text) < MAX_DIGITS:
            self.text = digit if self.text == "0" else self.text + digit

    def erase_digit(self) -> None:
        """Erase the last digit."""
        self.text = self.text[:-1]


@dataclass(slots=True)
class ChoiceField:
    """A choice among values, each with its text; `at` is the index of the chosen one."""

    name: str
    label: str
    options: Sequence[tuple[object, str]]
    at: int = 0
    limit: Callable[[], str] = str

    @property
    def shown_text(self) -> str:
        """The text of the chosen value."""
        return self.options[self.at][1]

    @property
    def value(self) -> object:
        """The chosen value."""
        return self.options[self.at][0]

    def step(self, steps: int) -> None:
        """Move the choice by that many options; after the last comes the first."""
        self.at = (self.at + steps) % len(self.options)

    def choose(self, value: object) -> None:
        """Choose a value; a value that is not an option changes nothing."""
        self.at = next((n for n, (known, _) in enumerate(self.options) if known == value), self.at)


Field: TypeAlias = NumberField | ChoiceField


class Form:
    """A column of fields; `at` is the index of the selected one.

    `changed` is called with a field's name when its value changed. `accept` is called with all
    values at the end and returns why they are refused, or an empty text.
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
        """The index of the first visible field, if not all fit."""
        self.trouble = ""
        self._fresh = True
        """Whether the next digit replaces the number."""
        self._accept = accept
        self._changed = changed

    def __getitem__(self, name: str) -> Field:
        return next(field for field in self.fields if field.name == name)

    def values(self) -> dict[str, object]:
        """Return every field's value by its name."""
        return {field.name: field.value for field in self.fields}

    def first_visible_index(self, rows: int) -> int:
        """Return the index of the first field to show, so that the selected one is visible."""
        return min(max(self.first, self.at - max(1, rows) + 1), self.at)

    def move_selection(self, fields: int) -> None:
        """Select the field that many places below, or above if negative; it wraps around."""
        self.at = (self.at + fields) % len(self.fields)
        self._fresh = True

    def step_value(self, steps: int) -> None:
        """Change the selected field by that many steps."""
        self.fields[self.at].step(steps)
        self._notify_changed()

    def type_digit(self, digit: str) -> None:
        """Type a digit into the selected number; the first digit replaces the old number.

        It may be full-width, as input methods give it.
        """
        digit, field = unicodedata.normalize("NFKC", digit), self.fields[self.at]
        if isinstance(field, NumberField) and digit.isascii() and digit.isdigit():
            field.text = "" if self._fresh else field.text
            self._fresh = False
            field.type_digit(digit)
            self._notify_changed()

    def erase_digit(self) -> None:
        """Erase the last digit of the selected number."""
        field = self.fields[self.at]
        if isinstance(field, NumberField):
            self._fresh = False
            field.erase_digit()
            self._notify_changed()

    def try_accept(self) -> bool:
        """Submit the values; return whether they were accepted. If not, `trouble` says why."""
        self.trouble = self._accept(self.values())
        return not self.trouble

    def _notify_changed(self) -> None:
        self.trouble = ""
        if self._changed is not None:
            self._changed(self, self.fields[self.at].name)
