"""The documentation site: built by its one command, whole, and free of the network."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import fields
from html import unescape
from pathlib import Path

import click
import pytest

import demine
from demine.cli.main import command_group
from demine.cli.verbs import help_lines_by_verb
from demine.scene.key_bindings import DEFAULT_KEYS, Command, key_label
from demine.scene.preferences import Preferences
from demine.scene.translation import languages, set_language
from demine.statistics.definitions import TABLE
from scripts.handbook import assemble, nav, tables
from scripts.handbook.build import build_site
from scripts.handbook.links import BrokenLinkError, broken_links, rewrite_links
from scripts.messages import is_complete
from tests.docs.pages import ROOT, every_command

SITES = ("", "zh/")
COMMAND = "python3 scripts/docs.py"
"""What builds the site, as the pages say it."""
pytestmark = pytest.mark.timeout(600)  # the site is built once, in minutes on a busy machine


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site, as the one command builds it."""
    out = tmp_path_factory.mktemp("docs") / "site"
    assert COMMAND in every_command()
    words = [sys.executable, *COMMAND.split()[1:], "-o", str(out)]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, encoding="utf-8", check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.strip() == str(out / "index.html")
    return out


def words(page: Path) -> str:
    """What a page says, without its markup."""
    return unescape(re.sub(r"<[^>]+>", "", page.read_text("utf-8")))


def test_nothing_is_fetched_when_a_page_is_read(site: Path) -> None:
    for path in [*site.rglob("*.html"), *site.rglob("*.css")]:
        text = path.read_text("utf-8")
        fetched = re.findall(r"<(?:script|img|link|iframe)\b[^>]*?(?:src|href)=\"([^\"]*)", text)
        fetched += re.findall(r"url\(([^)]*)\)|@import", text)
        assert not [each for each in fetched if re.match(r"[\"']?(https?:)?//", each)], path


def test_every_page_is_in_both_sites_that_should_be(site: Path) -> None:
    for page in ("index", *nav.PAGES_IN_BOTH_LANGUAGES):
        for part in SITES:
            text = (site / part / f"{page}.html").read_text("utf-8")
            assert f'lang="{"zh-CN" if part else "en"}"' in text[:200]
            assert 'class="twin"' in text


def test_every_page_can_copy_its_code(site: Path) -> None:
    for part in SITES:
        assert (site / part / "_static" / "copy.js").is_file()
        text = (site / part / "play" / "replays.html").read_text("utf-8")
        assert re.search(r'<script[^>]* src="\.\./_static/copy\.js', text)


def test_all_links_lead_somewhere(site: Path) -> None:
    assert not list(broken_links(site))


def test_the_search_knows_words_of_both_languages(site: Path) -> None:
    for part, known in (
        ("", ("probabl", "seed", "best_mov")),
        ("zh/", ("雷率", "提示", "猜", "seed")),
    ):
        text = (site / part / "searchindex.js").read_text("utf-8")
        index = json.loads(text[text.index("{") : text.rindex("}") + 1])
        assert set(known) <= set(index["terms"])
        script = (site / part / "_static" / "language_data.js").read_text("utf-8")
        assert "var splitQuery" in script
        assert "window.Stemmer = EnglishStemmer;" in script
        # A name is one word to who asks, as it is in the index.
        assert r"[\p{L}\p{M}\p{N}_]" in script
        assert "what players read" in script


def test_every_verb_and_option_has_its_place(site: Path) -> None:
    group = command_group()
    for part in SITES:
        text = words(site / part / "reference" / "commands.html")
        with click.Context(group, info_name="demine") as context:
            for verb in help_lines_by_verb():
                command = group.get_command(context, verb)
                assert command is not None
                assert f"demine {verb} " in text
                for option in command.params:
                    if isinstance(option, click.Option):
                        assert option.help, f"{verb} {option.opts}"
                        assert all(each in text for each in option.opts)


def test_every_key_and_setting_has_its_place(site: Path) -> None:
    for part in SITES:
        keys = words(site / part / "reference" / "keys.html")
        for command in Command:
            assert command.value in keys
        settings = words(site / part / "reference" / "settings.html")
        for field in fields(Preferences):
            assert f"\n{field.name}" in settings or field.name in settings
    english = words(site / "reference" / "keys.html")
    assert all(key_label(key) in english for keys in DEFAULT_KEYS.values() for key in keys)


def test_every_setting_is_told_in_every_language() -> None:
    names = [field.name for field in fields(Preferences)]
    told = tables.english_settings()
    assert list(told) == names
    assert all(told.values()), [name for name, text in told.items() if not text]
    assert list(tables.SETTINGS_ZH) == names
    assert set(tables.LANGUAGE_CODES.values()) == {"en", *filter(is_complete, languages())}


def test_every_variable_that_is_read_is_told() -> None:
    read = set()
    for path in (ROOT / "src" / "demine").rglob("*.py"):
        read |= set(re.findall(r"\"(DEMINE_\w+)\"", path.read_text("utf-8")))
    assert read <= set(tables.ENVIRONMENT)


def test_the_library_is_told_whole(site: Path) -> None:
    folder = site / "reference" / "library"
    front = (folder / "index.html").read_text("utf-8")
    pages = "".join(path.read_text("utf-8") for path in sorted(folder.glob("*.html")))
    told = re.findall(r'<dt class="sig [^>]*id="demine\.(\w+)"', pages)
    assert sorted(told) == sorted(demine.__all__), "docs/reference/library lists each name once"
    for name in demine.__all__:
        assert re.search(rf'<a [^>]*href="\w+\.html#demine\.{name}"', front), name
    for inherited in ("Game.open", "Game.board", "Hint.to_json", "StudyPlan.from_json"):
        assert f'id="demine.{inherited}"' in pages
    solve = (folder / "solve.html").read_text("utf-8")
    assert 'href="#demine.Reason"' in solve
    assert 'href="errors.html#demine.InconsistentBoard"' in solve
    statistics = words(site / "statistics.html")
    assert all(name in statistics for name in TABLE)


def test_the_boards_are_drawn_for_light_and_dark(site: Path) -> None:
    for part in SITES:
        page = (site / part / "tutorial" / "patterns.html").read_text("utf-8")
        for look in ("light", "dark"):
            drawn = re.findall(rf'<img class="only-{look}" src="([^"]*)"', page)
            assert len(drawn) == 7
            for source in drawn:
                assert (site / part / "tutorial" / source).resolve().is_file()


# What stops the build


@pytest.fixture
def copy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of docs/ that may be spoilt."""
    docs = tmp_path / "docs"
    shutil.copytree(ROOT / "docs", docs)
    for name in ("README.md", "README.zh-CN.md", "CHANGELOG.md"):
        shutil.copy(ROOT / name, tmp_path)
    shutil.copytree(ROOT / "benchmarks" / "positions", tmp_path / "benchmarks" / "positions")
    shutil.copy(ROOT / "benchmarks" / "README.md", tmp_path / "benchmarks")
    monkeypatch.setattr(assemble, "ROOT", tmp_path)
    monkeypatch.setattr(assemble, "DOCS", docs)
    return docs


def unlink(path: str) -> Callable[[Path], None]:
    return lambda docs: (docs / path).unlink()


def add(path: str, text: str) -> Callable[[Path], None]:
    def spoil(docs: Path) -> None:
        with (docs / path).open("a", encoding="utf-8") as file:
            file.write(text)

    return spoil


@pytest.mark.parametrize(
    ("spoil", "named"),
    [
        (unlink("zh/tutorial/chains.md"), "tutorial/chains"),
        (unlink("rules.md"), "rules"),
        (add("forgotten.md", "# Forgotten\n"), "forgotten"),
        (add("zh/extra.md", "# 多\n"), "extra"),
        (add("rules.md", "\n[x](nowhere.md)\n"), "no page nowhere"),
        (add("rules.md", "\n![x](images/nothing.png)\n"), "images/nothing.png"),
        (add("rules.md", "\n[x](conf.py)\n"), "conf.py"),
    ],
)
def test_what_is_missing_or_broken_stops_the_build(
    copy: Path, tmp_path: Path, spoil: Callable[[Path], None], named: str
) -> None:
    spoil(copy)
    with pytest.raises((assemble.SiteError, BrokenLinkError), match=re.escape(named)):
        assemble.write_sources(tmp_path / "out")
    set_language("en")


def test_a_folder_with_something_else_is_left_alone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "letter.txt").write_text("dear")
    assert build_site(tmp_path) == 1
    assert "no site" in capsys.readouterr().err
    assert (tmp_path / "letter.txt").read_text() == "dear"


def test_broken_links_of_a_site_are_found(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text(
        '<p id="here"><a href="a.html#here">1</a><a href="#gone">2</a><img src="b.png"></p>'
        '<a href="https://example.org/x">3</a>'
    )
    assert [each.partition(": ")[2] for each in broken_links(tmp_path)] == ["#gone", "b.png"]


def test_links_in_code_are_left_alone() -> None:
    text = "[a](b.md)\n\n```text\n[a](b.md)\n```\n\n[c](https://example.org) [d](#e)\n"
    assert rewrite_links(text, lambda path, place: f"X{path}{place}") == text.replace(
        "[a](b.md)", "[a](Xb.md)", 1
    )


def test_chinese_lines_join_without_a_space() -> None:
    text = "一行，\n又一行。\ndemine\n\n* 一\n* 二，\n  三\nEnglish\nlines"
    joined = "一行，又一行。demine\n\n* 一\n* 二，\n  三\nEnglish\nlines"
    assert assemble.join_chinese_lines(text) == joined
