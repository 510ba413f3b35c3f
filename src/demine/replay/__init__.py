"""Games in files: journals, share codes, layouts, and the replays and boards of other programs."""

from demine.replay.errors import Loss, ReplayError
from demine.replay.file import convert, load, load_all, read, read_replay, save
from demine.replay.model import Layout, Replay

__all__ = [
    "Layout",
    "Loss",
    "Replay",
    "ReplayError",
    "convert",
    "load",
    "load_all",
    "read",
    "read_replay",
    "save",
]
