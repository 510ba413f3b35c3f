"""The player of recorded games: a window to watch a game in, at any speed and act by act."""
