"""The container file builds an image, and the server in it serves, stops and goes on.

No base image is downloaded: one is made of the Python that runs the tests, with the libraries that
the wheel needs, so that pip finds them there.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import sysconfig
import urllib.request
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from importlib.metadata import distribution
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("psycopg")
if shutil.which("buildah") is None or os.geteuid() != 0:
    pytest.skip("buildah is not installed, or this is not root", allow_module_level=True)

from packaging.requirements import Requirement

from tests.docs.pages import DOCS, ROOT

CONTAINERFILE = ROOT / "share" / "container" / "Containerfile"
EXTRAS = "web,postgres"
"""Without the solver, which is large and compiles for minutes."""
PYTHON = Path(sys.executable).resolve()
PACKAGES = Path(sysconfig.get_path("purelib"))
HOST = {"/usr", sys.base_prefix, str(PACKAGES)}
"""Folders of this machine that the base image lacks: they are mounted, as copies take a minute."""
ISOLATED = ["--isolation", "chroot", *(f"--volume={each}:{each}:ro" for each in HOST)]
NOBODY = 10001
SECONDS = 60


class Buildah:
    """The program, with images and containers in a folder of the tests."""

    def __init__(self, folder: Path) -> None:
        self._store = ["--root", str(folder / "root"), "--runroot", str(folder / "runroot")]

    def command(self, *words: str) -> list[str]:
        return ["buildah", *self._store, "--storage-driver", "vfs", *words]

    def __call__(self, *words: str) -> str:
        done = subprocess.run(
            self.command(*words), capture_output=True, text=True, check=False, timeout=10 * SECONDS
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def build(self, image: str, file: Path, context: Path, *more: str) -> None:
        self(
            "bud", *ISOLATED, "--format", "docker", "--tag", image,
            "--file", str(file), *more, str(context),
        )  # fmt: skip


@pytest.fixture(scope="module")
def buildah(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Buildah]:
    """The program, and an image `demine` that was built by the container file."""
    folder = tmp_path_factory.mktemp("container")
    buildah = Buildah(folder)
    make_base(folder / "base")
    (folder / "Base").write_text(
        "FROM scratch\nCOPY . /\nENV PATH=/base/bin:/usr/bin PIP_NO_INDEX=1 PIP_NO_COMPILE=1\n"
    )
    buildah.build("base", folder / "Base", folder / "base")
    wheel = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder / "dist")]
    subprocess.run(wheel, cwd=ROOT, check=True, capture_output=True)
    arguments = "BASE=localhost/base", f"EXTRAS={EXTRAS}"
    options = [word for each in arguments for word in ("--build-arg", each)]
    buildah.build("demine", CONTAINERFILE, folder / "dist", *options)
    yield buildah
    shutil.rmtree(folder, ignore_errors=True)


# The base image


def make_base(root: Path) -> None:
    """Make an environment of Python in a folder of the system's form; `HOST` is mounted into it."""
    for name in ("usr", "tmp"):
        (root / name).mkdir(parents=True)
    for name in ("bin", "lib", "lib64"):
        (root / name).symlink_to(f"usr/{name}")
    home = PYTHON.parent
    (root / "base" / "bin").mkdir(parents=True)
    (root / "base" / "bin" / "python3").symlink_to(PYTHON)
    (root / "base" / "pyvenv.cfg").write_text(f"home = {home}\n")
    packages = root / "base" / "lib" / f"python{sysconfig.get_python_version()}" / "site-packages"
    packages.mkdir(parents=True)
    for name in entries_of(needed("pip", f"demine[{EXTRAS}]")):
        (packages / name).symlink_to(PACKAGES / name)


def entries_of(names: Iterable[str]) -> set[str]:
    """Return what distributions have in the folder of packages."""
    files = [file for name in names for file in distribution(name).files or ()]
    return {file.parts[0] for file in files} - {"..", "__pycache__"}


def needed(*wanted: str) -> set[str]:
    """Return the names of what is wanted and of all that it needs, but demine."""
    waiting, found = [Requirement(each) for each in wanted], set[str]()
    while waiting:
        requirement = waiting.pop()
        if requirement.name in found:
            continue
        found.add(requirement.name)
        for each in map(Requirement, distribution(requirement.name).requires or ()):
            extras = requirement.extras or {""}
            if each.marker is None or any(each.marker.evaluate({"extra": e}) for e in extras):
                waiting.append(each)
    return found - {"demine"}


# The image


@contextmanager
def served(buildah: Buildah, container: str, port: int) -> Iterator[str]:
    """Run the image's own command; yields the address once the server listens."""
    entry = config(buildah)["Entrypoint"]
    words = "run", *ISOLATED, container, "--", *entry, "--port", str(port)
    with subprocess.Popen(
        buildah.command(*words), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as process:
        assert process.stdout is not None
        try:
            said = next(filter(is_start_or_end, process.stdout), "")
            assert "listening" in said
            yield f"http://127.0.0.1:{port}"
        finally:
            os.kill(server_at(port), getattr(signal, config(buildah)["StopSignal"]))
            left = list(filter(is_start_or_end, process.stdout))
        assert "ended" in left[-1]


def server_at(port: int) -> int:
    """Return the number of the process within buildah, which would end it at once with itself."""
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            words = (folder / "cmdline").read_text().split("\0")
            if words[0].endswith("python3") and words[-2:] == [str(port), ""]:
                return int(folder.name)
    raise ProcessLookupError(port)


def is_start_or_end(line: str) -> bool:
    """Whether a line of the log says that the server listens or has ended."""
    return line.startswith("{") and json.loads(line)["message"] in {"listening", "ended"}


def config(buildah: Buildah) -> dict[str, Any]:
    told = json.loads(buildah("inspect", "--type", "image", "demine"))
    found: dict[str, Any] = told["Docker"]["config"]
    return found


def free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])


def ask(request: urllib.request.Request | str) -> tuple[dict[str, Any], str]:
    with urllib.request.urlopen(request, timeout=SECONDS) as answer:
        return json.load(answer), str(answer.headers["Set-Cookie"]).partition(";")[0]


def test_it_serves_stops_and_goes_on_as_nobody(buildah: Buildah) -> None:
    container, port = buildah("from", "localhost/demine").strip(), free_port()
    with served(buildah, container, port) as address:
        assert Path(f"/proc/{server_at(port)}").stat().st_uid == NOBODY
        check = config(buildah)["Healthcheck"]["Test"]
        assert check[0] == "CMD"
        healthy = [word.replace("8080", str(port)) for word in check[1:]]
        buildah("run", *ISOLATED, container, "--", *healthy)
        new = urllib.request.Request(
            f"{address}/api/games", b'{"rules": "9x9/10"}', {"Content-Type": "application/json"}
        )
        game, cookie = ask(new)
    asked = [sys.executable, *healthy[1:]]
    assert subprocess.run(asked, check=False, stderr=subprocess.DEVNULL).returncode
    with served(buildah, container, port) as address:
        again = urllib.request.Request(
            f"{address}/api/games/{game['id']}", headers={"Cookie": cookie}
        )
        assert ask(again)[0]["status"] == "ready"


def test_the_page_says_how_it_is_built_and_run(buildah: Buildah) -> None:
    page = (DOCS / "serve.md").read_text("utf-8")
    found = config(buildah)
    (volume,), (exposed,) = found["Volumes"], found["ExposedPorts"]
    port = exposed.removesuffix("/tcp")
    assert found["User"] == f"{NOBODY}:{NOBODY}"
    build = f"--file {CONTAINERFILE.relative_to(ROOT)} dist\n"
    for each in (build, f":{port}:{port} ", f"--volume demine:{volume} ", f"user {NOBODY}"):
        assert each in page
