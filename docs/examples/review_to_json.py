"""The games of a folder, judged, as one line of JSON each."""

import json
from pathlib import Path

import demine

with Path("reviews.jsonl").open("w", encoding="utf-8") as out:
    for path in sorted(Path("replays").iterdir()):
        game = demine.load(path)
        review = demine.review(game, why=False)
        print(path.name, review.status, "mistakes:", len(review.mistakes))
        for act in review.mistakes:
            if act.judgement is not None:
                print(f"   after {act.t / 1000:.2f} s: {act.judgement}")
        out.write(json.dumps({"file": path.name, **review.to_dict()}) + "\n")
