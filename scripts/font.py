"""Makes the font that every screen of demine can write both its languages with.

    python scripts/font.py NotoSansCJK-Regular.ttc

The source is Noto Sans CJK SC (SIL Open Font License; on Debian: fonts-noto-cjk). What is kept:
ASCII, Latin-1, punctuation and symbols of a user interface, the 3755 Chinese characters of GB
2312's first level, and whatever else the catalogues say. The same source gives the same file.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from babel.messages.pofile import read_po
from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTCollection, TTFont

PACKAGE = Path(__file__).resolve().parent.parent / "src" / "demine"
TARGET = PACKAGE / "picture" / "fonts" / "NotoSansSC-demine.otf"
SOURCE_NAME = "Noto Sans CJK SC"
# A name of its own: under the source's, the subset would hide the whole font from a toolkit.
FONT_NAME = "Demine Sans SC"
# Family, unique name, full name, PostScript name: what must not be taken for the whole font.
REPLACED_NAMES = {
    1: FONT_NAME,
    3: f"2.004;{FONT_NAME}",
    4: FONT_NAME,
    6: FONT_NAME.replace(" ", "") + "-Regular",
}
KEPT_NAME_IDS = (0, 1, 2, 3, 4, 5, 6, 13, 14)
PUNCTUATION = "–—‘’“”•…‹›€™−×÷≤≥≠≈∞·"
SYMBOLS = "←↑→↓↖↗↘↙↔↕★☆●○◎■□▲△▶▷◀◁▼▽◆◇✓①②③④⑤⑥⑦⑧⑨⑩─│┌┐└┘├┤┬┴┼█░▒▓"
CHINESE_PUNCTUATION = "、。〈〉《》「」『』【】〔〕￥～"
FULL_WIDTH = "".join(map(chr, range(0xFF01, 0xFF5F)))


def common_chinese_characters() -> str:
    """The Chinese characters of GB 2312's first level, the common ones."""
    codes = [(high, low) for high in range(0xB0, 0xD8) for low in range(0xA1, 0xFF)]
    assigned = [code for code in codes if code < (0xD7, 0xFA)]
    return bytes(byte for code in assigned for byte in code).decode("gb2312")


def catalogue_characters() -> set[str]:
    """Every character of every translation."""
    found: set[str] = set()
    for path in sorted(PACKAGE.glob("locale/*/LC_MESSAGES/demine.po")):
        with path.open("rb") as file:
            for message in read_po(file):
                texts = message.string if isinstance(message.string, tuple) else (message.string,)
                found.update(*texts)
    return {character for character in found if character.isprintable()}


def needed_characters() -> set[str]:
    """Every character the font is to have."""
    latin = "".join(map(chr, [*range(0x20, 0x7F), *range(0xA0, 0x100)]))
    fixed = latin + PUNCTUATION + SYMBOLS + CHINESE_PUNCTUATION + "\u3000" + FULL_WIDTH
    return {*fixed, *common_chinese_characters(), *catalogue_characters()}


def open_chinese_face(path: Path) -> TTFont:
    """The Simplified Chinese face of a font file or collection."""
    if path.suffix.lower() not in (".ttc", ".otc"):
        return TTFont(path, recalcTimestamp=False)
    names = [font["name"].getDebugName(4) for font in TTCollection(path, lazy=True).fonts]
    if SOURCE_NAME not in names:
        raise SystemExit(f"{path} holds no {SOURCE_NAME!r}, only {', '.join(names)}")
    return TTFont(path, fontNumber=names.index(SOURCE_NAME), recalcTimestamp=False)


def subset(font: TTFont, characters: set[str]) -> None:
    """Cut the font down to these characters, without vertical writing."""
    missing = sorted(characters - set(map(chr, font.getBestCmap())))
    if missing:
        raise SystemExit(f"the source has no {' '.join(missing)}")
    options = Options(layout_features=["kern"], notdef_outline=True)
    options.desubroutinize = True
    options.name_IDs = list(KEPT_NAME_IDS)
    options.drop_tables += ["BASE", "DSIG", "GSUB", "VORG", "vhea", "vmtx"]
    cutter = Subsetter(options)
    cutter.populate(unicodes=map(ord, characters))
    cutter.subset(font)


def rename_font(font: TTFont) -> None:
    """Give the cut font a name of its own; its copyright and licence stay."""
    for record in font["name"].names:
        if record.nameID in REPLACED_NAMES:
            record.string = REPLACED_NAMES[record.nameID]
    table = font["CFF "].cff
    table.fontNames[0] = REPLACED_NAMES[6]
    table[0].FullName = table[0].FamilyName = FONT_NAME


def main(arguments: list[str]) -> int:
    """Make the font from the source given."""
    parser = argparse.ArgumentParser(description="Make demine's font from Noto Sans CJK SC.")
    parser.add_argument("source", type=Path, help="NotoSansCJK-Regular.ttc or the SC .otf")
    parser.add_argument("-o", "--output", type=Path, default=TARGET)
    chosen = parser.parse_args(arguments)
    font, characters = open_chinese_face(chosen.source), needed_characters()
    subset(font, characters)
    rename_font(font)
    font.save(chosen.output)
    size = chosen.output.stat().st_size
    print(f"{chosen.output.name}: {len(characters)} characters, {size / 1000:.0f} kB")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
