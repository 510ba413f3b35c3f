"""Which scene opens. Without Click, so that `demine` alone is a window at once."""

from __future__ import annotations

import importlib
import importlib.util
import os
import re
import sys
from typing import TYPE_CHECKING, Final

from demine.logic.errors import DemineError
from demine.logic.rules import PRESETS, Rules
from demine.scene.preferences import StartOptions
from demine.scene.translation import detect_language, explain, set_language, tr

if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import ModuleType

SCENES: Final = {"desktop": "PySide6", "classic": "pygame", "terminal": "textual"}
"""Every scene and the library it needs, best first."""
BAD_INPUT: Final = 2
_SIZE_PATTERN: Final = re.compile(r"\d+x\d+/\d+", re.ASCII)
_SEED_PATTERN: Final = re.compile(r"\d{1,38}", re.ASCII)


class SceneError(DemineError):
    """A scene that cannot be opened here."""


def parse_simple_args(args: Sequence[str]) -> StartOptions | None:
    """Return what a command line of a board, `--new` and `--seed` asks for; None for any other."""
    words = iter(args[1:] if args[:1] == ["play"] else args)
    rules, seed, new = None, None, False
    for word in words:
        if word == "--new":
            new = True
        elif word == "--seed":
            seed = next(words, "")
        elif rules is None and (word in PRESETS or _SIZE_PATTERN.fullmatch(word)):
            rules = word
        else:
            return None
    if seed is not None and not _SEED_PATTERN.fullmatch(seed):
        return None
    try:
        chosen = Rules.parse(rules) if rules else None
    except DemineError:
        return None
    return StartOptions(rules=chosen, seed=None if seed is None else int(seed), new=new)


def play_first_scene(wishes: StartOptions) -> int:
    """Play as `demine play` does without more options; return the exit code."""
    set_language(detect_language())
    try:
        return open_scene(None, wishes)
    except DemineError as error:
        print(f"demine play: {explain(error)}", file=sys.stderr, flush=True)
        return BAD_INPUT


def open_scene(name: str | None, wishes: StartOptions) -> int:
    """Open the scene of that name, or the first that can open here."""
    if name is not None:
        lost = _scene_obstacle(name)
        if lost is not None:
            raise lost
        return _run_scene(name, wishes)
    obstacles: list[DemineError] = []
    for each in SCENES:
        lost = _scene_obstacle(each)
        if lost is None:
            if obstacles:
                _print_fallback(each, obstacles[0])
            try:
                return _run_scene(each, wishes)
            except DemineError as error:
                if not _is_display_refusal(error):
                    raise
                lost = error
        obstacles.append(lost)
    raise _combined_reason(obstacles)


def _combined_reason(obstacles: list[DemineError]) -> DemineError:
    """Return why no scene opens: what the best window lacks, and what the terminal."""
    # Of scenes that are installed, the reason says more than "not installed".
    *windows, terminal = obstacles
    reason = next((lost for lost in windows if not isinstance(lost, SceneError)), windows[0])
    if isinstance(terminal, SceneError) and _terminal_obstacle() is not None:
        return reason  # what is missing would not help here
    return SceneError("{window}, and {terminal}", window=reason, terminal=terminal)


def _is_display_refusal(error: DemineError) -> bool:
    """Whether the small window says, when it is opened, that nobody could see it."""
    window = sys.modules.get("demine.classic.window")
    return window is not None and isinstance(error, window.DisplayError)


def _run_scene(name: str, wishes: StartOptions) -> int:
    module: ModuleType = importlib.import_module(f"demine.{name}.app")
    code: int = module.run(wishes)
    return code


def _scene_obstacle(name: str) -> DemineError | None:
    """Return why a scene cannot open here, as far as can be told beforehand, or None."""
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


def _print_fallback(name: str, lost: DemineError) -> None:
    """Say on stderr which scene opens instead, and why; of windows only where one may open."""
    if name != "terminal" and not isinstance(lost, SceneError) and not _has_display():
        return
    sentence = tr("{reason}; opening the {scene} scene", reason=explain(lost), scene=name)
    print(f"demine play: {sentence}", file=sys.stderr, flush=True)


def _has_display() -> bool:
    """Whether a display is named here; on Linux without one every window refuses by itself."""
    if not sys.platform.startswith("linux"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
