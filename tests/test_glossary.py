"""One word for each thing: the Chinese of screens and pages keeps to the glossary."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from scripts.messages import LOCALE, read_catalogue, source_and_translation

ROOT = Path(__file__).parents[1]
GLOSSARY = ROOT / "docs" / "glossary.md"
PAGES = (ROOT / "README.zh-CN.md", *sorted((ROOT / "docs" / "zh").rglob("*.md")))
HAN = "[\u4e00-\u9fff]"
ALLOWED = ("预写日志", "行,列", "名称,名称...", "文件夹...", ";地雷;益智;逻辑;", "最大:步长")
"""Another meaning of a word that is not used, and punctuation that is typed as it stands."""
MINE_PLACES = re.compile("雷区(?!盘)")
"""雷区 is where mines lie; of the arrays of the logic board one is called 雷区盘."""
MISPRINTS = {
    "half-width punctuation": re.compile(rf"{HAN}[,;:!?]|[,;:!?]{HAN}|{HAN}\.(?!\w|\.)"),
    "an ellipsis of one half": re.compile("(?<![…)])…(?!…)"),
    "an ellipsis of dots": re.compile(rf"{HAN} ?\.\.\."),
    "a space before %": re.compile(r"[\d}] %(?![\w(])"),
    "hanzi in italics": re.compile(
        rf"(?<![*A-Za-z0-9_])[*_](?![*\s])[^*_\n]*{HAN}[^*_\n]*[*_](?![*A-Za-z0-9_])|<(i|em)>"
    ),
}
CODE = re.compile(r"```.*?```|`[^`]*`|\]\([^)]*\)|<[^>]*>", re.DOTALL)


STIFF = re.compile(
    r"\bForth\b|\bgo on by\b|enters? no best times|by one act|for certain\b|unless told otherwise"
    r"|holds on to it|the other way round|no longer, or|\bon the clipboard\b|\bits way\b"
    r"|after all\b|(?<!there )\bis no (?:share code|game|board|key|folder|number|event|file)\b",
    re.IGNORECASE,
)
"""English that no good application says."""


def words_not_used() -> list[str]:
    """The left column of the last table of the glossary."""
    table = GLOSSARY.read_text("utf-8").partition("## Words not used")[2]
    rows = re.findall(r"^\| (\S+) \| \S+ \|$", table, re.MULTILINE)
    return [word for row in rows for word in row.split("、") if re.match(HAN, word)]


def screen_texts() -> list[tuple[str, str]]:
    """Each Chinese sentence of the program beside its English one."""
    catalogue = read_catalogue(LOCALE / "zh_CN" / "LC_MESSAGES" / "demine.po")
    return [pair for message in catalogue if message.id for pair in source_and_translation(message)]


def page_texts() -> list[tuple[str, str]]:
    """Each Chinese page, without its code, links and tags, beside its path."""
    return [
        (page.relative_to(ROOT).as_posix(), CODE.sub(" ", page.read_text("utf-8")))
        for page in PAGES
    ]


def faults(text: str) -> list[str]:
    """Every word and every kind of misprint in a Chinese text that the glossary rules out."""
    for word in ALLOWED:
        text = text.replace(word, "")
    found = [word for word in words_not_used() if word in text]
    return found + [kind for kind, pattern in MISPRINTS.items() if pattern.search(text)]


def test_the_screen_keeps_to_the_glossary() -> None:
    said = screen_texts()
    assert len(said) > 1500
    assert {source: faults(text) for source, text in said if faults(text)} == {}


def test_the_screen_speaks_idiomatic_english() -> None:
    assert [source for source, _ in screen_texts() if STIFF.search(source)] == []


def test_pages_keep_to_the_glossary() -> None:
    assert len(PAGES) > 15
    assert {path: faults(text) for path, text in page_texts() if faults(text)} == {}


def test_the_mine_field_is_only_where_mines_lie() -> None:
    texts = [*screen_texts(), *page_texts()]
    assert [source for source, text in texts if MINE_PLACES.search(text)] == []


def test_positions_are_no_boards() -> None:
    """Nothing that is chosen, laid or shared is called a position: that is the board."""
    board_words = re.compile(r"\b(boards|daily board|guess-free)\b", re.IGNORECASE)
    position_words = re.compile(
        r"\b(positions?|diagram|where a mine is least likely)\b", re.IGNORECASE
    )
    mixed = [
        source
        for source, text in screen_texts()
        if "局面" in text and board_words.search(source) and not position_words.search(source)
    ]
    assert mixed == []


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("打开雷盘", ["雷盘"]),
        ("思考中 ...", ["an ellipsis of dots"]),
        ("正在统计…", ["an ellipsis of one half"]),
        ("更改(&C)…", []),
        ("思考中……", []),
        ("打开,插旗", ["half-width punctuation"]),
        ("已打开 {percent} %", ["a space before %"]),
        ("叫*双击*", ["hanzi in italics"]),
        ("叫**双击**", []),
        ("它的预写日志被截短", []),
        ("日志已存入", ["日志"]),
    ],
)
def test_faults_are_found(text: str, found: list[str]) -> None:
    assert faults(text) == found
