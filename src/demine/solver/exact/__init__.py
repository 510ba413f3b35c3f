"""Exact mine probabilities, exact counts of layouts, and certain cells."""
