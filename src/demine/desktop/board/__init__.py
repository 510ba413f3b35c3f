"""The board as Qt widgets: painting, touch, overview and counters."""
