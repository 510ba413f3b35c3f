"""The solver: what can be known from the scene board and the mine count alone."""
