"""What `demine admin suspicion` does: compares how somebody played with how all others did."""

from __future__ import annotations

from collections import defaultdict
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from demine.cli.ctrl_c import catch_ctrl_c
from demine.cli.exit_codes import DONE, INTERRUPTED
from demine.cli.progress_line import Progress
from demine.cli.text_table import fitted_lines, terminal_width
from demine.game import Game
from demine.logic.errors import DemineError
from demine.logic.json_text import to_json
from demine.logic.sanitize import escape_to_one_line
from demine.replay.load_save import load
from demine.reviews.play_figures import (
    LEAST_OTHERS,
    PLAY_FIGURES,
    ComparedFigure,
    PlayCounts,
    compare_play,
    play_counts,
)
from demine.scene.translation import explain, mark, ntr, tr
from demine.web.database.administration import Administration

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from demine.web.database.compared_games import ComparedGame
    from demine.web.database.place import DatabasePlace

_HEADS: Final = (
    mark("Figure"), mark("Value"), mark("Values"), mark("Others"), mark("10%"), mark("Median"),
    mark("90%"), mark("Lower"), "",
)  # fmt: skip
_NUMBER_COLUMNS: Final = range(1, len(_HEADS) - 1)
_SAYS: Final = mark(
    "None of this is a verdict. A figure is unusual if fewer than 5% of at least {n} others are "
    "beyond it: one in ten figures of an honest player is. It cannot say who moved the pointer, "
    "nor tell practice, a good mouse or a slow connection from a program; whoever writes a program "
    "can have it move like a hand. Times are those at which acts reached the server, and the "
    "pointer is recorded in some replay files only."
)


@dataclass(slots=True)
class _Played:
    """The games of one player at one level."""

    player: str
    """The id, or the name in a file."""
    name: str
    size: str
    counts: PlayCounts = field(default_factory=PlayCounts)


class _Stopped(Exception):
    """Ctrl-C was pressed."""


def report_suspicion(place: DatabasePlace, subject: str, why: str, *, as_json: bool) -> int:
    """Print how a player, a game or the games in files compare; return the exit code.

    `place` is that of the server's database, which need not be there if `subject` names a file or
    folder.
    """
    file = Path(subject)
    with ExitStack() as stack:
        stop = stack.enter_context(catch_ctrl_c())
        opened = None
        has_database = not isinstance(place, Path) or place.exists()
        if has_database or not file.exists():
            opened = stack.enter_context(Administration.open(place))
        try:
            compared = (
                _compare_files(file, opened, stop)
                if file.exists()
                else _compare_subject(opened, subject, stop)
            )
        except _Stopped:
            return INTERRUPTED
        if opened is not None:
            opened.note("suspicion", subject, why)
    if as_json:
        click.echo(to_json({"compared": [_plain(*each) for each in compared], "says": _says()}))
    else:
        _print(compared)
    return DONE


# Counting

_Compared = tuple[_Played, list[ComparedFigure]]


def _compare_subject(
    opened: Administration | None, subject: str, stop: Callable[[], bool]
) -> list[_Compared]:
    """Compare a player or a game of the database with all other players there."""
    if opened is None:
        return []
    own = _count(opened, opened.games_of_subject(subject), stop)
    return _compared(own, _Others(opened, stop), ())


def _compare_files(
    file: Path, opened: Administration | None, stop: Callable[[], bool]
) -> list[_Compared]:
    """Compare the players of files with each other, and with those of a database."""
    own: dict[tuple[str, str], _Played] = {}
    files = sorted(each for each in file.rglob("*") if each.is_file()) if file.is_dir() else [file]
    with Progress(len(files), "files") as progress:
        for each in files:
            _check(stop)
            progress.step()
            try:
                game = load(each)
                if not game.status.over:
                    continue
                found = play_counts(game)
            except DemineError as error:
                if file.is_dir():
                    click.echo(escape_to_one_line(explain(error)), err=True)
                    continue
                raise
            player = str(game.facts.get("player", "") or each.name)
            size = str(game.rules).partition(" ")[0]
            own.setdefault((player, size), _Played(player, player, size)).counts.add(found)
    return _compared(own.values(), _Others(opened, stop), own.values())


class _Others:
    """The players of a database, counted once for each level."""

    def __init__(self, opened: Administration | None, stop: Callable[[], bool]) -> None:
        self._opened = opened
        self._stop = stop
        self._known: dict[str, list[_Played]] = defaultdict(list)

    def at(self, size: str, besides: str) -> list[_Played]:
        """Return the other players on boards of a size."""
        if self._opened is not None and size not in self._known:
            games = self._opened.games_of_others(size, besides)
            self._known[size] = [*_count(self._opened, games, self._stop)]
        return self._known[size]


def _compared(
    own: Iterable[_Played], others: _Others, beside: Iterable[_Played]
) -> list[_Compared]:
    """Return the figures of some players beside those of others at the same level."""
    found = []
    for each in own:
        known = [one for one in beside if one is not each and one.size == each.size]
        known += others.at(each.size, each.player)
        found.append((each, compare_play(each.counts, [one.counts for one in known])))
    return found


def _count(
    opened: Administration, games: Sequence[ComparedGame], stop: Callable[[], bool]
) -> Iterable[_Played]:
    """Count games of the database by player and level, while the progress is shown."""
    found: dict[tuple[str, str], _Played] = {}
    with Progress(len(games), "games") as progress:
        for each in games:
            _check(stop)
            progress.step()
            try:
                counts = play_counts(Game.from_journal(opened.journal(each.num), trusted=True))
            except DemineError:  # deleted meanwhile, or nothing was opened
                continue
            key = each.player, each.size
            found.setdefault(key, _Played(each.player, each.name, each.size)).counts.add(counts)
    return found.values()


def _check(stop: Callable[[], bool]) -> None:
    if stop():
        raise _Stopped


# Telling


def _plain(played: _Played, figures: Sequence[ComparedFigure]) -> dict[str, Any]:
    return {
        "player": played.player,
        "name": played.name,
        "rules": played.size,
        "games": played.counts.games,
        "figures": [each.to_dict() for each in figures],
    }


def _says() -> str:
    return tr(_SAYS, n=LEAST_OTHERS)


def _print(compared: Sequence[_Compared]) -> None:
    if not compared:
        click.echo(tr("Nothing is there."))
        return
    for played, figures in compared:
        who = " ".join(dict.fromkeys(filter(None, (played.name, played.player))))
        games = ntr("{n} game", "{n} games", played.counts.games)
        click.echo(f"{escape_to_one_line(who)}  {played.size}  {games}")
        rows = [[tr(head) if head else "" for head in _HEADS], *map(_row, figures)]
        width = terminal_width()
        for line in fitted_lines(rows, width, shrinking_column=0, right_columns=_NUMBER_COLUMNS):
            click.echo(line)
        click.echo("")
    for figure in PLAY_FIGURES.values():
        click.echo(f"{tr(figure.label)}: {tr(figure.about)}")
    click.echo("")
    click.echo(_says())


def _row(figure: ComparedFigure) -> list[str]:
    share = figure.share_below
    return [
        tr(PLAY_FIGURES[figure.name].label),
        _value(figure, figure.value),
        str(figure.count),
        str(len(figure.others)),
        *(_value(figure, figure.quantile(part)) for part in (0.1, 0.5, 0.9)),
        "–" if share is None else f"{share:.0%}",
        tr("unusual") if figure.unusual else "",
    ]


def _value(figure: ComparedFigure, value: float | None) -> str:
    if value is None:
        return "–"
    match PLAY_FIGURES[figure.name].unit:
        case "%":
            return f"{value:.1%}"
        case "ms":
            return f"{value / 1000:.3f} s"
        case "/s":
            return f"{value:.1f}/s"
        case _:
            return f"{value:.2f}".rstrip("0").rstrip(".")
