"""The READMEs and the pages under docs: what they show works, and what they point at exists."""

from __future__ import annotations

import doctest
import pkgutil
import re
from importlib import import_module
from pathlib import Path

import pytest

from demine.cli.verbs import help_lines_by_verb
from scripts.handbook import nav
from tests.docs.pages import DOCS, PAGES, READMES, ROOT, fences, hide_numba, name

MADE = {DOCS / f"{page}.md" for page in nav.GENERATED_TABLES}
MADE |= {DOCS / "zh" / f"{page}.md" for page in nav.GENERATED_TABLES}
"""Pages that are there in the site alone: they are made from the code."""


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_examples_run(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every Python example of a page prints what the page says."""
    monkeypatch.chdir(tmp_path)
    hide_numba(monkeypatch)
    if page.name == "verified_games.md":
        pytest.importorskip("sqlalchemy")
        pytest.importorskip("pyarrow")
        from tests.docs.verified_games_sample import write_sample

        write_sample(tmp_path / "games.parquet")
    parser = doctest.DocTestParser()
    examples = "\n".join(fences(page, "pycon"))
    test = parser.get_doctest(examples, {}, page.name, str(page), 0)
    found: list[str] = []
    doctest.DocTestRunner(verbose=False).run(test, out=found.append)
    assert not found, "".join(found)


RUN_ELSEWHERE = {
    "docs/formats.md": "tests/replay/test_registry.py",
    "docs/howto/own-scene.md": "tests/docs/test_own_scene.py",
}
"""Pages whose Python stands in whole blocks, and the test that runs these."""


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_every_example_is_one_that_runs(page: Path) -> None:
    """Python without prompts would be looked at by nobody."""
    test = RUN_ELSEWHERE.get(name(page))
    if test is None:
        assert not fences(page, "python", "py", "python3")
    else:
        assert page.name in (Path(__file__).parents[1] / test).read_text(encoding="utf-8")
    for text in fences(page, "pycon"):
        assert text.startswith(">>> ")


def test_modules_that_pages_import_are_in_the_reference() -> None:
    told = (DOCS / "reference" / "library" / "index.md").read_text("utf-8")
    kept = set(re.findall(r"^\| `(demine\.[\w.]+)` \|", told, re.MULTILINE))
    used = re.compile(r"^(?:>>> )?from (demine\.[\w.]+) import", re.MULTILINE)
    programs = [*PAGES, *DOCS.glob("examples/*.py")]
    imported = {module for page in programs for module in used.findall(page.read_text("utf-8"))}
    assert imported <= kept
    assert "demine.play.controller" in imported
    for module in kept:
        import_module(module)


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_links_lead_somewhere(page: Path) -> None:
    """Every relative link and picture of a page exists in the repository, or is made from it."""
    for target in re.findall(r"\]\(([^)#]+)[^)]*\)", page.read_text("utf-8")):
        if "://" not in target:
            path = (page.parent / target).resolve()
            assert path.exists() or path in MADE, f"{page.name}: {target}"


def test_the_tour_names_modules_that_are_there() -> None:
    """Every path of the architecture page exists, from the package or from the repository on."""
    page = (DOCS / "architecture.md").read_text("utf-8")
    named = set(re.findall(r"(?<![\w./])((?:[a-z]\w*/)+\w+(?:\.\w+)?)", page))
    assert len(named) > 40
    missing = [
        path for path in sorted(named)
        if not ((ROOT / "src" / "demine" / path).exists() or (ROOT / path).exists())
    ]  # fmt: skip
    assert missing == []


def test_the_tour_names_objects_that_are_there() -> None:
    """Every dotted name of the architecture page that begins with `demine.` can be imported."""
    page = (DOCS / "architecture.md").read_text("utf-8")
    for dotted in sorted(set(re.findall(r"`(demine(?:\.\w+)+)`", page))):
        assert pkgutil.resolve_name(dotted) is not None


def test_both_readmes_say_the_same() -> None:
    """The two READMEs show the same commands, examples, pictures and pages."""
    english, chinese = (_skeleton(page.read_text("utf-8")) for page in READMES)
    assert english == chinese


def _skeleton(text: str) -> list[str]:
    """Return what both languages share: code without comments, and what links lead to.

    A picture with words in it has a twin in Chinese.
    """
    code = "".join(re.findall(r"```\w+\n(.*?)```", text, re.DOTALL))
    lines = [re.sub(r"\s*#.*", "", line) if "$" not in line else line for line in code.split("\n")]
    text = text.replace("docs/zh/", "docs/").replace("-zh.png)", ".png)")
    links = re.findall(r"\]\(([^)]+)\)", text)
    return [*lines, *sorted(link for link in links if "README" not in link or "/" in link)]


@pytest.mark.parametrize("readme", READMES, ids=lambda page: page.name)
def test_every_verb_is_in_the_readme(readme: Path) -> None:
    """A verb that no README shows would be found by nobody."""
    text = readme.read_text("utf-8")
    for verb in help_lines_by_verb():
        assert re.search(rf"^demine {verb}\b", text, re.MULTILINE), verb


def test_the_model_for_a_scene_is_as_short_as_is_said() -> None:
    page = (ROOT / "docs/howto/own-scene.md").read_text(encoding="utf-8")
    said = re.search(r"`src/demine/classic` .* in under (\d+) lines", page)
    assert said is not None
    files = (ROOT / "src/demine/classic").glob("*.py")
    lines = sum(len(file.read_text(encoding="utf-8").splitlines()) for file in files)
    assert lines < int(said[1])
