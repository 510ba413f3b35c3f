"""The example notebook, run by Jupyter's own client: every cell shows what the file shows."""

from __future__ import annotations

import json
from itertools import zip_longest
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import nbformat
import pytest
from nbclient import NotebookClient

ROOT = Path(__file__).parents[2]
TOUR = ROOT / "docs" / "notebooks" / "tour.ipynb"


def read(path: Path) -> Any:
    """Return a notebook as the file has it."""
    return nbformat.reads(path.read_text("utf-8"), as_version=4)  # type: ignore[no-untyped-call]


def run(path: Path, folder: Path) -> Any:
    """Return a notebook as it is after it was run in an empty folder."""
    notebook = read(path)
    work = folder / "work"
    work.mkdir()
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", str(ROOT / "src"))
        patch.setenv("DEMINE_LANG", "en")
        for name in ("IPYTHONDIR", "JUPYTER_RUNTIME_DIR", "JUPYTER_CONFIG_DIR"):
            patch.setenv(name, str(folder / name))
        NotebookClient(
            notebook, timeout=90, record_timing=False, resources={"metadata": {"path": str(work)}}
        ).execute()
    assert not list(work.iterdir()), "it leaves files behind"
    notebook.metadata.language_info = {"name": "python"}  # no version of whoever ran it last
    return notebook


@pytest.fixture(scope="module")
def tour(tmp_path_factory: pytest.TempPathFactory, pytestconfig: pytest.Config) -> Any:
    """The example, run; `--regenerate` keeps what it showed."""
    fresh = run(TOUR, tmp_path_factory.mktemp("tour"))
    if pytestconfig.getoption("regenerate"):
        text = json.dumps(fresh, ensure_ascii=False, indent=1, sort_keys=True)
        TOUR.write_text(text + "\n", encoding="utf-8", newline="\n")
    return fresh


def shown(notebook: Any) -> list[dict[str, Any]]:
    """What the code cells of a notebook show, by kind."""
    outputs = [out for cell in notebook.cells for out in cell.get("outputs", [])]
    return [dict(out.get("data") or {out.name: out.text}) for out in outputs]


def test_the_notebook_shows_what_the_file_shows(tour: Any) -> None:
    for fresh, old in zip_longest(shown(tour), shown(read(TOUR))):
        assert fresh == old, "if that is right, run pytest tests/notebook --regenerate"


def test_the_notebook_shows_pictures_that_browsers_can_read(tour: Any) -> None:
    pictures = [out["image/svg+xml"] for out in shown(tour) if "image/svg+xml" in out]
    assert len(pictures) == 5
    for picture in pictures:
        assert ET.fromstring(picture).tag.endswith("svg")


def test_the_notebook_stays_small_and_names_no_machine() -> None:
    text = TOUR.read_text("utf-8")
    assert len(text) < 200_000
    assert json.loads(text)["metadata"]["language_info"] == {"name": "python"}
    assert "execution_count" in text
