"""The READMEs and the pages under docs, and what stands in their code blocks."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

from demine.kernels.background import SWITCH_VARIABLE, CompileSetting
from demine.warm_kernels import every_kernel_set

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
READMES = (ROOT / "README.md", ROOT / "README.zh-CN.md")
PAGES = sorted([*ROOT.glob("*.md"), *DOCS.rglob("*.md"), *ROOT.glob("benchmarks/*.md")])
TOLD = (*READMES, *sorted(DOCS.rglob("*.md")))
"""The pages whose commands run: docs and READMEs."""


def name(page: Path) -> str:
    """A page as a test's name."""
    return page.relative_to(ROOT).as_posix()


def fences(page: Path, *kinds: str) -> list[str]:
    """The code blocks of a page that are of some kinds."""
    found = re.findall(r"^```(\w+)\n(.*?)^```", page.read_text("utf-8"), re.DOTALL | re.MULTILINE)
    return [text for kind, text in found if kind in kinds]


def commands(page: Path) -> list[str]:
    """The shell commands of a page, without their comments."""
    lines = [line for text in fences(page, "sh", "bash", "shell") for line in text.splitlines()]
    for text in fences(page, "console"):
        lines += [line[2:] for line in text.splitlines() if line.startswith("$ ")]
    bare = (re.sub(r"(^|\s+)#.*", "", line).strip() for line in lines)
    return [line for line in bare if line]


def every_command() -> list[str]:
    """Each command of docs and READMEs once."""
    return list(dict.fromkeys(command for page in TOLD for command in commands(page)))


def installations() -> list[str]:
    """Each `pip install ...` of docs and READMEs once, those within sentences too."""
    text = "\n".join(page.read_text("utf-8") for page in TOLD)
    spoken = [each for each in re.findall(r"`(pip install [^`\n]+)`", text) if "..." not in each]
    blocks = [each for each in every_command() if each.startswith("pip ")]
    return list(dict.fromkeys([*blocks, *spoken]))


def hide_numba(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let examples run as on a machine without Numba: they print the same, and compile nothing.

    Kernels that another test has loaded into this process are hidden too, and processes that an
    example starts do without kernels.
    """
    monkeypatch.setenv(SWITCH_VARIABLE, CompileSetting.PLAIN.value)
    monkeypatch.setitem(sys.modules, "numba", None)
    for each in every_kernel_set():
        monkeypatch.setattr(each, "loaded", {})
