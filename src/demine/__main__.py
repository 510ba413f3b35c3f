"""`python -m demine` and the `demine` command."""

from __future__ import annotations

import gc
import os
import sys

_PLAIN = (
    *("play", "--new", "--seed", "beginner", "intermediate", "expert"),
    *("--scene", "desktop", "classic", "terminal"),
)
"""The words of most starts, besides sizes and seeds: Click is not imported for these."""
COMPLETION_VARIABLE = "_DEMINE_COMPLETE"
"""Set by shells that complete a command as Click does; its words are not in the arguments, so that
the command line looks like that of a game."""


def main() -> int:
    """Run the command line and return its exit code."""
    gc.disable()  # what is being loaded is not garbage: `start_collecting` enables it
    code = _run(sys.argv[1:])
    gc.freeze()  # nor is what the system takes back in a moment; Python would look through it
    return code


def _run(args: list[str]) -> int:
    if COMPLETION_VARIABLE in os.environ:
        return _print_requested_script(os.environ.pop(COMPLETION_VARIABLE))
    try:
        from demine.scene.sanitized_console import sanitize_output

        sanitize_output()
        if all(word in _PLAIN or word[:1].isdigit() for word in args):
            from demine.cli.scene_selection import parse_simple_args, play

            start = parse_simple_args(args)
            if start is not None:
                return play(*start)
        from demine.cli.main import run
    except KeyboardInterrupt:
        return 130
    return run(args)


def _print_requested_script(request: str) -> int:
    """Answer a request such as `bash_source` with our script, and any other with nothing."""
    shell, _, kind = request.partition("_")
    if kind != "source":
        return 0
    from demine.cli.main import run

    return run(["completion", shell])


if __name__ == "__main__":
    sys.exit(main())
