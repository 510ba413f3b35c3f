"""What a player asks of a scene: for this start, and for good."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import TYPE_CHECKING, Final, cast

from demine.logic.errors import DemineError
from demine.logic.rules import BEGINNER, EXPERT, INTERMEDIATE, First, Goal, Rules
from demine.scene.board_geometry import MAX_CELL, MIN_CELL
from demine.scene.key_bindings import VI_KEYS, Command, KeyMap
from demine.scene.palette import PALETTES
from demine.scene.themes import SYSTEM, THEMES, Theme, theme, with_palette
from demine.scene.translation import match, preferred

if TYPE_CHECKING:
    from collections.abc import Callable

    from demine.logic.daily_board import Daily


LEVELS: Final[Mapping[Command, Rules]] = {
    Command.BEGINNER: BEGINNER,
    Command.INTERMEDIATE: INTERMEDIATE,
    Command.EXPERT: EXPERT,
}
"""The commands that begin a level; their names are also those of its daily boards."""
KEY_SETS: Final = ("arrows", "vi")
"""The sets of keys to choose from: arrows alone, or h j k l as well."""
DIGITS: Final = ("led", "plain")
"""How the panel writes its numbers: on lamps, or in plain type."""
TAPS: Final = ("open", "flag")
"""What a tap of a finger or a pen does; a long press does the other."""
MIN_HOLD, MAX_HOLD = 100, 1000
"""How long a long press may take, in milliseconds."""
MAX_PRESETS: Final = 20
MOST_SIDE: Final = 1000
"""The longest side of a board that is offered to choose; the rules allow longer ones."""


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
    daily: Daily | None = None
    """The daily board to play, instead of rules."""
    seed: int | None = None
    new: bool = False
    """Whether to leave an unfinished game where it is and begin another."""
    fullscreen: bool = False
    settings: Mapping[str, object] = field(default_factory=dict)
    """Preferences to change from now on, by the names of `Preferences`."""

    @property
    def resumes(self) -> bool:
        """Whether an unfinished game may go on."""
        return not (self.new or self.share_code or self.daily or self.seed is not None)

    @property
    def lasting(self) -> Mapping[str, object]:
        """What stays when this start is over: preferences, and the rules as those played last."""
        played = {} if self.rules is None else {"rules": str(self.rules)}
        return {**self.settings, **played}


@dataclass(frozen=True, slots=True)
class Preferences:
    """What a player has chosen for good; every scene keeps to what it can show of it."""

    rules: str = str(BEGINNER)
    """The rules played last, as text."""
    theme: str = SYSTEM
    """A theme by its name, or `SYSTEM` to be light or dark as the system is."""
    palette: str = ""
    """Colours of the digits, by name; empty for the theme's own."""
    digits: str = "led"
    """How the panel writes its numbers, one of `DIGITS`: on lamps, or in plain type."""
    language: str = ""
    """The language chosen; empty follows the system."""
    cell: int = 0
    """Size of a cell in pixels; 0 fits the screen."""
    questions: bool = False
    """Whether a second right click makes a question mark."""
    left_chord: bool = False
    """Whether a left click alone on a number chords."""
    keys: str = "arrows"
    """Which keys move the cursor, one of `KEY_SETS`: arrows, or h j k l as well."""
    sound: bool = False
    """Whether acts make sounds."""
    keymap: str = ""
    """The player's own keys, as text of `KeyMap`, over those of `keys`."""
    first: str = ""
    """What the first cell promises in the levels; empty for what is usual."""
    goal: str = str(Goal.OPEN)
    """What wins the levels."""
    guess_free: bool = False
    """Whether the levels never need a guess."""
    tap: str = "open"
    """What a tap of a finger or a pen does, one of `TAPS`; a long press does the other."""
    hold_ms: int = 300
    """How long a long press takes."""
    minimap: bool = True
    """Whether a board that does not fit the window is shown small beside it."""
    counters: bool = False
    """Whether chosen statistics are counted beside the board."""
    presets: tuple[str, ...] = ()
    """The player's own rules to choose from, as text."""

    def key_map(self) -> KeyMap:
        """Return the keys: a set, and over it what the player bound."""
        return KeyMap.parse(self.keymap, key_map(self.keys))

    def look(self, *, dark: bool = False) -> Theme:
        """Return the theme with its palette; `dark` says what the system is, if anybody knows."""
        chosen = theme(self.theme, dark=dark)
        return with_palette(chosen, self.palette) if self.palette else chosen

    def level(self, rules: Rules) -> Rules:
        """Return a level under the player's first click, goal and wish for no guesses."""
        first = First(self.first) if self.first else None
        # Where the first cell may be a mine, that is a guess already.
        guess_free = self.guess_free and first is not First.ANY
        goal = Goal(self.goal)
        return Rules(rules.width, rules.height, rules.mines, first, goal, guess_free)

    @classmethod
    def read(cls, stored: Mapping[str, object]) -> Preferences:
        """Return the preferences in a mapping; what is missing or senseless takes its default.

        Stored values come from a file that any version or hand may have written.
        """
        sensible = {
            name: stored[name] for name, holds in _SENSIBLE.items() if holds(stored.get(name))
        }
        if "presets" in sensible:  # JSON knows lists only
            sensible["presets"] = tuple(cast("list[str]", sensible["presets"]))
        return replace(cls(), **sensible)  # type: ignore[arg-type]  # each value was judged

    def as_settings(self) -> dict[str, object]:
        """Return the preferences as a mapping that `read` understands."""
        return asdict(self)


def first_language(preferences: Preferences, wishes: Wishes) -> str:
    """Return the language that a scene begins in."""
    return preferred(preferences.language, now="language" in wishes.settings)


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


def _are_presets(value: object) -> bool:
    return (
        isinstance(value, list | tuple)
        and len(value) <= MAX_PRESETS
        and all(map(_are_rules, value))
    )


def _is_keymap(value: object) -> bool:
    if not isinstance(value, str):
        return False
    try:
        KeyMap.parse(value)
    except DemineError:
        return False
    return True


_SENSIBLE: Mapping[str, Callable[[object], bool]] = {
    "rules": _are_rules,
    "theme": lambda value: value in (SYSTEM, *THEMES),
    "palette": lambda value: value in ("", *PALETTES),
    "digits": lambda value: value in DIGITS,
    "language": lambda value: isinstance(value, str) and (not value or match(value) is not None),
    "cell": _is_cell,
    "questions": lambda value: isinstance(value, bool),
    "left_chord": lambda value: isinstance(value, bool),
    "keys": lambda value: value in KEY_SETS,
    "sound": lambda value: isinstance(value, bool),
    "keymap": _is_keymap,
    "first": lambda value: value == "" or value in list(First),
    "goal": lambda value: value in list(Goal),
    "guess_free": lambda value: isinstance(value, bool),
    "tap": lambda value: value in TAPS,
    "hold_ms": lambda value: type(value) is int and MIN_HOLD <= value <= MAX_HOLD,
    "minimap": lambda value: isinstance(value, bool),
    "counters": lambda value: isinstance(value, bool),
    "presets": _are_presets,
}
