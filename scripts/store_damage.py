"""Damages stores in every way that comes to mind, opens them, and counts what the player loses.

    python scripts/store_damage.py [--seconds S] [--sizes 5,500] [--what flips,cuts,kills]

Real files: games that were played, kept by the store, copied, damaged and opened again. A trial
fails when the store does not open, when a game appears that was never played, or when one is
missing or changed and nobody is told. Kills end a program in the middle of a salvage
or of a step from an older format.
"""

from __future__ import annotations

import argparse
import random
import shutil
import subprocess
import sys
import time
import zlib
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TypeAlias

from demine.game import Game
from demine.logic.event import Act, Verb
from demine.logic.rules import Rules
from demine.store import GameRow, NoticeKind, Store, StoreError, StoreNotice, game_rows
from demine.store.notices import SALVAGED, SALVAGED_LATER
from demine.store.utc_text import utc_text

GamesById: TypeAlias = dict[str, tuple[GameRow, int]]
"""Each game by its id: its row without figures, and a checksum of its journal."""

_RULES = (Rules(9, 9, 10), Rules(8, 8, 10), Rules(6, 5, 4))
_DISTINCT_GAMES = 40
_JOURNALS_READ = 25
"""Of so many games of a large store the journals are read in each trial."""
_OPEN_STORE_CODE = "from demine.store import Store; import sys; Store.open(sys.argv[1]).close()"


def random_finished_game(rng: random.Random) -> Game:
    """Return a game that was won or lost."""
    while True:
        game = Game(rng.choice(_RULES), rng.getrandbits(40), origin="fresh")
        t = 0
        game.play(Act(0, Verb.OPEN, 3, 3))
        while not game.status.over:
            covered = list(zip(*(~game.board.open_map).nonzero(), strict=True))
            row, col = rng.choice(covered)
            t += rng.randrange(900)
            if not game.board.mine_map[row, col] or rng.random() < 0.02:
                game.play(Act(t, Verb.OPEN, int(row), int(col)))
        if len(game.events) > 3:
            return game


def make_store(path: Path, size: int, rng: random.Random) -> None:
    """Make a store with so many games that are over, and one that goes on."""
    played = [random_finished_game(rng) for _ in range(min(size, _DISTINCT_GAMES))]
    with Store.open(path) as store:
        store.settings.update({"theme": "dark", "zoom": 2})
        database = store._database  # noqa: SLF001 (a history of years is not played here)

        def write(first: int) -> None:
            def work(connection: object) -> None:
                for number in range(first, min(first + 1000, size)):
                    moment = f"2026-0{1 + number % 9}-11T10:00:{number % 60:02}.{number:06}+00:00"
                    dates = game_rows.Dates(*[_utc_text(moment)] * 3)
                    game = game_rows.prepare_game(
                        game_rows.new_id(), played[number % len(played)], dates, 0, ""
                    )
                    game_rows.write_game(connection, game)  # type: ignore[arg-type]

            database.write(work)

        for first in range(0, size, 1000):
            write(first)
        live = store.begin(Game(Rules(9, 9, 10), 5, origin="fresh"))
        live.play(Act(0, Verb.OPEN, 4, 4))


def _utc_text(moment: str) -> str:
    from datetime import datetime

    return utc_text(datetime.fromisoformat(moment))


def visible_games(store: Store, most: int | None = None) -> GamesById:
    """Return what a player can see of all games."""
    store.records()
    found: GamesById = {}
    states: tuple[game_rows.State, ...] = ("won", "lost", "resigned", "running")
    every = [row for state in states for row in store.games(status=state, limit=-1)]
    step = 1 if most is None else max(1, len(every) // most)
    for number, row in enumerate(every):
        check = -1
        if number % step == 0 or row.status == "running":
            try:
                check = zlib.crc32(store.load_game(row.id).journal().encode())
            except StoreError:
                check = 0
        plain = replace(row, bv=None, bv_solved=None, clicks=None, bv_s=None, ioe=None)
        found[row.id] = plain, check
    return found


def flip_bits(path: Path, rng: random.Random) -> str:
    """Change one bit, two, or many, near each other or far."""
    content = bytearray(path.read_bytes())
    how = rng.choice(("1 bit", "2 bits", "header", "schema", "many bits", "a run"))
    length = len(content)
    at = rng.randrange(length)
    places = {
        "1 bit": [rng.randrange(length)],
        "2 bits": [rng.randrange(length) for _ in range(2)],
        "header": [rng.randrange(100) for _ in range(rng.choice((1, 1, 2)))],
        "schema": [rng.randrange(min(4096, length)) for _ in range(rng.choice((1, 2)))],
        "many bits": [rng.randrange(length) for _ in range(rng.randrange(3, 60))],
        "a run": [*range(at, min(length, at + rng.randrange(1, 5000)))],
    }[how]
    for place in places:
        content[place] ^= rng.randrange(1, 256) if how == "a run" else 1 << rng.randrange(8)
    path.write_bytes(content)
    return how


def cut_end_off(path: Path, rng: random.Random) -> str:
    """Cut the end off."""
    share = rng.random()
    with path.open("r+b") as stream:
        stream.truncate(int(path.stat().st_size * share))
    return f"cut to {int(share * 5) * 20}-{int(share * 5) * 20 + 20} %"


def describe_failure(before: GamesById, after: GamesById, notices: tuple[StoreNotice, ...]) -> str:
    """Return what went wrong; nothing when all is there or told."""
    told = [each for each in notices if each.template in (SALVAGED, SALVAGED_LATER)]
    changed = sum(int(str(each.params["changed"])) for each in told)
    damaged = any(each.kind is NoticeKind.DAMAGED for each in notices)
    kinds = {each.kind for each in notices}
    aside = bool(kinds & {NoticeKind.NEWER, NoticeKind.FOREIGN})
    other = [
        each
        for each, (row, check) in after.items()
        if each not in before
        or before[each][0] != row
        or (check > 0 and before[each][1] > 0 and check != before[each][1])
    ]
    lost = [each for each in before if each not in after]
    if len(other) > changed:
        return f"{len(other)} games are not as they were, {changed} told"
    if lost and not damaged and not aside and NoticeKind.GAME not in kinds:
        return f"{len(lost)} games are missing, and nobody is told"
    return ""


def open_and_compare(path: Path, before: GamesById) -> tuple[str, int, set[str]]:
    """Open a damaged store; return what went wrong, how many games are there, and what was told."""
    most = None if len(before) < 100 else _JOURNALS_READ
    notices: list[StoreNotice] = []
    try:
        with Store.open(path) as store:
            notices += store.take_notices()
            after = visible_games(store, most)
            notices += store.take_notices()
        if any(each.kind is NoticeKind.DAMAGED for each in notices):
            with Store.open(path) as store:
                after = visible_games(store, most)
                notices += store.take_notices()
    except Exception as error:  # noqa: BLE001 (whatever it is, the player is locked out)
        return f"does not open: {error!r}", 0, set()
    return (
        describe_failure(before, after, tuple(notices)),
        len(after),
        {str(n.kind) for n in notices},
    )


def run_damage_trials(
    folder: Path, size: int, how: Callable[[Path, random.Random], str], **o: int
) -> int:
    """Run trials of one kind on stores of one size; print and return how many failed."""
    rng = random.Random(o["seed"])
    sound = folder / f"sound-{size}" / "demine.db"
    if not sound.exists():
        make_store(sound, size, rng)
    with Store.open(sound) as store:
        before = visible_games(store, None if size < 1000 else _JOURNALS_READ)
    outcomes, failures, kept = Counter[str](), Counter[str](), Counter[str]()
    until, count = time.monotonic() + o["seconds"], 0
    while time.monotonic() < until and count < o["trials"]:
        place = folder / "trial"
        place.mkdir()
        path = place / "demine.db"
        shutil.copyfile(sound, path)
        name = how(path, rng)
        wrong, found, _ = open_and_compare(path, before)
        outcomes[name] += 1
        kept[name] += min(found, len(before))
        if wrong:
            failures[name] += 1
            print(f"  FAILED {size} games, trial {count} ({name}): {wrong}")
            shutil.copytree(place, folder / f"failed-{size}-{count}", dirs_exist_ok=True)
        shutil.rmtree(place)
        count += 1
    print(f"{how.__name__}, {size} games: {count} trials, {sum(failures.values())} failed")
    for name, number in sorted(outcomes.items()):
        share = 100 * kept[name] / number / len(before)
        print(f"  {name:<16} {number:>6} trials, {share:5.1f} % of all games there afterwards")
    return sum(failures.values())


def prepare_for_salvage(path: Path) -> None:
    """Damage a store so that a start salvages it."""
    with path.open("r+b") as stream:
        stream.seek(60)
        stream.write(b"\0\0\0\2")


def prepare_for_migration(path: Path) -> None:
    """Turn a store into one of format 3, so that a start brings it up to date."""
    sys.path.insert(0, str(Path(__file__).parents[1]))
    from tests.store.older import make_older

    make_older(path, 3)


def run_kill_trials(folder: Path, size: int, how: Callable[[Path], None], **o: int) -> int:
    """Kill programs at that work; see that the next start finds all. Return the failures."""
    rng = random.Random(o["seed"])
    sound = folder / f"sound-{size}" / "demine.db"
    if not sound.exists():
        make_store(sound, size, rng)
    with Store.open(sound) as store:
        before = visible_games(store, _JOURNALS_READ)
    ready = folder / f"ready-{how.__name__}-{size}.db"
    shutil.copyfile(sound, ready)
    how(ready)
    failed = count = interrupted = 0
    until = time.monotonic() + o["seconds"]
    whole = 0.0
    while time.monotonic() < until and count < o["trials"]:
        place = folder / "trial"
        place.mkdir()
        path = place / "demine.db"
        shutil.copyfile(ready, path)
        started = time.monotonic()
        child = subprocess.Popen([sys.executable, "-c", _OPEN_STORE_CODE, str(path)])
        if whole:
            time.sleep(rng.uniform(0.1, whole))
            interrupted += child.poll() is None
            child.kill()
        child.wait()
        whole = whole or time.monotonic() - started
        wrong, found, _ = open_and_compare(path, before)
        left = [each.name for each in place.iterdir() if ".copy" in each.name]
        if wrong or found != len(before) or left:
            failed += 1
            print(f"  FAILED {size} games, kill {count}: {wrong} {found} of {len(before)} {left}")
        shutil.rmtree(place)
        count += 1
    print(f"{how.__name__}, {size} games: {count} starts, {interrupted} in time, {failed} failed")
    return failed


def main() -> None:
    """Run what is asked for; end with 1 if any trial failed."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=int, default=60, help="for each kind and size")
    parser.add_argument("--trials", type=int, default=10_000, help="at most, of each kind and size")
    parser.add_argument("--sizes", default="5,500", help="games in a store")
    parser.add_argument("--what", default="flips,cuts,kills")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--folder", type=Path)
    asked = parser.parse_args()
    how = {"flips": flip_bits, "cuts": cut_end_off}
    options = {"seconds": asked.seconds, "trials": asked.trials, "seed": asked.seed}
    failed = 0
    with TemporaryDirectory(dir=asked.folder) as folder:
        for size in map(int, asked.sizes.split(",")):
            for what in asked.what.split(","):
                if what == "kills":
                    for each in (prepare_for_salvage, prepare_for_migration):
                        failed += run_kill_trials(Path(folder), size, each, **options)
                else:
                    failed += run_damage_trials(Path(folder), size, how[what], **options)
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()
