"""The main window of the game."""
