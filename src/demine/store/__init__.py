"""The player's games, records and settings, saved act by act in one SQLite database.

`from demine.store import Store` and the other names below. Each module is imported when one of its
names is first used, because a window that only reads the settings needs nothing else of it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from demine.lazy_exports import lazy_exports

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
else:
    __all__, __getattr__, __dir__ = lazy_exports(
        __name__,
        {
            "demine.store.database_paths": "data_dir default_path",
            "demine.store.errors": "StoreError",
            "demine.store.game_rows": "GameRow",
            "demine.store.merge_databases": "Counts",
            "demine.store.notices": "NoticeKind StoreNotice",
            "demine.store.records": "GameEnding NewRecord Record",
            "demine.store.running_game": "LiveGame",
            "demine.store.settings": "Settings",
            "demine.store.store": "Store",
        },
    )
