"""Builds the site: puts the sources together, has Sphinx write both languages, checks the links."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo

from scripts.handbook.assemble import DOCS, LANGUAGES, SiteError, write_sources
from scripts.handbook.links import BrokenLinkError, broken_links

THEME_TRANSLATIONS = {
    "Next": "下一页",
    "Previous": "上一页",
    "Home": "首页",
    "On this page": "本页内容",
    "Back to top": "回到页首",
    "Skip to content": "跳到正文",
    "Search": "搜索",
    "Made with ": "网页外观：",
}
"""What the theme says, in Chinese."""


def build_site(out: Path) -> int:
    """Build the site into a folder, which is emptied if a site was there; the exit code."""
    if out.exists() and any(out.iterdir()) and not (out / "objects.inv").exists():
        print(f"{out} holds something that is no site; choose another folder", file=sys.stderr)
        return 1
    with tempfile.TemporaryDirectory() as name:
        work = Path(name)
        try:
            write_sources(work / "source")
        except (SiteError, BrokenLinkError) as error:
            print(error, file=sys.stderr)
            return 1
        if not _run_sphinx(work):
            return 1
        site = work / "site"
        site.mkdir()
        shutil.copytree(work / "en", site, dirs_exist_ok=True)
        shutil.copytree(work / "zh", site / "zh")
        lost = list(broken_links(site))
        if lost:
            print("\n".join(["links that lead nowhere:", *lost]), file=sys.stderr)
            return 1
        shutil.rmtree(out, ignore_errors=True)
        shutil.copytree(site, out)
    print(out / "index.html")
    return 0


def _write_theme_catalogue(work: Path) -> Path:
    """Write the words of the theme that Sphinx does not know in Chinese; where they are."""
    catalogue = Catalog(locale="zh_CN")
    for said, chinese in THEME_TRANSLATIONS.items():
        catalogue.add(said, chinese)
    path = work / "words" / "zh_CN" / "LC_MESSAGES" / "sphinx.mo"
    path.parent.mkdir(parents=True)
    with path.open("wb") as file:
        write_mo(file, catalogue)
    return work / "words"


def _run_sphinx(work: Path) -> bool:
    """Have Sphinx write both languages, beside each other; whether all went well."""
    running, words = [], _write_theme_catalogue(work)
    for language in LANGUAGES:
        command = [sys.executable, "-m", "sphinx", "-b", "html", "-q", "-W", "--keep-going"]
        command += ["-c", str(DOCS), "-d", str(work / f"trees-{language}")]
        command += [str(work / "source" / language), str(work / language)]
        environment = {**os.environ, "DEMINE_SITE": language, "PYTHONUTF8": "1"}
        environment["DEMINE_SITE_WORDS"] = str(words)
        running.append(subprocess.Popen(command, env=environment))
    codes = [each.wait() for each in running]
    return not any(codes)
