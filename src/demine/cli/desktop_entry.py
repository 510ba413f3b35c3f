"""The game's place in a desktop's menu: its entry and its icons, by the rules of freedesktop.org.

The Desktop Entry Specification says how an entry is written, the Icon Theme Specification where
icons lie, the Base Directory Specification where a user has both.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from demine.scene.translation import SOURCE, Catalogue, languages, mark

APPLICATION_ID: Final = "demine"
"""What the entry and its icon are called, and the windows' class: so a dock knows them as one."""
ICON_SIZES: Final = (16, 22, 24, 32, 48, 64, 128, 256, 512)
"""The icon is drawn at these sizes, in pixels, besides the one that scales."""

_TRANSLATED_KEYS: Final = {
    "Name": mark("demine"),
    "GenericName": mark("Minesweeper"),
    "Comment": mark("Find every mine by logic: fair boards, hints with reasons, replays"),
    "Keywords": mark("mines;minesweeper;puzzle;logic;"),
}
_NEW_GAME: Final = mark("New game")
_QUOTED: Final = str.maketrans({letter: f"\\{letter}" for letter in '\\"`$'})
"""Within quotes of a command line these are escaped."""
_ESCAPED: Final = str.maketrans({"\\": r"\\", "\n": r"\n", "\r": r"\r", "\t": r"\t"})
"""How a value stays on the line of its key."""


def desktop_entry_text(command: Sequence[str], needed: str | None = None) -> str:
    """Return the text of an entry that plays by a command, in every language there is.

    `needed` is a program without which desktops are not to show it.
    """
    lines = ["[Desktop Entry]", "Version=1.0", "Type=Application"]
    for key, text in _TRANSLATED_KEYS.items():
        lines += _translated_lines(key, text)
    lines.append(f"Exec={exec_value([*command, 'play'])}")
    if needed is not None:
        lines.append(f"TryExec={_escaped_value(needed)}")
    lines += [
        f"Icon={APPLICATION_ID}",
        "Terminal=false",
        "Categories=Game;LogicGame;",
        f"StartupWMClass={APPLICATION_ID}",
        "Actions=new;",
        "",
        "[Desktop Action new]",
        *_translated_lines("Name", _NEW_GAME),
        f"Exec={exec_value([*command, 'play', '--new'])}",
    ]
    return "\n".join([*lines, ""])


def _translated_lines(key: str, text: str) -> list[str]:
    lines = [f"{key}={text}"]
    for code in languages():
        said = Catalogue(code).tr(text)
        if code != SOURCE and said != text:
            lines.append(f"{key}[{code}]={said}")
    return lines


def exec_value(words: Sequence[str]) -> str:
    """Return words as an entry's `Exec` has them: quoted where they need it, and then escaped."""
    plain = set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789@+=:,./_-")
    told = []
    for word in words:
        percents = word.replace("%", "%%")
        told.append(percents if set(word) <= plain else f'"{percents.translate(_QUOTED)}"')
    return _escaped_value(" ".join(told))


def _escaped_value(text: str) -> str:
    """Return a text as the value of a key."""
    return text.translate(_ESCAPED)


def command_of_this_program(environ: Mapping[str, str]) -> list[str]:
    """Return the command that starts this very program from anywhere."""
    source = Path(__file__).resolve().parents[2]
    command = [sys.executable, "-P", "-m", "demine"]
    paths = environ.get("PYTHONPATH", "").split(os.pathsep)
    if any(path and Path(path).resolve() == source for path in paths):
        # Without the variable that Python would not find it, or would find another one.
        return ["env", f"PYTHONPATH={source}", *command]
    return command


def data_home(environ: Mapping[str, str]) -> Path:
    """Return the folder of the user's own applications and icons."""
    wish = environ.get("XDG_DATA_HOME", "")
    # The specification passes over paths that are not absolute.
    return Path(wish) if Path(wish).is_absolute() else Path.home() / ".local" / "share"


def entry_path(home: Path) -> Path:
    """Return where the entry lies."""
    return home / "applications" / f"{APPLICATION_ID}.desktop"


def icon_paths(home: Path) -> dict[int, Path]:
    """Return where each icon lies, by its size; 0 stands for the one that scales."""
    theme = home / "icons" / "hicolor"
    sized = {
        size: theme / f"{size}x{size}" / "apps" / f"{APPLICATION_ID}.png" for size in ICON_SIZES
    }
    return {0: theme / "scalable" / "apps" / f"{APPLICATION_ID}.svg", **sized}
