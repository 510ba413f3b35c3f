"""Every replay of a folder as a Free Minesweeper replay, and what that format cannot hold."""

from pathlib import Path

import demine

target = Path("converted")
target.mkdir(exist_ok=True)

for path in sorted(Path("replays").iterdir()):
    try:
        game = demine.load(path)
        losses = demine.save(game, target / f"{path.stem}.evf")
    except demine.ReplayError as error:
        print("not converted:", error)
        continue
    print(path.name, "converted")
    for loss in losses:
        print("   without", loss)
    for note in game.notes:  # what the file claims and its clicks contradict
        print("   note:", note)
