"""Tables and wrapped text: never wider than the terminal, Chinese characters counted twice."""

from __future__ import annotations

import os
import re
import struct
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from demine.cli.text_table import (
    aligned_lines,
    cut_to_width,
    fitted_lines,
    shortened_start,
    text_width,
    wrapped_lines,
)

GOLDEN = Path(__file__).parents[1] / "golden"
TEXTS = st.text(st.sampled_from("ab 雷棋，。（(…12"), max_size=60)
ROWS = [
    ["file", "result", "Note"],
    ["a/very/long/path/of/a/replay.avf", "won", "导入的对局"],
    ["b", "lost", ""],
]


@given(TEXTS, st.integers(4, 30))
def test_wrapped_text_fits_and_is_whole(text: str, width: int) -> None:
    lines = wrapped_lines(text, width)
    assert all(text_width(line) <= width for line in lines)
    assert "".join(lines).replace(" ", "") == text.replace(" ", "")


def test_chinese_is_broken_where_it_may_be() -> None:
    lines = wrapped_lines("不写规则时，接着玩上次的对局（或开新局）。", 12)
    assert lines == ["不写规则时，", "接着玩上次的", "对局（或开新", "局）。"]
    assert not any(line[0] in "，。）" or line[-1] == "（" for line in lines)
    assert wrapped_lines("a word andmuchlongerthanaline", 8) == [
        "a word",
        "andmuchl",
        "ongertha",
        "naline",
    ]


@given(TEXTS, st.integers(2, 30))
def test_cut_text_fits(text: str, width: int) -> None:
    assert text_width(cut_to_width(text, width)) <= width
    cut = shortened_start(text, width)
    assert text_width(cut) <= width
    assert cut == text or (cut.startswith("…") and text.endswith(cut[1:]))


def test_a_table_gives_way_as_far_as_it_must() -> None:
    whole = aligned_lines(ROWS)
    assert fitted_lines(ROWS, None, shrinking_column=0) == whole
    assert fitted_lines(ROWS, 60, shrinking_column=0) == whole
    cut = fitted_lines(ROWS, 40, shrinking_column=0)
    assert max(map(text_width, cut)) <= 40
    assert cut[1].split() == ["a/very/long/path/of…", "won", "导入的对局"]
    assert fitted_lines(ROWS, 24, shrinking_column=0) == [
        "file    a/very/long/path", "        /of/a/replay.avf", "result  won", "Note    导入的对局",
        "", "file    b", "result  lost", "Note",
    ]  # fmt: skip


def at_a_terminal(columns: int, *args: str, **changes: str) -> str:
    """What a command prints at a terminal of so many columns, without colours."""
    pty = pytest.importorskip("pty", reason="Windows has no pseudo-terminals of Unix")
    import fcntl
    import termios

    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    environment = {**os.environ, "TERM": "xterm", **changes}
    environment.pop("COLUMNS", None)
    running = subprocess.Popen(
        [sys.executable, "-m", "demine", *args],
        stdin=subprocess.DEVNULL, stdout=theirs, stderr=subprocess.PIPE, env=environment,
    )  # fmt: skip
    os.close(theirs)
    said = b""
    while True:
        try:
            part = os.read(ours, 65536)
        except OSError:
            break
        if not part:
            break
        said += part
    os.close(ours)
    _, trouble = running.communicate(timeout=60)
    assert b"Traceback" not in trouble
    return re.sub(r"\x1b\[[\d;]*m", "", said.decode()).replace("\r\n", "\n")


@pytest.mark.skipif(sys.platform == "win32", reason="there are no pseudo-terminals")
def test_no_table_is_wider_than_the_terminal(data_dir: Path) -> None:
    games = [str(path) for path in sorted(GOLDEN.glob("*.jsonl"))]
    at_a_terminal(80, "records", "--import-folder", str(GOLDEN))
    for columns, language, args in (
        (80, "en", ["stats", *games]),
        (80, "zh_CN", ["stats", "--columns", "result,time,bv,path,player,rv,ioe", *games]),
        (40, "en", ["stats", "--list-columns"]),
        (80, "en", ["records"]),
        (80, "zh_CN", ["review", games[0], "--all"]),
    ):
        text = at_a_terminal(columns, *args, "--lang", language)
        assert max(map(text_width, text.splitlines())) <= columns, args
        assert len(text.splitlines()) > 3
    assert (data_dir / "demine.db").exists()
