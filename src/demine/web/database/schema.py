"""The tables of the server's database.

A game is stored as its journal (docs/journal.md): the header in `games`, one line an event in
`events`. The other columns of `games` are summaries for lists and records, with the names and the
meaning that `demine.store.game_rows.GameRow` gives them. Moments are ISO texts in UTC.
"""

from __future__ import annotations

from typing import Final

from sqlalchemy import (
    BigInteger,
    Column,
    Float,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
)

METADATA: Final = MetaData(
    naming_convention={
        "ix": "%(table_name)s_%(column_0_N_name)s",
        "uq": "%(table_name)s_%(column_0_N_name)s_unique",
        "fk": "%(table_name)s_%(column_0_N_name)s_of_%(referred_table_name)s",
        "pk": "%(table_name)s_key",
    }
)

LARGE: Final = BigInteger().with_variant(Integer, "sqlite")
"""Numbers that may have more than 31 bits: PostgreSQL has two sizes, SQLite one."""

PLAYERS: Final = Table(
    "players",
    METADATA,
    Column("id", String(36), primary_key=True),
    Column("name", Text, nullable=False, server_default=""),
    Column("language", Text, nullable=False, server_default=""),
    Column("preferences", Text, nullable=False, server_default="{}"),
    Column("recovery", Text, unique=True),
    Column("created_at", Text, nullable=False),
    Column("banned_at", Text),
    Column("is_listed", Integer, nullable=False, server_default="0"),
)
"""`preferences` is JSON; `recovery` the hash of the token that leads another device here;
`banned_at` is NULL unless whoever runs the server has banned the player; `is_listed` whether the
player wants to appear in everybody's leaderboards."""

OVERLAYS: Final = Table(
    "overlays",
    METADATA,
    Column("player", ForeignKey(PLAYERS.c.id, ondelete="CASCADE"), primary_key=True),
    Column("secret", Text, nullable=False, unique=True),
    Column("shows_risks", Integer, nullable=False),
    Column("game", String(36)),
)
"""The overlays of players who show their games to others; `secret` is the hash of what stands in
the address, `shows_risks` whether the player lets it show risks. `game` is the id of the game that
is played now where several processes serve, so that all of them find it."""

UPLOADS: Final = Table(
    "uploads",
    METADATA,
    Column("num", Integer, primary_key=True),
    Column("id", String(36), nullable=False, unique=True),
    Column("player", ForeignKey(PLAYERS.c.id, ondelete="CASCADE"), nullable=False, index=True),
    Column("name", Text, nullable=False),
    Column("added_at", Text, nullable=False),
    Column("journal", LargeBinary, nullable=False),
    Column("player_name", Text),
    Column("rules", Text),
    Column("status", Text),
    Column("time_ms", LARGE),
)
"""Replays that players sent, as compressed journals; `player_name` is who played it. What lists say
of it is computed later for one that came before there were lists (`demine.web.backfill`)."""

SECRETS: Final = Table(
    "secrets",
    METADATA,
    Column("name", Text, primary_key=True),
    Column("value", LargeBinary, nullable=False),
)
"""What the server alone knows: the key that signs cookies."""

GAMES: Final = Table(
    "games",
    METADATA,
    Column("num", Integer, primary_key=True),
    Column("id", String(36), nullable=False, unique=True),
    Column("player", ForeignKey(PLAYERS.c.id, ondelete="CASCADE"), nullable=False),
    Column("rules", Text, nullable=False),
    Column("header", Text, nullable=False),
    Column("status", Text, nullable=False),
    Column("unranked", Text, nullable=False),
    Column("result", Text),
    Column("time_ms", LARGE, nullable=False),
    Column("hits", Integer, nullable=False),
    Column("acts", Integer, nullable=False),
    Column("began_at", Text, nullable=False),
    Column("seen_at", Text, nullable=False),
    Column("finished_at", Text),
    Column("opened_at", Text),
    Column("bv", Integer),
    Column("bv_solved", Integer),
    Column("clicks", Integer),
    Column("bv_s", Float),
    Column("ioe", Float),
    Column("statistics_version", Integer),
    Column("leaderboard", Text),
    Column("arrived_ms", LARGE),
    Index(None, "player", "finished_at", "id"),
    Index(None, "player", "rules", "result", "time_ms"),
)
"""`time_ms` is the game's clock when it was last saved, the time of play once it is over;
`opened_at` is that of a daily game that was brought in; `statistics_version` the version of the
definitions by which the statistics were computed, NULL until they are. `leaderboard` names the
boards among which the game may enter (`demine.web.leaderboards`), NULL for a game that may
not; `arrived_ms` is how long after the first opening the last act arrived, by the server's
monotonic clock, NULL if that was not running all the time."""

JOURNALS: Final = Table(
    "journals",
    METADATA,
    Column("game", ForeignKey(GAMES.c.num, ondelete="CASCADE"), primary_key=True),
    Column("pack", LargeBinary, nullable=False),
)
"""The compressed journals of games that were brought in; these have no events."""

EVENTS: Final = Table(
    "events",
    METADATA,
    Column("game", ForeignKey(GAMES.c.num, ondelete="CASCADE"), primary_key=True),
    Column("seq", Integer, primary_key=True, autoincrement=False),
    Column("line", Text, nullable=False),
    Column("client", Text),
    Column("number", LARGE),
    sqlite_with_rowid=False,
)
"""`client` and `number` name the message that caused the event: none is played twice."""

DRILLS: Final = Table(
    "drills",
    METADATA,
    Column("num", Integer, primary_key=True),
    Column("player", ForeignKey(PLAYERS.c.id, ondelete="CASCADE"), nullable=False),
    Column("game", Text, nullable=False),
    Column("act", Integer, nullable=False),
    Column("row", Integer, nullable=False),
    Column("col", Integer, nullable=False),
    Column("kind", Text, nullable=False),
    Column("pattern", Text, nullable=False),
    Index(None, "player", "game", "act", "row", "col", "kind", unique=True),
)
"""What was answered stays, other rows go with their game: `game` is the id of a game or an upload,
or names a made board. A game in which a search found no drill has one row of act 0."""

DRILL_REVIEWS: Final = Table(
    "drill_reviews",
    METADATA,
    Column("num", Integer, primary_key=True),
    Column("drill", ForeignKey(DRILLS.c.num, ondelete="CASCADE"), nullable=False, index=True),
    Column("at", Text, nullable=False),
    Column("is_right", Integer, nullable=False),
    Column("time_ms", LARGE, nullable=False),
)
"""One row for each answer, in the order of the answers."""

ADMIN_LOG: Final = Table(
    "admin_log",
    METADATA,
    Column("num", Integer, primary_key=True),
    Column("at", Text, nullable=False),
    Column("action", Text, nullable=False),
    Column("subject", Text, nullable=False),
    Column("detail", Text, nullable=False),
    Column("why", Text, nullable=False),
)
"""What whoever runs the server has done to the database; nothing refers to it, so it outlives what
it is about."""

RACES: Final = Table(
    "races",
    METADATA,
    Column("num", Integer, primary_key=True),
    Column("id", String(36), nullable=False, unique=True),
    Column("rules", Text, nullable=False),
    Column("mine_costs", Text, nullable=False),
    Column("seed", LARGE, nullable=False),
    Column("lay", Text, nullable=False),
    Column("made_at", Text, nullable=False),
    Column("over_at", Text),
    Column("rematch", String(36)),
    Index(None, "over_at"),
)
"""`lay` is the line of a journal that lays the mines of all games; `rematch` the id of the race
that the same players made next."""

RACERS: Final = Table(
    "racers",
    METADATA,
    Column("race", ForeignKey(RACES.c.num, ondelete="CASCADE"), primary_key=True),
    Column("seat", Integer, primary_key=True, autoincrement=False),
    Column("player", ForeignKey(PLAYERS.c.id, ondelete="CASCADE"), nullable=False, index=True),
    Column("game", ForeignKey(GAMES.c.num, ondelete="SET NULL"), index=True),
)
"""Who has which seat; `game` is NULL before the start."""

RACE_EVENTS: Final = Table(
    "race_events",
    METADATA,
    Column("race", ForeignKey(RACES.c.num, ondelete="CASCADE"), primary_key=True),
    Column("seq", Integer, primary_key=True, autoincrement=False),
    Column("line", Text, nullable=False),
    sqlite_with_rowid=False,
)
"""The events of a race, as `demine.play.race.RaceEvent` writes them."""

WINS: Final = Table(
    "wins",
    METADATA,
    Column("game", ForeignKey(GAMES.c.num, ondelete="CASCADE"), primary_key=True),
    Column("player", ForeignKey(PLAYERS.c.id, ondelete="CASCADE"), nullable=False),
    Column("board", Text, nullable=False),
    Column("won_at", Text, nullable=False),
    Column("time_ms", LARGE, nullable=False),
    Column("bv_s", Float),
    Column("ioe", Float),
    Index(None, "player", "won_at"),
)
"""The games that were won, verified, and count in leaderboards."""

BESTS: Final = Table(
    "bests",
    METADATA,
    Column("player", ForeignKey(PLAYERS.c.id, ondelete="CASCADE"), primary_key=True),
    Column("board", Text, primary_key=True),
    Column("period", Text, primary_key=True),
    Column("measure", Text, primary_key=True),
    Column("game", ForeignKey(GAMES.c.num, ondelete="CASCADE"), nullable=False, index=True),
    Column("is_listed", Integer, nullable=False),
    Column("score", Float, nullable=False),
    Column("won_at", Text, nullable=False),
    Index(None, "board", "period", "measure", "is_listed", "score", "won_at", "player"),
    sqlite_with_rowid=False,
)
"""The best win of each player by each measure in each period, made of `wins`, so that what a
leaderboard shows does not depend on how many games there are. The lowest score is the best. Banned
players have no rows."""

FRIEND_LINKS: Final = Table(
    "friend_links",
    METADATA,
    Column("player", ForeignKey(PLAYERS.c.id, ondelete="CASCADE"), primary_key=True),
    Column("token", Text, nullable=False, unique=True),
)
"""The link of a player by which others become friends; it leads nowhere once its row is gone."""

FRIENDSHIPS: Final = Table(
    "friendships",
    METADATA,
    Column("num", Integer, primary_key=True),
    Column("player", ForeignKey(PLAYERS.c.id, ondelete="CASCADE"), nullable=False),
    Column("friend", ForeignKey(PLAYERS.c.id, ondelete="CASCADE"), nullable=False, index=True),
    Column("since", Text, nullable=False),
    Index(None, "player", "friend", unique=True),
)
"""Who is whose friend: two rows for each pair, one for each of them."""

RANKED_BOARDS: Final = Table(
    "ranked_boards",
    METADATA,
    Column("num", Integer, primary_key=True),
    Column("day", Text, nullable=False),
    Column("level", Text, nullable=False),
    Column("secret", LargeBinary, nullable=False),
    Column("lay", Text),
    Index(None, "day", "level", unique=True),
)
"""The ranked board of each day in UTC and level: `lay` is the line of a journal that lays its
mines, NULL until the solver has found them."""

RANKED_ATTEMPTS: Final = Table(
    "ranked_attempts",
    METADATA,
    Column("board", ForeignKey(RANKED_BOARDS.c.num, ondelete="CASCADE"), primary_key=True),
    Column("player", ForeignKey(PLAYERS.c.id, ondelete="CASCADE"), primary_key=True, index=True),
    Column("game", ForeignKey(GAMES.c.num, ondelete="SET NULL"), index=True),
)
"""The one attempt that each player has at a board; it is used up even if its game was deleted."""

PARTNERS: Final = Table(
    "partners",
    METADATA,
    Column("game", ForeignKey(GAMES.c.num, ondelete="CASCADE"), primary_key=True),
    Column("seat", Integer, primary_key=True, autoincrement=False),
    Column("player", ForeignKey(PLAYERS.c.id, ondelete="CASCADE"), nullable=False, index=True),
)
"""Who plays a game of several players; its acts name their players by the numbers of seats."""

MEMBERS: Final = Table(
    "members",
    METADATA,
    Column("num", Integer, primary_key=True),
    Column("address", Text, nullable=False),
    Column("computer", Text, nullable=False),
    Column("since", Text, nullable=False),
)
"""The processes that serve a database of PostgreSQL together, and where the others reach them. A
row counts as long as its process holds the lock of its number (`demine.web.cluster.members`)."""
