"""The player at the board, the same for every scene: acts, clock, hints, daily boards."""
