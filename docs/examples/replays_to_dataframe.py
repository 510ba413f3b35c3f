"""A folder of replays, of whatever programs, as a pandas DataFrame."""

from pathlib import Path

import pandas as pd

import demine

rows = []
for path in sorted(Path("replays").iterdir()):
    try:
        games = demine.load_all(path)  # most formats hold one game
    except demine.ReplayError as error:
        print("left out:", error)
        continue
    for game in games:
        figures = demine.stats(game)
        rows.append(
            {
                "file": path.name,
                "board": f"{game.rules.width}x{game.rules.height}/{game.rules.mines}",
                "won": game.status is demine.Status.WON,
                "time": figures.time,
                "bv": figures.bv,
                "bv_s": figures.bv_s,
                "ioe": figures.ioe,
            }
        )

frame = pd.DataFrame(rows)
print(frame)
print(frame.groupby("board")[["time", "bv_s", "ioe"]].median())
