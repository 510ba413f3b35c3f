"""What `demine admin export-games` does: writes the verified games of a server to a file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from demine.cli.progress_line import Progress
from demine.logic.daily_board import parse_day
from demine.scene.translation import ntr
from demine.store.daily import today_utc
from demine.studies.parquet import check_parquet_target
from demine.web.database.administration import Administration
from demine.web.verified_games import Pseudonyms, VerifiedGame, verify, write_verified_games

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from demine.web.database.exportable_games import ExportableGame
    from demine.web.database.place import DatabasePlace


def export_games(place: DatabasePlace, target: str, since: str | None, why: str) -> str:
    """Write the games of a database to a Parquet file, with progress; return what is said then.

    `since` is a date, as in `demine daily --date`.
    """
    check_parquet_target(Path(target))
    first, today = None if since is None else parse_day(since), today_utc()
    with (
        Administration.open(place) as opened,
        Progress(opened.count_exportable_games(first, today), "games") as progress,
    ):
        games = _verified(opened.exportable_games(first, today), progress)
        count = write_verified_games(games, Path(target), today)
        opened.note("export-games", str(Path(target).absolute()), why)
    written = ntr("{n} verified game is in {path}.", "{n} verified games are in {path}.", count,
                  path=target)  # fmt: skip
    left_out = progress.done - count
    if not left_out:
        return written
    return f"{written} " + ntr(
        "{n} other game could not be verified.", "{n} other games could not be verified.", left_out
    )


def _verified(games: Iterable[ExportableGame], progress: Progress) -> Iterator[VerifiedGame]:
    pseudonyms = Pseudonyms()
    for each in games:
        progress.step()
        found = verify(each, pseudonyms)
        if found is not None:
            yield found
