"""What a player asks of a scene: for this start, and for good."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import TYPE_CHECKING, Final

from demine.logic.errors import DemineError
from demine.logic.rules import BEGINNER, Rules
from demine.scene.geometry import MAX_CELL, MIN_CELL
from demine.scene.keys import VI_KEYS, KeyMap
from demine.scene.messages import match
from demine.scene.theme import THEMES

if TYPE_CHECKING:
    from collections.abc import Callable


KEY_SETS: Final = ("arrows", "vi")
"""The sets of keys to choose from: arrows alone, or h j k l as well."""


def key_map(name: str) -> KeyMap:
    """Return the keys of one of `KEY_SETS`."""
    return KeyMap().added(VI_KEYS) if name == "vi" else KeyMap()


@dataclass(frozen=True, slots=True)
class Wishes:
    """What the command line asks of a scene this time."""

    rules: Rules | None = None
    """The rules to play; None for the ones played last."""
    share_code: str | None = None
    """The board to play, instead of rules."""
    seed: int | None = None
    new: bool = False
    """Whether to leave an unfinished game where it is and begin another."""
    fullscreen: bool = False
    settings: Mapping[str, object] = field(default_factory=dict)
    """Preferences to change from now on, by the names of `Preferences`."""

    @property
    def resumes(self) -> bool:
        """Whether an unfinished game may go on."""
        return not (self.new or self.share_code or self.seed is not None)


@dataclass(frozen=True, slots=True)
class Preferences:
    """What a player has chosen for good; every scene keeps to what it can show of it."""

    rules: str = str(BEGINNER)
    """The rules played last, as text."""
    theme: str = "light"
    language: str = ""
    """The language chosen; empty follows the system."""
    cell: int = 0
    """Size of a cell in pixels; 0 fits the screen."""
    questions: bool = False
    left_chord: bool = False
    keys: str = "arrows"
    sound: bool = False

    @classmethod
    def read(cls, stored: Mapping[str, object]) -> Preferences:
        """Return the preferences in a mapping; what is missing or senseless takes its default.

        Stored values come from a file that any version or hand may have written.
        """
        sensible = {
            name: stored[name] for name, holds in _SENSIBLE.items() if holds(stored.get(name))
        }
        return replace(cls(), **sensible)  # type: ignore[arg-type]  # each value was judged

    def as_settings(self) -> dict[str, object]:
        """Return the preferences as a mapping that `read` understands."""
        return asdict(self)


def _are_rules(value: object) -> bool:
    if not isinstance(value, str):
        return False
    try:
        Rules.parse(value)
    except DemineError:
        return False
    return True


def _is_cell(value: object) -> bool:
    return type(value) is int and (value == 0 or MIN_CELL <= value <= MAX_CELL)


_SENSIBLE: Mapping[str, Callable[[object], bool]] = {
    "rules": _are_rules,
    "theme": lambda value: value in THEMES,
    "language": lambda value: isinstance(value, str) and (not value or match(value) is not None),
    "cell": _is_cell,
    "questions": lambda value: isinstance(value, bool),
    "left_chord": lambda value: isinstance(value, bool),
    "keys": lambda value: value in KEY_SETS,
    "sound": lambda value: isinstance(value, bool),
}
