"""Races: several players on the same board at the same time."""
