"""The board as Qt widgets: painting, touch, minimap and counters."""
