"""Tell through `logging` that somebody has to wait for a compiler."""


def log_compiling() -> None:
    """Log a warning, which Python prints unless told otherwise, that the player is compiled now."""
    from logging import getLogger

    getLogger("demine.kernels").warning(
        "demine compiles its player first, which takes half a minute; `demine warm` does that in "
        "advance"
    )
