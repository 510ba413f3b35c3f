"""Puts the sources of the site together: the pages of docs/, and those made from the code."""

from __future__ import annotations

import posixpath
import re
import shutil
from pathlib import Path
from typing import Final

from scripts.handbook import nav, tables
from scripts.handbook.links import (
    OTHER_LANGUAGE,
    BrokenLinkError,
    change_outside_code,
    relative_path,
    rewrite_links,
)

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
LANGUAGES: Final = ("en", "zh")
COPIED_FOLDERS: Final = ("images", "examples", "notebooks")
"""What pages show or include as it is."""
_CHINESE_CHARACTERS = "\u3000-\u303f\u4e00-\u9fff\uff00-\uffef"

Pages = dict[str, str]
"""Markdown by the name of the page."""


class SiteError(ValueError):
    """Pages that do not fit together."""


def hand_written_pages(language: str) -> dict[str, Path]:
    """The hand-written pages of a language: their names and files."""
    base = DOCS / "zh" if language == "zh" else DOCS
    found = {
        path.relative_to(base).with_suffix("").as_posix(): path
        for path in sorted(base.rglob("*.md"))
        if language == "zh" or not path.is_relative_to(DOCS / "zh")
    }
    if language == "zh":
        found["glossary"] = DOCS / "glossary.md"
    for name, (home, page) in nav.FILES_OUTSIDE_DOCS.items():
        if home == language and page != nav.HOME_PAGE:
            found[page] = ROOT / name
    return found


def generated_pages(language: str) -> Pages:
    """The pages of a language that are made from the code."""
    return dict(tables.table_pages(language))


def write_sources(folder: Path) -> None:
    """Write the sources of both languages, `en` and `zh`, into a folder.

    Raises SiteError for pages that nobody can find, that are missing or not translated, and
    BrokenLinkError for links.
    """
    everything = {
        language: (hand_written_pages(language), generated_pages(language))
        for language in LANGUAGES
    }
    names = {code: set(files) | set(texts) for code, (files, texts) in everything.items()}
    _check_pages_complete(names)
    for language, (files, texts) in everything.items():
        out = folder / language
        for name, path in files.items():
            text = rewrite_links(
                path.read_text("utf-8"),
                lambda link, place, name=name, path=path, code=language: _resolve_link(  # type: ignore[misc]
                    link, place, path.parent, name, code, names
                ),
            )
            _write_page(out, name, change_outside_code(text, join_chinese_lines))
        for name, text in texts.items():
            _write_page(out, name, _resolve_generated_links(text, name, language, names))
        _write_page(out, nav.HOME_PAGE, _home_page(out, language, names[language]))
        for copied in COPIED_FOLDERS:
            shutil.copytree(DOCS / copied, out / copied)


def join_chinese_lines(text: str) -> str:
    """A text whose lines do not end between two Chinese signs: a break there would be a space."""
    joined = re.sub(
        f"(?<=[{_CHINESE_CHARACTERS}])\n(?=[{_CHINESE_CHARACTERS}“[]|[*][^ ])", "", text
    )
    return re.sub(r"(?<=[。，；：！？、）])\n(?=\w)", "", joined)


def _write_page(out: Path, name: str, text: str) -> None:
    path = out / f"{name}.md"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")


def _check_pages_complete(names: dict[str, set[str]]) -> None:
    """Raise SiteError unless every page has its place, and players have it in both languages."""
    for language in LANGUAGES:
        here, listed = names[language], set(nav.pages_in_order(language))
        lost = {page for page in here - listed if not page.startswith("reference/library/")}
        if lost:
            raise SiteError(f"pages that scripts/handbook/nav.py gives no place: {sorted(lost)}")
        missing = set(nav.pages_in_order(language)) - here - nav.OPTIONAL_PAGES
        if missing:
            raise SiteError(f"pages that are not there ({language}): {sorted(missing)}")
    untold = {
        page for page in (nav.HOME_PAGE, *nav.PAGES_IN_BOTH_LANGUAGES) if page in names["en"]
    } ^ {page for page in (nav.HOME_PAGE, *nav.PAGES_IN_BOTH_LANGUAGES) if page in names["zh"]}
    if untold:
        raise SiteError(f"pages that are there in one language only: {sorted(untold)}")


def _resolve_link(
    link: str, place: str, folder: Path, page: str, language: str, names: dict[str, set[str]]
) -> str:
    """Where a link of a page's file leads in the site."""
    target = Path(posixpath.normpath((folder / link).as_posix()))
    if any(target.is_relative_to(DOCS / folder) for folder in COPIED_FOLDERS):
        if not target.is_file():
            raise BrokenLinkError(f"{page}: {link}")
        return relative_path(target.relative_to(DOCS).as_posix(), page)
    home, name = _page_of_file(target, language)
    if not name:
        if target.exists():
            raise BrokenLinkError(f"{page}: {link} is no page of the site")
        raise BrokenLinkError(f"{page}: {link}")
    return _link_to_page(home, name, place, page, language, names)


def _page_of_file(target: Path, language: str) -> tuple[str, str]:
    """The language and the name of the page that a path of the repository is."""
    beside = target.relative_to(ROOT).as_posix() if target.is_relative_to(ROOT) else ""
    if beside in nav.FILES_OUTSIDE_DOCS:
        return nav.FILES_OUTSIDE_DOCS[beside]
    if not target.is_relative_to(DOCS) or target.suffix != ".md":
        return "", ""
    name = target.relative_to(DOCS).with_suffix("").as_posix()
    if name.startswith("zh/"):
        return "zh", name.removeprefix("zh/")
    return ("zh" if language == "zh" and name == "glossary" else "en"), name


def _link_to_page(
    home: str, name: str, place: str, page: str, language: str, names: dict[str, set[str]]
) -> str:
    if name not in names[home]:
        raise BrokenLinkError(f"{page}: there is no page {name}")
    if home == language:
        return relative_path(f"{name}.md", page) + place
    return f"{OTHER_LANGUAGE}{home}/{name}.html{place}"


def _resolve_generated_links(
    text: str, page: str, language: str, names: dict[str, set[str]]
) -> str:
    """A made page with its `docs:NAME` links, which lead to the page in the best language."""

    def one(found: re.Match[str]) -> str:
        name, place = found[2], found[3] or ""
        home = language if name in names[language] else "en"
        if name in nav.OPTIONAL_PAGES - names[home]:
            return found[1]
        return f"[{found[1]}]({_link_to_page(home, name, place, page, language, names)})"

    return re.sub(r"\[([^\]]*)\]\(docs:([\w/-]+)(#[\w-]+)?\)", one, text)


def _home_page(out: Path, language: str, names: set[str]) -> str:
    """The home page with the contents of the site, from which the sidebar is made."""
    parts = [(out / f"{nav.HOME_PAGE}.md").read_text("utf-8")]
    for heading, listed in nav.SIDEBAR[language].items():
        shown = [page for page in listed if page in names]
        lines = "\n".join(
            f"{nav.SIDEBAR_TITLES[page]} <{page}>" if page in nav.SIDEBAR_TITLES else page
            for page in shown
        )
        parts.append(f"```{{toctree}}\n:hidden:\n:caption: {heading}\n\n{lines}\n```\n")
    return "\n".join(parts)
