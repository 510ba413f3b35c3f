"""Programs that play by a line protocol: our own player as one, and the client for all of them."""
