"""The solver in a process of its own, for windows that must never wait."""
