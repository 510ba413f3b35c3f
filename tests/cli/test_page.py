"""docs/cli.md: its examples print what it says."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from demine.cli.main import run
from demine.cli.verbs import help_lines_by_verb

PAGE = Path(__file__).parents[2] / "docs" / "cli.md"


@pytest.fixture
def boards(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The diagrams of the page, as the files its examples name."""
    diagrams = re.findall(r"```text\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)
    for name, diagram in zip(("board.txt", "small.txt"), diagrams, strict=True):
        (tmp_path / name).write_text(diagram)
    monkeypatch.chdir(tmp_path)


@pytest.mark.usefixtures("boards")
def test_the_examples_print_what_the_page_says(
    capsys: pytest.CaptureFixture[str], regenerate: bool
) -> None:
    def printed(example: re.Match[str]) -> str:
        text = ""
        for command in re.findall(r"^\$ demine (.*)$", example[1], re.MULTILINE):
            assert run(shlex.split(command)) == 0
            lines = [line.rstrip() for line in capsys.readouterr().out.splitlines()]
            text += "\n".join([f"$ demine {command}", *lines]) + "\n"
        return f"```console\n{text}```"

    page = PAGE.read_text("utf-8")
    told = re.sub(r"```console\n(.*?)```", printed, page, flags=re.DOTALL)
    if regenerate:
        PAGE.write_text(told, "utf-8")
    else:
        assert told == page


def test_the_page_tells_every_option() -> None:
    text = PAGE.read_text("utf-8")
    for verb in ("make", "stats", "hint", "solve"):
        assert f"\n## {verb}\n" in text
        assert verb in help_lines_by_verb()
    from demine.cli.verbs import make, stats

    for parameter in (*make.command().params, *stats.command().params):
        assert parameter.param_type_name == "argument" or any(
            name in text for name in parameter.opts
        )
