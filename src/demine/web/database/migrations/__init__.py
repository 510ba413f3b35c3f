"""The migrations of the server's database, by Alembic.

Each is a module of `versions` named after its revision, `rNNNN_what_it_does.py`; the numbers count
on. `demine.web.database.file_version` runs those that a file lacks, in one transaction and without
checks of foreign keys, so that tables can be made anew by `op.batch_alter_table`.
"""
