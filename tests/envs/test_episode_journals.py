"""The journal of an episode is one of a game: it is watched and reviewed like any other."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

import demine
from demine.cli.main import run
from demine.envs import MinesweeperEnv
from demine.scene.translation import set_language

FIRST = 12
"""The cell that every episode opens first."""


@pytest.fixture(autouse=True)
def _english() -> Iterator[None]:
    """Commands set the language of the process."""
    yield
    set_language("en")


class Player:
    """Plays an episode with the mines in sight, by flags, chords and cells opened."""

    def __init__(self, env: MinesweeperEnv) -> None:
        self.env, self.cells = env, env.rules.cells
        self.seen, self.info = env.reset(seed=6)
        self.acts, self.over = 0, False
        self.act(FIRST)

    def act(self, action: int) -> None:
        if not self.over and self.info["action_mask"][action]:
            self.seen, _, self.over, _, self.info = self.env.step(action)
            self.acts += 1

    @property
    def mines(self) -> NDArray[np.intp]:
        return np.flatnonzero(self.env.game.board.mine_map)

    def flag_and_chord(self) -> None:
        for mine in self.mines.tolist():
            self.act(self.cells + mine)
        for cell in range(self.cells):
            self.act(2 * self.cells + cell)

    def win(self) -> None:
        self.flag_and_chord()
        for cell in np.setdiff1d(np.arange(self.cells), self.mines).tolist():
            self.act(cell)

    def lose(self) -> None:
        for mine in self.mines.tolist():
            self.act(mine)


@pytest.mark.parametrize(
    "text",
    [
        "9x7/9",
        "9x7/9 lives=3",
        "9x7/9 guess-free",
        "9x7/9 goal=flag flags=hold",
        "70x3/25 guess-free",
    ],
)
@pytest.mark.parametrize("wins", [True, False])
def test_an_episode_is_watched_and_reviewed(
    text: str, wins: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    player = Player(MinesweeperEnv(text, actions="all"))
    if "lives" in text:
        player.act(int(player.mines[0]))
    player.win() if wins else player.lose()
    assert player.info["is_success"] is wins
    path, picture = str(tmp_path / "episode.jsonl"), tmp_path / "end.png"
    demine.save(player.env.game, path)
    loaded = demine.load(path)
    assert loaded == player.env.game
    assert not loaded.notes
    assert np.array_equal(demine.sight(loaded), player.seen)
    assert run(["watch", path, "--png", str(picture)]) == 0
    assert picture.read_bytes().startswith(b"\x89PNG")
    capsys.readouterr()
    assert run(["review", path, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["status"] == ("won" if wins else "lost")
    assert len(told["acts"]) == player.acts
    if wins and "goal" not in text:
        assert {act["verb"] for act in told["acts"]} == {"open", "flag", "chord"}
