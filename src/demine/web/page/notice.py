"""A page that says one thing and works without a script, in the looks of the game's own page."""

from __future__ import annotations

from html import escape
from typing import Final

from demine.scene.translation import tr
from demine.web.page import files

_PAGE: Final = """<!doctype html>
<html lang="{language}"><head><meta charset="utf-8"><title>{title}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<link rel="icon" href="/api/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="{themes}"><link rel="stylesheet" href="{style}"></head>
<body><main class="notice"><h1>{title}</h1><p>{text}</p>
{action}</main></body></html>
"""


def notice(language: str, title: str, text: str, action: str) -> str:
    """Return a page as HTML; `action` is HTML already, what can be done about it."""
    return _PAGE.format(
        language=escape(language.replace("_", "-")),
        title=escape(title),
        text=escape(text[:1].upper() + text[1:]),
        action=action,
        themes=files.address("themes.css"),
        style=files.address("page.css"),
    )


def way_to_game() -> str:
    """Return the link that leads to the game, as HTML in the present language."""
    return f'<a class="button accent" href="/">{escape(tr("To the game"))}</a>'
