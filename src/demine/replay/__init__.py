"""Games in files: journals, share codes, layouts, and replays and boards of other programs.

Each module is imported when one of the names below is first used: who only reads a file's bytes or
catches an error needs no format.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from demine.lazy_exports import lazy_exports

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
else:
    __all__, __getattr__, __dir__ = lazy_exports(
        __name__,
        {
            "demine.replay.claimed_statistics": "Contradiction contradictions",
            "demine.replay.errors": "Loss ReplayError",
            "demine.replay.load_save": "convert load load_all read read_replay save",
            "demine.replay.model": "Layout Replay",
        },
    )
