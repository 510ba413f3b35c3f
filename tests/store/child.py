"""A player in a process of its own: plays at random, and says what is kept as soon as it is.

`python child.py DATABASE SEED WHAT`; each line is a JSON object. WHAT is `play` for ever, `hold`
(begin or resume one game and wait), or a number of acts to play before closing in order.
"""

from __future__ import annotations

import json
import random
import sys
import time

from demine.game import Game
from demine.logic.event import Act, Lay
from demine.logic.rules import Rules
from demine.store import LiveGame, Store
from tests.store.playing import digest, random_event


def say(live: LiveGame) -> None:
    events = live.game.events
    count = sum(not isinstance(event, Lay) for event in events)
    line = {
        "id": live.id,
        "count": count,
        "digest": digest(events, count),
        "clock": live.clock_ms,
        "over": live.game.status.over,
        "resumed": live.resumed,
    }
    print(json.dumps(line), flush=True)


def sit_down(store: Store, rng: random.Random) -> LiveGame:
    live = store.resume()
    if live is None:
        live = store.begin(Game(Rules(rng.randint(5, 30), 16, 20), rng.getrandbits(40)))
    say(live)
    return live


def main() -> None:
    path, seed, what = sys.argv[1:]
    rng = random.Random(seed)
    acts = int(what) if what.isdigit() else None
    store = Store.open(path)
    print(json.dumps({"notices": [str(notice) for notice in store.take_notices()]}), flush=True)
    live = sit_down(store, rng)
    while what == "hold":
        time.sleep(1)
    clock = live.clock_ms
    done = 0
    while acts is None or done < acts:
        if live.game.status.over:
            live = sit_down(store, rng)
            clock = live.clock_ms
        clock += rng.randrange(30)
        begun = live.game.begun
        event = random_event(live.game, rng, clock)
        if isinstance(event, Act):
            live.play(event)
            clock = 0 if live.game.begun and not begun else clock
        else:
            live.game.touch(event)
            live.tick(clock)
        done += 1
        say(live)
    store.close()


if __name__ == "__main__":
    main()
