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

NAME: Final = "demine"
"""What the entry and its icon are called, and the windows' class: so a dock knows them as one."""
SIZES: Final = (16, 22, 24, 32, 48, 64, 128, 256, 512)
"""The icon is drawn at these sizes, in pixels, besides the one that scales."""

_TEXTS: Final = {
    "Name": mark("demine"),
    "GenericName": mark("Minesweeper"),
    "Comment": mark("Find every mine by logic: fair boards, hints with reasons, replays"),
    "Keywords": mark("mines;minesweeper;puzzle;logic;"),
}
_NEW: Final = mark("New game")
_QUOTED: Final = str.maketrans({letter: f"\\{letter}" for letter in '\\"`$'})
"""Within quotes of a command line these are escaped."""
_ESCAPED: Final = str.maketrans({"\\": r"\\", "\n": r"\n", "\r": r"\r", "\t": r"\t"})
"""How a value stays on the line of its key."""


def entry(command: Sequence[str], needed: str | None = None) -> str:
    """Return the text of an entry that plays by a command, in every language there is.

    `needed` is a program without which desktops are not to show it.
    """
    lines = ["[Desktop Entry]", "Version=1.0", "Type=Application"]
    for key, text in _TEXTS.items():
        lines += _in_all_languages(key, text)
    lines.append(f"Exec={command_line([*command, 'play'])}")
    if needed is not None:
        lines.append(f"TryExec={_value(needed)}")
    lines += [
        f"Icon={NAME}",
        "Terminal=false",
        "Categories=Game;LogicGame;",
        f"StartupWMClass={NAME}",
        "Actions=new;",
        "",
        "[Desktop Action new]",
        *_in_all_languages("Name", _NEW),
        f"Exec={command_line([*command, 'play', '--new'])}",
    ]
    return "\n".join([*lines, ""])


def _in_all_languages(key: str, text: str) -> list[str]:
    lines = [f"{key}={text}"]
    for code in languages():
        said = Catalogue(code).tr(text)
        if code != SOURCE and said != text:
            lines.append(f"{key}[{code}]={said}")
    return lines


def command_line(words: Sequence[str]) -> str:
    """Return words as an entry's `Exec` has them: quoted where they need it, and then escaped."""
    plain = set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789@+=:,./_-")
    told = []
    for word in words:
        percents = word.replace("%", "%%")
        told.append(percents if set(word) <= plain else f'"{percents.translate(_QUOTED)}"')
    return _value(" ".join(told))


def _value(text: str) -> str:
    """Return a text as the value of a key."""
    return text.translate(_ESCAPED)


def this_program(environ: Mapping[str, str]) -> list[str]:
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
    return home / "applications" / f"{NAME}.desktop"


def icon_paths(home: Path) -> dict[int, Path]:
    """Return where each icon lies, by its size; 0 stands for the one that scales."""
    theme = home / "icons" / "hicolor"
    sized = {size: theme / f"{size}x{size}" / "apps" / f"{NAME}.png" for size in SIZES}
    return {0: theme / "scalable" / "apps" / f"{NAME}.svg", **sized}
