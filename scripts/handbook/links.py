"""Links of the pages: from the paths of the repository to those of the site, and their check."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterator
from html import unescape
from pathlib import Path
from urllib.parse import unquote, urlsplit

OTHER_LANGUAGE = "https://elsewhere.invalid/"
"""Stands before the path of a page in the other language's site until the page is written."""

_FENCE = re.compile(r"(^`{3,}.*?^`{3,}\s*?$)", re.DOTALL | re.MULTILINE)
_COMMENT_OR_SCRIPT = re.compile(r"<!--.*?-->|(?<=<script>).*?(?=</script>)", re.DOTALL)
_TAG = re.compile(r"<(?!use\b)[a-zA-Z](?:[^>\"]|\"[^\"]*\")*>")
_ATTRIBUTE = re.compile(r"\s(id|name|href|src)=\"([^\"]*)\"")
_LINK = re.compile(r"(\]\()([^)#\s]+)?(#[^)\s]*)?(\))")


class BrokenLinkError(ValueError):
    """A link that leads nowhere."""


def change_outside_code(text: str, change: Callable[[str], str]) -> str:
    """A page with everything but its code blocks changed."""
    parts = _FENCE.split(text)
    return "".join(part if place % 2 else change(part) for place, part in enumerate(parts))


def rewrite_links(text: str, resolve: Callable[[str, str], str]) -> str:
    """A page with each relative link as `resolve(path, fragment)` says; "" makes it plain text."""

    def one(found: re.Match[str]) -> str:
        path, fragment = found[2] or "", found[3] or ""
        if not path or "://" in path or path.startswith("mailto:"):
            return found[0]
        target = resolve(path, fragment)
        return f"](<{target}>)" if " " in target else f"]({target})"

    return change_outside_code(text, lambda part: _LINK.sub(one, part))


class _HtmlPage:
    """What a page of HTML links to, and the places in it that can be linked to."""

    def __init__(self, text: str) -> None:
        self.links: list[str] = []
        self.anchors: set[str] = set()
        # A parser of all of HTML takes ten times as long for pages that are well formed.
        for tag in _TAG.findall(_COMMENT_OR_SCRIPT.sub("", text)):
            for name, value in _ATTRIBUTE.findall(tag):
                if name in {"id", "name"}:
                    self.anchors.add(unescape(value))
                else:
                    self.links.append(unescape(value))


def broken_links(site: Path) -> Iterator[str]:
    """Every link of a built site that leads nowhere, or into the network by itself."""
    files = {path.relative_to(site).as_posix() for path in site.rglob("*") if path.is_file()}
    pages = {
        name: _HtmlPage((site / name).read_text("utf-8"))
        for name in sorted(files)
        if name.endswith(".html")
    }
    for name, page in pages.items():
        for link in page.links:
            parts = urlsplit(link)
            if parts.scheme in {"http", "https", "mailto", "data"}:
                if link.startswith(OTHER_LANGUAGE):
                    yield f"{name}: {link}"
                continue
            beside = posixpath.join(posixpath.dirname(name), unquote(parts.path))
            target = posixpath.normpath(beside) if parts.path else name
            place = unquote(parts.fragment)
            known = {"", "top"} | (pages[target].anchors if target in pages else {place})
            if target not in files or place not in known:
                yield f"{name}: {link}"


def relative_path(target: str, page: str) -> str:
    """The path from one page to another file of the same site, both from its root."""
    return posixpath.relpath(target, posixpath.dirname(page) or ".")
