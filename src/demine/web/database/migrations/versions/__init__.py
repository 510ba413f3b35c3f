"""One module a migration, in the order of their names."""
