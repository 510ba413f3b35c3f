"""What plays games by the million, in plain Python that Numba can compile."""
