"""Numbers about boards and games: folds over a layout or over events."""
