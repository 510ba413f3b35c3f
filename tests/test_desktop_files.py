"""The files of `share` tell desktops and shops the same as the program does."""

from __future__ import annotations

import importlib.util
import json
import re
import shutil
import subprocess
import xml.etree.ElementTree as ET
from configparser import RawConfigParser
from pathlib import Path
from types import ModuleType

import pytest

import demine
from demine.cli.desktop_entry import APPLICATION_ID, file_kinds

ROOT = Path(__file__).resolve().parent.parent
SHARE = ROOT / "share"
LANG = "{http://www.w3.org/XML/1998/namespace}lang"
LANGUAGES = (None, "zh_CN")


def load(path: Path) -> ModuleType:
    """A script as a module."""
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


COMPONENT = load(ROOT / "scripts" / "bundle.py").APPLICATION_ID
METAINFO = SHARE / "metainfo" / f"{COMPONENT}.metainfo.xml"
MANIFEST = SHARE / "flatpak" / f"{COMPONENT}.json"


@pytest.fixture(scope="module")
def component() -> ET.Element:
    return ET.fromstring(METAINFO.read_text("utf-8"))


@pytest.fixture(scope="module")
def entry() -> dict[str, str]:
    parser = RawConfigParser(interpolation=None)
    parser.optionxform = str  # type: ignore[assignment, method-assign]
    parser.read(SHARE / "applications" / f"{APPLICATION_ID}.desktop", "utf-8")
    return dict(parser["Desktop Entry"])


def told(component: ET.Element, tag: str) -> dict[str | None, str]:
    """The texts of a tag by language."""
    return {each.get(LANG): each.text or "" for each in component.findall(tag)}


def test_ids_are_one(component: ET.Element, entry: dict[str, str]) -> None:
    assert component.findtext("id") == COMPONENT == METAINFO.name.removesuffix(".metainfo.xml")
    assert set(COMPONENT.split(".")) == {APPLICATION_ID}, "the project has no domain but its name"
    assert component.findtext("launchable") == f"{APPLICATION_ID}.desktop"
    assert component.findtext("icon") == entry["Icon"] == APPLICATION_ID
    assert component.findtext("provides/binary") == entry["Exec"].split()[0]


def test_names_and_summaries_are_the_entrys(component: ET.Element, entry: dict[str, str]) -> None:
    for tag, key in (("name", "Name"), ("summary", "Comment")):
        wanted = {code: entry[f"{key}[{code}]" if code else key] for code in LANGUAGES}
        assert told(component, tag) == wanted


def test_types_and_categories_are_the_entrys(component: ET.Element, entry: dict[str, str]) -> None:
    types = [each.text for each in component.findall("provides/mediatype")]
    assert types == [kind.mime_type for kind in file_kinds()]
    assert types == entry["MimeType"].rstrip(";").split(";")
    categories = [each.text for each in component.findall("categories/category")]
    assert categories == entry["Categories"].rstrip(";").split(";")


def test_every_text_is_in_both_languages(component: ET.Element) -> None:
    for place in (".", "description", "description/ul", "releases/release/description"):
        for parent in component.findall(place):
            for tag in ("name", "summary", "developer_name", "p", "li"):
                codes = [each.get(LANG) for each in parent.findall(tag)]
                assert codes == [*LANGUAGES] * (len(codes) // 2), (place, tag)


def test_releases_are_the_changelogs(component: ET.Element) -> None:
    changelog = (ROOT / "CHANGELOG.md").read_text("utf-8")
    written = re.findall(r"^## (\d\S*) - (\d{4}-\d\d-\d\d)$", changelog, re.MULTILINE)
    listed = [(each.get("version"), each.get("date")) for each in component.iter("release")]
    assert listed == written
    assert listed[0][0] == demine.__version__


def test_the_flatpak_installs_the_same_files() -> None:
    manifest = json.loads(MANIFEST.read_text("utf-8"))
    assert manifest["id"] == COMPONENT
    assert manifest["command"] == "demine"
    # The sandbox knows files by the id: builders rename the entry and the icon.
    assert manifest["rename-desktop-file"] == f"{APPLICATION_ID}.desktop"
    assert manifest["rename-icon"] == APPLICATION_ID
    permissions = manifest["finish-args"]
    assert "--share=network" not in permissions
    assert not [each for each in permissions if each.startswith("--filesystem")]
    sources = [each for module in manifest["modules"] for each in module["sources"]]
    assert "../.." in [each["path"] for each in sources]
    for each in sources:
        assert (MANIFEST.parent / each["path"]).exists() or "/build/" in each["path"]
    commands = "\n".join(line for each in manifest["modules"] for line in each["build-commands"])
    for path in (METAINFO, SHARE / "mime" / "packages" / f"{APPLICATION_ID}.xml"):
        assert path.relative_to(ROOT).as_posix() in commands


@pytest.mark.skipif(shutil.which("appstreamcli") is None, reason="no appstreamcli")
def test_the_validator_of_appstream_agrees() -> None:
    done = subprocess.run(
        ["appstreamcli", "validate", "--no-net", str(METAINFO)],
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stdout


# The workflow of the forge


WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))


def test_there_is_a_workflow() -> None:
    assert WORKFLOWS


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_actions_are_pinned_and_scripts_exist(path: Path) -> None:
    text = path.read_text("utf-8")
    used = re.findall(r"uses: (.*)", text)
    assert used
    for action in used:
        assert re.fullmatch(r"[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+", action), action
    scripts = re.findall(r"(?:python|run:) ((?:scripts/|\.ci/|go)[\w./]+)", text)
    assert {"go.py", "scripts/bundle.py", "scripts/package.py"} <= set(scripts)
    assert all((ROOT / each).is_file() for each in scripts)


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_nothing_may_be_written_but_by_a_release(path: Path) -> None:
    text = path.read_text("utf-8")
    assert re.search(r"^permissions:\n  contents: read\n\n", text, re.MULTILINE)
    (_, last) = text.split("\n  release:\n")
    assert text.count("contents: write") == last.count("contents: write") == 1
    assert text.count("persist-credentials: false") == text.count("actions/checkout@")
