"""The READMEs and the pages under docs: what they show works, and what they point at exists."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

import pytest

from demine.cli.main import VERBS

ROOT = Path(__file__).resolve().parent.parent
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md"), *ROOT.glob("benchmarks/*.md")])
READMES = (ROOT / "README.md", ROOT / "README.zh-CN.md")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_examples_run(page: Path) -> None:
    """Every Python example of a page prints what the page says."""
    parser = doctest.DocTestParser()
    examples = "\n".join(re.findall(r"```pycon\n(.*?)```", page.read_text("utf-8"), re.DOTALL))
    test = parser.get_doctest(examples, {}, page.name, str(page), 0)
    found: list[str] = []
    doctest.DocTestRunner(verbose=False).run(test, out=found.append)
    assert not found, "".join(found)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    """Every relative link and picture of a page exists in the repository."""
    for target in re.findall(r"\]\(([^)#]+)[^)]*\)", page.read_text("utf-8")):
        if "://" not in target:
            assert (page.parent / target).exists(), f"{page.name}: {target}"


def test_both_readmes_say_the_same() -> None:
    """The two READMEs show the same commands, examples, pictures and pages."""
    english, chinese = (_skeleton(page.read_text("utf-8")) for page in READMES)
    assert english == chinese


def _skeleton(text: str) -> list[str]:
    """Return what both languages share: code without comments, and what links lead to."""
    code = "".join(re.findall(r"```\w+\n(.*?)```", text, re.DOTALL))
    lines = [re.sub(r"\s*#.*", "", line) if "$" not in line else line for line in code.split("\n")]
    links = re.findall(r"\]\(([^)]+)\)", text)
    return [*lines, *sorted(link for link in links if "README" not in link or "/" in link)]


@pytest.mark.parametrize("readme", READMES, ids=lambda page: page.name)
def test_every_verb_is_in_the_readme(readme: Path) -> None:
    """A verb that no README shows would be found by nobody."""
    text = readme.read_text("utf-8")
    for verb in VERBS:
        assert re.search(rf"^demine {verb}\b", text, re.MULTILINE), verb
