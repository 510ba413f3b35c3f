"""What `demine convert` does: it converts games and boards between file formats."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click

from demine.cli.ctrl_c import catch_ctrl_c
from demine.cli.exit_codes import (
    BAD_INPUT,
    DONE,
    INTERRUPTED,
    error_sentence,
    exit_code_of_error,
    print_error,
    print_message,
)
from demine.cli.game_input import STDIN, is_share_code_itself, read_bytes
from demine.cli.output_target import open_output
from demine.cli.progress_line import Progress
from demine.logic.errors import DemineError
from demine.logic.json_text import to_json
from demine.logic.sanitize import escape_surrogates
from demine.replay import limited_file_io, load_save, registry
from demine.replay import read_write_folder as folders
from demine.replay.errors import ReplayError
from demine.replay.model import Replay
from demine.scene.translation import explain, tr

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from demine.game import Game
    from demine.replay.errors import Loss


class _UnreadableFileError(ReplayError):
    """A file that is damaged or holds no game."""


class _GameToConvert(NamedTuple):
    """One game to convert."""

    name: str
    stem: str
    format: str
    """The name of the format that was recognised."""
    game: Game | Replay


class _WrittenFile(NamedTuple):
    """A file that was written."""

    source: _GameToConvert
    target: str
    form: str
    lost: tuple[Loss, ...]


class _FailedFile(NamedTuple):
    """A file that was not converted, and why."""

    name: str
    error: DemineError


def run_convert(paths: Sequence[str], form: str | None, strict: bool, as_json: bool) -> int:
    """Carry out `demine convert` and return the exit code."""
    if len(paths) < 2:
        raise click.UsageError(tr("name the output: IN... OUT"))
    *sources, target = paths
    _check_output(target, as_json)
    files = list(_files_of_sources(sources))
    folder = len(sources) > 1 or files != sources or _is_folder(target)
    if folder and target == STDIN:
        raise click.UsageError(tr("standard output takes only one game"))
    if folder and form is None:
        raise click.UsageError(tr("choose a format for the folder: --to FORMAT"))
    if folder:
        return _convert_many(files, Path(target), str(form), strict=strict, as_json=as_json)
    if form is None and target != STDIN:
        _check_ending(target)
    return _convert_one(files[0], target, form, strict=strict, as_json=as_json)


def _check_output(target: str, as_json: bool) -> None:
    if target == STDIN and as_json:
        raise click.UsageError(tr("standard output cannot take both the file and --json"))


def _check_ending(target: str) -> None:
    """Raise a usage error if the extension names no known format."""
    try:
        registry.format_name_of_path(target)
    except ReplayError as error:
        raise click.UsageError(
            tr("{reason}; or choose one with --to FORMAT", reason=explain(error))
        ) from error


def _is_folder(target: str) -> bool:
    """Return whether the target is a folder, or is written like one, with a slash at its end."""
    return Path(target).is_dir() or target.endswith(("/", os.sep))


def _files_of_sources(sources: Sequence[str]) -> list[str]:
    """Return the sources; a folder is replaced by the files of games in it."""
    found: list[str] = []
    for source in sources:
        if source != STDIN and os.path.isdir(source):  # noqa: PTH112 - too long for Path
            found += map(str, folders.list_files_recursively(Path(source)))
        else:
            found.append(source)
    return found


def _convert_one(name: str, target: str, form: str | None, *, strict: bool, as_json: bool) -> int:
    try:
        games, wanted = _read_games(name), form or registry.format_name_of_path(target)
        if len(games) == 1:
            done = _write_game(games[0], target, wanted, strict=strict)
        else:
            done = _write_all_games(games, target, wanted)
    except DemineError as error:
        if as_json:
            _print_json([], [_FailedFile(name, error)])
        return _print_refusal(error)
    if as_json:
        _print_json([done], [])
    _print_losses(done)
    return DONE


def _convert_many(
    files: Sequence[str], folder: Path, form: str, *, strict: bool, as_json: bool
) -> int:
    done, bad = list[_WrittenFile](), list[_FailedFile]()
    folder.mkdir(parents=True, exist_ok=True)
    taken: set[str] = set()
    read = {os.path.realpath(name): name for name in files}
    with catch_ctrl_c() as stop, Progress(len(files), "files") as progress:
        for name in files:
            if stop():
                break
            try:
                for source in _read_games(name):
                    target = str(
                        folder / _unused_name(source.stem + registry.usual_extension(form), taken)
                    )
                    _check_overwriting_other_source(source, target, read)
                    done.append(_write_game(source, target, form, strict=strict))
            except DemineError as error:
                bad.append(_FailedFile(name, error))
            progress.step()
    if as_json:
        _print_json(done, bad)
    for each in done:
        _print_losses(each)
    for failed in bad:
        _print_refusal(failed.error)
    if bad:
        print_message(
            "convert",
            tr("{bad} of {count} files were not converted", bad=len(bad), count=len(files)),
        )
    if progress.done < len(files):
        return INTERRUPTED
    return max((_exit_code(failed.error) for failed in bad), default=DONE)


def _print_refusal(error: DemineError) -> int:
    """Print on stderr why a file was not converted; return the exit code."""
    return print_error("demine convert", error_sentence("convert", error), _exit_code(error))


def _exit_code(error: DemineError) -> int:
    """Return whether a file cannot be read or written, or the answer is no."""
    return BAD_INPUT if isinstance(error, _UnreadableFileError) else exit_code_of_error(error)


def _read_games(name: str) -> list[_GameToConvert]:
    """Return the games in a file; raises `ReplayError` with the file's name."""
    data = read_bytes(name, limited_file_io.read_up_to_limit)
    try:
        found = _parse_games(data)
    except DemineError as error:
        raise _UnreadableFileError("{path}: {reason}", path=name, reason=error) from error
    stem = "game" if name == STDIN or is_share_code_itself(name) else Path(name).stem
    known = registry.recognised_format(data)
    said = registry.JOURNAL if known is None else known.name
    stems = [stem] if len(found) == 1 else [f"{stem}-{number + 1}" for number in range(len(found))]
    return [_GameToConvert(name, each, said, game) for each, game in zip(stems, found, strict=True)]


def _parse_games(data: bytes) -> Sequence[Game | Replay]:
    """Return every game in the bytes; replays with all the facts of their files."""
    known = registry.recognised_format(data)
    if known is None:
        return [load_save.read(data)]
    found = [known.read(data)] if known.read_all is None else known.read_all(data)
    return [each if isinstance(each, Replay) else each.game() for each in found]


def _write_game(source: _GameToConvert, target: str, form: str, *, strict: bool) -> _WrittenFile:
    """Write one game; raises `ReplayError` with the name of its source or of its target."""
    try:
        if target != STDIN:
            _check_overwriting_source(source, target, form)
        data, lost = load_save.convert(source.game, form)
        if lost and strict:
            raise ReplayError("it cannot hold {losses}", losses=load_save.joined_losses(lost))
    except DemineError as error:
        raise ReplayError("{path}: {reason}", path=source.name, reason=error) from error
    with open_output(target) as out:
        out.write(data)
    return _WrittenFile(source, target, form, lost)


def _check_overwriting_source(source: _GameToConvert, target: str, form: str) -> None:
    """Raise `ReplayError` if the target would replace its source with less than all of it."""
    if source.name == STDIN or not _is_same_file(source.name, target):
        return
    _, lost = load_save.convert(source.game, form)
    # A journal holds the whole game, but not all the facts of other programs' files.
    if lost or (form.lower() == registry.JOURNAL and source.format != registry.JOURNAL):
        raise ReplayError(
            "{path} is also the input, and the new format cannot hold all of it: choose another "
            "name",
            path=target,
        )


def _check_overwriting_other_source(
    source: _GameToConvert, target: str, files: Mapping[str, str]
) -> None:
    """Raise `ReplayError` if the target would replace another file that is still to be read."""
    if files.get(os.path.realpath(target), source.name) != source.name:
        raise ReplayError(
            "{path}: {target} is also an input: choose another folder",
            path=source.name,
            target=target,
        )


def _is_same_file(one: str, other: str) -> bool:
    try:
        return Path(one).samefile(other)
    except (OSError, ValueError):
        return False


def _write_all_games(games: Sequence[_GameToConvert], target: str, form: str) -> _WrittenFile:
    """Write all games of one file to one; raises `ReplayError` if the format holds only one."""
    known = None if form.lower() == registry.JOURNAL else registry.writable_format(form)
    if known is None or known.holds is not Replay or known.write_all is None:
        raise ReplayError(
            "{path}: it holds {count} games: convert them into a folder",
            path=games[0].name,
            count=len(games),
        )
    data = known.write_all([each.game for each in games if isinstance(each.game, Replay)])
    with open_output(target) as out:
        out.write(data)
    return _WrittenFile(games[0], target, form, ())


def _unused_name(name: str, taken: set[str]) -> str:
    """Return the name, numbered if another game of this run has it, and add it to `taken`."""
    path, number = Path(name), 1
    while name in taken:
        number += 1
        name = f"{path.stem}-{number}{path.suffix}"
    taken.add(name)
    return name


def _print_losses(done: _WrittenFile) -> None:
    """Print on stderr what the written file does not hold."""
    if done.lost:
        sentence = tr(
            "{path}: {target} does not hold {losses}",
            path=done.source.name,
            target=done.target,
            losses=explain(load_save.joined_losses(done.lost)),
        )
        print_message("convert", sentence)


def _print_json(done: Sequence[_WrittenFile], bad: Sequence[_FailedFile]) -> None:
    facts = {
        "written": [
            {
                "from": escape_surrogates(each.source.name),
                "format": each.source.format,
                "to": escape_surrogates(each.target),
                "as": each.form.lower(),
                "lost": [str(loss) for loss in each.lost],
            }
            for each in done
        ],
        "failed": [{"from": escape_surrogates(each.name), "why": str(each.error)} for each in bad],
    }
    click.echo(to_json(facts))
