"""Keep races: their boards, who has which seat, and what happened in them."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
LARGE = sa.BigInteger().with_variant(sa.Integer, "sqlite")


def upgrade() -> None:
    """Make the tables."""
    op.create_table(
        "races",
        sa.Column("num", sa.Integer(), nullable=False),
        sa.Column("id", sa.String(36), nullable=False),
        sa.Column("rules", sa.Text(), nullable=False),
        sa.Column("mine_costs", sa.Text(), nullable=False),
        sa.Column("seed", LARGE, nullable=False),
        sa.Column("lay", sa.Text(), nullable=False),
        sa.Column("made_at", sa.Text(), nullable=False),
        sa.Column("over_at", sa.Text()),
        sa.Column("rematch", sa.String(36)),
        sa.PrimaryKeyConstraint("num", name="races_key"),
        sa.UniqueConstraint("id", name="races_id_unique"),
    )
    op.create_index("races_over_at", "races", ["over_at"])
    op.create_table(
        "racers",
        sa.Column("race", sa.Integer(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False, autoincrement=False),
        sa.Column("player", sa.String(36), nullable=False),
        sa.Column("game", sa.Integer()),
        sa.ForeignKeyConstraint(
            ["race"], ["races.num"], name="racers_race_of_races", ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["player"], ["players.id"], name="racers_player_of_players", ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["game"], ["games.num"], name="racers_game_of_games", ondelete="SET NULL"
        ),
        sa.PrimaryKeyConstraint("race", "seat", name="racers_key"),
    )
    op.create_index("racers_player", "racers", ["player"])
    op.create_index("racers_game", "racers", ["game"])
    op.create_table(
        "race_events",
        sa.Column("race", sa.Integer(), nullable=False),
        sa.Column("seq", sa.Integer(), nullable=False, autoincrement=False),
        sa.Column("line", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["race"], ["races.num"], name="race_events_race_of_races", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("race", "seq", name="race_events_key"),
        sqlite_with_rowid=False,
    )
