"""Start the game by a command, wait until it plays, end it: `python scripts/start_game.py COMMAND`.

COMMAND is a program with its arguments, as in `python go.py play`. The exit code is 0 if the game
opened its store, which it does with its first window, and was still running then.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

SECONDS = 600
"""A first start downloads and installs what the window needs."""


def main(command: list[str]) -> int:
    """Start, wait, end; the exit code."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as data:
        environment = {**os.environ, "DEMINE_DATA_DIR": data}
        game = subprocess.Popen(command, env=environment, start_new_session=True)
        try:
            return 0 if is_playing(game, Path(data)) else 1
        finally:
            end(game)


def is_playing(game: subprocess.Popen[bytes], data: Path) -> bool:
    """Wait for the store of a game that goes on; tell whether it came."""
    until = time.monotonic() + SECONDS
    while time.monotonic() < until:
        if game.poll() is not None:
            print(f"The game ended with exit code {game.returncode}.", file=sys.stderr)
            return False
        if (data / "demine.db").exists():
            print("The game plays.")
            return True
        time.sleep(0.2)
    print(f"The game has not begun within {SECONDS} seconds.", file=sys.stderr)
    return False


def end(game: subprocess.Popen[bytes]) -> None:
    """End the program and what it has started."""
    if sys.platform == "win32":
        subprocess.run(["taskkill", "/T", "/F", "/PID", str(game.pid)], check=False)
    elif game.poll() is None:
        game.terminate()
    game.wait(60)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
