"""Tool tips are plain text: Qt takes for HTML whatever looks like it, in the name of a file too."""

from __future__ import annotations

from html import escape

from demine.logic.sanitize import escape_control_characters


def plain_tool_tip(text: str) -> str:
    """Return a text for a tool tip that shows it letter by letter."""
    text = escape_control_characters(text)
    # Without either nothing looks like HTML.
    return f"<span>{escape(text)}</span>" if set("<&") & set(text) else text
