"""Build the program that needs no Python, for the system and processor this runs on.

    python scripts/bundle.py [FOLDER]      writes one file into FOLDER (dist), and prints its hash

On Linux that is an AppImage, on Windows and macOS a ZIP archive of a folder or an app. It is made
by PyInstaller, of this Python, the packages of requirements/bundle.lock and this source, in an
environment of its own; nothing else is downloaded. On Linux it needs `gcc`, `mksquashfs` and the
static libraries of PACKAGES; what it makes runs where the C library is not older than here.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import platform
import shutil
import struct
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PARTS = ROOT / "scripts" / "bundles"
SHARE = ROOT / "share"
PACKAGES = (
    "gcc", "squashfs-tools", "libsquashfuse-dev", "libzstd-dev", "liblzma-dev", "liblzo2-dev",
    "liblz4-dev", "zlib1g-dev",
)  # fmt: skip
"""The Debian packages that make an AppImage; Ubuntu calls them the same."""
RUNTIME_LIBRARIES = ("squashfuse", "zstd", "lzma", "lzo2", "lz4", "z")
APPLICATION_ID = "demine.demine.demine"
FILE_DATE = 1580601600
"""The date of every file inside, the same as in the wheel."""
ICON_KINDS = {"win32": "ico", "darwin": "icns"}
STRIPPED = ("llvmlite/binding/libllvmlite.so", "libpython3.*.so.*")
"""Large libraries that come with symbols for debuggers."""


def main() -> int:
    """Build, pack, keep; the exit code."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folder", nargs="?", type=Path, default=ROOT / "dist", metavar="FOLDER")
    parser.add_argument("--packages", action="store_true", help="print PACKAGES and build nothing")
    order = parser.parse_args()
    if order.packages:
        print(*PACKAGES, sep="\n")
        return 0
    folder: Path = order.folder.resolve()
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as work:
        python = make_environment(Path(work) / "environment")
        made = freeze(python, Path(work))
        packed = PACKERS.get(sys.platform, pack_appimage)(made, Path(work))
        kept = folder / f"demine-{version_of(python)}-{platform_tag()}{packed.suffix}"
        shutil.move(packed, kept)
    print(hashlib.sha256(kept.read_bytes()).hexdigest(), kept.name)
    return 0


def platform_tag() -> str:
    """Return the system and processor, as file names of downloads say them."""
    machine = platform.machine().lower()
    return {"win32": "windows-", "darwin": "macos-"}.get(sys.platform, "") + machine


def make_environment(folder: Path) -> Path:
    """Return the Python of a new environment with the locked packages and demine in it."""
    builder = venv.EnvBuilder(with_pip=True)
    builder.create(folder)
    python = Path(builder.ensure_directories(folder).env_exe)
    pip = [str(python), "-m", "pip", "--disable-pip-version-check", "--no-input", "install", "-q"]
    run([*pip, "--require-hashes", "-r", str(ROOT / "requirements" / "bundle.lock")])
    run([*pip, "--no-deps", "--no-build-isolation", "--no-compile", str(ROOT)])
    find = "import demine; print(demine.__path__[0])"
    package = Path(output([str(python), "-c", find]))
    # It tells where this repository is.
    for told in package.parent.glob("demine-*.dist-info/direct_url.json"):
        told.unlink()
    # Bytecode that holds wherever and whenever it is unpacked.
    places = ["-s", str(package.parent), "--invalidation-mode", "unchecked-hash"]
    run([str(python), "-m", "compileall", "-q", "-f", *places, str(package)])
    return python


def freeze(python: Path, work: Path) -> Path:
    """Return the folder with the programs, or on macOS the app, that PyInstaller makes."""
    icon = work / f"demine.{ICON_KINDS.get(sys.platform, 'png')}"
    run([str(python), str(PARTS / "icons.py"), str(icon)])
    variables = {
        "DEMINE_BUNDLE_ICON": str(icon),
        "DEMINE_BUNDLE_ID": APPLICATION_ID,
        "PYTHONHASHSEED": "0",
        "SOURCE_DATE_EPOCH": str(FILE_DATE),
    }
    out = ["--distpath", str(work / "made"), "--workpath", str(work / "pyinstaller")]
    command = [str(python), "-m", "PyInstaller", "--noconfirm", "--log-level", "WARN", *out]
    run([*command, str(PARTS / "demine.spec")], **variables)
    return work / "made" / ("demine.app" if sys.platform == "darwin" else "demine")


def pack_appimage(folder: Path, work: Path) -> Path:
    """Return an AppImage: the runtime, then the folder as a squashfs image."""
    for pattern in STRIPPED:
        for library in (folder / "_internal").glob(pattern):
            run(["strip", "--strip-unneeded", str(library)])
    add_desktop_files(folder, work / "demine.png")
    image = work / "image"
    dates = ["-mkfs-time", str(FILE_DATE), "-all-time", str(FILE_DATE)]
    compression = ["-comp", "zstd", "-Xcompression-level", "22", "-b", "1M"]
    quiet = ["-no-progress", "-quiet", "-no-xattrs", "-noappend"]
    run(["mksquashfs", str(folder), str(image), "-all-root", *dates, *compression, *quiet])
    appimage = work / "demine.AppImage"
    appimage.write_bytes(runtime(image, work / "runtime") + image.read_bytes())
    appimage.chmod(0o755)
    return appimage


def add_desktop_files(folder: Path, icon: Path) -> None:
    """Add what desktops and the runtime look for at the top of an AppImage."""
    (folder / "AppRun").symlink_to("demine")
    shutil.copy(SHARE / "applications" / "demine.desktop", folder)
    shutil.copy(icon, folder / "demine.png")
    (folder / ".DirIcon").symlink_to("demine.png")
    info = folder / "usr" / "share" / "metainfo"
    info.mkdir(parents=True)
    shutil.copy(SHARE / "metainfo" / f"{APPLICATION_ID}.metainfo.xml", info)


def runtime(image: Path, program: Path) -> bytes:
    """Return the compiled runtime for an image, with the mark that makes it an AppImage."""
    name = hashlib.sha256(image.read_bytes()).hexdigest()[:24]
    libraries = [f"-l{library}" for library in RUNTIME_LIBRARIES]
    flags = ["-std=gnu11", "-O2", "-D_FILE_OFFSET_BITS=64", "-static", "-s"]
    source = str(PARTS / "appimage_runtime.c")
    run(["gcc", *flags, f'-DIMAGE_ID="{name}"', source, "-o", str(program), *libraries])
    built = program.read_bytes()
    (sections,) = struct.unpack_from("<Q", built, 0x28)
    size, count = struct.unpack_from("<HH", built, 0x3A)
    if sections + size * count != len(built):
        raise ValueError("the runtime does not end with its table of sections")
    return built[:8] + b"AI\x02" + built[11:]


def pack_zip(folder: Path, work: Path) -> Path:
    """Return a ZIP archive of the folder."""
    made = shutil.make_archive(str(work / "packed"), "zip", folder.parent, folder.name)
    return Path(made)


def pack_app(app: Path, work: Path) -> Path:
    """Return a ZIP archive of an app, with its links and signature, by the tool of macOS."""
    packed = work / "packed.zip"
    run(["ditto", "-c", "-k", "--keepParent", str(app), str(packed)])
    return packed


PACKERS = {"win32": pack_zip, "darwin": pack_app}


def version_of(python: Path) -> str:
    """Return the version of demine in an environment."""
    return output([str(python), "-c", "import demine; print(demine.__version__)"])


def clean_environment(**more: str) -> dict[str, str]:
    """Return the variables without those that lead to other packages."""
    stray = {"PYTHONPATH", "PYTHONHOME"}
    return {key: value for key, value in os.environ.items() if key not in stray} | more


def run(command: list[str], **variables: str) -> None:
    """Run a command, which has to succeed."""
    subprocess.run(command, cwd=ROOT, env=clean_environment(**variables), check=True)


def output(command: list[str]) -> str:
    """Return what a command prints."""
    return subprocess.run(
        command,
        cwd=ROOT.anchor,
        env=clean_environment(),
        stdout=subprocess.PIPE,
        encoding="utf-8",
        check=True,
    ).stdout.strip()


if __name__ == "__main__":
    sys.exit(main())
