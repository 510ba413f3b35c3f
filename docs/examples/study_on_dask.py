"""A study on a Dask cluster: here of two processes, or of any scheduler's workers."""

import sys

from distributed import Client

import demine


def main(scheduler: str | None, games: int) -> None:
    """Play on the workers of a scheduler, or on a cluster of this machine's own."""
    client = Client(scheduler) if scheduler else Client(n_workers=2, threads_per_worker=1)
    with client:
        result = demine.study(
            demine.EXPERT,
            games=games,
            seed=7,
            executor=client.get_executor(),
            workers=len(client.scheduler_info()["workers"]),
            output="games.parquet",  # a row for each game
        )
    low, high = result.interval
    print(f"{result.won} of {games} games won: {result.win_rate:.1%} ({low:.1%} to {high:.1%})")


if __name__ == "__main__":
    address, number = [*sys.argv[1:], "", ""][:2]
    main(address or None, games=int(number or 1000))
