"""Minesweeper as real software: the game, its rules and its boards."""

__version__ = "0.1.0"
