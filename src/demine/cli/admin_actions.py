"""What can be done to the database of a server by `demine admin`, as its help lists it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from demine.scene.translation import mark

if TYPE_CHECKING:
    from collections.abc import Mapping


class Action(NamedTuple):
    """Something that can be done to a server's database."""

    subject: str
    """What it is done to, in the help; empty for nothing, in brackets if it may be left out."""
    about: str


ACTIONS: Final[Mapping[str, Action]] = {
    "players": Action(mark("[TEXT]"), mark("list players, or those with a text in name or id")),
    "log": Action("", mark("list what was done to the database, the newest first")),
    "suspicion": Action(
        mark("PLAYER|GAME|FILE"), mark("compare how somebody played with all others")
    ),
    "export-games": Action(mark("FILE.parquet"), mark("write all verified games for researchers")),
    "delete-name": Action(mark("PLAYER"), mark("take a player's name away")),
    "delete-game": Action(mark("GAME"), mark("delete a game or a replay that was sent")),
    "ban": Action(mark("PLAYER"), mark("exclude a player from playing")),
    "unban": Action(mark("PLAYER"), mark("let a banned player in again")),
    "prune": Action(mark("DAYS"), mark("delete older boards and players without any act")),
    "backup": Action(mark("FILE"), mark("copy the database, also while the server runs")),
    "restore": Action(mark("FILE"), mark("put a backup in its place, while no server runs")),
    "downgrade": Action("", mark("take it back to the version before, while no server runs")),
    "transfer": Action(mark("ADDRESS"), mark("copy everything into a database of PostgreSQL")),
}
"""The actions, in the order of the help."""
