"""Keep wins that count in leaderboards, the best of each player, and who is whose friend."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
LARGE = sa.BigInteger().with_variant(sa.Integer, "sqlite")


def upgrade() -> None:
    """Add the columns and the tables."""
    op.add_column(
        "players", sa.Column("is_listed", sa.Integer(), nullable=False, server_default="0")
    )
    op.add_column("games", sa.Column("leaderboard", sa.Text()))
    op.add_column("games", sa.Column("arrived_ms", LARGE))
    _make_leaderboards()
    _make_friends()


def _make_leaderboards() -> None:
    op.create_table(
        "wins",
        sa.Column("game", sa.Integer(), nullable=False),
        sa.Column("player", sa.String(36), nullable=False),
        sa.Column("board", sa.Text(), nullable=False),
        sa.Column("won_at", sa.Text(), nullable=False),
        sa.Column("time_ms", LARGE, nullable=False),
        sa.Column("bv_s", sa.Float()),
        sa.Column("ioe", sa.Float()),
        _reference("wins", "game", "games.num"),
        _reference("wins", "player", "players.id"),
        sa.PrimaryKeyConstraint("game", name="wins_key"),
    )
    op.create_index("wins_player_won_at", "wins", ["player", "won_at"])
    op.create_table(
        "bests",
        sa.Column("player", sa.String(36), nullable=False),
        sa.Column("board", sa.Text(), nullable=False),
        sa.Column("period", sa.Text(), nullable=False),
        sa.Column("measure", sa.Text(), nullable=False),
        sa.Column("game", sa.Integer(), nullable=False),
        sa.Column("is_listed", sa.Integer(), nullable=False),
        sa.Column("score", sa.Float(), nullable=False),
        sa.Column("won_at", sa.Text(), nullable=False),
        _reference("bests", "player", "players.id"),
        _reference("bests", "game", "games.num"),
        sa.PrimaryKeyConstraint("player", "board", "period", "measure", name="bests_key"),
        sqlite_with_rowid=False,
    )
    op.create_index("bests_game", "bests", ["game"])
    ranking = ["board", "period", "measure", "is_listed", "score", "won_at", "player"]
    op.create_index("bests_" + "_".join(ranking), "bests", ranking)


def _make_friends() -> None:
    op.create_table(
        "friend_links",
        sa.Column("player", sa.String(36), nullable=False),
        sa.Column("token", sa.Text(), nullable=False),
        _reference("friend_links", "player", "players.id"),
        sa.PrimaryKeyConstraint("player", name="friend_links_key"),
        sa.UniqueConstraint("token", name="friend_links_token_unique"),
    )
    op.create_table(
        "friendships",
        sa.Column("num", sa.Integer(), nullable=False),
        sa.Column("player", sa.String(36), nullable=False),
        sa.Column("friend", sa.String(36), nullable=False),
        sa.Column("since", sa.Text(), nullable=False),
        _reference("friendships", "player", "players.id"),
        _reference("friendships", "friend", "players.id"),
        sa.PrimaryKeyConstraint("num", name="friendships_key"),
    )
    op.create_index("friendships_friend", "friendships", ["friend"])
    op.create_index("friendships_player_friend", "friendships", ["player", "friend"], unique=True)


def _reference(table: str, column: str, target: str) -> sa.ForeignKeyConstraint:
    """Return a reference whose row goes with the one to which it refers."""
    name = f"{table}_{column}_of_{target.partition('.')[0]}"
    return sa.ForeignKeyConstraint([column], [target], name=name, ondelete="CASCADE")
