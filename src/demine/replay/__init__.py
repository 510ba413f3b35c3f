"""Games in files: journals, share codes and layouts, recognised by what they hold."""

from demine.replay.errors import ReplayError
from demine.replay.file import load, read, save

__all__ = ["ReplayError", "load", "read", "save"]
