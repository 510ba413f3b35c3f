"""What `demine watch` does: plays recorded games back, or writes them as pictures."""

from __future__ import annotations

import importlib.util
from typing import TYPE_CHECKING, Final

import click

from demine.cli.ctrl_c import catch_ctrl_c
from demine.cli.exit_codes import DONE, INTERRUPTED
from demine.cli.game_input import STDIN, read_chosen_game
from demine.cli.output_target import open_output
from demine.cli.progress_line import Progress
from demine.cli.theme_options import chosen_theme
from demine.logic.errors import DemineError
from demine.logic.sanitize import escape_to_one_line
from demine.scene.translation import explain, tr

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from demine.game import Game
    from demine.scene.playback import Playback
    from demine.scene.themes import Theme


_CELL_SIZE: Final = 24


class WatchError(DemineError):
    """There is no game to watch, or no library to watch it with."""


def run_watch(
    file: str | None,
    scene: str | None,
    game: int | None,
    at: float | None,
    speed: float,
    png: str | None,
    gif: str | None,
    cell: int | None,
    path: bool,
    theme: str | None,
    palette: str | None,
    fullscreen: bool,
    lang: str | None,
) -> int:
    """Carry out `demine watch` and return the exit code."""
    _check_names(png, gif)
    if png is None and gif is None:
        return watch_file(
            file, scene, theme, palette, lang, game=game, at=at, speed=speed, fullscreen=fullscreen
        )
    if file is None:
        raise WatchError("a picture needs a game: demine watch FILE --png PICTURE")
    from demine.scene.playback import Playback

    playback, colours = (
        Playback(_read_game_and_print_notes(file, game)),
        chosen_theme(theme, palette),
    )
    frame, moving = cell or _CELL_SIZE, cell or _CELL_SIZE * 2 // 3
    _check_sizes(playback, colours, None if png is None else frame, None if gif is None else moving)
    code = DONE
    if png is not None:
        _write_png(playback, png, at, colours, frame, path=path)
    if gif is not None:
        code = _write_gif(playback, gif, speed, colours, moving)
    return code


def watch_file(
    file: str | None,
    scene: str | None,
    theme: str | None,
    palette: str | None,
    lang: str | None,
    *,
    game: int | None = None,
    at: float | None = None,
    speed: float = 1.0,
    fullscreen: bool = False,
) -> int:
    """Open the player; without a file its window asks for one. Return the exit code."""
    said = lang or click.get_current_context().find_root().params.get("lang")
    chosen = {"theme": theme, "palette": palette, "language": said}
    settings = {name: value for name, value in chosen.items() if value is not None}
    if _choose_scene(scene, file) == "terminal":
        return _open_terminal(file, game, at, speed, settings)
    return _open_window(file, game, at, speed, settings, fullscreen)


def _check_sizes(playback: Playback, theme: Theme, frame: int | None, moving: int | None) -> None:
    """Raise `PictureError` if a wanted picture would be too large, before one is drawn."""
    from demine.picture.animation import frame_maker, frame_maker_within_gif_limit

    if frame is not None:
        frame_maker(playback, theme, frame)
    if moving is not None:
        frame_maker_within_gif_limit(playback, theme, moving)


def _read_game_and_print_notes(file: str, number: int | None) -> Game:
    """Return the game to watch; print on stderr the false claims of its file."""
    return _with_notes_printed(file, read_chosen_game(file, number))


def _with_notes_printed(file: str, game: Game) -> Game:
    for note in game.notes:
        click.echo(f"demine watch: {escape_to_one_line(file)}: {explain(note)}", err=True)
    return game


def _read_games_and_print_notes(file: str, number: int | None) -> Sequence[Game]:
    """Return the game to watch, or all of a file with several if none is chosen."""
    if number is None and file != STDIN:
        from demine.replay.load_save import load_all

        games = load_all(file)
        return games if len(games) > 1 else [_with_notes_printed(file, games[0])]
    return [_read_game_and_print_notes(file, number)]


def _check_names(png: str | None, gif: str | None) -> None:
    """Raise a usage error for names with a wrong extension, before anything is read."""
    if png not in {None, STDIN} and not str(png).lower().endswith(".png"):
        raise click.UsageError(tr("a picture's name must end in .png"))
    if gif not in {None, STDIN} and not str(gif).lower().endswith(".gif"):
        raise click.UsageError(tr("an animation's name must end in .gif"))


def _open_window(
    file: str | None,
    game: int | None,
    at: float | None,
    speed: float,
    settings: Mapping[str, object],
    fullscreen: bool,
) -> int:
    """Open the player in a window, after reading the game; return the exit code."""
    from demine.desktop.display_check import find_display_error

    chosen = None if file is None else _read_games_and_print_notes(file, game)
    lost = find_display_error()
    if lost is not None:
        raise lost if file is not None else WatchError("no game given: demine watch FILE")
    from pathlib import Path

    from demine.desktop.watch.app import run

    return run(
        chosen,
        "" if file is None else Path(file).name,
        settings,
        at_ms=None if at is None else at * 1000,
        speed=speed,
        fullscreen=fullscreen,
    )


def _choose_scene(asked: str | None, file: str | None) -> str:
    """Return the scene to watch in: the one asked for, else a window, else the terminal."""
    needed = {"desktop": "PySide6", "terminal": "textual"}
    installed = [name for name, library in needed.items() if importlib.util.find_spec(library)]
    if asked is not None:
        if asked not in installed:
            raise WatchError(
                "the player needs a library that is not installed: pip install 'demine[{scene}]'",
                scene=asked,
            )
        return asked
    if not installed:
        raise WatchError(
            "the player needs a library that is not installed: pip install 'demine[{scene}]'",
            scene="desktop",
        )
    if installed == ["desktop", "terminal"] and file is not None:
        from demine.desktop.display_check import find_display_error
        from demine.terminal.tty_capabilities import terminal_obstacle as no_terminal

        lost = find_display_error()
        if lost is not None and no_terminal() is None:
            sentence = tr(
                "{reason}; opening the {scene} scene", reason=explain(lost), scene="terminal"
            )
            click.echo(f"demine watch: {sentence}", err=True)
            return "terminal"
    return installed[0]


def _open_terminal(
    file: str | None,
    game: int | None,
    at: float | None,
    speed: float,
    settings: Mapping[str, object],
) -> int:
    if file is None:
        raise WatchError("no game given: demine watch FILE")
    from pathlib import Path

    from demine.terminal.replay_app import run

    return run(
        _read_game_and_print_notes(file, game),
        Path(file).name,
        settings,
        paused_at_ms=None if at is None else at * 1000,
        speed=speed,
    )


def _write_png(
    playback: Playback, to: str, at: float | None, theme: Theme, cell: int, *, path: bool
) -> None:
    from demine.picture.animation import playback_frame
    from demine.picture.png_file import png_bytes

    playback.seek(playback.end if at is None else at * 1000)
    trail = playback.trail(None) if path else None
    data = png_bytes(playback_frame(playback, theme, cell, trail=trail))
    with open_output(to) as out:
        out.write(data)


def _write_gif(playback: Playback, to: str, speed: float, theme: Theme, cell: int) -> int:
    """Write the animation whole or, after Ctrl-C, not at all; return the exit code."""
    from demine.picture.animation import write_game_gif

    with catch_ctrl_c() as stopped, Progress(None, "frames") as shown:

        def progress(done: int, count: int) -> bool:
            shown.update(done, count)
            return not stopped()

        try:
            with open_output(to) as out:
                if not write_game_gif(playback, out, theme, cell, speed, progress=progress):
                    raise KeyboardInterrupt  # noqa: TRY301 - so that it replaces no file
        except KeyboardInterrupt:
            return INTERRUPTED
    return DONE
