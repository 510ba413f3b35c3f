"""Note which statistics are computed, and what lists say of uploaded replays."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
LARGE = sa.BigInteger().with_variant(sa.Integer, "sqlite")


def upgrade() -> None:
    """Add the columns; what they hold of older rows is computed while the server runs."""
    op.add_column("games", sa.Column("statistics_version", sa.Integer()))
    op.add_column("uploads", sa.Column("player_name", sa.Text()))
    op.add_column("uploads", sa.Column("rules", sa.Text()))
    op.add_column("uploads", sa.Column("status", sa.Text()))
    op.add_column("uploads", sa.Column("time_ms", LARGE))
