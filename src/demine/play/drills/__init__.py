"""Drills: positions of real games to learn from, when each is due, and the session of a player."""
