"""What the database lacks, computed while the server runs, for nobody waits for it.

The statistics of a game are written after its end, of a ranked board's when its day is over. If the
server is killed in between, or a definition changes, they are computed at the next start; so is
what lists say of old replays.
"""

from __future__ import annotations

import asyncio
import logging
import time
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from demine.logic.errors import DemineError
from demine.store.daily import today_utc
from demine.web.database.concealed_games import is_open_to_all
from demine.web.database.games import games_without_statistics
from demine.web.database.uploads import (
    load_upload,
    save_summary,
    upload_summary,
    uploads_without_summary,
)
from demine.web.ended_games import save_what_follows
from demine.web.game_figures import figures_in_thread

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence
    from datetime import date

    from sqlalchemy import Row
    from sqlalchemy.engine import Connection

    from demine.web.database.database import Database

_LOG: Final = logging.getLogger("demine.web")


async def fill_in_what_is_missing(
    database: Database, today: Callable[[], date] = today_utc
) -> None:
    """Compute and save what is missing, row by row, in half of the time at most."""
    lacking = partial(games_without_statistics, is_open_to_all(today()))
    await _for_each(database, lacking, _fill_in_game)
    await _for_each(database, uploads_without_summary, _fill_in_upload)


async def _for_each(
    database: Database,
    lacking: Callable[[int, Connection], Sequence[Row[Any, Any]]],
    fill_in: Callable[[Database, str], Awaitable[None]],
) -> None:
    last = -1
    while rows := await database.read(partial(lacking, last)):
        for row in rows:
            began = time.monotonic()
            try:
                await fill_in(database, row.id)
            except DemineError as error:
                _LOG.warning("%s stays without what is computed of it: %s", row.id, error)
            except Exception:  # noqa: BLE001 - a damaged row holds up no other
                _LOG.exception("%s stays without what is computed of it", row.id)
            await asyncio.sleep(time.monotonic() - began)  # as long for those who play
            last = row.num


async def _fill_in_game(database: Database, game_id: str) -> None:
    await save_what_follows(database, game_id, figures_in_thread)


async def _fill_in_upload(database: Database, upload: str) -> None:
    found = await database.read(lambda connection: load_upload(connection, upload))
    if found is not None:
        values = upload_summary(found[0])
        await database.write(lambda connection: save_summary(connection, upload, values))
