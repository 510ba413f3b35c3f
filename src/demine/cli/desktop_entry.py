"""The game's entry and icons for a desktop's menu, by the specifications of freedesktop.org.

The Desktop Entry Specification defines the text of an entry, the Icon Theme Specification the
folders of icons, and the Base Directory Specification the user's folder for both.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from demine.scene.translation import SOURCE, Catalogue, languages, mark

APPLICATION_ID: Final = "demine"
"""The name of the entry, of its icon and of the windows' class, by which docks match them."""
ICON_SIZES: Final = (16, 22, 24, 32, 48, 64, 128, 256, 512)
"""The sizes in pixels at which the icon is drawn, besides the scalable one."""

_TRANSLATED_KEYS: Final = {
    "Name": mark("demine"),
    "GenericName": mark("Minesweeper"),
    "Comment": mark("Find every mine by logic: fair boards, hints with reasons, replays"),
    "Keywords": mark("mines;minesweeper;puzzle;logic;"),
}
_NEW_GAME: Final = mark("New game")
_QUOTED: Final = str.maketrans({letter: f"\\{letter}" for letter in '\\"`$'})
"""Escapes these characters within the quotes of a command line."""
_ESCAPED: Final = str.maketrans({"\\": r"\\", "\n": r"\n", "\r": r"\r", "\t": r"\t"})
"""Escapes the characters that would break a value's line."""


def desktop_entry_text(command: Sequence[str], try_exec: str | None = None) -> str:
    """Return the text of a `.desktop` file that runs `command`, in all languages.

    Desktops hide the entry if the program `try_exec` does not exist.
    """
    lines = ["[Desktop Entry]", "Version=1.0", "Type=Application"]
    for key, text in _TRANSLATED_KEYS.items():
        lines += _translated_lines(key, text)
    lines.append(f"Exec={exec_value([*command, 'play'])}")
    if try_exec is not None:
        lines.append(f"TryExec={_escaped_value(try_exec)}")
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
    """Return a command as the value of `Exec`: its words quoted where needed, then escaped."""
    plain = set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789@+=:,./_-")
    quoted = []
    for word in words:
        percents = word.replace("%", "%%")
        quoted.append(percents if set(word) <= plain else f'"{percents.translate(_QUOTED)}"')
    return _escaped_value(" ".join(quoted))


def _escaped_value(text: str) -> str:
    """Return a text escaped as the value of a key."""
    return text.translate(_ESCAPED)


def command_of_this_program(environ: Mapping[str, str]) -> list[str]:
    """Return the command that starts this installation of demine from any folder."""
    source = Path(__file__).resolve().parents[2]
    command = [sys.executable, "-P", "-m", "demine"]
    paths = environ.get("PYTHONPATH", "").split(os.pathsep)
    if any(path and Path(path).resolve() == source for path in paths):
        # Without the variable, Python would not find demine, or would find another one.
        return ["env", f"PYTHONPATH={source}", *command]
    return command


def xdg_data_home(environ: Mapping[str, str]) -> Path:
    """Return the user's data folder: `XDG_DATA_HOME`, or else `~/.local/share`."""
    chosen = environ.get("XDG_DATA_HOME", "")
    # The specification ignores paths that are not absolute.
    return Path(chosen) if Path(chosen).is_absolute() else Path.home() / ".local" / "share"


def entry_path(data_home: Path) -> Path:
    """Return the path of the `.desktop` file."""
    return data_home / "applications" / f"{APPLICATION_ID}.desktop"


def icon_paths_by_size(data_home: Path) -> dict[int, Path]:
    """Return the path of each icon by its size in pixels; 0 stands for the scalable icon."""
    theme = data_home / "icons" / "hicolor"
    sized = {
        size: theme / f"{size}x{size}" / "apps" / f"{APPLICATION_ID}.png" for size in ICON_SIZES
    }
    return {0: theme / "scalable" / "apps" / f"{APPLICATION_ID}.svg", **sized}
