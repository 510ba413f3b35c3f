"""Games in files: journals, share codes, layouts, and replays and boards of other programs.

Each module is imported when one of the names below is first used: who only reads a file's bytes or
catches an error needs no format.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from demine.replay.claimed_statistics import Contradiction as Contradiction
    from demine.replay.claimed_statistics import contradictions as contradictions
    from demine.replay.errors import Loss as Loss
    from demine.replay.errors import ReplayError as ReplayError
    from demine.replay.load_save import convert as convert
    from demine.replay.load_save import load as load
    from demine.replay.load_save import load_all as load_all
    from demine.replay.load_save import read as read
    from demine.replay.load_save import read_replay as read_replay
    from demine.replay.load_save import save as save
    from demine.replay.model import Layout as Layout
    from demine.replay.model import Replay as Replay

_NAMES_BY_MODULE = {
    "claimed_statistics": ("Contradiction", "contradictions"),
    "errors": ("Loss", "ReplayError"),
    "load_save": ("convert", "load", "load_all", "read", "read_replay", "save"),
    "model": ("Layout", "Replay"),
}
_MODULE_OF = {name: home for home, names in _NAMES_BY_MODULE.items() for name in names}


def __getattr__(name: str) -> object:
    if name not in _MODULE_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_MODULE_OF[name]}"), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *_MODULE_OF})
