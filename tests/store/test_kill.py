"""Nothing that was kept is lost when the program is killed, at any moment."""

from __future__ import annotations

import random
import time
from pathlib import Path
from typing import Any

from demine.logic.event import Lay
from demine.store import Store
from tests.store.playing import digest
from tests.store.processes import player
from tests.store.running_sums import check_sums_of_file

KILLS = 50


def check(path: Path, said: list[dict[str, Any]]) -> bool:
    """Compare what lies in the store with the last that was said; return if it was resumed."""
    last = said[-1]
    with Store.open(path) as store:
        assert store.take_notices() == ()
        live = store.resume()
        assert store.take_notices() == ()
        game = store.load_game(last["id"])
        events = game.events
        count = sum(not isinstance(event, Lay) for event in events)
        assert digest(events, last["count"]) == last["digest"]
        # One act may have been kept without the time to say so.
        assert last["count"] <= count <= last["count"] + 1
        if game.status.over:
            assert store.game_row(last["id"]).status in ("won", "lost")
            return False
        assert live is not None
        assert (live.id, live.game, live.resumed) == (last["id"], game, True)
        if count == last["count"]:
            assert last["clock"] <= live.clock_ms <= last["clock"] + 30
        else:
            # The act nobody heard of may be the one that starts the clock anew.
            assert live.clock_ms == events[-1].t
        return True


def test_fifty_kills_at_random_moments_lose_nothing(tmp_path: Path) -> None:
    path = tmp_path / "demine.db"
    rng = random.Random(2026)
    resumed = heard = 0
    for kill in range(KILLS):
        with player(path, kill, "play") as child:
            said = [child.line(), child.line()]
            time.sleep(rng.uniform(0, 0.12))
            said += child.kill()
        resumed += check(path, said)
        check_sums_of_file(path)
        heard += len(said)
    assert resumed > KILLS // 4
    assert heard > 10 * KILLS
    with Store.open(path) as store:
        assert len(store.games(limit=-1)) > KILLS // 10
    assert sorted(name.name for name in tmp_path.iterdir()) == ["demine.db", "demine.db.lock"]


def test_a_kill_while_the_store_opens_does_no_harm(tmp_path: Path) -> None:
    rng = random.Random(7)
    for kill in range(8):
        path = tmp_path / f"{kill % 2}.db"
        with player(path, kill, "play") as child:
            time.sleep(rng.uniform(0.12, 0.3))
            said = child.kill()
        with Store.open(path) as store:
            assert store.take_notices() == ()
            for line in said[1:]:
                assert store.game_row(line["id"]).id == line["id"]
