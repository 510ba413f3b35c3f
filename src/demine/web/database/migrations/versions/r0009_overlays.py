"""Keep the overlays with which players show their games to others."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"


def upgrade() -> None:
    """Make the table."""
    op.create_table(
        "overlays",
        sa.Column("player", sa.String(36), nullable=False),
        sa.Column("secret", sa.Text(), nullable=False),
        sa.Column("shows_risks", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["player"], ["players.id"], name="overlays_player_of_players", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("player", name="overlays_key"),
        sa.UniqueConstraint("secret", name="overlays_secret_unique"),
    )


def downgrade() -> None:
    """Drop the table: addresses of overlays that were given out lead nowhere."""
    op.drop_table("overlays")
