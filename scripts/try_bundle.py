"""Try what `scripts/bundle.py` made: `python scripts/try_bundle.py FILE`.

Unpacks it and has it say its version, solve a position, compile kernels, load them in another
process, serve the page, and open its window. Needs a screen; the exit code is 0 if all of that
works.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
import zipfile
from http import HTTPStatus
from http.client import HTTPConnection
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
POSITION = "4x1/1\n#1..\n"
STUDY = ("study", "4x4/3", "--games", "20", "--seed", "1", "--json")


def main(bundle: Path) -> int:
    """Try everything; the exit code."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as work:
        # A cache of its own, where nothing has been compiled yet.
        for name in ("XDG_CACHE_HOME", "HOME", "LOCALAPPDATA"):
            os.environ[name] = str(Path(work) / "home")
        os.environ["DEMINE_DATA_DIR"] = str(Path(work) / "data")
        window, terminal = programs(bundle.resolve(), Path(work))
        print(ask(terminal, "--version"), end="")
        if json.loads(ask(terminal, "solve", "-", "--json", given=POSITION))["mines"] != [[0, 0]]:
            raise RuntimeError("it does not solve a position")
        won = {json.loads(ask(terminal, *STUDY))["won"] for _ in ("compiled", "loaded")}
        if len(won) > 1:
            raise RuntimeError("compiled and loaded kernels play differently")
        try_to_serve(terminal)
        start = [sys.executable, str(ROOT / "scripts" / "start_game.py"), window, "play"]
        return subprocess.call([*start, "--scene", "desktop"])


def try_to_serve(program: str) -> None:
    """Have a server send its page, and read a board, which another process of it does."""
    command = [program, "serve", "--port", "0"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, encoding="utf-8") as server:
        try:
            said = server.stderr.readline() if server.stderr else ""
            found = re.search(r"http://(127\.0\.0\.1:\d+)/", said)
            if found is None:
                raise RuntimeError(f"it does not serve: {said}")
            board = ask(program, "make", "4x4/3").encode()
            for method, path, body in (("GET", "/", None), ("POST", "/api/replays", board)):
                connection = HTTPConnection(found[1])
                connection.request(method, path, body)
                answer = connection.getresponse()
                if answer.status >= HTTPStatus.BAD_REQUEST:
                    raise RuntimeError(f"{method} {path}: {answer.read()!r}")
                connection.close()
        finally:
            server.terminate()


def programs(bundle: Path, work: Path) -> tuple[str, str]:
    """Return the programs of the window and of the command line, unpacked if need be."""
    if bundle.suffix == ".AppImage":
        return str(bundle), str(bundle)
    if sys.platform == "darwin":
        subprocess.run(["ditto", "-x", "-k", str(bundle), str(work)], check=True)
        program = str(work / "demine.app" / "Contents" / "MacOS" / "demine")
        return program, program
    with zipfile.ZipFile(bundle) as packed:
        packed.extractall(work)
    return str(work / "demine" / "demine.exe"), str(work / "demine" / "demine-console.exe")


def ask(program: str, *words: str, given: str = "") -> str:
    """Return what a program prints."""
    done = subprocess.run(
        [program, *words], input=given, stdout=subprocess.PIPE, encoding="utf-8", check=True
    )
    return done.stdout


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
