"""The program `demine-python` of a bundle: as much of `python` as demine starts.

demine-python [-W ignore] -c CODE [ARGS]
demine-python [-W ignore] -m MODULE [ARGS]
"""

import multiprocessing
import runpy
import sys
import warnings


def main(args: list[str]) -> None:
    """Run the code or module of a command line."""
    if args[:2] == ["-W", "ignore"]:
        warnings.simplefilter("ignore")
        args = args[2:]
    kind, what, *rest = args
    if kind == "-m":
        sys.argv = [what, *rest]
        runpy.run_module(what, run_name="__main__", alter_sys=True)
    elif kind == "-c":
        sys.argv = ["-c", *rest]
        exec(compile(what, "<string>", "exec"), {"__name__": "__main__"})  # noqa: S102
    else:
        sys.exit(f"demine-python: cannot do {kind}")


if __name__ == "__main__":
    multiprocessing.freeze_support()
    main(sys.argv[1:])
