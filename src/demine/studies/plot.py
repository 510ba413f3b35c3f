"""Plots of results: win rate, guesses and survival of one study, or the curve of a sweep.

Matplotlib is imported when something is drawn, and draws without a window. The text in pictures is
English, since the fonts of matplotlib have no Chinese characters.
"""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from demine.replay.limited_file_io import atomic_write
from demine.scene.cell_names import cell_pair
from demine.studies.errors import StudyError
from demine.studies.output_check import check_writable
from demine.studies.totals import MAX_GUESSES, SURVIVAL_BINS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from demine.studies.result import PolicyResult, StudyResult

FORMATS: Final = ("png", "svg", "pdf")
# Blue and orange, distinct for colour-blind people; the shapes differ too.
_COLOURS: Final = ("#0072b2", "#d55e00")
_MARKS: Final = ("o", "s")
_DPI: Final = 150


def check_plot_target(target: str) -> None:
    """Raise `StudyError` if a plot cannot be written: wrong suffix, bad path, no matplotlib."""
    if _file_kind(target) not in FORMATS:
        raise StudyError(
            "{path} is not a picture demine draws: name it {kinds}",
            path=target,
            kinds=", ".join(f"*.{kind}" for kind in FORMATS),
        )
    check_writable(Path(target))
    if find_spec("matplotlib") is None:
        raise StudyError('plots need matplotlib: install it with `pip install "demine[study]"`')


def draw_results(results: Sequence[StudyResult], target: str, *, sweep: bool = False) -> None:
    """Plot the result of one study, or with `sweep` those of studies with more and more mines.

    The suffix of the file `target` chooses PNG, SVG or PDF. Raises `StudyError` as
    `check_plot_target` does, and `ReplayError` if the file cannot be written.
    """
    check_plot_target(target)
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(8, 5) if sweep else (12, 4.2), dpi=_DPI, layout="constrained")
    FigureCanvasAgg(figure)
    if sweep:
        _draw_sweep(figure.subplots(), results)
    else:
        narrow = 0.7 if len(results[0].policies) == 1 else 1.0
        rates, guesses, survival = figure.subplots(1, 3, width_ratios=(narrow, 1, 1))
        _draw_win_rates(rates, results[0])
        _draw_guesses(guesses, results[0])
        _draw_survival(survival, results[0])
    figure.suptitle(_title(results), fontsize=11)
    with atomic_write(Path(target)) as file:
        figure.savefig(file, format=_file_kind(target), facecolor="white")


def _file_kind(target: str) -> str:
    return Path(target).suffix[1:].lower()


def _title(results: Sequence[StudyResult]) -> str:
    plan = results[0].plan
    rules, (row, col) = plan.rules, plan.start
    mines = f"/{rules.mines}" if len(results) == 1 else ""
    games = f"{results[0].counts.games:,} games" + (" each" if len(results) > 1 else "")
    return (
        f"{rules.width}x{rules.height}{mines}, first={rules.first}, from {cell_pair(row, col)}, "
        f"seed {plan.seed}, {games}"
    )


def _draw_win_rates(axes: Any, result: StudyResult) -> None:  # noqa: ANN401 - matplotlib's types come with it
    """Draw the win rate of each policy with its interval, labelled with the numbers."""
    policies = result.policies
    for place, each in enumerate(policies):
        low, high = (100 * share for share in each.interval)
        rate = 100 * each.win_rate
        axes.errorbar(
            [place],
            [rate],
            yerr=[[max(0.0, rate - low)], [max(0.0, high - rate)]],
            fmt=_MARKS[place],
            color=_COLOURS[place],
            capsize=6,
        )
        axes.annotate(
            f"{rate:.2f}\n{low:.2f} to {high:.2f}",
            (place, high),
            xytext=(0, 8),
            textcoords="offset points",
            ha="center",
            fontsize=9,
            bbox={"facecolor": "white", "edgecolor": "none", "pad": 1},
        )
    lows, highs = zip(*(each.interval for each in policies), strict=True)
    room = max(1.0, 100 * (max(highs) - min(lows)))
    axes.set_ylim(100 * min(lows) - 0.5 * room, 100 * max(highs) + 0.9 * room)
    axes.set_yticks([tick for tick in axes.get_yticks() if 0 <= tick <= 100])
    axes.set_ylim(100 * min(lows) - 0.5 * room, 100 * max(highs) + 0.9 * room)
    axes.set_xlim(-0.7, len(policies) - 0.3)
    axes.set_xticks(range(len(policies)), [each.policy for each in policies])
    axes.set_ylabel("games won, %")
    axes.set_title("Win rate, 95 % interval", fontsize=10)
    axes.grid(axis="y", alpha=0.3)


def _draw_guesses(axes: Any, result: StudyResult) -> None:  # noqa: ANN401
    """Draw a histogram of guesses per game."""
    most = 1
    for place, each in enumerate(result.policies):
        counts = each.tally.by_guesses
        most = max(most, *(number for number, count in enumerate(counts) if count), 1)
        _draw_bars(axes, place, result, [100 * count / max(1, each.games) for count in counts])
    axes.set_xlim(-0.6, most + 0.6)
    step = max(1, -(-(most + 1) // 11))
    ticks = list(range(0, most + 1, step))
    names = [f"{tick}+" if tick == MAX_GUESSES else str(tick) for tick in ticks]
    axes.set_xticks(ticks, names)
    axes.set_xlabel("guesses in a game")
    axes.set_ylabel("games, %")
    means = (f"{each.guesses_per_game:.2f}" for each in result.policies)
    axes.set_title(f"Guesses per game: {' and '.join(means)} on average", fontsize=10)
    _draw_legend(axes, result.policies)


def _draw_survival(axes: Any, result: StudyResult) -> None:  # noqa: ANN401
    """Draw a histogram of the games' chances to survive all guesses."""
    for place, each in enumerate(result.policies):
        counts = each.tally.by_survival
        _draw_bars(axes, place, result, [100 * count / max(1, each.games) for count in counts])
    axes.set_xlim(-0.8, SURVIVAL_BINS + 0.8)
    quarters = range(0, SURVIVAL_BINS, SURVIVAL_BINS // 4)
    axes.set_xticks(
        [*(tick - 0.5 for tick in quarters), SURVIVAL_BINS],
        [*(f"{100 * tick // SURVIVAL_BINS}" for tick in quarters), "100"],
    )
    axes.set_xlabel("chance to get through all guesses, %")
    axes.set_ylabel("games, %")
    axes.set_title("Survival products", fontsize=10)
    _draw_legend(axes, result.policies)


def _draw_bars(axes: Any, place: int, result: StudyResult, shares: list[float]) -> None:  # noqa: ANN401
    """Draw the bars of one policy, beside those of the other if there are two."""
    policies = result.policies
    width = 0.84 / len(policies)
    shift = (place - (len(policies) - 1) / 2) * width
    axes.bar(
        [number + shift for number in range(len(shares))],
        shares,
        width,
        color=_COLOURS[place],
        hatch="//" if place else None,
        edgecolor="white",
        linewidth=0.3,
        label=policies[place].policy,
    )


def _draw_sweep(axes: Any, results: Sequence[StudyResult]) -> None:  # noqa: ANN401
    """Draw the win rate against the number of mines, with its interval as a band."""
    mines = [result.plan.rules.mines for result in results]
    for place, policy in enumerate(results[0].plan.policies):
        found = [result.policies[place] for result in results]
        low = [100 * each.interval[0] for each in found]
        high = [100 * each.interval[1] for each in found]
        axes.fill_between(mines, low, high, color=_COLOURS[place], alpha=0.25, linewidth=0)
        axes.plot(
            mines,
            [100 * each.win_rate for each in found],
            color=_COLOURS[place],
            marker=_MARKS[place],
            markersize=4,
            label=policy,
        )
    cells = results[0].plan.rules.cells
    axes.set_xlabel("mines")
    axes.set_ylabel("games won, %")
    axes.set_ylim(-2, 102)
    axes.grid(alpha=0.3)
    density = axes.secondary_xaxis(
        "top", functions=(lambda count: 100 * count / cells, lambda share: share * cells / 100)
    )
    density.set_xlabel("density, % of cells")
    axes.legend(frameon=False)


def _draw_legend(axes: Any, policies: Sequence[PolicyResult]) -> None:  # noqa: ANN401
    if len(policies) > 1:
        axes.legend(frameon=False, fontsize=9)
