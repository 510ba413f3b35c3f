"""What `demine admin` does: carries out one action on the database of a server."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from demine.cli.admin_actions import ACTIONS
from demine.cli.ctrl_c import catch_ctrl_c
from demine.cli.exit_codes import DONE, INTERRUPTED
from demine.cli.progress_line import Progress
from demine.cli.text_table import fitted_lines, terminal_width
from demine.logic.json_text import to_json
from demine.logic.sanitize import escape_to_one_line
from demine.scene.translation import mark, ntr, tr
from demine.web.database.administration import (
    Administration,
    copied_by_postgres,
    downgrade_database,
    restore,
)
from demine.web.database.place import parse_place
from demine.web.database.pruning import in_words
from demine.web.database.transfer import transfer

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from demine.web.database.administration import KnownPlayer, LogEntry
    from demine.web.database.place import DatabasePlace

_PLAYER_HEADS: Final = (
    mark("Player"), mark("Name"), mark("Since"), mark("Seen"), mark("Games"), mark("Banned"),
)  # fmt: skip
_LOG_HEADS: Final = (
    mark("When"), mark("Action"), mark("Subject"), mark("Detail"), mark("Reason"),
)  # fmt: skip
_NAME_COLUMN: Final = 1
_DETAIL_COLUMN: Final = 3
_LONGEST_TIME: Final = 365_000
"""Days, a thousand years."""


def run_admin(
    action: str,
    subject: str | None,
    database: str | None,
    why: str,
    dry_run: bool,
    since: str | None,
    as_json: bool,
) -> int:
    """Carry out `demine admin` and return the exit code."""
    _check_usage(action, subject, dry_run, since, as_json)
    place, why = parse_place(database or ""), escape_to_one_line(why)
    subject = subject or ""
    days = _number_of_days(subject) if action == "prune" else 0
    if action == "restore":
        _say(_restored(_file(place), subject, why))
        return DONE
    if action == "downgrade":
        _say(_downgraded(place, why))
        return DONE
    if action == "suspicion":
        # It needs the solver, for which nothing else here waits.
        from demine.cli.actions.suspicion import report_suspicion

        return report_suspicion(place, subject, why, as_json=as_json)
    if action == "transfer":
        _say(_transferred(place, subject, why))
        return DONE
    if action == "export-games":
        # It computes statistics, for which nothing else here waits.
        from demine.cli.actions.export_games import export_games

        _say(export_games(place, subject, since, why))
        return DONE
    with Administration.open(place) as opened:
        if action == "players":
            _print_players(opened.players(subject), as_json=as_json)
        elif action == "log":
            _print_log(opened.log(), as_json=as_json)
        elif action == "prune" and dry_run:
            found = opened.find_prunable(days)
            _say(tr("Would be deleted: {what}.", what=in_words(found)))
        elif action == "prune":
            return _prune(opened, days, why)
        else:
            _say(_CHANGES[action](opened, subject, why))
    return DONE


def _check_usage(
    action: str, subject: str | None, dry_run: bool, since: str | None, as_json: bool
) -> None:
    """Raise `click.UsageError` for a subject too many or too few, and for options of others."""
    wanted = ACTIONS[action].subject
    if subject is None and wanted and not wanted.startswith("["):
        raise click.UsageError(tr("{action} needs {subject}", action=action, subject=tr(wanted)))
    if subject is not None and not wanted:
        raise click.UsageError(tr("{action} is done to nothing in particular", action=action))
    if dry_run and action != "prune":
        raise click.UsageError(tr("--dry-run goes with prune"))
    if since is not None and action != "export-games":
        raise click.UsageError(tr("--since goes with export-games"))
    if as_json and action not in ("players", "log", "suspicion"):
        raise click.UsageError(tr("--json goes with players, log and suspicion"))


def _say(sentence: str) -> None:
    click.echo(sentence)


# Lists


def _print_players(players: Sequence[KnownPlayer], *, as_json: bool) -> None:
    rows = [
        (each.id, each.name, each.created_at[:10], (each.seen_at or "")[:10], str(each.games),
         (each.banned_at or "")[:10])
        for each in players
    ]  # fmt: skip
    values = [each.to_dict() for each in players]
    if as_json:
        click.echo(to_json({"players": values}))
    else:
        _print_table(_PLAYER_HEADS, rows, shrinking_column=_NAME_COLUMN)


def _print_log(entries: Sequence[LogEntry], *, as_json: bool) -> None:
    rows = [
        (each.at[:16].replace("T", " "), each.action, each.subject, each.detail, each.why)
        for each in entries
    ]
    values = [each.to_dict() for each in entries]
    if as_json:
        click.echo(to_json({"log": values}))
    else:
        _print_table(_LOG_HEADS, rows, shrinking_column=_DETAIL_COLUMN)


def _print_table(
    heads: Sequence[str],
    rows: Sequence[Sequence[str]],
    *,
    shrinking_column: int,
) -> None:
    if not rows:
        _say(tr("Nothing is there."))
        return
    # Names are what strangers have chosen.
    shown = [[escape_to_one_line(text) for text in row] for row in rows]
    table = [[tr(head) for head in heads], *shown]
    for line in fitted_lines(table, terminal_width(), shrinking_column=shrinking_column):
        click.echo(line)


# Changes


def _delete_name(opened: Administration, player: str, why: str) -> str:
    name = escape_to_one_line(opened.delete_name(player, why))
    return tr("The name {name} is deleted.", name=name) if name else tr("The player has no name.")


def _delete_game(opened: Administration, game: str, why: str) -> str:
    opened.delete_game(game, why)
    return tr("The game is deleted.")


def _ban(opened: Administration, player: str, why: str) -> str:
    opened.ban(player, why)
    return tr("The player is banned; games that are open end within half a minute.")


def _unban(opened: Administration, player: str, why: str) -> str:
    opened.unban(player, why)
    return tr("The player may play again.")


def _back_up(opened: Administration, file: str, why: str) -> str:
    opened.back_up(Path(file), why)
    return tr(
        "The backup is in {path}. It holds the key that signs cookies: keep it like a password.",
        path=file,
    )


_CHANGES: Final[Mapping[str, Callable[[Administration, str, str], str]]] = {
    "delete-name": _delete_name,
    "delete-game": _delete_game,
    "ban": _ban,
    "unban": _unban,
    "backup": _back_up,
}


def _file(place: DatabasePlace) -> Path:
    """Return a place that is a file; raises `DatabaseError` for one of PostgreSQL."""
    if isinstance(place, Path):
        return place
    raise copied_by_postgres()


def _transferred(place: DatabasePlace, target: str, why: str) -> str:
    """Take a database to PostgreSQL, with progress shown; return what is said then."""
    new = parse_place(target)
    if isinstance(new, Path) or not isinstance(place, Path):
        raise click.UsageError(
            tr("transfer goes from a file to postgresql://USER:PASSWORD@HOST:PORT/DATABASE")
        )
    with Progress(None, "entries") as progress:
        games = transfer(place, new, why, progress.update)
    said = ntr("{n} game is copied and compared.", "{n} games are copied and compared.", games)
    return said + " " + tr("The file stays as it is: {path}.", path=str(place))


def _restored(path: Path, file: str, why: str) -> str:
    kept = restore(path, Path(file), why)
    said = tr("The backup is in place: {path}.", path=str(path))
    before = "" if kept is None else tr("The database before is kept as {path}.", path=str(kept))
    return " ".join(filter(None, (said, before)))


def _downgraded(place: DatabasePlace, why: str) -> str:
    kept = downgrade_database(place, why)
    said = tr("The demine before this one opens the database now: {path}.", path=str(place))
    before = "" if kept is None else tr("The database before is kept as {path}.", path=str(kept))
    return " ".join(filter(None, (said, before)))


def _prune(opened: Administration, days: int, why: str) -> int:
    """Delete, with progress shown, what nobody misses; return the exit code."""
    expected = sum(opened.find_prunable(days).values())
    with catch_ctrl_c() as stop, Progress(expected, "entries") as progress:
        deleted = opened.prune(days, why, progress.update, stop)
    if stop():
        _say(tr("Stopped. Deleted: {what}.", what=in_words(deleted)))
        return INTERRUPTED
    _say(tr("Deleted: {what}.", what=in_words(deleted)))
    return DONE


def _number_of_days(text: str) -> int:
    """Return a number of days, a thousand years at most; raises `click.UsageError`."""
    found = re.fullmatch("0*([1-9][0-9]{0,5})", text)
    if found is None or int(found[1]) > _LONGEST_TIME:
        raise click.UsageError(tr("DAYS is a whole number from 1 to {most}", most=_LONGEST_TIME))
    return int(found[1])
