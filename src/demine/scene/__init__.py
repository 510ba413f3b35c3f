"""The scene board: what the player sees, and how a hand becomes an act. No toolkit, no truth."""
