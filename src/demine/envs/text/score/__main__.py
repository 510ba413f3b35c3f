"""`python -m demine.envs.text.score`: plays games with a model and prints its score."""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import Any, Final, NamedTuple

import click

from demine.envs.text.command_line import (
    INTERRUPTED,
    board_option,
    language_option,
    max_turns_option,
    run,
)
from demine.envs.text.score.game_score import play_game
from demine.envs.text.score.models import (
    BASELINES,
    ChatModel,
    CommandModel,
    Model,
    key_of_environment,
)
from demine.envs.text.score.result import FILE_NAME, Score, ScoreError, Settings, load_score
from demine.envs.text.text_env import TextMinesweeperEnv
from demine.logic.errors import DemineError
from demine.logic.rules import Rules
from demine.replay.load_save import save
from demine.scene.system_errors import system_error_reason
from demine.scene.translation import explain, tr

PROGRAM: Final = "python -m demine.envs.text.score"
_SECONDS_BETWEEN_LINES: Final = 0.2
_NOT_ALL_PLAYED: Final = 1


def command() -> click.Command:
    """Return the Click command of the program."""
    return click.Command(
        PROGRAM,
        context_settings={"show_default": True},
        callback=score,
        help=tr(
            "Have a language model play Minesweeper in text and print how well it did: its win "
            "rate, answers that could not be played, and risks that the exact solver would have "
            "avoided. See docs/language_models.md.\n\nCtrl-C prints the score so far; with "
            "--output the same command goes on from there. Exit code 1: not all games could be "
            "played."
        ),
        params=[*_model_options(), *_game_options()],
    )


def _model_options() -> list[click.Parameter]:
    return [
        click.Option(
            ["--model"],
            help=tr(
                "A command that reads a line of JSON with the text for each turn, and answers with "
                "a line; with --url the name of the model there."
            ),
        ),
        click.Option(
            ["--url"],
            help=tr("An endpoint of chat completions, such as http://localhost:8000/v1."),
        ),
        click.Option(
            ["--key-variable"],
            default="OPENAI_API_KEY",
            help=tr("The environment variable with the key of the endpoint."),
        ),
        click.Option(
            ["--temperature"], type=click.FloatRange(0), help=tr("The temperature to ask for.")
        ),
        click.Option(
            ["--baseline"],
            type=click.Choice(list(BASELINES)),
            help=tr("Plays instead of a model: any covered cell, or a policy of the solver."),
        ),
        click.Option(
            ["--timeout"],
            type=click.FloatRange(0.1),
            default=120.0,
            help=tr("Seconds that a model has for an answer."),
        ),
    ]


def _game_options() -> list[click.Parameter]:
    return [
        board_option(),
        click.Option(["--games"], type=click.IntRange(1), default=100, help=tr("How many games.")),
        click.Option(
            ["--seed"],
            type=click.IntRange(0, 1 << 62),
            default=0,
            help=tr("The seed of the first board; each further one has the next."),
        ),
        click.Option(
            ["--boards"],
            type=click.Path(path_type=Path),
            help=tr("A score.json whose rules and boards are played again."),
        ),
        language_option(),
        max_turns_option(),
        click.Option(
            ["--output"],
            type=click.Path(path_type=Path, file_okay=False),
            help=tr("A folder for score.json, and the journal and the conversation of each game."),
        ),
        click.Option(["--json", "as_json"], is_flag=True, help=tr("Print the score as JSON.")),
    ]


class Options(NamedTuple):
    """The options of the program."""

    model: str | None
    url: str | None
    key_variable: str
    temperature: float | None
    baseline: str | None
    timeout: float
    board: Rules
    games: int
    seed: int
    boards: Path | None
    language: str
    max_turns: int | None
    output: Path | None
    as_json: bool


def score(**given: Any) -> int:  # noqa: ANN401 - the fields of `Options`
    """Play and print the score; return the exit code. Raises `DemineError`."""
    options = Options(**given)
    model = _model(options)
    settings = _settings(model.name, options)
    env = TextMinesweeperEnv(
        settings.rules, language=settings.language, max_turns=settings.max_turns
    )
    model.check_rules(env.rules)
    found = _begun(settings, options.output)
    code = 0
    try:
        _play(found, env, model, options.output)
    except KeyboardInterrupt:
        code = INTERRUPTED
    except DemineError as error:
        click.echo(f"{PROGRAM}: {explain(error)}", err=True)
        code = _NOT_ALL_PLAYED
    finally:
        model.close()
    click.echo(found.to_json() if options.as_json else str(found), nl=not options.as_json)
    return code


def _model(options: Options) -> Model:
    name, url = options.model, options.url
    if (name is None) == (options.baseline is None) or (url is not None and name is None):
        raise click.UsageError(tr("Give either --model, with --url or without, or --baseline."))
    if options.baseline is not None:
        return BASELINES[options.baseline]()
    if url is None:
        return CommandModel(name or "", options.timeout)
    settings = {} if options.temperature is None else {"temperature": options.temperature}
    key = key_of_environment(options.key_variable)
    return ChatModel(url, name or "", options.timeout, key=key, settings=settings)


def _settings(model: str, options: Options) -> Settings:
    if options.boards is None:
        rules = str(options.board)
        seeds = tuple(range(options.seed, options.seed + options.games))
    else:
        before = load_score(options.boards).settings
        rules, seeds = before.rules, before.seeds
    return Settings(model, rules, options.language, options.max_turns, seeds)


def _begun(settings: Settings, output: Path | None) -> Score:
    """Return the score to go on with, which is new if the folder has none; raises `ScoreError`."""
    if output is None:
        return Score(settings)
    try:
        output.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ScoreError(
            "{path}: {reason}", path=output, reason=system_error_reason(error)
        ) from error
    path = output / FILE_NAME
    if not path.exists():
        return Score(settings)
    found = load_score(path)
    if found.settings != settings:
        raise ScoreError(
            "{path} is the score of another model, other boards or other settings", path=path
        )
    return found


def _play(found: Score, env: TextMinesweeperEnv, model: Model, output: Path | None) -> None:
    """Play the games that are missing, and keep each as soon as it is over."""
    settings = found.settings
    progress = _Progress(found)
    try:
        for number in range(len(found.games), len(settings.seeds)):
            game, said = play_game(env, model, number, settings.seeds[number], progress.show)
            found.games.append(game)
            if output is not None:
                _keep_game(env, said, output, number)
                found.save(output)
    finally:
        progress.clear()


def _keep_game(env: TextMinesweeperEnv, said: str, output: Path, number: int) -> None:
    if env.game.begun:
        save(env.game, output / f"game-{number:04}.jsonl")
    path = output / f"game-{number:04}.txt"
    try:
        path.write_text(said, encoding="utf-8", errors="backslashreplace")
    except OSError as error:
        raise ScoreError(
            "{path}: {reason}", path=path, reason=system_error_reason(error)
        ) from error


class _Progress:
    """The line on stderr that says how far the games are, where that is a terminal."""

    def __init__(self, found: Score) -> None:
        self._found = found
        self._before = len(found.games)
        self._begun = self._shown = time.monotonic()
        self._is_seen = sys.stderr.isatty()

    def show(self, turn: int) -> None:
        now = time.monotonic()
        if not self._is_seen or now - self._shown < _SECONDS_BETWEEN_LINES:
            return
        self._shown = now
        done, count = len(self._found.games), len(self._found.settings.seeds)
        left = "?"
        if done > self._before:
            seconds = (now - self._begun) / (done - self._before) * (count - done)
            left = f"{int(seconds) // 60}:{int(seconds) % 60:02}"
        line = tr(
            "game {number} of {count}, turn {turn}, {won} won, {left} left",
            number=done + 1,
            count=count,
            turn=turn,
            won=sum(game.won for game in self._found.games),
            left=left,
        )
        click.echo(f"\r\x1b[K{line}", err=True, nl=False)

    def clear(self) -> None:
        if self._is_seen:
            click.echo("\r\x1b[K", err=True, nl=False)


if __name__ == "__main__":
    run(command)
