"""Make the tables of players, games, events, journals, uploads and secrets."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
LARGE = sa.BigInteger().with_variant(sa.Integer, "sqlite")


def upgrade() -> None:
    """Make all tables."""
    _make_players()
    _make_games()
    _make_journals()
    _make_uploads()
    op.create_table(
        "secrets",
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("value", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("name", name="secrets_key"),
    )


def _make_players() -> None:
    op.create_table(
        "players",
        sa.Column("id", sa.String(36), nullable=False),
        sa.Column("name", sa.Text(), server_default="", nullable=False),
        sa.Column("language", sa.Text(), server_default="", nullable=False),
        sa.Column("preferences", sa.Text(), server_default="{}", nullable=False),
        sa.Column("recovery", sa.Text()),
        sa.Column("created_at", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="players_key"),
        sa.UniqueConstraint("recovery", name="players_recovery_unique"),
    )


def _make_games() -> None:
    op.create_table(
        "games",
        sa.Column("num", sa.Integer(), nullable=False),
        sa.Column("id", sa.String(36), nullable=False),
        sa.Column("player", sa.String(36), nullable=False),
        sa.Column("rules", sa.Text(), nullable=False),
        sa.Column("header", sa.Text(), nullable=False),
        sa.Column("status", sa.Text(), nullable=False),
        sa.Column("unranked", sa.Text(), nullable=False),
        sa.Column("result", sa.Text()),
        sa.Column("time_ms", LARGE, nullable=False),
        sa.Column("hits", sa.Integer(), nullable=False),
        sa.Column("acts", sa.Integer(), nullable=False),
        sa.Column("began_at", sa.Text(), nullable=False),
        sa.Column("seen_at", sa.Text(), nullable=False),
        sa.Column("finished_at", sa.Text()),
        sa.Column("opened_at", sa.Text()),
        sa.Column("bv", sa.Integer()),
        sa.Column("bv_solved", sa.Integer()),
        sa.Column("clicks", sa.Integer()),
        sa.Column("bv_s", sa.Float()),
        sa.Column("ioe", sa.Float()),
        sa.PrimaryKeyConstraint("num", name="games_key"),
        sa.UniqueConstraint("id", name="games_id_unique"),
        sa.ForeignKeyConstraint(
            ["player"], ["players.id"], name="games_player_of_players", ondelete="CASCADE"
        ),
    )
    op.create_index("games_player_finished_at_id", "games", ["player", "finished_at", "id"])
    op.create_index(
        "games_player_rules_result_time_ms", "games", ["player", "rules", "result", "time_ms"]
    )


def _make_journals() -> None:
    op.create_table(
        "events",
        sa.Column("game", sa.Integer(), nullable=False),
        sa.Column("seq", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("line", sa.Text(), nullable=False),
        sa.Column("client", sa.Text()),
        sa.Column("number", LARGE),
        sa.PrimaryKeyConstraint("game", "seq", name="events_key"),
        sa.ForeignKeyConstraint(
            ["game"], ["games.num"], name="events_game_of_games", ondelete="CASCADE"
        ),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "journals",
        sa.Column("game", sa.Integer(), nullable=False),
        sa.Column("pack", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("game", name="journals_key"),
        sa.ForeignKeyConstraint(
            ["game"], ["games.num"], name="journals_game_of_games", ondelete="CASCADE"
        ),
    )


def _make_uploads() -> None:
    op.create_table(
        "uploads",
        sa.Column("num", sa.Integer(), nullable=False),
        sa.Column("id", sa.String(36), nullable=False),
        sa.Column("player", sa.String(36), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("added_at", sa.Text(), nullable=False),
        sa.Column("journal", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("num", name="uploads_key"),
        sa.UniqueConstraint("id", name="uploads_id_unique"),
        sa.ForeignKeyConstraint(
            ["player"], ["players.id"], name="uploads_player_of_players", ondelete="CASCADE"
        ),
    )
    op.create_index("uploads_player", "uploads", ["player"])
