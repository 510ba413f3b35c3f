"""A game as an animated GIF: the one that `demine watch --gif` writes, and what is refused."""

from __future__ import annotations

import base64
from io import BytesIO
from pathlib import Path

import pytest

import demine
from demine.picture.animation import write_game_gif
from demine.scene.playback import Playback
from demine.scene.themes import ThemeError, theme


@pytest.fixture
def game() -> demine.Game:
    """A beginner's game of two acts."""
    game = demine.Game("9x9/10", seed=7)
    game.open(4, 4)
    game.open(0, 6, t=900)
    return game


def test_it_is_the_film_of_the_game(game: demine.Game, tmp_path: Path) -> None:
    whole = BytesIO()
    write_game_gif(Playback(game), whole, theme("dark"), 12, 2.0)
    film = demine.animate(game, speed=2, cell=12, theme="dark")
    assert film.gif == whole.getvalue()
    film.save(tmp_path / "game.gif")
    assert (tmp_path / "game.gif").read_bytes() == film.gif
    assert demine.animate(game, speed=4, cell=12, theme="dark").gif != film.gif


def test_a_notebook_shows_it_and_a_terminal_its_size(game: demine.Game) -> None:
    film = demine.animate(game)
    shown = film._repr_html_()
    assert base64.b64decode(shown.partition("base64,")[2].rstrip('">')) == film.gif
    assert repr(film) == f"<Animation of {len(film.gif)} bytes of GIF>"


@pytest.mark.parametrize("speed", [0, -1, float("nan")])
def test_time_runs_forward(game: demine.Game, speed: float) -> None:
    with pytest.raises(demine.PictureError, match="above 0"):
        demine.animate(game, speed=speed)


def test_what_cannot_be_drawn_or_written_is_refused(game: demine.Game, tmp_path: Path) -> None:
    with pytest.raises(demine.PictureError, match=r"saved as \.gif, not as 'game\.png'"):
        demine.animate(game).save(tmp_path / "game.png")
    with pytest.raises(demine.ReplayError, match=r"there is no folder .*no folder"):
        demine.animate(game).save(tmp_path / "no folder" / "game.gif")
    with pytest.raises(demine.PictureError, match="too large"):
        demine.animate(demine.Game("300x300/9"), cell=40)
    with pytest.raises(ThemeError):
        demine.animate(game, theme="none")
    assert not list(tmp_path.iterdir())
