"""The HTTP part: its requests, each declared once as a door, one subject a file."""
