"""Troubles a player's records while games are played, and counts what was lost: nothing should be.

    python scripts/store_trouble.py [--rounds 20] [--seed N] [TROUBLE ...]

Each round, a player in a process of its own plays small boards, wins, loses, leaves some, closes in
order, and says what it showed. Meanwhile, by TROUBLE (all of them, unless some are named):

* `locked`: another process holds the database for up to eight seconds, at the start, while games
  are played, while the player closes, and beyond;
* `full`: the disk has no room, then it has, then it has none (a small disk is mounted for it);
* `log`: the log, its index, the database, or several of them are deleted at any moment;
* `cut`: the log or its index is cut between two acts;
* `killed`: the player is killed, under a lock or not, while it plays, saves elsewhere or starts.

Then the next start is looked at: all that was shown, and all that was said to be kept before a
kill, has to be there, as it was. One line a trouble, and 1 as exit code if something was lost.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "src")]

from demine.logic.event import Lay, Verb  # noqa: E402 - the paths come first
from demine.play.game_session import GameSession  # noqa: E402
from demine.play.unsaved_games_at_exit import opened_store  # noqa: E402
from demine.scene.preferences import Preferences, StartOptions  # noqa: E402
from demine.store import Store, StoreError  # noqa: E402
from demine.store.database_paths import spill_files  # noqa: E402
from tests.store.holding import fill, held, small_disk  # noqa: E402
from tests.store.playing import digest, safe_cells  # noqa: E402

if TYPE_CHECKING:
    from collections.abc import Callable

    from demine.game import Game

ShownState = dict[str, Any]
ACTS: Final = 160


def main() -> int:
    """Trouble the records; 1 if something was lost."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--seed", type=int, default=None)
    parser.add_argument("--acts", type=int, default=ACTS)
    parser.add_argument("--play", nargs=2, metavar=("DATABASE", "SEED"), help=argparse.SUPPRESS)
    parser.add_argument("--cut", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("troubles", nargs="*", metavar="TROUBLE", help=", ".join(TROUBLES))
    options = parser.parse_args()
    if options.play:
        play_acts(options.play[0], int(options.play[1]), options.acts, cuts=options.cut)
        return 0
    seed = random.randrange(1 << 32) if options.seed is None else options.seed
    lost = 0
    for name in options.troubles or TROUBLES:
        counts: Counter[str] = Counter()
        for number in range(options.rounds):
            with tempfile.TemporaryDirectory() as folder:
                run_round(
                    name,
                    Path(folder),
                    random.Random(f"{seed} {name} {number}"),
                    options.acts,
                    counts,
                )
        lost += counts["lost"]
        print(f"{name}: " + ", ".join(f"{counts[what]} {what}" for what in COUNTED), flush=True)
    print(f"seed {seed}")
    return 1 if lost else 0


COUNTED: Final = ("rounds", "acts", "games shown", "put elsewhere", "files taken in", "lost")


def run_round(name: str, folder: Path, rng: random.Random, acts: int, counts: Counter[str]) -> None:
    """Play once with a trouble, and count what the next start finds."""
    os.environ["XDG_STATE_HOME"] = str(folder / "state")
    with ExitStack() as stack:
        disk = stack.enter_context(small_disk(folder / "disk", 1024)) if name == "full" else folder
        path = disk / "demine.db"
        for _ in range(2 if name == "killed" else 1):
            said = play_under_trouble(TROUBLES[name], path, rng, acts, counts)
            counts["put elsewhere"] += len(spill_files(path))
            counts["acts"] += len(said)
            count_lost_games(path, said, counts, killed=name == "killed")
        counts["rounds"] += 1


def play_under_trouble(
    trouble: Callable[[PlayerProcess, random.Random], None],
    path: Path,
    rng: random.Random,
    acts: int,
    counts: Counter[str],
) -> list[ShownState]:
    """Let a player play under a trouble; return what it said."""
    with Store.open(path) if rng.random() < 0.7 else suppress(StoreError):
        pass
    player = PlayerProcess(path, rng, acts)
    trouble(player, rng)
    player.reading.join()
    if player.process.wait() not in (0, -9):
        counts["lost"] += 1
        print(f"the player ended by {player.process.returncode}", file=sys.stderr)
    return player.shown_states


class PlayerProcess:
    """A process that plays; `shown_states` is what it has printed so far."""

    def __init__(self, path: Path, rng: random.Random, acts: int) -> None:
        self.path = path
        self.acts = acts
        self.shown_states: list[ShownState] = []
        self._start = [
            sys.executable,
            __file__,
            "--acts",
            str(acts),
            "--play",
            str(path),
            str(rng.random())[2:],
        ]
        self.process: subprocess.Popen[str]
        self.reading = threading.Thread(target=self._read)

    def start(self, *options: str) -> None:
        """Begin to play."""
        self.process = subprocess.Popen(
            [*self._start, *options],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        self.reading.start()

    def _read(self) -> None:
        if self.process.stdout is None:
            return
        with self.process.stdout as stream:
            for line in stream:
                if line.endswith("\n"):
                    self.shown_states.append(json.loads(line))

    @property
    def is_running(self) -> bool:
        """Whether it plays or closes."""
        return self.process.poll() is None

    def wait_for_acts(self, more: int) -> None:
        """Wait until it has said so much more, or is gone."""
        until = len(self.shown_states) + more
        while self.is_running and len(self.shown_states) < until:
            time.sleep(0.002)


# The troubles


def hold_lock_again_and_again(player: PlayerProcess, rng: random.Random) -> None:
    """Hold the database again and again."""
    first = rng.random() < 0.4 and player.path.exists()
    if not first:
        player.start()
    while first or player.is_running:
        time.sleep(0 if first else rng.uniform(0, 0.8))
        with (
            suppress(AssertionError),
            held(player.path, rng.choice(("IMMEDIATE", "EXCLUSIVE", "ALONE"))),
        ):
            if first:
                first = False
                player.start()
            patience = time.monotonic() + rng.choice((0.2, 1.0, 3.5, 8.0))
            while player.is_running and time.monotonic() < patience:
                time.sleep(0.01)


def fill_disk_and_free_it(player: PlayerProcess, rng: random.Random) -> None:
    """Fill the disk and make room again."""
    first = rng.random() < 0.4
    if not first:
        player.start()
    while first or player.is_running:
        ballast = fill(player.path.parent)
        if first:
            first = False
            player.start()
        patience = time.monotonic() + rng.choice((0.2, 1.0, 4.0, 8.0))
        while player.is_running and time.monotonic() < patience:
            time.sleep(0.01)
        ballast.unlink()
        time.sleep(rng.uniform(0, 0.8))


def delete_database_files(player: PlayerProcess, rng: random.Random) -> None:
    """Delete or cut what lies there, and let an act pass each time."""
    player.start()
    player.wait_for_acts(3)
    while player.is_running:
        time.sleep(rng.uniform(0, 0.2))
        for end in rng.choice(DELETED_TOGETHER):
            with suppress(OSError):
                player.path.with_name(player.path.name + end).unlink()
        player.wait_for_acts(2)
        if len(player.shown_states) > player.acts * 3 // 4:
            return  # what is taken away after the last act of all is nobody's to notice


DELETED_TOGETHER: Final = (("-wal",), ("-shm",), ("-wal", "-shm"), ("",), ("-wal", "-shm", ""))
"""What is deleted at once, by the ends of the names."""


def let_player_cut_log(player: PlayerProcess, rng: random.Random) -> None:
    """Let the player itself cut the log or its index between two acts: none is being written."""
    del rng
    player.start("--cut")


def kill_player(player: PlayerProcess, rng: random.Random) -> None:
    """Kill the player at any moment, some of them under a lock and some while it closes."""
    player.start()
    with ExitStack() as stack:
        if rng.random() < 0.6:
            player.wait_for_acts(rng.randrange(1, 100))
            with suppress(AssertionError):
                stack.enter_context(held(player.path))
        player.wait_for_acts(rng.randrange(ACTS + 40))
        time.sleep(rng.uniform(0, 7.0) * (rng.random() < 0.4))
        player.process.kill()


TROUBLES: Final = {
    "locked": hold_lock_again_and_again,
    "full": fill_disk_and_free_it,
    "log": delete_database_files,
    "cut": let_player_cut_log,
    "killed": kill_player,
}


# The next start


def count_lost_games(
    path: Path, said: list[ShownState], counts: Counter[str], *, killed: bool
) -> None:
    """Count the games that were shown, and those of them that the next start does not find."""
    before = len(spill_files(path))
    with Store.open(path) as store:
        rows = [*store.games(limit=-1), *store.games(status="running", limit=-1)]
        games = [(row.status, store.load_game(row.id)) for row in rows]
    counts["files taken in"] += before - len(spill_files(path))
    shown = [one for one in said if one["over"]] + said[-1:]
    if killed:
        kept = [at for at, one in enumerate(said) if one["kept"]]
        last = kept[-1] if kept else -1
        shown = [one for one in said[: last + 1] if one["over"]] + said[last : last + 1]
        shown = shown if kept else []
    counts["games shown"] += len({(one["digest"], one["count"]) for one in shown})
    for one in shown:
        if not any(_is_shown_game(one, status, game, exact=not killed) for status, game in games):
            counts["lost"] += 1
            print(f"lost: {one}", file=sys.stderr)


def _is_shown_game(one: ShownState, status: str, game: Game, *, exact: bool) -> bool:
    if digest(game.events, one["count"]) != one["digest"]:
        return False
    if one["over"]:
        return bool(status == one["status"] and _event_count(game) == one["count"])
    return bool(_event_count(game) == one["count"] if exact else _event_count(game) >= one["count"])


# The player


def play_acts(path: str, seed: int, acts: int, *, cuts: bool) -> None:
    """Play, and say after each act what is shown and whether it is kept."""
    rng = random.Random(seed)
    with opened_store(path) as (store, _):
        session = GameSession.begin(store, StartOptions(), Preferences(rules="6x5/4"))
        for _ in range(acts):
            before = session.game
            if cuts and rng.random() < 0.1:
                file = f"{path}{rng.choice(DELETED_TOGETHER[:2])[0]}"
                with suppress(OSError):
                    os.truncate(file, int(os.stat(file).st_size * rng.random()))  # noqa: PTH116
            play_one_act(session, rng)
            session.save_if_due()
            if before is not session.game and before.begun:
                print_game_state(before, store)
            if session.game.begun:
                print_game_state(session.game, store)
            time.sleep(rng.uniform(0, 0.02))
        session.close()


def play_one_act(session: GameSession, rng: random.Random) -> None:
    """Do what a player does."""
    game, chance = session.game, rng.random()
    if game.status.over or chance < 0.03:
        session.begin_new_game(game.rules)
    elif not game.begun:
        session.play(Verb.OPEN, 0, 0)
    elif chance < 0.06:
        row, col = next(zip(*game.board.mine_map.nonzero(), strict=True))
        session.play(Verb.OPEN, int(row), int(col))
    else:
        verb = Verb.OPEN if rng.random() < 0.6 else Verb.FLAG
        session.play(verb, *rng.choice(safe_cells(game)))


def print_game_state(game: Game, store: Store) -> None:
    """Say how a game stands."""
    status = "resigned" if game.resigned else game.status.value
    line: ShownState = {
        "count": _event_count(game),
        "digest": digest(game.events, _event_count(game)),
        "over": game.status.over,
        "status": status,
        "kept": not store.retry_queue,
    }
    print(json.dumps(line), flush=True)


def _event_count(game: Game) -> int:
    return sum(not isinstance(event, Lay) for event in game.events)


if __name__ == "__main__":
    sys.exit(main())
