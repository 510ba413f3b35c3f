"""The modules of the page, checked by TypeScript's compiler from their JSDoc."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from tests.web.browser.npm_packages import installed_packages

HERE = Path(__file__).parent


def test_the_modules_type_check() -> None:
    node = shutil.which("node")
    if node is None:
        pytest.skip("no Node on this machine (on Debian: apt install nodejs)")
    compiler = installed_packages() / "typescript" / "bin" / "tsc"
    run = subprocess.run(
        [node, str(compiler), "--project", str(HERE)],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert run.returncode == 0, run.stdout + run.stderr
