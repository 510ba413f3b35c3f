"""What `demine menu` does: adds the game, with its icon, to the desktop's menu, or removes it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from contextlib import suppress
from typing import TYPE_CHECKING, Final

import click

from demine.cli.desktop_entry import (
    command_of_this_program,
    desktop_entry_text,
    entry_path,
    icon_paths_by_size,
    mime_types_path,
    mime_types_text,
    xdg_data_home,
)
from demine.cli.exit_codes import ANSWER_IS_NO, DONE
from demine.replay.limited_file_io import atomic_write
from demine.scene.sanitized_console import write_bytes_to_stdout
from demine.scene.translation import tr

if TYPE_CHECKING:
    from pathlib import Path


_PATIENCE_S: Final = 20
"""How long to wait for each program of the desktop."""


def run_menu(remove: bool, only_print: bool) -> int:
    """Carry out `demine menu` and return the exit code."""
    program = command_of_this_program(os.environ)
    started = program[0] if getattr(sys, "frozen", False) else sys.executable
    text = desktop_entry_text(program, try_exec=started)
    if only_print:
        write_bytes_to_stdout(text.encode("utf-8", "surrogateescape"))
        return DONE
    if sys.platform in {"win32", "darwin"}:
        sentence = tr(
            "There is no such menu on this system: start the game with `demine play`, or make a "
            "shortcut to it."
        )
        click.echo(f"demine menu: {sentence}", err=True)
        return ANSWER_IS_NO
    home = xdg_data_home(os.environ)
    return _remove_from_menu(home) if remove else _add_to_menu(home, text)


def _add_to_menu(home: Path, text: str) -> int:
    for path, data in _icon_files(home).items():
        _write_file(path, data)
    _write_file(mime_types_path(home), mime_types_text().encode("utf-8"))
    _write_file(entry_path(home), text.encode("utf-8", "surrogateescape"))
    _refresh_caches(home)
    click.echo(tr("demine is in your desktop's menu: {path}", path=entry_path(home)))
    return DONE


def _icon_files(home: Path) -> dict[Path, bytes]:
    """Return the bytes of every icon by its path."""
    from demine.picture import icon, icon_svg, png_bytes

    return {
        path: png_bytes(icon(size)) if size else icon_svg().encode("utf-8")
        for size, path in icon_paths_by_size(home).items()
    }


def _remove_from_menu(home: Path) -> int:
    paths = [entry_path(home), mime_types_path(home), *icon_paths_by_size(home).values()]
    there = [path for path in paths if path.is_file()]
    for path in there:
        path.unlink()
    if not there:
        click.echo(tr("demine is not in your desktop's menu."))
        return ANSWER_IS_NO
    _refresh_caches(home)
    click.echo(tr("demine is no longer in your desktop's menu."))
    return DONE


def _write_file(path: Path, data: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with atomic_write(path) as file:
        file.write(data)


def _refresh_caches(home: Path) -> None:
    """Have desktops read icons and types of files again, where they have the programs for that."""
    with suppress(OSError):
        os.utime(home / "icons" / "hicolor")
    for program, folder in (
        ("update-mime-database", home / "mime"),
        ("update-desktop-database", home / "applications"),
    ):
        found = shutil.which(program)
        if found is not None and folder.is_dir():
            with suppress(OSError, subprocess.TimeoutExpired):
                subprocess.run(  # noqa: S603 - a program of the desktop
                    [found, str(folder)], capture_output=True, check=False, timeout=_PATIENCE_S
                )
