"""Chooses the scene that opens. Does not import Click, so that `demine` alone starts at once."""

from __future__ import annotations

import importlib
import importlib.util
import os
import re
import sys
from typing import TYPE_CHECKING, Final

from demine.logic.errors import DemineError
from demine.logic.rules import PRESETS, Rules
from demine.scene.display_error import DisplayError
from demine.scene.preferences import StartOptions
from demine.scene.translation import detect_language, explain, set_language, tr

if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import ModuleType

SCENES: Final = {"desktop": "PySide6", "classic": "pygame", "terminal": "textual"}
"""Every scene, best first, and the library that it needs."""
BAD_INPUT: Final = 2
_SIZE_PATTERN: Final = r"[0-9]+x[0-9]+/[0-9]+"
_SEED_PATTERN: Final = r"[0-9]{1,38}"


class SceneError(DemineError):
    """A scene cannot be opened here."""


def parse_simple_args(args: Sequence[str]) -> tuple[str | None, StartOptions] | None:
    """Parse a command line of only rules, `--new`, `--seed` and `--scene`.

    Returns the name of the scene, None for the first that opens, and the options; returns None
    for any other command line.
    """
    words = iter(args[1:] if args[:1] == ["play"] else args)
    rules, seed, scene, new = None, None, None, False
    for word in words:
        if word == "--new":
            new = True
        elif word == "--seed":
            seed = next(words, "")
        elif word == "--scene":
            scene = next(words, "")
        elif rules is None and (word in PRESETS or re.fullmatch(_SIZE_PATTERN, word)):
            rules = word
        else:
            return None
    if seed is not None and not re.fullmatch(_SEED_PATTERN, seed):
        return None
    if scene is not None and scene not in SCENES:
        return None
    try:
        chosen = Rules.parse(rules) if rules else None
    except DemineError:
        return None
    return scene, StartOptions(rules=chosen, seed=None if seed is None else int(seed), new=new)


def play(scene: str | None, options: StartOptions) -> int:
    """Play as `demine play` does without further options; print errors, return the exit code."""
    set_language(detect_language())
    try:
        return open_scene(scene, options)
    except DemineError as error:
        print(f"demine play: {explain(error)}", file=sys.stderr, flush=True)
        return BAD_INPUT


def open_scene(name: str | None, options: StartOptions) -> int:
    """Play in the named scene, or the first that can open; return the exit code.

    Raises `DemineError` if it cannot open.
    """
    if name is not None:
        obstacle = _scene_obstacle(name)
        if obstacle is not None:
            raise obstacle
        return _run_scene(name, options)
    obstacles: list[DemineError] = []
    for each in SCENES:
        obstacle = _scene_obstacle(each)
        if obstacle is None:
            if obstacles:
                _print_fallback(each, obstacles[0])
            try:
                return _run_scene(each, options)
            except DisplayError as error:  # a window may notice only on opening
                obstacle = error
        obstacles.append(obstacle)
    raise _combined_reason(obstacles)


def _combined_reason(obstacles: list[DemineError]) -> DemineError:
    """Return why no scene opens: the reasons of the best window and of the terminal."""
    # The reason of an installed scene says more than "not installed".
    *windows, terminal = obstacles
    reason = next(
        (obstacle for obstacle in windows if not isinstance(obstacle, SceneError)), windows[0]
    )
    if isinstance(terminal, SceneError) and _terminal_obstacle() is not None:
        return reason  # installing the missing library would not help
    return SceneError("{window}, and {terminal}", window=reason, terminal=terminal)


def _run_scene(name: str, options: StartOptions) -> int:
    module: ModuleType = importlib.import_module(f"demine.{name}.app")
    code: int = module.run(options)
    return code


def _scene_obstacle(name: str) -> DemineError | None:
    """Return why a scene cannot open here, as far as is known beforehand, or None."""
    if importlib.util.find_spec(SCENES[name]) is None:
        return SceneError(
            "the {scene} scene needs a library that is not installed: "
            "pip install 'demine[{scene}]'",
            scene=name,
        )
    if name == "desktop":
        from demine.desktop.display_check import find_display_error

        return find_display_error()
    if name == "terminal":
        return _terminal_obstacle()
    return None


def _terminal_obstacle() -> DemineError | None:
    from demine.terminal.tty_capabilities import terminal_obstacle

    return terminal_obstacle()


def _print_fallback(name: str, obstacle: DemineError) -> None:
    """Print which scene opens instead, and why; the reason of a window only with a display."""
    if name != "terminal" and not isinstance(obstacle, SceneError) and not has_display():
        return
    sentence = tr("{reason}; opening the {scene} scene", reason=explain(obstacle), scene=name)
    print(f"demine play: {sentence}", file=sys.stderr, flush=True)


def has_display() -> bool:
    """Whether there is a display; on Linux, whether the environment names one."""
    if not sys.platform.startswith("linux"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
