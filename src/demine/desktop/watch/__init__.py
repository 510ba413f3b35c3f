"""The replay player: a window that plays a game back, at any speed or act by act."""
