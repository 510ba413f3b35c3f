"""A group of one process, which hangs the first time: `python -m ... FOLDER`."""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

from demine.web.process_group import ProcessGroup

SILENT_S = 1.0


def serve(folder: Path, say: Callable[[], None]) -> None:
    """Say that it is ready, and stop; later ones go on to say so."""
    is_first = not list(folder.glob("started *"))
    (folder / f"started {os.getpid()}").touch()
    say()
    if is_first:
        os.kill(os.getpid(), signal.SIGSTOP)
    while True:
        time.sleep(0.2)
        say()


if __name__ == "__main__":
    ProcessGroup(1, partial(serve, Path(sys.argv[1])), SILENT_S).run(lambda: None)
