"""Studies: games by the hundred thousand, played by a policy, counted and compared."""
