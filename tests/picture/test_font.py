"""The font that comes along has every character the program can say, and toolkits read it."""

from __future__ import annotations

import io
import pkgutil
from pathlib import Path

import pytest
from babel.messages.pofile import read_po
from fontTools.ttLib import TTFont

import demine
from demine.scene.key_bindings import DESCRIPTIONS
from demine.scene.translation import languages
from scripts.messages import is_complete

NAME = "fonts/NotoSansSC-demine.otf"
LARGEST = 1_200_000
FOLDER = Path(demine.__file__).parent
NAMES = ["English", *(name for code, name in languages().items() if is_complete(code))]
RENEW = "make the font anew: python scripts/font.py NotoSansCJK-Regular.ttc"


def font_file() -> bytes:
    data = pkgutil.get_data("demine.picture", NAME)
    assert data is not None
    return data


@pytest.fixture(scope="module")
def font() -> TTFont:
    return TTFont(io.BytesIO(font_file()))


@pytest.fixture(scope="module")
def drawn(font: TTFont) -> set[str]:
    """The characters the font draws."""
    return set(map(chr, font.getBestCmap()))


def test_it_is_small_and_comes_with_its_licence(font: TTFont) -> None:
    assert len(font_file()) < LARGEST
    licence = pkgutil.get_data("demine.picture", "fonts/OFL.txt")
    assert licence is not None
    assert b"SIL OPEN FONT LICENSE Version 1.1" in licence
    assert "Adobe" in font["name"].getDebugName(0)
    assert "Open Font License" in font["name"].getDebugName(13)


def test_it_hides_no_installed_font(font: TTFont) -> None:
    names = {font["name"].getDebugName(number) for number in (1, 4, 6)}
    assert names == {"Demine Sans SC", "DemineSansSC-Regular"}
    assert font["CFF "].cff.fontNames == ["DemineSansSC-Regular"]


@pytest.mark.parametrize("code", [code for code in languages() if is_complete(code)])
def test_every_character_of_the_catalogue_is_in_it(code: str, drawn: set[str]) -> None:
    path = FOLDER / "locale" / code / "LC_MESSAGES" / "demine.po"
    said: set[str] = set()
    with path.open("rb") as file:
        for message in read_po(file):
            for texts in (message.id, message.string):
                said.update(*(texts if isinstance(texts, tuple | list) else (texts,)))
    assert len(said) > 100
    missing = sorted(character for character in said - drawn if character.isprintable())
    assert not missing, RENEW


def test_what_is_written_without_a_catalogue_is_in_it(drawn: set[str]) -> None:
    ascii_ = set(map(chr, range(0x20, 0x7F)))
    said = ascii_.union("←↑→↓−×·…–—“”é", *NAMES, *DESCRIPTIONS.values())
    assert said <= drawn


def test_common_characters_of_names_and_errors_are_in_it(drawn: set[str]) -> None:
    assert set("的一是不了人我在有他这中大来上国文件夹用户桌面下载权限拒绝访问空间足") <= drawn


def test_pygame_draws_it() -> None:
    font_module = pytest.importorskip("pygame.freetype")
    font_module.init()
    face = font_module.Font(io.BytesIO(font_file()), 20)
    first, second = (face.get_rect(text) for text in ("扫雷", "扫雷：胜利"))
    assert 35 <= first.width <= 42
    assert second.width > first.width
    assert None not in face.get_metrics("扫雷胜利游戏结束 Win")
    assert face.get_metrics("\U0001f4a3") == [None]
