"""Ranked boards: one a day and level that nobody knows before it is over."""
