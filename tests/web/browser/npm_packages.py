"""The npm packages that judge the pages, installed once for each list of versions."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import tempfile
from pathlib import Path

import pytest

PACKAGE_JSON = Path(__file__).with_name("package.json")
INSTALL = (
    "install", "--ignore-scripts", "--no-package-lock", "--no-audit", "--no-fund",
    "--loglevel=error", "--fetch-retries=1", "--fetch-timeout=30000",
)  # fmt: skip


def installed_packages() -> Path:
    """The folder `node_modules` of package.json; skips the test where it cannot be had."""
    wanted = PACKAGE_JSON.read_bytes()
    caches = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    folder = caches / "demine-tests" / f"npm-{hashlib.sha256(wanted).hexdigest()[:16]}"
    if not folder.is_dir():
        install(wanted, folder)
    return folder / "node_modules"


def install(wanted: bytes, folder: Path) -> None:
    """Install into a folder of its own, then move: another process may be at it as well."""
    npm = shutil.which("npm")
    if npm is None:
        pytest.skip("no npm on this machine (on Debian: apt install nodejs npm)")
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder.parent) as made:
        Path(made, "package.json").write_bytes(wanted)
        run = subprocess.run(
            [npm, *INSTALL], cwd=made, capture_output=True, text=True, timeout=180, check=False
        )
        if run.returncode:
            pytest.skip(f"npm could not install what judges the pages: {run.stderr.strip()[-300:]}")
        try:
            Path(made).rename(folder)
        except OSError:
            assert folder.is_dir()  # another process was quicker
        else:
            Path(made).mkdir()  # for the context manager to remove
