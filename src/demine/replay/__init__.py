"""Games in files: journals, share codes, layouts, and replays and boards of other programs."""

from demine.replay.claimed_statistics import Contradiction, contradictions
from demine.replay.errors import Loss, ReplayError
from demine.replay.load_save import convert, load, load_all, read, read_replay, save
from demine.replay.model import Layout, Replay

__all__ = [
    "Contradiction",
    "Layout",
    "Loss",
    "Replay",
    "ReplayError",
    "contradictions",
    "convert",
    "load",
    "load_all",
    "read",
    "read_replay",
    "save",
]
