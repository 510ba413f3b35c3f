"""The socket of a game: its messages, and what is said over one connection."""
