"""Plain text for tool tips: Qt takes whatever looks like HTML for HTML, even a file name."""

from __future__ import annotations

from demine.logic.sanitize import escape_control_characters


def plain_tool_tip(text: str) -> str:
    """Return a tool tip that shows a text literally: escaped if Qt could take it for HTML."""
    text = escape_control_characters(text)
    if not set("<&") & set(text):
        return text  # nothing in it looks like HTML
    from html import escape  # loads a table of every entity

    return f"<span>{escape(text)}</span>"
