"""`.board`, a text with the mines of a board, or what a player sees of it, or both.

Only files with the mines can be read. Not checked: the numbers beside the mines. What a player saw
is kept but not interpreted.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

import numpy as np

from demine.logic.neighbours import count_around
from demine.replay.big_endian_reader import BigEndianReader
from demine.replay.errors import Flaw, Loss
from demine.replay.format import Evidence, WritableFormat
from demine.replay.model import MODES, Layout, has_original, level_name, losses_of_facts
from demine.replay.text_encoding import as_single_line

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from demine.logic.metadata import Fact

NAME: Final = "board"
VERSION: Final = "0.1"

_FIRST: Final = re.compile(rb"(?:\xef\xbb\xbf)?[ \t]*#[ \t]*MINESWEEPER-BOARD[ \t]+v([\w.]{1,16})")
_RENDER: Final = re.compile(r"#\s*Render:\s*(\w+)")
_REAL: Final = re.compile(r"(?:\A|[\r\n])[ \t]*\[real\]")
_CLASSIC: Final = "classic"
_LARGEST: Final = 8192
_HEAD: Final = 1 << 20
"""The longest description in characters."""
_EMOJI: Final = str.maketrans({"\u20e3": None, "\ufe0f": None, "\U0001f4a3": "*"})
"""Numbers in emoji are digits followed by two combining characters."""


def recognises(data: bytes) -> bool:
    """Return whether it begins as every such file does."""
    return _FIRST.match(data) is not None


def read(data: bytes) -> Layout:
    """Return the board in a file; raises `ReplayError`."""
    reader = BigEndianReader(NAME, data)
    first = _FIRST.match(data)
    if first is None:
        raise reader.error(Flaw("this is not a .board file"))
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise reader.error(Flaw("a text is not UTF-8"), at=error.start) from None
    # A comment may contain it too, but not at the beginning of a line.
    real = _REAL.search(text)
    head, rest = (text, "") if real is None else (text[: real.start()], text[real.end() :])
    if not rest:
        raise reader.error(Flaw("it does not say where the mines are"), at=len(data))
    at = len(data) - len(rest.encode())
    said = _parse_fields(head[:_HEAD])
    render = _RENDER.search(head, 0, _HEAD)
    if render is not None and render[1] == "emoji":
        rest = rest.translate(_EMOJI)
    mine_map = _read_mine_map(reader, rest, said, at)
    return Layout(NAME, first[1].decode(), mine_map, _facts(said, mine_map), {"file": data})


def _parse_fields(head: str) -> dict[str, str]:
    said: dict[str, str] = {}
    for line in head.splitlines():
        name, colon, value = line.partition(":")
        if colon and not line.startswith("#"):
            said.setdefault(name.strip(), value.lstrip())
    return said


def _read_mine_map(
    reader: BigEndianReader, text: str, said: Mapping[str, str], at: int
) -> NDArray[np.bool_]:
    sizes = [said.get(name, "").strip() for name in ("rows", "columns", "mines")]
    if not all(size.isascii() and size.isdigit() and len(size) < 9 for size in sizes):
        raise reader.error(Flaw("rows, columns and mines are not all given"), at=at)
    height, width, mines = map(int, sizes)
    if max(height, width) > _LARGEST:
        raise reader.error(Flaw("the board is too large"), at=at)
    rows = text.partition("[")[0].split()
    if len(rows) != height or any(len(row) != width for row in rows):
        flaw = Flaw("the board is not {width}x{height}", width=width, height=height)
        raise reader.error(flaw, at=at)
    cells = "".join(rows)
    wrong = re.search(r"[^*0-8]", cells)
    if wrong is not None:
        raise reader.error(Flaw("{letter!r} is not a cell", letter=wrong[0]), at=at)
    flat = np.frombuffer(cells.encode("ascii"), np.uint8) == ord("*")
    mine_map: NDArray[np.bool_] = flat.reshape(height, width)
    found = int(np.count_nonzero(mine_map))
    if found != mines:
        flaw = Flaw("there are {found} mines instead of {mines}", found=found, mines=mines)
        raise reader.error(flaw, at=at)
    reader.check_playable_board(height, width, mines, at=at)
    return mine_map


def _facts(said: Mapping[str, str], mine_map: NDArray[np.bool_]) -> dict[str, Fact]:
    mode = said.get("game_mode", _CLASSIC).strip()
    facts: dict[str, Fact] = {
        "format": f"{NAME} {VERSION}",
        "level": level_name(mine_map),
        "mode": MODES[0] if mode == _CLASSIC else mode,
    }
    return facts | {name: said[name] for name in ("author", "comment") if said.get(name)}


def write(layout: Layout) -> bytes:
    """Return a board as a file, unchanged if it was read from one."""
    if has_original(layout, NAME):
        return layout.original_parts["file"]
    return _format_text(layout).encode("utf-8", "replace")


def _format_text(layout: Layout) -> str:
    height, width = layout.mine_map.shape
    mode = layout.facts.get("mode") or MODES[0]
    lines = [f"# MINESWEEPER-BOARD v{VERSION}", "# Render: ascii", ""]
    lines += [f"{name}: {said}" for name, said in _author_and_comment(layout).items() if said]
    lines += [f"rows: {height}", f"columns: {width}"]
    lines += [f"mines: {np.count_nonzero(layout.mine_map)}", ""]
    said = _CLASSIC if mode == MODES[0] else as_single_line(str(mode))
    lines += [f"game_mode: {said}", "", "[real]"]
    cells = np.where(layout.mine_map, ord("*"), count_around(layout.mine_map) + ord("0"))
    lines += [row.tobytes().decode("ascii") for row in cells.astype(np.uint8)]
    return "\n".join([*lines, ""])


def _author_and_comment(layout: Layout) -> dict[str, str]:
    """Return the texts as they are written: without leading spaces, which readers drop."""
    return {name: as_single_line(layout.facts.get(name)).lstrip() for name in ("author", "comment")}


def losses(layout: Layout) -> tuple[Loss, ...]:
    """Return what a file made from this layout does not hold."""
    held = {"format", "level", "mode", "author", "comment"}
    return (*layout.lost, *losses_of_facts(layout.facts, held))


FORMAT: Final = WritableFormat(
    name=NAME,
    extensions=(".board",),
    holds=Layout,
    evidence=Evidence.MAGIC,
    recognises=recognises,
    read=read,
    write=write,
    losses=losses,
    program="boards as text",
    versions=VERSION,
)
