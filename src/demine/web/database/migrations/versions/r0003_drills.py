"""Keep the drills of players, and their answers."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
LARGE = sa.BigInteger().with_variant(sa.Integer, "sqlite")


def upgrade() -> None:
    """Make the tables; drills of older games are found when their players train."""
    op.create_table(
        "drills",
        sa.Column("num", sa.Integer(), nullable=False),
        sa.Column("player", sa.String(36), nullable=False),
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("act", sa.Integer(), nullable=False),
        sa.Column("row", sa.Integer(), nullable=False),
        sa.Column("col", sa.Integer(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("pattern", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["player"], ["players.id"], name="drills_player_of_players", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("num", name="drills_key"),
    )
    columns = ["player", "game", "act", "row", "col", "kind"]
    op.create_index("drills_player_game_act_row_col_kind", "drills", columns, unique=True)
    op.create_table(
        "drill_reviews",
        sa.Column("num", sa.Integer(), nullable=False),
        sa.Column("drill", sa.Integer(), nullable=False),
        sa.Column("at", sa.Text(), nullable=False),
        sa.Column("is_right", sa.Integer(), nullable=False),
        sa.Column("time_ms", LARGE, nullable=False),
        sa.ForeignKeyConstraint(
            ["drill"], ["drills.num"], name="drill_reviews_drill_of_drills", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("num", name="drill_reviews_key"),
    )
    op.create_index("drill_reviews_drill", "drill_reviews", ["drill"])
