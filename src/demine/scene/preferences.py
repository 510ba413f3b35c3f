"""The preferences of a player, and the options of one start of the program.

A preference is a field of `Preferences`, declared by one of the functions below. Its default, its
valid values and its row in the settings are declared there alone: reading, writing, the settings
dialog and the tables of the handbook are made from that.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from enum import Enum, StrEnum
from functools import lru_cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from demine.logic.errors import DemineError
from demine.logic.rules import (
    BEGINNER,
    EXPERT,
    INTERMEDIATE,
    First,
    Goal,
    Rules,
    option_by_name,
)
from demine.scene.board_geometry import MAX_CELL, MIN_CELL
from demine.scene.digit_palettes import PALETTES
from demine.scene.key_bindings import VI_KEYS, Command, KeyMap
from demine.scene.themes import SYSTEM, THEMES, Theme, theme, with_palette
from demine.scene.translation import languages, mark, match_language, preferred_language

if TYPE_CHECKING:
    from demine.logic.daily_board import Daily
    from demine.logic.game import BaseGame


LEVELS: Final[Mapping[Command, Rules]] = {
    Command.BEGINNER: BEGINNER,
    Command.INTERMEDIATE: INTERMEDIATE,
    Command.EXPERT: EXPERT,
}
"""The rules of each level by its command; the commands' names are also those of daily boards."""


def next_level(rules: Rules) -> Command:
    """Return the command of the level after the one with this size; Beginner after any other."""
    sizes = [(level.shape, level.mines) for level in LEVELS.values()]
    here = (rules.shape, rules.mines)
    place = sizes.index(here) + 1 if here in sizes else 0
    return tuple(LEVELS)[place % len(LEVELS)]


MIN_HOLD, MAX_HOLD = 100, 1000
"""The limits of `Preferences.hold_ms`, in milliseconds."""
MAX_PRESETS: Final = 20
MOST_SIDE: Final = 1000
"""The longest side that the dialogs offer for a board; the rules allow longer ones."""


def preset_key_map(name: str) -> KeyMap:
    """Return the default keys for "arrows", or with h j k l as well for "vi"."""
    return KeyMap().with_keys_added(VI_KEYS) if name == "vi" else KeyMap()


@lru_cache(maxsize=4)
def _key_map(keymap: str, preset: str) -> KeyMap:
    return KeyMap.parse(keymap, preset_key_map(preset))


@dataclass(frozen=True, slots=True)
class StartOptions:
    """The options of the command line for this start."""

    rules: Rules | None = None
    """The rules to play; None for those played last."""
    share_code: str | None = None
    """The share code of the board to play, instead of rules."""
    board: BaseGame | None = None
    """The board of a file to play, as a new game, instead of rules."""
    daily: Daily | None = None
    """The daily board to play, instead of rules."""
    seed: int | None = None
    new: bool = False
    """Whether to begin a new game and leave an unfinished one for later."""
    fullscreen: bool = False
    trouble: DemineError | None = None
    """What went wrong before, to be told in the window."""
    settings: Mapping[str, object] = field(default_factory=dict)
    """Preferences to change for good, by the names of `Preferences`."""

    @property
    def may_resume(self) -> bool:
        """Whether this start may resume an unfinished game."""
        return not (
            self.new
            or self.share_code
            or self.board is not None
            or self.daily
            or self.seed is not None
        )

    @property
    def settings_to_save(self) -> Mapping[str, object]:
        """The settings that this start changes for good: `settings`, and the rules played last."""
        played = {} if self.rules is None else {"rules": str(self.rules)}
        return {**self.settings, **played}


class SettingsPage(StrEnum):
    """A page of the settings; the value is its title, a message id."""

    GAME = mark("&Game")
    LOOK = mark("&Look")
    MOUSE = mark("&Mouse and touch")
    KEYS = mark("&Keys")
    GENERAL = mark("Sound and languag&e")


class SettingsGroup(Enum):
    """What belongs together in the settings: its title, a message id, and its page."""

    LEVELS = mark("Levels"), SettingsPage.GAME
    CLOCK = mark("Clock and counters"), SettingsPage.GAME
    HELP = mark("Help"), SettingsPage.GAME
    THEME = mark("Theme"), SettingsPage.LOOK
    BOARD = mark("Board"), SettingsPage.LOOK
    MOUSE = mark("Mouse"), SettingsPage.MOUSE
    TOUCH = mark("Touch and pen"), SettingsPage.MOUSE
    CURSOR = mark("Cursor"), SettingsPage.KEYS
    SOUND = mark("Sound"), SettingsPage.GENERAL
    LANGUAGE = mark("Language"), SettingsPage.GENERAL

    @property
    def title(self) -> str:
        """Its title, a message id."""
        return self.value[0]

    @property
    def page(self) -> SettingsPage:
        """The page that shows it."""
        return self.value[1]


class PreferenceDeclaration(NamedTuple):
    """What is declared of a preference, besides its name and default."""

    is_valid: Callable[[object], bool]
    """Return whether a stored value is valid."""
    group: SettingsGroup | None = None
    """Where the settings show it; None if it is chosen elsewhere."""
    label: str = ""
    """Its name in the settings, a message id."""
    short: str = ""
    """A shorter name for menus and the terminal, a message id; empty if neither shows it."""
    in_terminal: bool = False
    """Whether the terminal heeds it, and shows it among its settings."""
    note: str = ""
    """A sentence below its row there, a message id."""
    choices: Callable[[], Mapping[str, str]] | None = None
    """Return the values to choose from, with the name of each as a message id."""
    limits: tuple[int, int] | None = None
    """The least and the greatest number allowed."""
    step: int = 1
    unit: str = ""
    """What follows the number, a message id."""


_DECLARATION: Final = "declaration"


def preference(default: object, is_valid: Callable[[object], bool], **details: Any) -> Any:  # noqa: ANN401
    """Declare a preference; `details` are further fields of `PreferenceDeclaration`."""
    declaration = PreferenceDeclaration(is_valid=is_valid, **details)
    return field(default=default, metadata={_DECLARATION: declaration})


def switch_preference(default: bool, **details: Any) -> Any:  # noqa: ANN401
    """Declare a preference that is True or False."""
    return preference(default, lambda value: isinstance(value, bool), **details)


def choice_preference(
    default: str,
    choices: Callable[[], Mapping[str, str]],
    **details: Any,  # noqa: ANN401
) -> Any:  # noqa: ANN401
    """Declare a preference that has one of several values."""
    details.setdefault("is_valid", lambda value: isinstance(value, str) and value in choices())
    return preference(default, choices=choices, **details)


def number_preference(default: int, minimum: int, maximum: int, **details: Any) -> Any:  # noqa: ANN401
    """Declare a preference that is a whole number from `minimum` to `maximum`."""
    return preference(
        default,
        lambda value: type(value) is int and minimum <= value <= maximum,
        limits=(minimum, maximum),
        **details,
    )


def _from_json(value: object) -> object:
    return tuple(value) if isinstance(value, list) else value  # JSON knows lists only


def _parses(value: object, parse: Callable[[str], object]) -> bool:
    if not isinstance(value, str):
        return False
    try:
        parse(value)
    except DemineError:
        return False
    return True


def _are_rules(value: object) -> bool:
    return _parses(value, Rules.parse)


def _is_cell(value: object) -> bool:
    return type(value) is int and (value == 0 or MIN_CELL <= value <= MAX_CELL)


def _is_language(value: object) -> bool:
    return isinstance(value, str) and (not value or match_language(value) is not None)


def _are_presets(value: object) -> bool:
    return (
        isinstance(value, list | tuple)
        and len(value) <= MAX_PRESETS
        and all(map(_are_rules, value))
    )


@dataclass(frozen=True, slots=True)
class Preferences:
    """What a player has chosen for good; every scene keeps to what it can show of it.

    The settings show them in this order. The text below each is its line in the handbook.
    """

    rules: str = preference(str(BEGINNER), _are_rules)
    """The rules played last, as text."""
    first: str = choice_preference(
        "",
        lambda: {
            "": mark("Starts with an opening if possible"),
            **{
                text: words
                for text, words in option_by_name("first").choice_labels.items()
                if text != First.ZERO
            },
        },
        is_valid=lambda value: value == "" or value in list(First),
        group=SettingsGroup.LEVELS,
        label=mark("&First click:"),
        short=mark("&First click"),
        in_terminal=True,
    )
    """What the first cell promises in the levels; empty for what is usual."""
    goal: str = choice_preference(
        str(Goal.OPEN),
        lambda: option_by_name("goal").choice_labels,
        group=SettingsGroup.LEVELS,
        label=mark("G&oal:"),
        short=mark("&Goal"),
        in_terminal=True,
    )
    """What wins the levels."""
    guess_free: bool = switch_preference(
        default=False,
        group=SettingsGroup.LEVELS,
        label=mark("Guess-free boards at e&very level"),
        short=mark("&Guess-free boards"),
        note=mark("These apply to Beginner, Intermediate and Expert, from the next game on."),
        in_terminal=True,
    )
    """Whether the levels never need a guess."""
    digits: str = choice_preference(
        "",
        lambda: {"": mark("Match theme"), "led": mark("LED digits"), "plain": mark("Plain digits")},
        group=SettingsGroup.CLOCK,
        label=mark("Mine cou&nter and clock:"),
        short=mark("&Mine counter and clock"),
        in_terminal=True,
    )
    """How the header writes its numbers, on lamps (`led`) or in plain type (`plain`); empty for
    lamps in the classic theme alone."""
    counters: bool = switch_preference(
        default=False,
        group=SettingsGroup.CLOCK,
        label=mark("Show &statistics beside the board"),
        short=mark("&Counters"),
    )
    """Whether chosen statistics are counted beside the board."""
    pause_unfocused: bool = switch_preference(
        default=True,
        group=SettingsGroup.CLOCK,
        label=mark("&Pause when you switch to another window"),
        short=mark("&Pause in other windows"),
        in_terminal=True,
    )
    """Whether a game is paused when its window loses the focus."""
    word_after_loss: bool = switch_preference(
        default=True,
        group=SettingsGroup.HELP,
        label=mark("After a loss, say &whether it could have been avoided"),
        short=mark("Explain losses"),
        in_terminal=True,
    )
    """Whether a lost game is followed by a word on its last move."""
    theme: str = choice_preference(
        SYSTEM,
        lambda: {
            SYSTEM: mark("Match system: light or dark"),
            **{name: theme.title for name, theme in THEMES.items()},
        },
        group=SettingsGroup.THEME,
        label=mark("&Theme:"),
        short=mark("&Theme"),
        in_terminal=True,
    )
    """A theme by its name, or `system` to be light or dark as the system is."""
    palette: str = choice_preference(
        "",
        lambda: {
            "": mark("Match theme"),
            **{name: palette.title for name, palette in PALETTES.items()},
        },
        group=SettingsGroup.THEME,
        label=mark("Colours of the &numbers:"),
        short=mark("&Number colours"),
        in_terminal=True,
    )
    """Colours of the digits, by name; empty for the theme's own."""
    fade_finished: bool = switch_preference(
        default=True,
        group=SettingsGroup.BOARD,
        label=mark("&Fade numbers that have all their flags"),
        short=mark("Fade finished numbers"),
        in_terminal=True,
    )
    """Whether numbers with all their flags fade."""
    motion: bool = switch_preference(
        default=True,
        group=SettingsGroup.BOARD,
        label=mark("An&imate the board, unless the system asks for less motion"),
        short=mark("An&imated board"),
    )
    """Whether the desktop shows openings spread and flags land; no act ever waits for that."""
    minimap: bool = switch_preference(
        default=True,
        group=SettingsGroup.BOARD,
        label=mark("Show an o&verview beside a board that does not fit"),
        short=mark("&Overview of large boards"),
    )
    """Whether a board that does not fit the window is shown small beside it."""
    questions: bool = switch_preference(
        default=False,
        group=SettingsGroup.MOUSE,
        label=mark("Second right click sets a &question mark"),
        short=mark("&Question marks"),
        in_terminal=True,
    )
    """Whether a second right click makes a question mark."""
    left_chord: bool = switch_preference(
        default=False,
        group=SettingsGroup.MOUSE,
        label=mark("Left &click on a number chords"),
        short=mark("Left click chords"),
        note=mark("Both buttons, middle click and Shift + left click always chord."),
        in_terminal=True,
    )
    """Whether a left click alone on a number chords."""
    tap: str = choice_preference(
        "open",
        lambda: {
            "open": mark("Opens, a long press flags"),
            "flag": mark("Flags, a long press opens"),
        },
        group=SettingsGroup.TOUCH,
        label=mark("A &tap:"),
        short=mark("A tap"),
    )
    """What a tap of a finger or a pen does, `open` or `flag`; a long press does the other."""
    hold_ms: int = number_preference(
        300,
        MIN_HOLD,
        MAX_HOLD,
        step=50,
        unit=mark(" ms"),
        group=SettingsGroup.TOUCH,
        label=mark("Long &press:"),
        short=mark("Long press"),
    )
    """How long a long press takes."""
    keys: str = choice_preference(
        "arrows",
        lambda: {"arrows": mark("arrows"), "vi": mark("arrows and h j k l")},
        group=SettingsGroup.CURSOR,
        label=mark("Keys that mo&ve the cursor:"),
        short=mark("Cursor keys"),
        in_terminal=True,
    )
    """Which keys move the cursor, `arrows` or `vi`: arrows, or h j k l as well."""
    sound: bool = switch_preference(
        default=False, group=SettingsGroup.SOUND, label=mark("Play &sounds"), short=mark("&Sounds")
    )
    """Whether acts make sounds."""
    language: str = choice_preference(
        "",
        lambda: {"": mark("Match system"), **languages()},
        is_valid=_is_language,
        group=SettingsGroup.LANGUAGE,
        label=mark("L&anguage:"),
        short=mark("&Language"),
        in_terminal=True,
    )
    """The language chosen; empty follows the system."""
    keymap: str = preference("", lambda value: _parses(value, KeyMap.parse))
    """The player's own keys, as text of `KeyMap`, over those of `keys`."""
    cell: int = preference(0, _is_cell)
    """Size of a cell in pixels; 0 fits the screen."""
    start_tip: bool = switch_preference(default=True)
    """Whether the tip on how to play is still shown; it goes after the first game."""
    presets: tuple[str, ...] = preference((), _are_presets)
    """The player's own rules to choose from, as text."""

    def key_map(self) -> KeyMap:
        """Return the keys: the preset `keys`, with the player's own `keymap` put over them."""
        return _key_map(self.keymap, self.keys)

    def chosen_theme(self, *, dark: bool = False) -> Theme:
        """Return the chosen theme with the chosen palette; `dark`: the system prefers dark."""
        chosen = theme(self.theme, dark=dark)
        return with_palette(chosen, self.palette) if self.palette else chosen

    def with_level_options(self, rules: Rules) -> Rules:
        """Return a level's rules with the preferred first click, goal, and whether guess-free."""
        first = First(self.first) if self.first else None
        # If the first cell may be a mine, it is already a guess.
        guess_free = self.guess_free and first is not First.ANY
        goal = Goal(self.goal)
        return Rules(rules.width, rules.height, rules.mines, first, goal, guess_free)

    def shows_led_digits(self, theme: Theme) -> bool:
        """Return whether counter and clock are lamps in a theme."""
        return self.digits == "led" or (theme.bevelled and not self.digits)

    @classmethod
    def from_settings(cls, stored: Mapping[str, object]) -> Preferences:
        """Read preferences from a mapping; missing and invalid ones take their defaults.

        The values come from a file, which may be from another version or edited by hand.
        """
        valid: dict[str, Any] = {
            name: _from_json(stored[name])
            for name, declaration in DECLARATIONS.items()
            if name in stored and declaration.is_valid(stored[name])
        }
        return replace(cls(), **valid)

    def as_settings(self) -> dict[str, object]:
        """Return the preferences as a mapping that `from_settings` reads."""
        return asdict(self)


def language_at_start(preferences: Preferences, options: StartOptions) -> str:
    """Return the code of the language in which a scene starts."""
    return preferred_language(
        preferences.language, overrides_environment="language" in options.settings
    )


DECLARATIONS: Final[Mapping[str, PreferenceDeclaration]] = MappingProxyType(
    {each.name: each.metadata[_DECLARATION] for each in fields(Preferences)}
)
"""The declaration of every preference, by name."""


def choices_of(name: str) -> Mapping[str, str]:
    """Return the values that a preference may have, with the name of each as a message id."""
    choices = DECLARATIONS[name].choices
    return choices() if choices else {}
