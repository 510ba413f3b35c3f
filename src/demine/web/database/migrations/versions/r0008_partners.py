"""Keep who plays a game together with whom."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    """Make the table."""
    op.create_table(
        "partners",
        sa.Column("game", sa.Integer(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False, autoincrement=False),
        sa.Column("player", sa.String(36), nullable=False),
        sa.ForeignKeyConstraint(
            ["game"], ["games.num"], name="partners_game_of_games", ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["player"], ["players.id"], name="partners_player_of_players", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("game", "seat", name="partners_key"),
    )
    op.create_index("partners_player", "partners", ["player"])
