"""Plain text for tool tips: Qt takes whatever looks like HTML for HTML, even a file name."""

from __future__ import annotations

from html import escape

from demine.logic.sanitize import escape_control_characters


def plain_tool_tip(text: str) -> str:
    """Return a tool tip that shows a text literally: escaped if Qt could take it for HTML."""
    text = escape_control_characters(text)
    # Without these characters nothing looks like HTML.
    return f"<span>{escape(text)}</span>" if set("<&") & set(text) else text
