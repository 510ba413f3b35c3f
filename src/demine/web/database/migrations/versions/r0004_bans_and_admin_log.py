"""Note who is banned, and what whoever runs the server has done."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """Add the column and the table."""
    op.add_column("players", sa.Column("banned_at", sa.Text()))
    op.create_table(
        "admin_log",
        sa.Column("num", sa.Integer(), nullable=False),
        sa.Column("at", sa.Text(), nullable=False),
        sa.Column("action", sa.Text(), nullable=False),
        sa.Column("subject", sa.Text(), nullable=False),
        sa.Column("detail", sa.Text(), nullable=False),
        sa.Column("why", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("num", name="admin_log_key"),
    )
