"""`python -m demine` and the `demine` command."""

from __future__ import annotations

import sys

_PLAIN: tuple[list[str], ...] = ([], ["play"])
"""What nearly every start is: what understands options need not be loaded for it."""


def main() -> int:
    """Run the command line and return its exit code."""
    try:
        if sys.argv[1:] in _PLAIN:
            from demine.cli.scenes import resume

            return resume()
        from demine.cli.main import run
    except KeyboardInterrupt:
        return 130
    return run(sys.argv[1:])


if __name__ == "__main__":
    sys.exit(main())
