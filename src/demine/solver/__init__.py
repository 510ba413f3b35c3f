"""The solver: all that can be known from what the player sees and the number of mines."""
