"""Making layouts: dealt at random, or searched for so that they never need a guess."""
