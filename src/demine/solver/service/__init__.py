"""The solver in another process, for windows that must never wait."""
