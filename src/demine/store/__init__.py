"""The player's games, records and settings, saved act by act in one SQLite database.

`from demine.store import Store` and the other names below. Each module is imported when one of its
names is first used, because a window that only reads the settings needs nothing else of it.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from demine.store.database_paths import data_dir as data_dir
    from demine.store.database_paths import default_path as default_path
    from demine.store.errors import StoreError as StoreError
    from demine.store.game_rows import GameRow as GameRow
    from demine.store.merge_databases import Counts as Counts
    from demine.store.notices import NoticeKind as NoticeKind
    from demine.store.notices import StoreNotice as StoreNotice
    from demine.store.records import GameEnding as GameEnding
    from demine.store.records import NewRecord as NewRecord
    from demine.store.records import Record as Record
    from demine.store.running_game import LiveGame as LiveGame
    from demine.store.settings import Settings as Settings
    from demine.store.store import Store as Store

_NAMES_BY_MODULE = {
    "errors": ("StoreError",),
    "notices": ("NoticeKind", "StoreNotice"),
    "running_game": ("LiveGame",),
    "merge_databases": ("Counts",),
    "database_paths": ("data_dir", "default_path"),
    "records": ("NewRecord", "GameEnding", "Record"),
    "game_rows": ("GameRow",),
    "settings": ("Settings",),
    "store": ("Store",),
}
_MODULE_OF = {name: home for home, names in _NAMES_BY_MODULE.items() for name in names}


def __getattr__(name: str) -> object:
    if name not in _MODULE_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_MODULE_OF[name]}"), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *_MODULE_OF})
