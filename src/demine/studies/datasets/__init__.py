"""Datasets: positions of many games with exact mine probabilities and best moves, in files."""
