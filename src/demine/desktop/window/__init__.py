"""The main window: its menus, its parts, and how it opens and closes."""
