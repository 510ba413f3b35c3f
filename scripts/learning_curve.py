"""Draws the learning curves of `demine.envs.learning.imitate_solver` for docs/envs.md.

    python scripts/learning_curve.py beginner=beginner.csv -o docs/images/imitation.svg

Each board has a panel of its own, with lines for random play, for opening a cell of the least risk
and for the policy `fast`, which are played here on the boards of the curve.
"""

from __future__ import annotations

import argparse
import csv
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from demine.envs.learning.evaluation import (
    UNSEEN_SEED,
    WinRate,
    fast_policy,
    random_cells,
    win_rate,
)
from demine.envs.learning.labelled_positions import least_risky_player
from demine.logic.rules import Rules

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from demine.envs.learning.evaluation import ChooseActions

# Distinct for colour-blind people.
COLOURS: Final = {
    "network": "#0072b2", "fast": "#d55e00", "exact": "#00795a", "random": "#595959",
}  # fmt: skip
TICKS: Final = (0.001, 0.01, 0.1, 0.5, 0.8, 0.9, 0.95, 0.97, 0.99)
LEAST: Final = 0.0002
MOST: Final = 0.994
"""Shares beyond the two are drawn there, since the axis has no 0 and no 1."""


def main() -> None:
    """Draw the curves that the arguments name."""
    parser = argparse.ArgumentParser(description="Draw learning curves as SVG or PNG.")
    parser.add_argument("curves", nargs="+", metavar="BOARD=CURVE.csv")
    parser.add_argument("-o", "--output", type=Path, required=True)
    args = parser.parse_args()
    curves = dict(each.split("=", 1) for each in args.curves)
    draw({board: read_curve(Path(path)) for board, path in curves.items()}, args.output)


def read_curve(path: Path) -> list[dict[str, float]]:
    """Return the lines of a learning curve as numbers, by the names of their columns."""
    with path.open(encoding="utf-8", newline="") as file:
        return [{name: float(text) for name, text in line.items()} for line in csv.DictReader(file)]


def draw(curves: dict[str, list[dict[str, float]]], output: Path) -> None:
    """Draw a panel for each board."""
    import matplotlib as mpl

    mpl.use("Agg")
    mpl.rcParams["svg.hashsalt"] = "demine"  # the same curves are the same file
    from matplotlib import pyplot as plt

    figure, panels = plt.subplots(
        1, len(curves), figsize=(6.4 * len(curves), 4), layout="constrained", squeeze=False
    )
    for axis, (board, lines) in zip(panels[0], curves.items(), strict=True):
        draw_panel(axis, Rules.of(board), board, lines)
    panels[0][0].set_ylabel("games won, %")
    figure.savefig(output, metadata={"Date": None} if output.suffix == ".svg" else None)


def draw_panel(axis: Any, rules: Rules, board: str, lines: list[dict[str, float]]) -> None:  # noqa: ANN401
    """Draw how often the network wins after so many minutes, and the other players as lines."""
    minutes = [line["minutes"] for line in lines]
    rates = [WinRate(int(line["won"]), int(line["boards"])) for line in lines]
    for name, player in other_players(rules).items():
        rate = win_rate(rules, player, boards=rates[-1].boards, seed=UNSEEN_SEED)
        print(f"{board} {name}: {rate}")
        axis.axhline(_drawn(rate.share), color=COLOURS[name], linestyle="--")
        _tell(axis, name, rate.share)
    low, high = zip(*(rate.interval for rate in rates), strict=True)
    axis.fill_between(
        minutes, *map(_drawn, (low, high)), color=COLOURS["network"], alpha=0.2, linewidth=0
    )
    shares = _drawn([rate.share for rate in rates])
    axis.plot(minutes, shares, "o-", color=COLOURS["network"])
    last = f"network {rates[-1].share:.1%} after {minutes[-1]:.0f} min"
    axis.annotate(
        last, (minutes[-1], shares[-1]), (0, -60), textcoords="offset points",
        color=COLOURS["network"], ha="right", arrowprops={"arrowstyle": "-", "alpha": 0.4},
    )  # fmt: skip
    axis.set_xlabel("processor minutes of training")
    axis.set_title(f"{board} ({rules})")
    # Stretched at both ends: what is left to win shows as well as the beginning.
    axis.set_yscale("logit")
    axis.set_yticks(TICKS, [f"{100 * tick:g}" for tick in TICKS])
    axis.set_yticks([], minor=True)
    axis.set_xlim(0)
    axis.set_ylim(LEAST / 2, 0.996)
    axis.grid(visible=True, alpha=0.3)


def other_players(rules: Rules) -> dict[str, ChooseActions]:
    """Return the ways to play that the network is compared with."""
    return {
        "random": random_cells(UNSEEN_SEED),
        "exact": least_risky_player(rules, UNSEEN_SEED),
        "fast": fast_policy(rules),
    }


def _drawn(shares: ArrayLike) -> NDArray[np.float64]:
    """Return where shares are drawn."""
    return np.clip(np.asarray(shares, np.float64), LEAST, MOST)


def _tell(axis: Any, name: str, share: float) -> None:  # noqa: ANN401
    """Write a name beside its line: below at the left for `exact`, whose line is near another."""
    near = name == "exact"
    axis.annotate(
        f"{name} {share:.1%}", (0.02 if near else 0.98, _drawn(share)), (0, -4 if near else 4),
        xycoords=("axes fraction", "data"), textcoords="offset points", color=COLOURS[name],
        ha="left" if near else "right", va="top" if near else "bottom",
    )  # fmt: skip


if __name__ == "__main__":
    main()
