"""Which scene opens. Without Click, so that `demine` alone is a window at once."""

from __future__ import annotations

import importlib
import importlib.util
import os
import sys
from typing import TYPE_CHECKING, Final

from demine.logic.errors import DemineError
from demine.scene.messages import detect, explain, set_language, tr
from demine.scene.wishes import Wishes

if TYPE_CHECKING:
    from types import ModuleType

SCENES: Final = {"desktop": "PySide6", "classic": "pygame"}
"""Every scene and the library it needs, best first."""
BAD: Final = 2


class SceneError(DemineError):
    """A scene that cannot be opened here."""


def resume() -> int:
    """Play as `demine play` does without a word more; return the exit code."""
    set_language(detect())
    try:
        return open_scene(None, Wishes())
    except DemineError as error:
        print(f"demine play: {explain(error)}", file=sys.stderr, flush=True)
        return BAD


def open_scene(name: str | None, wishes: Wishes) -> int:
    """Open the scene of that name, or the first that can open here."""
    if name is not None:
        lost = _obstacle(name)
        if lost is not None:
            raise lost
        return _run(name, wishes)
    obstacles: list[DemineError] = []
    for each in SCENES:
        lost = _obstacle(each)
        if lost is None:
            if obstacles:
                _say_fallback(each, obstacles[0])
            return _run(each, wishes)
        obstacles.append(lost)
    # Of scenes that are installed, the reason says more than "not installed".
    raise next((lost for lost in obstacles if not isinstance(lost, SceneError)), obstacles[0])


def _run(name: str, wishes: Wishes) -> int:
    module: ModuleType = importlib.import_module(f"demine.{name}.app")
    code: int = module.run(wishes)
    return code


def _obstacle(name: str) -> DemineError | None:
    """Return why a scene cannot open here, as far as can be told beforehand, or None."""
    if importlib.util.find_spec(SCENES[name]) is None:
        return SceneError(
            "the {scene} scene needs a library that is not installed: "
            "pip install 'demine[{scene}]'",
            scene=name,
        )
    if name == "desktop":
        from demine.desktop.display import obstacle

        return obstacle()
    return None


def _say_fallback(name: str, lost: DemineError) -> None:
    """Say on stderr which scene opens instead, and why; nothing where no window opens at all."""
    if not isinstance(lost, SceneError) and not _has_screen():
        return
    sentence = tr("{reason}; opening the {scene} scene", reason=explain(lost), scene=name)
    print(f"demine play: {sentence}", file=sys.stderr, flush=True)


def _has_screen() -> bool:
    """Whether a display is named here; on Linux without one every window refuses by itself."""
    if not sys.platform.startswith("linux"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
