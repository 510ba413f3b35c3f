"""Leaderboards: which wins enter, how they are verified, and who is where."""
