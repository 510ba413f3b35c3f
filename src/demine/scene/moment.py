"""Moments of a recorded game, as text: `12.5`, `1:02.5`, `50%`, `#17`, `start`, `end`, `last`."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

from demine.logic.errors import TextError, quoted
from demine.logic.game import Status
from demine.scene.playback import Playback
from demine.scene.seen_position import SeenPosition

if TYPE_CHECKING:
    from demine.logic.game import BaseGame

_SECONDS: Final = re.compile(
    r"(?:(\d{1,6}):(?=\d\d(?:\.|s?$)))?(-?\d{1,9}(?:\.\d{0,6})?)s?", re.ASCII
)
_SHARE: Final = re.compile(r"(\d{1,3}(?:\.\d{0,6})?)%", re.ASCII)
_MOVE: Final = re.compile(r"(?:#|(?:act|move)[ =#]*)(\d{1,9})", re.ASCII | re.IGNORECASE)


class MomentError(TextError):
    """A text that is no moment, or a moment at which a game shows no position.

    >>> import demine
    >>> try:
    ...     moment = demine.Moment.parse("soon")
    ... except demine.MomentError as error:
    ...     print(str(error)[:28])
    'soon' is no moment of a gam
    """


@dataclass(frozen=True, slots=True)
class Moment:
    """A moment of a recorded game; `parse` reads what `str` writes.

    `value` is, by its unit, `seconds` since the first opening, with all that happened in that
    instant; a `share` of the time from the first opening to the end, from 0 to 1; or the number of
    a `move`, from 1 on, for the position in which it was made. `last` is the position in which the
    move was made that ended the game, or the last one of a game that has not ended.

    >>> import demine
    >>> moment = demine.Moment.parse("12.5")
    >>> moment.unit, moment.value
    ('seconds', 12.5)
    """

    unit: Literal["seconds", "share", "move", "last"]
    value: float = 0.0

    @classmethod
    def of(cls, moment: Moment | float | str | None) -> Moment:
        """Return a moment given as itself, as seconds, or as text; None is `last`."""
        if moment is None:
            return cls("last")
        if isinstance(moment, cls):
            return moment
        if isinstance(moment, str):
            return cls.parse(moment)
        if isinstance(moment, (int, float)) and abs(moment) < 1e9:
            return cls("seconds", float(moment))
        raise _no_moment(moment)

    @classmethod
    def parse(cls, text: str) -> Moment:
        """Return the moment in a text; raises `MomentError`.

        `12.5` and `1:02.5` are seconds since the first opening, `50%` is a part of the game's time,
        `#17`, `act 17` and `move 17` are the position in which that move was made, `start` and
        `end` are before and after all moves, and `last` is before the move that ended the game.
        """
        word = text.strip()
        if word.lower() in _WORDS:
            return _WORDS[word.lower()]
        if found := _MOVE.fullmatch(word):
            return cls("move", int(found[1]))
        if (found := _SHARE.fullmatch(word)) and float(found[1]) <= 100:
            return cls("share", float(found[1]) / 100)
        if found := _SECONDS.fullmatch(word):
            return cls("seconds", int(found[1] or 0) * 60 + float(found[2]))
        raise _no_moment(text)

    def __str__(self) -> str:
        if self.unit == "last":
            return "last"
        if self.unit == "share":
            return f"{self.value * 100:g}%"
        return f"#{self.value:.0f}" if self.unit == "move" else f"{self.value:g}"


START: Final = Moment("move", 1)
"""Before all moves."""
_WORDS: Final = {
    "start": START,
    "end": Moment("share", 1),
    "last": Moment("last"),
}


def _no_moment(value: object) -> MomentError:
    return MomentError(
        "{text} is no moment of a game: write seconds, as in 12.5, a part of its time, as in 50%, "
        "the number of a move, as in #17, or start, end or last",
        text=quoted(value),
    )


def last_move(game: BaseGame) -> Moment:
    """Return the moment before the move that ended a game, or after all if it has not ended."""
    return Moment("move", _number_of_last_move(Playback(game)))


def position_at(game: BaseGame, moment: Moment) -> SeenPosition:
    """Return what the player of a recorded game saw at a moment.

    Raises `MomentError` if the game was over or paused then, or was never that long.
    """
    playback = Playback(game)
    _seek(playback, moment)
    seen = playback.snapshot()
    if seen.status.over:
        raise MomentError(
            "the game is over then: its last move is #{move}, at {seconds:.3f} s",
            move=len(playback.acts),
            seconds=game.time_ms / 1000,
        )
    if seen.status is Status.PAUSED:
        raise MomentError("the game is paused then, so its board is hidden")
    return SeenPosition(seen.faces, game.rules.mines, game.rules.first, game.start)


def _seek(playback: Playback, moment: Moment) -> None:
    moves, end_s = len(playback.acts), playback.game.time_ms / 1000
    if moment.unit == "last":
        _seek_before_move(playback, _number_of_last_move(playback))
    elif moment.unit == "move":
        if not 1 <= moment.value <= moves + 1:
            raise MomentError(
                "there is no move {move}: it has {count}", move=int(moment.value), count=moves
            )
        _seek_before_move(playback, int(moment.value))
    elif moment.unit == "share" and moment.value == 1:
        playback.seek(playback.end)
    elif moment.unit == "share":
        playback.seek(moment.value * playback.game.time_ms)
    elif moment.value > end_s + 0.001:
        raise MomentError("the game has only {seconds:.3f} s", seconds=end_s)
    elif moment.value * 1000 < playback.start:
        _seek_before_move(playback, 1)
    else:
        playback.seek(moment.value * 1000)


def _number_of_last_move(playback: Playback) -> int:
    """Return the number of the move that ended the game; one more than all if it has not ended."""
    number = len(playback.acts) + 1
    playback.seek(playback.end)
    while number > 1 and playback.snapshot().status.over:
        number -= 1
        _seek_before_move(playback, number)
    return number


def _seek_before_move(playback: Playback, number: int) -> None:
    """Go to just before a move, counted from 1; one more than there are is the end."""
    if number > len(playback.acts):
        playback.seek(playback.end)
    else:
        playback.seek_before_event(int(playback.acts[number - 1]))
