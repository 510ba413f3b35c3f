"""Books of puzzles to print."""
