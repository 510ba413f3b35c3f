"""Keep which processes serve a database together, and which game an overlay shows."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"


def upgrade() -> None:
    """Make the table, and the column."""
    op.create_table(
        "members",
        sa.Column("num", sa.Integer(), nullable=False),
        sa.Column("address", sa.Text(), nullable=False),
        sa.Column("computer", sa.Text(), nullable=False),
        sa.Column("since", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("num", name="members_key"),
    )
    op.add_column("overlays", sa.Column("game", sa.String(36)))


def downgrade() -> None:
    """Take both away: no process has joined a server of the version before."""
    with op.batch_alter_table("overlays") as table:
        table.drop_column("game")
    op.drop_table("members")
