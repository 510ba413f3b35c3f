"""The game's entry, file types and icons for a desktop, by freedesktop.org's specifications.

The Desktop Entry Specification defines the text of an entry, the Shared MIME-info Specification the
types of files, the Icon Theme Specification the folders of icons, and the Base Directory
Specification the user's folder for all of them.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final, NamedTuple
from xml.sax.saxutils import escape

from demine.replay.model import Replay
from demine.replay.registry import built_in_formats
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
_REPLAY: Final = mark("Minesweeper replay ({name})")
_BOARD: Final = mark("Minesweeper board ({name})")
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
    lines.append(f"Exec={exec_value([*command, 'play'])} %f")
    if try_exec is not None:
        lines.append(f"TryExec={_escaped_value(try_exec)}")
    lines += [
        f"Icon={APPLICATION_ID}",
        "Terminal=false",
        "Categories=Game;LogicGame;",
        f"MimeType={''.join(f'{kind.mime_type};' for kind in file_kinds())}",
        f"StartupWMClass={APPLICATION_ID}",
        "Actions=new;",
        "",
        "[Desktop Action new]",
        *_translated_lines("Name", _NEW_GAME),
        f"Exec={exec_value([*command, 'play', '--new'])}",
    ]
    return "\n".join([*lines, ""])


class FileKind(NamedTuple):
    """A kind of file that the game opens, for the desktop's list of types."""

    mime_type: str
    comment: str
    """A message id with `{name}` in it."""
    name: str
    extensions: tuple[str, ...] = ()
    """The extensions of its files; without any, files are known by how they begin."""


def file_kinds() -> tuple[FileKind, ...]:
    """Return the kinds of files that the game opens: its own journals and the built-in formats."""
    return (
        FileKind("application/x-demine-journal", _REPLAY, "demine"),
        *(
            FileKind(
                f"application/x-minesweeper-{known.name.lower()}",
                _REPLAY if known.holds is Replay else _BOARD,
                known.name,
                known.extensions,
            )
            for known in built_in_formats()
        ),
    )


def mime_types_text() -> str:
    """Return the XML file that tells a desktop the types of files, in all languages."""
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        '<mime-info xmlns="http://www.freedesktop.org/standards/shared-mime-info">',
    ]
    for kind in file_kinds():
        lines.append(f'  <mime-type type="{kind.mime_type}">')
        for code in languages():
            said = escape(Catalogue(code).tr(kind.comment).format(name=kind.name))
            lines.append(
                f"    <comment>{said}</comment>"
                if code == SOURCE
                else f'    <comment xml:lang="{code}">{said}</comment>'
            )
        lines.append(f'    <icon name="{APPLICATION_ID}"/>')
        if kind.extensions:
            lines += [f'    <glob pattern="*{ending}"/>' for ending in kind.extensions]
        else:
            # Many programs write files that end in .jsonl, so only the beginning tells.
            lines += [
                '    <sub-class-of type="application/json"/>',
                '    <magic priority="80">',
                """      <match type="string" offset="0" value='{"demine":'/>""",
                "    </magic>",
            ]
        lines.append("  </mime-type>")
    return "\n".join([*lines, "</mime-info>", ""])


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
    return text.translate(_ESCAPED)


def command_of_this_program(environ: Mapping[str, str]) -> list[str]:
    """Return the command that starts this installation of demine from any folder."""
    if getattr(sys, "frozen", False):
        # An AppImage is the file, not what is unpacked of it.
        return [environ.get("APPIMAGE", sys.executable)]
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


def mime_types_path(data_home: Path) -> Path:
    """Return the path of the XML file with the types of files."""
    return data_home / "mime" / "packages" / f"{APPLICATION_ID}.xml"


def icon_paths_by_size(data_home: Path) -> dict[int, Path]:
    """Return the path of each icon by its size in pixels; 0 stands for the scalable icon."""
    theme = data_home / "icons" / "hicolor"
    sized = {
        size: theme / f"{size}x{size}" / "apps" / f"{APPLICATION_ID}.png" for size in ICON_SIZES
    }
    return {0: theme / "scalable" / "apps" / f"{APPLICATION_ID}.svg", **sized}
