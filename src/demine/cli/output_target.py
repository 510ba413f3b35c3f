"""Where a verb writes a file: under its name, or on standard output for `-`."""

from __future__ import annotations

from contextlib import contextmanager
from io import BytesIO
from typing import TYPE_CHECKING

from demine.cli.game_input import STDIN
from demine.replay.limited_file_io import atomic_write
from demine.scene.sanitized_console import write_bytes_to_stdout

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import BinaryIO


@contextmanager
def open_output(target: str) -> Iterator[BinaryIO]:
    """Yield a stream of bytes whose target is written, or replaced, once they are complete."""
    if target != STDIN:
        with atomic_write(target) as out:
            yield out
        return
    whole = BytesIO()
    yield whole
    write_bytes_to_stdout(whole.getvalue())
