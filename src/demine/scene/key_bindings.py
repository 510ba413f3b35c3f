"""Keys as data: what a key means and what the player may rebind.

A key's name is the same for every toolkit: modifiers in the order ctrl, alt, shift, meta, then the
key, all lower case and joined by `+` ("f2", "ctrl+z", "shift+f2", "space", "+"). Shift is named
only with keys that mean the same without it: the question mark is "?", however it is typed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import Final

from demine.logic.errors import DemineError
from demine.scene import translation
from demine.scene.translation import mark


class KeyNameError(DemineError, ValueError):
    """A text that names no key, or a line that binds none."""


class KeyConflictError(DemineError, ValueError):
    """One key for two commands."""


class Command(StrEnum):
    """What a key can ask for."""

    NEW = "new"
    AGAIN = "again"
    BEGINNER = "beginner"
    INTERMEDIATE = "intermediate"
    EXPERT = "expert"
    DAILY = "daily"
    RESULT = "result"
    SETUP = "setup"
    SHARE = "share"
    OPEN_SHARE = "open-share"
    RECORDS = "records"
    STATISTICS = "statistics"
    SETTINGS = "settings"
    HINT = "hint"
    CHANCES = "chances"
    PROVE = "prove"
    GUESS_FREE = "guess-free"
    UNDO = "undo"
    PAUSE = "pause"
    ACT = "act"
    FLAG = "flag"
    CHORD = "chord"
    QUESTION = "question"
    HOVER_ACT = "hover-act"
    HOVER_FLAG = "hover-flag"
    UP = "up"
    DOWN = "down"
    LEFT = "left"
    RIGHT = "right"
    JUMP_UP = "jump-up"
    JUMP_DOWN = "jump-down"
    JUMP_LEFT = "jump-left"
    JUMP_RIGHT = "jump-right"
    HOME = "home"
    END = "end"
    TOP = "top"
    BOTTOM = "bottom"
    ZOOM_IN = "zoom-in"
    ZOOM_OUT = "zoom-out"
    ZOOM_RESET = "zoom-reset"
    THEME = "theme"
    PALETTE = "palette"
    LANGUAGE = "language"
    SOUND = "sound"
    FULLSCREEN = "fullscreen"
    HELP = "help"
    CANCEL = "cancel"
    QUIT = "quit"


WITH_DIALOGS: Final = frozenset(
    {Command.SETUP, Command.RECORDS, Command.STATISTICS, Command.SETTINGS}
)
"""The commands that need dialogs: a scene without them leaves these out."""

DESCRIPTIONS: Final[Mapping[Command, str]] = MappingProxyType(
    {
        Command.NEW: mark("New game"),
        Command.AGAIN: mark("The same board again"),
        Command.BEGINNER: mark("Beginner"),
        Command.INTERMEDIATE: mark("Intermediate"),
        Command.EXPERT: mark("Expert"),
        Command.DAILY: mark("Daily boards: the same for everybody, a new one every day"),
        Command.RESULT: mark("Copy the result of a daily board, without spoilers"),
        Command.SETUP: mark("Choose width, height and mines"),
        Command.SHARE: mark("Copy the board's share code"),
        Command.OPEN_SHARE: mark("Open a share code"),
        Command.RECORDS: mark("Records and history"),
        Command.STATISTICS: mark("All statistics of the game that is over"),
        Command.SETTINGS: mark("Settings"),
        Command.HINT: mark("Hint: what is certain, and why (helped games enter no best times)"),
        Command.CHANCES: mark("Show how risky every cell is, or hide it (helped, too)"),
        Command.PROVE: mark("Prove step by step that the board needs no guess"),
        Command.GUESS_FREE: mark("Boards that never need a guess, on or off"),
        Command.UNDO: mark("Undo (the game no longer counts for the records)"),
        Command.PAUSE: mark("Pause or go on"),
        Command.ACT: mark("Open the cell, or chord on a number"),
        Command.FLAG: mark("Flag, or take the flag away"),
        Command.CHORD: mark("Chord: open around a number that has its flags"),
        Command.QUESTION: mark("Question mark, or take it away"),
        Command.HOVER_ACT: mark("Open or chord at the pointer"),
        Command.HOVER_FLAG: mark("Flag at the pointer"),
        Command.UP: mark("Cursor up"),
        Command.DOWN: mark("Cursor down"),
        Command.LEFT: mark("Cursor left"),
        Command.RIGHT: mark("Cursor right"),
        Command.JUMP_UP: mark("Jump up to the next change"),
        Command.JUMP_DOWN: mark("Jump down to the next change"),
        Command.JUMP_LEFT: mark("Jump left to the next change"),
        Command.JUMP_RIGHT: mark("Jump right to the next change"),
        Command.HOME: mark("To the start of the row"),
        Command.END: mark("To the end of the row"),
        Command.TOP: mark("To the top of the column"),
        Command.BOTTOM: mark("To the bottom of the column"),
        Command.ZOOM_IN: mark("Larger cells"),
        Command.ZOOM_OUT: mark("Smaller cells"),
        Command.ZOOM_RESET: mark("Fit the board to the window"),
        Command.THEME: mark("Next theme"),
        Command.PALETTE: mark("Next colours of the numbers"),
        Command.LANGUAGE: mark("Next language"),
        Command.SOUND: mark("Sound on or off"),
        Command.FULLSCREEN: mark("Full screen on or off"),
        Command.HELP: mark("This page of keys"),
        Command.CANCEL: mark("Let go without acting, or close the page"),
        Command.QUIT: mark("Quit"),
    }
)
"""What each command does, as a message id, in the order of a page of keys."""

DEFAULT_KEYS: Final[Mapping[Command, tuple[str, ...]]] = MappingProxyType(
    {
        Command.NEW: ("f2", "ctrl+n"),
        Command.AGAIN: ("shift+f2", "ctrl+r"),
        Command.BEGINNER: ("1",),
        Command.INTERMEDIATE: ("2",),
        Command.EXPERT: ("3",),
        Command.DAILY: ("d",),
        Command.RESULT: ("shift+d",),
        Command.SETUP: ("4",),
        Command.SHARE: ("ctrl+c",),
        Command.OPEN_SHARE: ("ctrl+o",),
        Command.RECORDS: ("ctrl+h",),
        Command.STATISTICS: ("ctrl+i",),
        Command.SETTINGS: ("ctrl+,",),
        Command.HINT: ("h", "f4"),
        Command.CHANCES: ("shift+h", "shift+f4"),
        Command.PROVE: ("ctrl+p",),
        Command.GUESS_FREE: ("g",),
        Command.UNDO: ("ctrl+z", "u"),
        Command.PAUSE: ("p", "pause"),
        Command.ACT: ("space", "enter"),
        Command.FLAG: ("f",),
        Command.CHORD: ("c",),
        Command.QUESTION: ("q",),
        Command.HOVER_ACT: ("e",),
        Command.HOVER_FLAG: ("w",),
        Command.UP: ("up",),
        Command.DOWN: ("down",),
        Command.LEFT: ("left",),
        Command.RIGHT: ("right",),
        Command.JUMP_UP: ("ctrl+up",),
        Command.JUMP_DOWN: ("ctrl+down",),
        Command.JUMP_LEFT: ("ctrl+left",),
        Command.JUMP_RIGHT: ("ctrl+right",),
        Command.HOME: ("home",),
        Command.END: ("end",),
        Command.TOP: ("ctrl+home",),
        Command.BOTTOM: ("ctrl+end",),
        Command.ZOOM_IN: ("+", "=", "ctrl++", "ctrl+="),
        Command.ZOOM_OUT: ("-", "ctrl+-"),
        Command.ZOOM_RESET: ("0", "ctrl+0"),
        Command.THEME: ("t",),
        Command.PALETTE: ("shift+t",),
        Command.LANGUAGE: ("ctrl+l",),
        Command.SOUND: ("m",),
        Command.FULLSCREEN: ("f11", "alt+enter"),
        Command.HELP: ("f1", "?"),
        Command.CANCEL: ("escape",),
        Command.QUIT: ("ctrl+q",),
    }
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
"""Keys to add for hands that know them: `KeyMap().added(VI_KEYS)`."""

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
_LABELS: Mapping[str, str] = MappingProxyType(
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


def normalise(text: str) -> str:
    """A key's one name: "Ctrl + Z" is "ctrl+z". Raises KeyNameError for what names no key."""
    parts = _parts(text)
    modifiers, key = set(parts[:-1]), parts[-1]
    if _is_symbol(key):
        modifiers.discard("shift")
    known = key in _LABELS if len(key) > 1 else key.isprintable() and not key.isspace()
    if not known or key in _MODIFIERS or not modifiers <= set(_MODIFIERS):
        raise KeyNameError("{text!r} is no key", text=text)
    return "+".join([*(name for name in _MODIFIERS if name in modifiers), key])


def label(key: str, tr: Callable[[str], str] = translation.tr) -> str:
    """A key's name as the player reads it: "Ctrl+Z", "Space" or 空格 in the language set."""
    return "+".join(tr(_LABELS[part]) if part in _LABELS else part.upper() for part in _parts(key))


def _parts(text: str) -> list[str]:
    """Modifiers and key, lower case; the key itself may be the plus sign."""
    found = re.fullmatch(r"((?:[^+]*\+)*)\s*([^+]+|\+)", text.strip())
    if found is None:
        raise KeyNameError("{text!r} is no key", text=text)
    words = [word.strip().lower() for word in (*found[1].split("+")[:-1], found[2])]
    return [_ALIASES.get(word, word) for word in words]


def _is_symbol(key: str) -> bool:
    return len(key) == 1 and not key.isalnum()


class KeyMap:
    """Which key means which command; frozen. No arguments: the default keys.

    Its text has one line a command, `flag: f x`, and parses back. Raises KeyNameError for what is
    no key and KeyConflictError when one key is to mean two commands.
    """

    def __init__(self, bindings: Mapping[Command, Iterable[str]] = DEFAULT_KEYS) -> None:
        self._keys = {command: tuple(bindings.get(command, ())) for command in Command}
        self._commands: dict[str, Command] = {}
        for command, keys in self._keys.items():
            unique = dict.fromkeys(normalise(key) for key in keys)
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
        """The base (default) keys with the lines of this text put over; `#` begins a comment."""
        return (base or cls()).rebound(dict(_bindings(text)))

    def __str__(self) -> str:
        return "\n".join(f"{command}: {' '.join(keys)}".rstrip() for command, keys in self.items())

    def __repr__(self) -> str:
        return f"KeyMap.parse({str(self)!r})"

    def __eq__(self, other: object) -> bool:
        return self._keys == other._keys if isinstance(other, KeyMap) else NotImplemented

    def __hash__(self) -> int:
        return hash(tuple(self.items()))

    def items(self) -> Iterator[tuple[Command, tuple[str, ...]]]:
        """Every command and its keys, in the order of a page of keys."""
        yield from self._keys.items()

    def keys(self, command: Command) -> tuple[str, ...]:
        """The keys of a command, the best known first; empty when it has none."""
        return self._keys[command]

    def lookup(self, key: str) -> Command | None:
        """What a key means, or None; the key is a name as `normalise` makes it."""
        return self._commands.get(key)

    def rebound(self, changes: Mapping[Command, Iterable[str]]) -> KeyMap:
        """Other keys for some commands; what they take is taken from the commands not named."""
        asked = {command: tuple(map(normalise, keys)) for command, keys in changes.items()}
        taken = {key for keys in asked.values() for key in keys}
        kept = {
            command: tuple(key for key in keys if key not in taken)
            for command, keys in self._keys.items()
        }
        return KeyMap(kept | asked)

    def added(self, more: Mapping[Command, Iterable[str]]) -> KeyMap:
        """The same keys and some more."""
        return self.rebound({command: (*self.keys(command), *new) for command, new in more.items()})


def _bindings(text: str) -> Iterator[tuple[Command, tuple[str, ...]]]:
    for line in text.splitlines():
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        name, colon, keys = line.partition(":")
        try:
            command = Command(name.strip().lower())
        except ValueError:
            raise KeyNameError("{name!r} is no command", name=name.strip()) from None
        if not colon:
            raise KeyNameError("{line!r} binds no key: write `flag: f`", line=line.strip())
        yield command, tuple(keys.split())
