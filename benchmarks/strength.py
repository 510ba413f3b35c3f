"""How often each policy wins, and what its games cost: the studies behind `docs/strength.md`.

Every row is a study that anybody can repeat: the command is printed with it. Studies that are done
are kept in the user data folder (`DEMINE_DATA_DIR`) and are not played again; all of them together
take some hours of one processor.

    python -m benchmarks.strength [--only POLICY]
    python -m benchmarks.strength --speeds
    python -m benchmarks.strength --games-factor 0.01

The first plays what is not played yet. The second plays a few seconds of each row, all rows in
turn, three times, and takes the median games per CPU second: the machine is the same for all,
whatever else it did at the time of a row. Both keep what they find in `strength.json` and make the
table and the picture of the page from it. The third only prints a table, of a hundredth of the
games.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
from pathlib import Path
from typing import Any, Final, NamedTuple

import demine
from benchmarks.measure import Row, Run
from demine.solver.player.policy_table import POLICIES
from demine.solver.wilson_interval import wilson_interval

SEED: Final = 2026
DEEP_SEED: Final = 58281128
DEEP_GAMES: Final = 1_000_000
"""How many games `deep` plays on every board, and the seed that was fixed before."""
PSEQ: Final = 731.0
"""Expert games a second of one core, at 39.62 % won."""
BOARDS: Final = {
    "expert": ("30x16/99", 200_000),
    "intermediate": ("16x16/40", 1_000_000),
    "beginner": ("9x9/10", 1_000_000),
    "8x8/10": ("8x8/10", 1_000_000),
}
SPEED_SECONDS: Final = 2.0
"""How long a row is played for its speed, each time."""
TICKS: Final = (0.1, 0.2, 0.5, 1, 2, 5, 10)
RECORDS: Final = {
    ("expert", "safe"): "41.132",
    ("expert", "zero"): "54.3",
    ("intermediate", "safe"): "78.23",
    ("intermediate", "zero"): "89.08",
    ("beginner", "safe"): "91.69",
    ("beginner", "zero"): "97.17",
    ("8x8/10", "safe"): "81.77",
    ("8x8/10", "zero"): "90.34",
}
"""The best published win rates, in per cent."""


FIGURES: Final = Path(__file__).with_name("strength.json")
"""What was played: `played` and `speeds` by row."""
PAGE: Final = Path(__file__).parent.parent / "docs/strength.md"
PICTURE: Final = PAGE.with_name("images") / "strength.svg"
TABLE_HEAD: Final = (
    "| board | first | policy | games | won | 95 % interval | record | games per CPU second |\n"
    "|---|---|---|---|---|---|---|---|\n"
)


class Study(NamedTuple):
    """One row of the table."""

    board: str
    first: str
    policy: str
    games: int

    @property
    def name(self) -> str:
        """Its key in `FIGURES`."""
        return f"{self.board} {self.first} {self.policy}"

    @property
    def seed(self) -> int:
        """The seed of its boards."""
        return DEEP_SEED if self.policy == "deep" else SEED

    @property
    def command(self) -> list[str]:
        """What is typed to play it."""
        return [
            "study", BOARDS[self.board][0], "--first", self.first, "--policy", self.policy,
            "--games", str(self.games), "--seed", str(self.seed),
        ]  # fmt: skip


def rows(run: Run) -> list[Row]:
    """Return games a second of one processor, beside what other programs publish."""
    found = []
    for policy, games in (("fast", 20_000), ("strong", 20_000), ("best", 3_000)):
        demine.study("expert first=safe", games=2, policy=policy, workers=1)  # loads kernels
        played_games = demine.study(
            "expert first=safe", games=run.often(games) if run.quick else games, policy=policy,
            seed=SEED, workers=1,
        )  # fmt: skip
        speed = played_games.policies[0].games_per_cpu_second
        peer, theirs = ("PSEQ, as published", PSEQ) if policy == "strong" else ("", None)
        found.append(Row(f"`{policy}`", speed, "games/s", peer, theirs, more_is_better=True))
    return found


def main() -> None:
    """Play what is not played yet or measure the speeds, then make the table and the picture."""
    parser = argparse.ArgumentParser(description="Win rates and costs of the policies.")
    parser.add_argument("--games-factor", type=float, default=1.0)
    parser.add_argument("--only", choices=POLICIES)
    parser.add_argument("--speeds", action="store_true")
    arguments = parser.parse_args()
    tried = arguments.games_factor != 1.0
    figures = {"played": {}, "speeds": {}} if tried else json.loads(FIGURES.read_text())
    chosen = [
        study for study in studies(arguments.games_factor) if arguments.only in {None, study.policy}
    ]
    if arguments.speeds:
        figures["speeds"].update(median_speeds(chosen))
    else:
        for study in chosen:
            found = played(study)
            figures["played"][study.name] = {name: found[name] for name in ("games", "won")}
            figures["speeds"].setdefault(study.name, round(found["games_per_cpu_second"]))
    print(table(figures))
    if not tried:
        FIGURES.write_text(json.dumps(figures, indent=1) + "\n")
        PAGE.write_text(page_with_table(PAGE.read_text(), table(figures)))
        draw(figures, PICTURE)


def studies(factor: float) -> list[Study]:
    """Return all studies, the weakest policies first; the small boards for the best alone."""
    return [
        Study(board, first, policy, max(100, int(games_of(board, policy) * factor)))
        for board in BOARDS
        for first in ("safe", "zero")
        for policy in POLICIES
        if policy in wanted(board)
    ]


def games_of(board: str, policy: str) -> int:
    """Return how many games of a board a policy plays."""
    return DEEP_GAMES if policy == "deep" else BOARDS[board][1]


def median_speeds(rows: list[Study]) -> dict[str, int]:
    """Return games per CPU second of each row, the median of three rounds."""
    games = [max(50, int(SPEED_SECONDS * games_a_second(each, 50))) for each in rows]
    rounds = [
        [games_a_second(each, often) for each, often in zip(rows, games, strict=True)]
        for _ in range(3)
    ]
    return {
        each.name: round(statistics.median(speeds))
        for each, speeds in zip(rows, zip(*rounds, strict=True), strict=True)
    }


def games_a_second(study: Study, games: int) -> float:
    """Play so many games of a row; return how many one processor plays in a second."""
    played_games = demine.study(
        f"{BOARDS[study.board][0]} first={study.first}", games=games, policy=study.policy,
        seed=SEED, workers=1,
    )  # fmt: skip
    return played_games.policies[0].games_per_cpu_second


def wanted(board: str) -> tuple[str, ...]:
    """Return whose studies of a board are told."""
    if board == "expert":
        return POLICIES
    return ("best", "deep") if board == "8x8/10" else ("fast", "strong", "best", "deep")


def played(study: Study) -> dict[str, Any]:
    """Play a study, go on with one that was begun, or read one that is done; return its figures."""
    command = [sys.executable, "-m", "demine", *study.command, "--json"]
    print("demine", *study.command, file=sys.stderr)
    done = subprocess.run([*command, "--resume"], check=False, capture_output=True, text=True)
    if done.returncode:
        # There is nothing to resume, or it fails again and says why.
        done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def table(figures: dict[str, dict[str, Any]]) -> str:
    """Return the table as Markdown."""
    lines = []
    for study in studies(1.0):
        found = figures["played"].get(study.name)
        if found is None:
            continue
        low, high = wilson_interval(found["won"], found["games"])
        lines.append(
            f"| {study.board} | {study.first} | `{study.policy}` | {spaced(found['games'])}"
            f" | {100 * found['won'] / found['games']:.3f} % | {100 * low:.3f} to {100 * high:.3f}"
            f" | {RECORDS[study.board, study.first]} | {spaced(figures['speeds'][study.name])} |\n"
        )
    return TABLE_HEAD + "".join(lines)


def spaced(number: int) -> str:
    """Return a number with spaces between its thousands."""
    return f"{number:,}".replace(",", " ")


def page_with_table(text: str, new: str) -> str:
    """Return a page with its table replaced."""
    before, head, rest = text.partition(TABLE_HEAD)
    if not head:
        raise SystemExit(f"{PAGE} has no table with this head:\n{TABLE_HEAD}")
    return before + new + rest[rest.index("\n\n") + 1 :]


def draw(figures: dict[str, dict[str, Any]], path: Path) -> None:
    """Draw strength against cost on expert boards."""
    import matplotlib as mpl

    mpl.use("Agg")
    from matplotlib import pyplot as plt

    figure, axes = plt.subplots(1, 2, figsize=(9, 4), layout="constrained")
    for axis, first in zip(axes, ("safe", "zero"), strict=True):
        # Who never guesses wins so little that the others could not be told apart.
        chosen = [
            study
            for study in studies(1.0)
            if (study.board, study.first) == ("expert", first) and study.policy != "logic"
        ]
        speeds = [1000 / figures["speeds"][study.name] for study in chosen]
        counts = [figures["played"][study.name] for study in chosen]
        wins = [100 * each["won"] / each["games"] for each in counts]
        intervals = [wilson_interval(each["won"], each["games"]) for each in counts]
        errors = [50 * (high - low) for low, high in intervals]
        axis.errorbar(speeds, wins, yerr=errors, fmt="o-", color="#0072b2", capsize=3)
        for study, x, y in zip(chosen, speeds, wins, strict=True):
            # Below the line between the points, but for the last, which the record may cross.
            beside = (8, 4) if study is chosen[-1] else (8, -13)
            axis.annotate(study.policy, (x, y), beside, textcoords="offset points")
        axis.axhline(float(RECORDS["expert", first]), color="#d55e00", linestyle="--")
        axis.annotate(
            "best published", (0.02, float(RECORDS["expert", first])), (0, 4),
            xycoords=("axes fraction", "data"), textcoords="offset points", color="#d55e00",
        )  # fmt: skip
        axis.set_xscale("log")
        axis.set_xticks(TICKS, [f"{tick:g}" for tick in TICKS], minor=False)
        axis.set_xticks([], minor=True)
        axis.set_xlabel("CPU milliseconds per game")
        axis.set_ylabel("games won, %")
        axis.set_title(f"expert, first click {first}")
        # To the right of the last point there must be room for its name.
        axis.margins(x=0.2, y=0.15)
        axis.grid(visible=True, alpha=0.3)
    figure.savefig(path)


if __name__ == "__main__":
    main()
