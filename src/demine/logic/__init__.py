"""The logic boards: what is true. NumPy only: no clock, no mouse, no screen, no file."""
