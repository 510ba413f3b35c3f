"""Several servers of one database, each at its own address, and players who use all of them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from sqlalchemy import Engine, select, text

from demine.game import Game
from demine.web.database.database import open_beside_server
from demine.web.database.games import journal_text
from demine.web.database.place import parse_place
from demine.web.database.schema import GAMES, MEMBERS
from demine.web.homes import Homes, Member
from tests.web.browser.served_site import ServedSite
from tests.web.races.race_site import Racer

SHORT = {"demine.play.race:COUNTDOWN_MS": 200}
PASSES_NOTHING = {"demine.web.cluster.passed_sockets:_IS_POSSIBLE": 0}
"""As on another computer: connections to other servers are relayed."""


class Cluster:
    """Servers that were started one after the other on a database of PostgreSQL."""

    def __init__(
        self, folder: Path, database: str, count: int, constants: Mapping[str, float] | None = None
    ) -> None:
        self.database = database
        self.sites: dict[int, ServedSite] = {}
        """By the numbers that they have in the database."""
        self._folder = folder
        for _ in range(count):
            self.add(constants)
        self.reader: Engine = open_beside_server(parse_place(database))[0]

    def add(self, constants: Mapping[str, float] | None = None) -> ServedSite:
        """Start one more."""
        folder = self._folder / f"server{len(list(self._folder.iterdir()))}"
        folder.mkdir()
        site = ServedSite(folder, SHORT | {**(constants or {})}, database=self.database)
        self.sites[max(self.nums)] = site
        return site

    @property
    def nums(self) -> list[int]:
        """The numbers of all members."""
        return [each.num for each in self.members]

    @property
    def members(self) -> list[Member]:
        engine, _ = open_beside_server(parse_place(self.database))
        with engine.connect() as connection:
            found = connection.execute(select(MEMBERS.c.num, MEMBERS.c.address))
            members = [Member(*row) for row in found]
        engine.dispose()
        return members

    def home(self, subject: str) -> int:
        """The number of the server that is the home of a subject."""
        for num in self.sites:
            homes = Homes()
            homes.set_members(num, [each for each in self.members if each.num in self.sites])
            if homes.is_here(subject):
                return num
        raise AssertionError(subject)

    def away(self, subject: str) -> ServedSite:
        """A server that is not the home of a subject."""
        return next(site for num, site in self.sites.items() if num != self.home(subject))

    def game(self, game_id: str) -> Game:
        """A game as the database has it, folded and verified."""
        with self.reader.connect() as connection:
            num = connection.execute(select(GAMES.c.num).where(GAMES.c.id == game_id)).scalar_one()
            return Game.from_journal(journal_text(connection, num))

    def stop(self) -> None:
        for site in self.sites.values():
            if site.process is not None and site.process.poll() is None:
                site.stop()
        self.reader.dispose()


class Traveller(Racer):
    """A player whose requests and sockets go to whichever server they name."""

    @property
    def id(self) -> str:
        answer = self.ask("GET", "/api/me")
        assert answer.status_code == 200, answer.text
        return str(answer.json()["id"])

    def go_to(self, site: ServedSite) -> None:
        """Use another server from now on."""
        self.address = site.address
        cookies = self.http.cookies
        self.http.close()
        self.http = type(self.http)(base_url=site.address, timeout=60.0, cookies=_plain(cookies))

    def look_on(self) -> None:
        """Connect to the race, and hear how it stands."""
        self.look()
        self.until_phase("running")

    def make_game(self, **board: object) -> str:
        answer = self.ask("POST", "/api/games", **(board or {"rules": "9x9/10", "seed": 7}))
        assert answer.status_code == 201, answer.text
        return str(answer.json()["id"])


def _plain(cookies: Any) -> dict[str, str]:
    return {each.name: each.value for each in cookies.jar}


@contextmanager
def cut_connections(database: str, like: str) -> Any:
    """End the connections of servers to the database whose name is like a pattern."""
    engine, writer = open_beside_server(parse_place(database))
    engine.dispose()
    ended = text(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
        "WHERE application_name LIKE :like AND pid != pg_backend_pid() "
        "AND datname = current_database()"
    )
    with writer.connect() as connection:
        yield lambda: len(connection.execute(ended, {"like": like}).all())
    writer.dispose()


def said(text_of_message: object) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(str(text_of_message))
    return found
