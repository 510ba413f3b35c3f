"""The file formats: those of this package, and those that other packages declare."""

from __future__ import annotations

from dataclasses import replace
from functools import cache, wraps
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple, ParamSpec, TypeVar

from demine.logic.errors import DemineError, quoted
from demine.replay.errors import FormatError, ReplayError
from demine.replay.format import AnyFormat, AnyWritableFormat, Format, WritableFormat
from demine.replay.model import Replay

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Iterator
    from importlib.metadata import EntryPoint

_Arguments = ParamSpec("_Arguments")
_Returned = TypeVar("_Returned")

ENTRY_POINTS: Final = "demine.formats"
"""The group of entry points by which other packages declare formats."""
JOURNAL: Final = "journal"
"""The name of demine's own format."""
JOURNAL_EXTENSION: Final = ".jsonl"
JOURNAL_EXTENSIONS: Final = (JOURNAL_EXTENSION, ".journal", "")
"""With which extensions a path is that of a journal."""
_CALLS: Final = ("recognises", "read", "write", "losses", "read_all", "write_all")


@cache
def built_in_formats() -> tuple[AnyFormat, ...]:
    """Return the formats of this package except the journal, in the order of lists."""
    from demine.replay.formats import (
        avf,
        board_file_text,
        evf,
        evfs,
        fsvf,
        mbf,
        mvf,
        ptta_link,
        rawvf,
        rmv,
        umf_viennasweeper,
    )

    modules = (
        evf,
        evfs,
        rmv,
        rawvf,
        avf,
        mvf,
        mbf,
        ptta_link,
        board_file_text,
        umf_viennasweeper,
        fsvf,
    )
    return _check_names_unique(tuple(module.FORMAT for module in modules))


class Plugins(NamedTuple):
    """The formats that other packages declare."""

    formats: tuple[AnyFormat, ...]
    broken: dict[str, FormatError]
    """The error of each entry point that does not work, by its name in lower case."""


@cache
def plugin_formats() -> Plugins:
    """Return the formats of other packages, and the errors of those that do not work."""
    # Imported here, because that takes longer than reading a replay.
    from importlib import metadata

    found: list[AnyFormat] = []
    broken: dict[str, FormatError] = {}
    for entry in sorted(metadata.entry_points(group=ENTRY_POINTS), key=lambda each: each.name):
        try:
            known = _load_plugin_format(entry)
            _check_names_unique((*built_in_formats(), *found, known))
        except Exception as error:  # noqa: BLE001 - whatever another package does wrong
            broken[entry.name.lower()] = _plugin_error(entry, error)
        else:
            found.append(known)
    return Plugins(tuple(found), broken)


def all_formats() -> tuple[AnyFormat, ...]:
    """Return every format except the journal."""
    return (*built_in_formats(), *plugin_formats().formats)


def replay_formats() -> tuple[Format[Replay], ...]:
    """Return the formats that hold games; the others hold boards without a game."""
    return tuple(known for known in all_formats() if known.holds is Replay)


def writable_formats() -> tuple[AnyWritableFormat, ...]:
    """Return the formats that can be written."""
    return tuple(known for known in all_formats() if isinstance(known, WritableFormat))


def writable_replay_formats() -> tuple[WritableFormat[Replay], ...]:
    """Return the formats that hold games and can be written."""
    return tuple(known for known in replay_formats() if isinstance(known, WritableFormat))


def writable_game_format_names() -> tuple[str, ...]:
    """Return the names of the formats that games can be written in, the journal first."""
    return (JOURNAL, *(known.name for known in writable_replay_formats()))


def recognised_format(data: bytes) -> AnyFormat | None:
    """Return the format of the bytes of a file; None for demine's own texts and unknown ones.

    Formats of other packages are tried after those of this package.
    """
    for known in _built_in_formats_by_evidence():
        if known.recognises(data):
            return known
    return next((known for known in _plugin_formats() if _recognises_safely(known, data)), None)


@cache
def _built_in_formats_by_evidence() -> tuple[AnyFormat, ...]:
    return tuple(sorted(built_in_formats(), key=lambda known: known.evidence))


def _plugin_formats() -> Iterator[AnyFormat]:
    yield from plugin_formats().formats


def _recognises_safely(known: AnyFormat, data: bytes) -> bool:
    try:
        return known.recognises(data)
    except FormatError:
        return False


def plugin_errors(data: bytes) -> list[FormatError]:
    """Return the errors of formats of other packages that may be why the bytes are unknown."""
    found = list(plugin_formats().broken.values())
    for known in plugin_formats().formats:
        try:
            known.recognises(data)
        except FormatError as error:
            found.append(error)
    return found


def writable_format(name: str) -> AnyWritableFormat:
    """Return a writable format by its name or extension, in upper or lower case.

    Raises `ReplayError` if it cannot be written, is unknown, or is broken in another package.
    """
    wanted = name.lower()
    known = next(
        (
            each
            for each in chain(built_in_formats(), _plugin_formats())
            if wanted in {each.name.lower(), *each.extensions}
        ),
        None,
    )
    if isinstance(known, WritableFormat):
        return known
    if known is None and wanted in plugin_formats().broken:
        raise plugin_formats().broken[wanted]
    names = [JOURNAL, *(each.name.lower() for each in writable_formats())]
    if known is not None:
        template = "{format} files cannot be written: use {names}"
        raise ReplayError(template, format=known.name, names=", ".join(names))
    raise ReplayError(
        "{format} is not a format: use {names}", format=quoted(name), names=", ".join(names)
    ).with_suggestion(wanted, names)


def format_name_of_path(path: str | os.PathLike[str]) -> str:
    """Return the name of the format with a path's extension, the journal's for none.

    Raises `ReplayError` for an extension of no format.
    """
    ending = Path(path).suffix.lower()
    if ending in JOURNAL_EXTENSIONS:
        return JOURNAL
    for known in chain(built_in_formats(), _plugin_formats()):
        if ending in known.extensions:
            return known.name
    # A broken entry point is usually named like the extension of its files.
    if ending[1:] in plugin_formats().broken:
        return ending[1:]
    known_endings = [each.extensions[0] for each in writable_formats()]
    raise ReplayError(
        "{ending} is not the ending of a format: use {endings}, or {journal} for a journal, which "
        "holds everything",
        ending=quoted(ending),
        endings=", ".join(known_endings),
        journal=JOURNAL_EXTENSION,
    ).with_suggestion(ending[1:], [each[1:] for each in known_endings], inside=".")


def usual_extension(name: str) -> str:
    """Return the usual extension of a writable format's files, with the dot."""
    return JOURNAL_EXTENSION if name.lower() == JOURNAL else writable_format(name).extensions[0]


def _check_names_unique(known: tuple[AnyFormat, ...]) -> tuple[AnyFormat, ...]:
    """Raise `FormatError` where two formats share a name or an extension."""
    taken = {JOURNAL}
    for each in known:
        for word in (each.name.lower(), *each.extensions):
            if word in taken:
                raise FormatError("two formats are called {name}", name=word)
            taken.add(word)
    return known


def _load_plugin_format(entry: EntryPoint) -> AnyFormat:
    found = entry.load()
    if not isinstance(found, Format):
        raise FormatError("{name} is not a Format", name=entry.value)
    calls = {name: call for name in _CALLS if (call := getattr(found, name, None)) is not None}
    guarded: dict[str, Any] = {
        name: _with_package_in_errors(call, entry) for name, call in calls.items()
    }
    return replace(found, **guarded)


def _with_package_in_errors(
    call: Callable[_Arguments, _Returned], entry: EntryPoint
) -> Callable[_Arguments, _Returned]:
    """Return a function of another package whose unexpected errors name the package."""

    @wraps(call)
    def guarded(*args: _Arguments.args, **kwargs: _Arguments.kwargs) -> _Returned:
        try:
            return call(*args, **kwargs)
        except DemineError:
            raise
        except Exception as error:
            raise _plugin_error(entry, error) from error

    return guarded


def _plugin_error(entry: EntryPoint, error: Exception) -> FormatError:
    reason = error if isinstance(error, DemineError) else f"{type(error).__name__}: {error}"
    return FormatError(
        "the format {name} of the package {package} does not work: {reason}",
        name=entry.name,
        package=entry.dist.name if entry.dist else entry.module,
        reason=reason,
    )
