"""Share codes: one line of text, safe in a link, that opens the same board in every scene.

`1.30x16.99.zo.8-15.<layout>.<check>`: version, size, mines, the letters of the rules' options in
the order of `OPTIONS`, the first cell as row-column from 0, the packed layout, and four check
characters against typing errors. A code is not secret: the mines can be worked out from it.
"""

from __future__ import annotations

import base64
import re
import zlib
from typing import TYPE_CHECKING, Any, Final

from demine.logic.errors import DemineError, ShareError, quoted
from demine.logic.layout import (
    checked_mine_map,
    keeps_first_click_promise,
    pack_mine_map,
    unpack_mine_map,
)
from demine.logic.rules import OPTIONS, Rules

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_LETTERS: Final = "".join(
    f"({'|'.join(choice.share for choice in option.choices if choice.share)})"
    + ("" if all(choice.share for choice in option.choices) else "?")
    for option in OPTIONS
)
"""A group for the letters of each option, optional if one choice has none."""
_SHARE_CODE: Final = re.compile(r"\d+\.\d+x\d+\.\S*", re.ASCII)
_CODE: Final = re.compile(
    rf"1\.(\d{{1,8}})x(\d{{1,8}})\.(\d{{1,8}})\.{_LETTERS}\.(\d{{1,8}})-(\d{{1,8}})\.([\w-]*)\.([\w-]{{4}})",
    re.ASCII,
)


def is_share_code(text: str) -> bool:
    """Whether a text looks like a share code, which may still be damaged."""
    return _SHARE_CODE.fullmatch(text) is not None


def encode(rules: Rules, mine_map: NDArray[np.bool_], first: tuple[int, int]) -> str:
    """Return the share code of a board whose first opened cell is `first`, `(row, col)`.

    Raises `ShareError` if the mine map breaks what the rules promise for that cell.
    """
    mines = checked_mine_map(rules, mine_map)
    _check_first(rules, mines, first)
    letters = "".join(option.choice_of(getattr(rules, option.name)).share for option in OPTIONS)
    body = (
        f"1.{rules.width}x{rules.height}.{rules.mines}.{letters}"
        f".{first[0]}-{first[1]}.{pack_mine_map(mines)}"
    )
    return f"{body}.{_checksum(body)}"


def decode(code: str) -> tuple[Rules, NDArray[np.bool_], tuple[int, int]]:
    """Return the rules, the mine map and the first cell of a share code.

    Raises `ShareError` with the reason: not a code, mistyped, or a board that its rules forbid.
    """
    if not isinstance(code, str):
        raise ShareError("{text!r} is not a share code", text=quoted(code))
    code = code.strip()
    match = _CODE.fullmatch(code)
    if match is None:
        raise ShareError("{text!r} is not a share code", text=code[:80])
    body, _, check = code.rpartition(".")
    if _checksum(body) != check:
        raise ShareError("the share code is damaged: its check letters do not match")
    try:
        return _decode_fields(match)
    except DemineError as error:
        raise ShareError("the share code holds no playable board: {reason}", reason=error) from None


def _decode_fields(
    match: re.Match[str],
) -> tuple[Rules, NDArray[np.bool_], tuple[int, int]]:
    width, height, mines, *letters, row, col, packed, _ = match.groups()
    options: dict[str, Any] = {
        option.name: next(c.value for c in option.choices if c.share == (said or ""))
        for option, said in zip(OPTIONS, letters, strict=True)
    }
    rules = Rules(int(width), int(height), int(mines), **options)
    mine_map = checked_mine_map(rules, unpack_mine_map(packed, rules.height, rules.width))
    cell = int(row), int(col)
    _check_first(rules, mine_map, cell)
    return rules, mine_map, cell


def _check_first(rules: Rules, mine_map: NDArray[np.bool_], cell: tuple[int, int]) -> None:
    if not keeps_first_click_promise(rules, mine_map, cell):
        raise ShareError("the first cell breaks the promise first={first}", first=rules.first)


def _checksum(body: str) -> str:
    digest = zlib.crc32(body.encode("ascii")).to_bytes(4)[:3]
    return base64.urlsafe_b64encode(digest).decode("ascii")
