"""The player's games, records and settings, kept act by act in one SQLite database."""

from demine.store.errors import NoticeKind, StoreError, StoreNotice
from demine.store.live import LiveGame
from demine.store.merge import Counts
from demine.store.place import data_dir, default_path
from demine.store.records import Beaten, Ending, Record
from demine.store.rows import GameRow
from demine.store.settings import Settings
from demine.store.store import Store

__all__ = [
    "Beaten",
    "Counts",
    "Ending",
    "GameRow",
    "LiveGame",
    "NoticeKind",
    "Record",
    "Settings",
    "Store",
    "StoreError",
    "StoreNotice",
    "data_dir",
    "default_path",
]
