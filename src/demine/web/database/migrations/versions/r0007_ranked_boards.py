"""Keep the ranked board of each day and level, and who has tried it."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    """Make the tables."""
    op.create_table(
        "ranked_boards",
        sa.Column("num", sa.Integer(), nullable=False),
        sa.Column("day", sa.Text(), nullable=False),
        sa.Column("level", sa.Text(), nullable=False),
        sa.Column("secret", sa.LargeBinary(), nullable=False),
        sa.Column("lay", sa.Text()),
        sa.PrimaryKeyConstraint("num", name="ranked_boards_key"),
    )
    op.create_index("ranked_boards_day_level", "ranked_boards", ["day", "level"], unique=True)
    op.create_table(
        "ranked_attempts",
        sa.Column("board", sa.Integer(), nullable=False),
        sa.Column("player", sa.String(36), nullable=False),
        sa.Column("game", sa.Integer()),
        sa.ForeignKeyConstraint(
            ["board"],
            ["ranked_boards.num"],
            name="ranked_attempts_board_of_ranked_boards",
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["player"], ["players.id"], name="ranked_attempts_player_of_players", ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["game"], ["games.num"], name="ranked_attempts_game_of_games", ondelete="SET NULL"
        ),
        sa.PrimaryKeyConstraint("board", "player", name="ranked_attempts_key"),
    )
    op.create_index("ranked_attempts_player", "ranked_attempts", ["player"])
    op.create_index("ranked_attempts_game", "ranked_attempts", ["game"])
