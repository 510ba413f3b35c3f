"""Which of two ways to guess is better, played on every processor of this machine."""

import os
import sys

import demine


def main(games: int) -> None:
    """Play the same boards with both policies and print how they compare."""
    result = demine.study(
        "16x16/40",
        games=games,
        policy=("safest", "fast"),
        seed=7,
        workers=os.cpu_count(),
        progress=lambda done, of: print(f"{done} of {of} games", file=sys.stderr),
    )
    for policy in result.policies:
        low, high = policy.interval
        print(f"{policy.policy}: {policy.win_rate:.1%} won ({low:.1%} to {high:.1%})")
    pair = result.difference
    if pair is not None:
        low, high = pair.interval
        print(f"difference: {pair.win_rate_difference:+.1%} ({low:+.1%} to {high:+.1%})")


if __name__ == "__main__":
    main(games=int(sys.argv[1]) if len(sys.argv) > 1 else 2000)
