"""The window in which a player trains: drills, their answers, and the progress."""
