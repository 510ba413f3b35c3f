"""What Alembic runs to migrate: `upgrade` hands it a connection that is in a transaction."""

from __future__ import annotations

from alembic import context

from demine.web.database.schema import METADATA

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=METADATA,
    render_as_batch=True,  # SQLite alters few things of a table
)
context.run_migrations()
