"""Co-op games: several players on one board."""
