"""Key bindings: the commands, and which keys run them.

The name of a key is the same for every toolkit: modifiers in the order ctrl, alt, shift, meta, then
the key, all in lower case and joined by `+` ("f2", "ctrl+z", "shift+f2", "space", "+"). Shift is
not named with symbols: the question mark is "?", however it is typed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import Final, Self

from demine.logic.errors import DemineError
from demine.scene import translation
from demine.scene.translation import mark


class KeyNameError(DemineError, ValueError):
    """Text that is not the name of a key, or a line that binds no key."""


class KeyConflictError(DemineError, ValueError):
    """The same key for two commands."""


_NEEDS_DIALOGS: Final = True


class Command(StrEnum):
    """What a key can do, in the order of the help page; the value is its name in files.

    Each is declared with its name, a description (a message id), its default keys, and whether it
    needs dialogs, which not every scene has.
    """

    description: str
    default_keys: tuple[str, ...]
    needs_dialogs: bool

    # The parameters only have defaults so that `Command("flag")` type-checks.
    def __new__(
        cls,
        name: str,
        description: str = "",
        default_keys: tuple[str, ...] = (),
        needs_dialogs: bool = False,
    ) -> Self:
        """Create a member; raises TypeError for one without a description or keys."""
        if not description or not default_keys:
            raise TypeError(f"the command {name!r} has no description or no keys")
        command = str.__new__(cls, name)
        command._value_ = name
        command.description = description
        command.default_keys = default_keys
        command.needs_dialogs = needs_dialogs
        return command

    NEW = "new", mark("New game"), ("f2", "ctrl+n")
    AGAIN = "again", mark("Restart this board"), ("shift+f2", "ctrl+r")
    BEGINNER = "beginner", mark("Beginner"), ("1",)
    INTERMEDIATE = "intermediate", mark("Intermediate"), ("2",)
    EXPERT = "expert", mark("Expert"), ("3",)
    DAILY = "daily", mark("Daily boards: the same for everybody, a new one every day"), ("d",)
    RESULT = "result", mark("Copy the result of a daily board, without spoilers"), ("shift+d",)
    SETUP = "setup", mark("Choose width, height and mines"), ("4",), _NEEDS_DIALOGS
    OPEN_FILE = "open-file", mark("Open a replay or a board"), ("ctrl+o",), _NEEDS_DIALOGS
    SHARE = "share", mark("Copy the board's share code"), ("ctrl+c",)
    OPEN_SHARE = "open-share", mark("Open a share code"), ("ctrl+v",)
    RECORDS = "records", mark("Records and history"), ("ctrl+h",), _NEEDS_DIALOGS
    TRAIN = "train", mark("Train on your own games"), ("ctrl+t",), _NEEDS_DIALOGS
    STATISTICS = (
        "statistics",
        mark("All statistics of the finished game"),
        ("ctrl+i",),
        _NEEDS_DIALOGS,
    )
    ANALYSE = (
        "analyse",
        mark("Analyse any position: paint it, paste it, or take it from the game"),
        ("ctrl+e",),
        _NEEDS_DIALOGS,
    )
    SETTINGS = "settings", mark("Settings"), ("ctrl+,",), _NEEDS_DIALOGS
    HINT = (
        "hint",
        mark("Hint: what is certain and why (the game no longer counts for best times)"),
        ("h", "f4"),
    )
    CHANCES = (
        "chances",
        mark("Show or hide the risk of every cell (counts as help, too)"),
        ("shift+h", "shift+f4"),
    )
    MAY_GUESS = (
        "may-guess",
        mark("Must I guess here? Answers yes or no (counts as help, too)"),
        ("y",),
    )
    DRAFT = (
        "draft",
        mark("Draft: assume mines and safe cells, to see what would follow"),
        ("i",),
    )
    PROVE = "prove", mark("Prove step by step that the board needs no guess"), ("ctrl+p",)
    GUESS_FREE = "guess-free", mark("Guess-free boards on or off"), ("g",)
    UNDO = "undo", mark("Undo (the game no longer counts for the records)"), ("ctrl+z", "u")
    PAUSE = "pause", mark("Pause or resume"), ("p", "pause")
    ACT = "act", mark("Open the cell, or chord on a number"), ("space", "enter")
    FLAG = "flag", mark("Place or remove a flag"), ("f",)
    CHORD = "chord", mark("Chord: open the cells around a number with all its flags"), ("c",)
    QUESTION = "question", mark("Place or remove a question mark"), ("q",)
    HOVER_ACT = "hover-act", mark("Open or chord at the pointer"), ("e",)
    HOVER_FLAG = "hover-flag", mark("Flag at the pointer"), ("w",)
    UP = "up", mark("Cursor up"), ("up",)
    DOWN = "down", mark("Cursor down"), ("down",)
    LEFT = "left", mark("Cursor left"), ("left",)
    RIGHT = "right", mark("Cursor right"), ("right",)
    JUMP_UP = "jump-up", mark("Jump up to the next change"), ("ctrl+up",)
    JUMP_DOWN = "jump-down", mark("Jump down to the next change"), ("ctrl+down",)
    JUMP_LEFT = "jump-left", mark("Jump left to the next change"), ("ctrl+left",)
    JUMP_RIGHT = "jump-right", mark("Jump right to the next change"), ("ctrl+right",)
    HOME = "home", mark("To the start of the row"), ("home",)
    END = "end", mark("To the end of the row"), ("end",)
    TOP = "top", mark("To the top of the column"), ("ctrl+home",)
    BOTTOM = "bottom", mark("To the bottom of the column"), ("ctrl+end",)
    ZOOM_IN = "zoom-in", mark("Larger cells"), ("+", "=", "ctrl++", "ctrl+=")
    ZOOM_OUT = "zoom-out", mark("Smaller cells"), ("-", "ctrl+-")
    ZOOM_RESET = "zoom-reset", mark("Fit the board to the window"), ("0", "ctrl+0")
    THEME = "theme", mark("Next theme"), ("t",)
    PALETTE = "palette", mark("Next number colours"), ("shift+t",)
    LANGUAGE = "language", mark("Next language"), ("ctrl+l",)
    SOUND = "sound", mark("Sound on or off"), ("m",)
    FULLSCREEN = "fullscreen", mark("Full screen on or off"), ("f11", "alt+enter")
    HELP = "help", mark("Show the keys"), ("f1", "?")
    CANCEL = "cancel", mark("Cancel the click, or close the page"), ("escape",)
    QUIT = "quit", mark("Quit"), ("ctrl+q",)


WITH_DIALOGS: Final = frozenset(command for command in Command if command.needs_dialogs)
"""The commands that need dialogs; a scene without dialogs leaves them out."""

SECTIONS: Final[Mapping[Command, str]] = MappingProxyType(
    {
        Command.NEW: mark("Games and records"),
        Command.HINT: mark("Help while you play"),
        Command.ACT: mark("Cells"),
        Command.UP: mark("Cursor"),
        Command.ZOOM_IN: mark("Window"),
    }
)
"""The sections of the help page by their first commands, as message ids."""


def commands_of_section(first: Command) -> tuple[Command, ...]:
    """Return the commands of the section that begins with `first`, in their order."""
    commands = tuple(Command)
    start = commands.index(first)
    after = (at for at in range(start + 1, len(commands)) if commands[at] in SECTIONS)
    return commands[start : next(after, len(commands))]


DESCRIPTIONS: Final[Mapping[Command, str]] = MappingProxyType(
    {command: command.description for command in Command}
)
"""What each command does, as a message id, in the order of the help page."""

DEFAULT_KEYS: Final[Mapping[Command, tuple[str, ...]]] = MappingProxyType(
    {command: command.default_keys for command in Command}
)

VI_KEYS: Final[Mapping[Command, tuple[str, ...]]] = MappingProxyType(
    {
        Command.LEFT: ("h",),
        Command.DOWN: ("j",),
        Command.UP: ("k",),
        Command.RIGHT: ("l",),
        Command.JUMP_LEFT: ("shift+h",),
        Command.JUMP_DOWN: ("shift+j",),
        Command.JUMP_UP: ("shift+k",),
        Command.JUMP_RIGHT: ("shift+l",),
    }
)
"""Keys to add for players who know vi: `KeyMap().with_keys_added(VI_KEYS)`."""

_MODIFIERS = ("ctrl", "alt", "shift", "meta")
_ALIASES: Mapping[str, str] = MappingProxyType(
    {
        "control": "ctrl",
        "option": "alt",
        "cmd": "meta",
        "command": "meta",
        "super": "meta",
        "win": "meta",
        "return": "enter",
        "esc": "escape",
        "spacebar": "space",
        "del": "delete",
        "ins": "insert",
        "pgup": "pageup",
        "pgdn": "pagedown",
        "plus": "+",
        "minus": "-",
        "equals": "=",
    }
)
KEY_LABELS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "ctrl": "Ctrl",
        "alt": "Alt",
        "shift": "Shift",
        "meta": "Meta",
        "up": "↑",
        "down": "↓",
        "left": "←",
        "right": "→",
        "-": "−",
        "space": mark("Space"),
        "enter": mark("Enter"),
        "escape": mark("Esc"),
        "tab": "Tab",
        "backspace": mark("Backspace"),
        "delete": mark("Delete"),
        "insert": mark("Insert"),
        "home": mark("Home"),
        "end": mark("End"),
        "pageup": mark("Page up"),
        "pagedown": mark("Page down"),
        "pause": "Pause",
        **{f"f{number}": f"F{number}" for number in range(1, 25)},
    }
)
"""What is written on keys and modifiers whose names say it otherwise, as message ids."""


def normalise_key(text: str) -> str:
    """Return the canonical name of a key: "ctrl+z" for "Ctrl + Z".

    Raises KeyNameError for text that is not the name of a key.
    """
    parts = _split_key_name(text)
    modifiers, key = set(parts[:-1]), parts[-1]
    if _is_symbol(key):
        modifiers.discard("shift")
    known = key in KEY_LABELS if len(key) > 1 else key.isprintable() and not key.isspace()
    if not known or key in _MODIFIERS or not modifiers <= set(_MODIFIERS):
        raise KeyNameError("{text!r} is not a key", text=text)
    return "+".join([*(name for name in _MODIFIERS if name in modifiers), key])


def key_label(key: str, tr: Callable[[str], str] = translation.tr) -> str:
    """Return the name of a key for the screen: "Ctrl+Z", or "Space" and 空格 as `tr` translates."""
    return "+".join(
        tr(KEY_LABELS[part]) if part in KEY_LABELS else part.upper()
        for part in _split_key_name(key)
    )


def _split_key_name(text: str) -> list[str]:
    """Split off the modifiers, in lower case; the key itself may be the plus sign."""
    found = re.fullmatch(r"((?:[^+]*\+)*)\s*([^+]+|\+)", text.strip())
    if found is None:
        raise KeyNameError("{text!r} is not a key", text=text)
    words = [word.strip().lower() for word in (*found[1].split("+")[:-1], found[2])]
    return [_ALIASES.get(word, word) for word in words]


def _is_symbol(key: str) -> bool:
    return len(key) == 1 and not key.isalnum()


class KeyMap:
    """Which keys run which command; immutable, by default the default keys.

    As text it has a line for each command, `flag: f x`, and `parse` reads that. Raises KeyNameError
    for text that is not a key, and KeyConflictError for a key with two commands.
    """

    def __init__(self, bindings: Mapping[Command, Iterable[str]] = DEFAULT_KEYS) -> None:
        self._keys = {command: tuple(bindings.get(command, ())) for command in Command}
        self._commands: dict[str, Command] = {}
        for command, keys in self._keys.items():
            unique = dict.fromkeys(normalise_key(key) for key in keys)
            self._keys[command] = tuple(unique)
            for key in unique:
                self._claim(key, command)

    def _claim(self, key: str, command: Command) -> None:
        other = self._commands.setdefault(key, command)
        if other is not command:
            raise KeyConflictError(
                "the key {key} cannot mean both {first} and {second}",
                key=key,
                first=other.value,
                second=command.value,
            )

    @classmethod
    def parse(cls, text: str, base: KeyMap | None = None) -> KeyMap:
        """Return the keys of `base` (the default keys) with the bindings of a text put over them.

        Lines that start with `#` are comments.
        """
        return (base or cls()).rebound(dict(_parse_bindings(text)))

    def __str__(self) -> str:
        return "\n".join(f"{command}: {' '.join(keys)}".rstrip() for command, keys in self.items())

    def __repr__(self) -> str:
        return f"KeyMap.parse({str(self)!r})"

    def __eq__(self, other: object) -> bool:
        return self._keys == other._keys if isinstance(other, KeyMap) else NotImplemented

    def __hash__(self) -> int:
        return hash(tuple(self.items()))

    def items(self) -> Iterator[tuple[Command, tuple[str, ...]]]:
        """Yield every command and its keys, in the order of the help page."""
        yield from self._keys.items()

    def keys(self, command: Command) -> tuple[str, ...]:
        """Return the keys of a command, the best known first; empty if it has none."""
        return self._keys[command]

    def lookup(self, key: str) -> Command | None:
        """Return the command of a key, a name that `normalise_key` returned, or None."""
        return self._commands.get(key)

    def rebound(self, changes: Mapping[Command, Iterable[str]]) -> KeyMap:
        """Return a key map with new keys for some commands; other commands lose those keys."""
        asked = {command: tuple(map(normalise_key, keys)) for command, keys in changes.items()}
        taken = {key for keys in asked.values() for key in keys}
        kept = {
            command: tuple(key for key in keys if key not in taken)
            for command, keys in self._keys.items()
        }
        return KeyMap(kept | asked)

    def with_keys_added(self, keys: Mapping[Command, Iterable[str]]) -> KeyMap:
        """Return a key map with further keys; the commands that had those keys lose them."""
        return self.rebound({command: (*self.keys(command), *new) for command, new in keys.items()})


def _parse_bindings(text: str) -> Iterator[tuple[Command, tuple[str, ...]]]:
    for line in text.splitlines():
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        name, colon, keys = line.partition(":")
        try:
            command = Command(name.strip().lower())
        except ValueError:
            raise KeyNameError("{name!r} is not a command", name=name.strip()) from None
        if not colon:
            raise KeyNameError("{line!r} binds no key: write `flag: f`", line=line.strip())
        yield command, tuple(keys.split())
