"""What the system has to bring: names what is missing and the command that installs it.

Sentences come in pairs, English and Chinese, for whoever shows them. Standard library only.
"""

from __future__ import annotations

import ctypes
import os
import shutil
import sys
from pathlib import Path

from scripts.quiet_command import last_lines, run_quietly

OS_RELEASE = Path("/etc/os-release")
LIBRARY_LIST = Path(__file__).resolve().parent.parent / "requirements" / "window-libraries.txt"
WINDOW_MODULES = {"desktop": "PySide6.QtWidgets", "classic": "pygame"}
"""The windows, best first, and the module that each of them loads."""


def apt_command(*packages: str) -> str:
    """Return the command line that installs Debian packages, for the user of this machine."""
    command = f"apt install {' '.join(packages)}"
    if os.geteuid() == 0:
        return command
    # Debian has no sudo where root was given a password.
    return f"sudo {command}" if shutil.which("sudo") else f"su -c '{command}'"


def venv_missing_sentences() -> tuple[str, str]:
    """Return which package to install where Python comes without venv or ensurepip."""
    release = OS_RELEASE.read_text(encoding="utf-8") if OS_RELEASE.is_file() else ""
    if "debian" not in release and "ubuntu" not in release:
        return (
            (
                "This Python lacks venv or ensurepip; install your system's package for them (its "
                "name is often python3-venv, python3-virtualenv or python3-pip), then try again."
            ),
            (
                "此 Python 缺少 venv 或 ensurepip；请安装系统中包含它们的软件包"
                "（常见名称：python3-venv、python3-virtualenv 或 python3-pip），然后重试。"
            ),
        )
    own = f"python3.{sys.version_info.minor}"
    default = os.path.realpath("/usr/bin/python3").endswith(own)
    command = apt_command("python3-venv" if default else f"{own}-venv")
    return (
        f"This Python cannot make environments yet. Type: {command} -- then try again.",
        f"此 Python 还不能建立环境。请输入：{command}，然后重试。",
    )


def missing_libraries(scene: str) -> dict[str, str]:
    """Return the shared libraries this Linux lacks for a window, with their Debian packages."""
    if not sys.platform.startswith("linux"):
        return {}
    missing = {}
    rows = [line.split() for line in LIBRARY_LIST.read_text(encoding="utf-8").splitlines()]
    for library, package in (row[1:] for row in rows if row[0] == scene):
        try:
            ctypes.CDLL(library)
        except OSError:
            missing[library] = package
    return missing


def window_obstacle(scene: str, python: Path) -> tuple[str, str] | None:
    """Return why a scene cannot open its window with an environment's Python, if it cannot."""
    if missing := missing_libraries(scene):
        cure, names = apt_command(*missing.values()), ", ".join(missing)
        return f"{names} missing (on Debian: {cure}).", f"缺少 {names}（Debian：{cure}）。"
    module = WINDOW_MODULES[scene]
    code, output = run_quietly(str(python), "-c", f"import {module}")
    reason = module + ":" + last_lines(output)
    return (reason, reason) if code else None


def window_obstacles(python: Path) -> list[tuple[str, str]]:
    """Return a sentence for each window that cannot open yet, or one for all, with the cure."""
    found = {
        scene: reason for scene in WINDOW_MODULES if (reason := window_obstacle(scene, python))
    }
    if len(found) < len(WINDOW_MODULES):
        return [
            (
                f"The {scene} window cannot open yet, another will: {english}",
                f"暂时无法打开 {scene} 窗口，将打开另一种：{chinese}",
            )
            for scene, (english, chinese) in found.items()
        ]
    english, chinese = list(found.values())[-1]  # the last scene asks for the least
    here, zh_here = (", the game opens here", "，就在这里玩") if sys.stdin.isatty() else ("", "")
    return [(f"No window can open yet{here}: {english}", f"暂时无法打开窗口{zh_here}：{chinese}")]


def no_window_can_open() -> bool:
    """Tell whether every window lacks a library."""
    return all(map(missing_libraries, WINDOW_MODULES))
