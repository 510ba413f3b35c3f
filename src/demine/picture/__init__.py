"""A scene board as pixels and as SVG, without a window: the project's own vector drawings."""
