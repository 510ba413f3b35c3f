"""How much of a board is drawn, rather than how long that takes."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import pytest


def drawn(monkeypatch: pytest.MonkeyPatch, module: ModuleType) -> list[int]:
    """How many pixels each call of a module's `render` draws from now on."""
    sizes: list[int] = []
    render = vars(module)["render"]

    def watch(*args: Any, **options: Any) -> Any:
        picture = render(*args, **options)
        sizes.append(picture.shape[0] * picture.shape[1])
        return picture

    monkeypatch.setattr(module, "render", watch)
    return sizes
