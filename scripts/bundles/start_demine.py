"""The program `demine` of a bundle."""

import multiprocessing
import os
import sys


def restore_library_path() -> None:
    """Take the folder of the bundle out of the search path of libraries for other programs.

    The system's programs, such as the browser of a link, want their own libraries. PyInstaller
    sets the path for every process of the bundle, if it takes each for a new one.
    """
    path = os.environ.get("LD_LIBRARY_PATH", "").split(":")
    kept = [folder for folder in path if folder and folder != getattr(sys, "_MEIPASS", "")]
    os.environ.pop("LD_LIBRARY_PATH", None)
    if kept:
        os.environ["LD_LIBRARY_PATH"] = ":".join(kept)
    os.environ["PYINSTALLER_RESET_ENVIRONMENT"] = "1"


if __name__ == "__main__":
    multiprocessing.freeze_support()
    restore_library_path()
    from demine.__main__ import main

    sys.exit(main())
