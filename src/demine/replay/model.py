"""The contents of replay and board files: a recording or a layout, and the facts beside it.

`demine.replay.format` defines what a format is, and `demine.replay.registry` lists them all.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

import numpy as np

from demine.game import Game
from demine.logic.errors import LayoutError, mark
from demine.logic.event import Lay, Verb
from demine.logic.event_log import acts
from demine.logic.fast_replay import MOST_WORK
from demine.logic.game import Origin, Status
from demine.logic.rules import First, Goal, Rules
from demine.replay.claimed_statistics import CLAIM_CHECKS, CORRECTED_TIMES, contradictions
from demine.replay.errors import Loss
from demine.statistics.game_from_recording import game_from_recording
from demine.statistics.play_recording import play_recording
from demine.statistics.recording_from_game import recording_from_game

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from demine.logic.metadata import Fact
    from demine.replay.board_changes import RecordedBoardChanges
    from demine.scene.moment import Moment
    from demine.scene.seen_position import SeenPosition
    from demine.statistics.played_recording import PlayedRecording
    from demine.statistics.recording_type import Recording

FACTS: Final[Mapping[str, str]] = MappingProxyType({
    "format": mark("the file's format and its version: `AVF 52`, `EVF 4`, `RMV 2`"),
    "program": mark(
        "the program that recorded the game, with its version where the file joins them"
    ),
    "version": mark("the program's version, where the file keeps it apart"),
    "player": mark("the player's name"),
    "player_bytes": mark("the name's bytes in hex, where their encoding had to be guessed"),
    "nick": mark("the player's other name"),
    "country": mark("a country's name or code, as the file says it"),
    "token": mark("what proves that the game belongs to a tournament"),
    "identifier": mark("the file's own mark of this game"),
    "device": mark("the file's mark of the device"),
    "level": mark("`beginner`, `intermediate`, `expert` or `custom`"),
    "mode": mark("the mode, such as `standard` or `upk`"),
    "started": mark("ISO date and time; with an offset where the file fixes the time zone"),
    "ended": mark("the same for the end"),
    "claimed_bv": mark("the 3BV that the file claims"),
    "claimed_bv_solved": mark("how much of it the file claims to be solved"),
    "claimed_ms": mark("the time that the file claims, as real time from 0"),
    "claimed_won": mark("whether the file claims a win"),
    "official": mark("whether the file claims to be official"),
    "fair": mark("whether the file claims that no rule was broken"),
    "no_flag": mark("whether the file claims that no flag was set"),
    "high_score": mark("whether the file claims a record"),
    "marks": mark("whether question marks were switched on"),
    "cell_px": mark("pixels a cell while it was recorded"),
    "checksum": mark("the checksum's bytes in hex; nobody but its program can check it"),
    "transcoder": mark("the program that made this file from another one"),
    "source": mark("what it was made from, as the file says it"),
    "skin": mark("the program's skin"),
    "author": mark("who made a board"),
    "comment": mark("what the file says besides"),
    "mended_ms": mark(
        "milliseconds by which times were moved at most, for the file's clock ran back"
    ),
})  # fmt: skip
"""The names of the facts that formats share, and their meanings. A fact is absent if a file does
not state it; `claimed` values are not checked when they are read."""

LEVELS: Final = ("beginner", "intermediate", "expert", "custom")
MODES: Final[Mapping[int, str]] = MappingProxyType({
    0: "standard",
    1: "upk",
    2: "cheat",
    3: "density",
    4: "win7",
    5: "classic-guess-free",
    6: "strict-guess-free",
    7: "weak-guess-free",
    8: "quasi-guess-free",
    9: "strong-guessable",
    10: "weak-guessable",
    11: "recursive-chords",
    12: "recursive-flags",
    13: "recursive",
    14: "recursive-chords-guess-free",
    15: "recursive-flags-guess-free",
    16: "recursive-guess-free",
    65535: "other",
})  # fmt: skip
"""The modes of a game by their numbers in EVF; RMV has the first four too."""

_COMMON_FACTS: Final = frozenset({"format", "level", "mode", "started", "marks", "cell_px"})
"""The facts that a file of any replay format holds; what does not fit is a loss of its own."""
_LEVEL_BOARDS: Final = {(8, 8, 10): 0, (9, 9, 10): 0, (16, 16, 40): 1, (16, 30, 99): 2}


def level_name(mine_map: NDArray[np.bool_]) -> str:
    """Return the level of a board by its size and number of mines: `custom` if it is no other."""
    height, width = mine_map.shape
    return LEVELS[_LEVEL_BOARDS.get((height, width, int(np.count_nonzero(mine_map))), 3)]


def corrected_times_fact(ms: int) -> dict[str, Fact]:
    """Return the fact that times were corrected by at most `ms`; no fact for 0."""
    return {CORRECTED_TIMES: ms} if ms else {}


def demine_with_version() -> str:
    """Return the program name and version that files are signed with."""
    from demine import __version__

    return f"demine {__version__}"


@dataclass(frozen=True, eq=False)
class Replay:
    """The content of a replay file.

    >>> import demine
    >>> game = demine.Game("9x9/10", seed=7)
    >>> status = game.open(4, 4)
    >>> replay = demine.Replay.of(game)
    >>> bool((replay.game().board.open_map == game.board.open_map).all())
    True
    """

    format: str
    """The `NAME` of its format; empty if it was not read from a file."""
    version: str
    recording: Recording
    facts: Mapping[str, Fact] = field(default_factory=dict)
    """What else the file states, by the names of `FACTS`."""
    recorded_changes: RecordedBoardChanges | None = None
    """What the file says of each cell; None if its format records the mouse alone."""
    original_parts: Mapping[str, bytes] = field(default_factory=dict)
    """The bytes that its format needs, besides the above, to write the same file again."""
    lost: tuple[Loss, ...] = ()
    """What no replay can hold of the game it was made from."""

    @classmethod
    def of(cls, game: Game | Replay) -> Replay:
        """Return a game as a replay; a replay is returned unchanged.

        Raises `LayoutError` if the mines are not laid yet.
        """
        if isinstance(game, Replay):
            return game
        facts = dict(game.facts)
        if "cell_px" in facts:
            facts["cell_px"] = game.cell_px  # as the touches are, whatever they were once
        if game.rules.guess_free:
            facts.setdefault("mode", MODES[5])
        return cls("", "", recording_from_game(game), facts, lost=_lost_from_game(game))

    @cached_property
    def course(self) -> PlayedRecording:
        """The game that results from the recording by the rules of the mouse."""
        return play_recording(self.recording)

    def game(self, *, trusted: bool = False) -> Game:
        """Return the game, with contradicted claims in its `notes`.

        Raises `RulesError` for a board without a safe cell, and `WorkError` if the openings take
        too long and the replay is not trusted.
        """
        if "course" not in vars(self):
            vars(self)["course"] = play_recording(
                self.recording, math.inf if trusted else MOST_WORK
            )
        game = game_from_recording(Game, self.recording, self.facts, played=self.course)
        game.add_notes_when_asked(lambda: contradictions(self))
        return game

    def at(self, moment: Moment | float | str | None = None) -> SeenPosition:
        """Return the position that the player saw at a moment, as `demine.Game.at` does.

        The game is played anew for each; of several moments ask one `game()`.
        """
        return self.game().at(moment)


@dataclass(frozen=True, eq=False)
class Layout:
    """The content of a board file: where the mines are, without a game."""

    format: str
    version: str
    mine_map: NDArray[np.bool_]
    """Shape `(height, width)`."""
    facts: Mapping[str, Fact] = field(default_factory=dict)
    original_parts: Mapping[str, bytes] = field(default_factory=dict)
    lost: tuple[Loss, ...] = ()

    @classmethod
    def of(cls, game: Game | Replay) -> Layout:
        """Return a game's mines as a layout; raises `LayoutError` if they are not laid yet."""
        if isinstance(game, Replay):
            game = game.game()
        if not game.board.laid:
            raise LayoutError("the mines are not laid yet")
        lost = (Loss("what was played on the board"),) if game.begun else ()
        return cls("", "", game.board.mine_map.copy(), dict(game.facts), lost=lost)

    def game(self, *, trusted: bool = False) -> Game:  # noqa: ARG002 - nothing is played
        """Return a new game with these mines; raises `RulesError` for a board without a safe cell.

        A board file names no first cell, so nothing is promised about it (`first=any`).
        """
        height, width = self.mine_map.shape
        rules = Rules(width, height, int(np.count_nonzero(self.mine_map)), first=First.ANY)
        game = Game(rules, 0, origin=Origin.SHARE, facts=self.facts)
        game.lay(Lay(0, self.mine_map))
        return game


def pointer_goes_beyond(recording: Recording, limit_px: int) -> bool:
    """Return whether any coordinate of the pointer is beyond `limit_px`, positive or negative."""
    # Not `abs`, which overflows for the lowest integer.
    points = (recording.x, recording.y)
    return any(each.size and max(int(each.max()), -int(each.min())) > limit_px for each in points)


def losses_of_facts(facts: Mapping[str, Fact], kept_facts: Collection[str]) -> tuple[Loss, ...]:
    """Return the loss of the facts that a format does not keep, except claims about the game."""
    # True claims follow from the events; the others are in `contradicted_claim_losses`.
    kept_facts = {*kept_facts, *CLAIM_CHECKS}
    names = sorted(
        name for name in facts if name not in kept_facts and facts[name] not in {None, ""}
    )
    return (Loss("these facts: {names}", names=", ".join(names)),) if names else ()


def has_original(content: Replay | Layout, format: str) -> bool:  # noqa: A002 - its name
    """Return whether this was read from a file of the format and can be rewritten unchanged."""
    return content.format == format and bool(content.original_parts)


def replay_losses(
    replay: Replay, input_losses: Iterable[Loss], kept_facts: Collection[str]
) -> list[Loss]:
    """Return what every replay format loses: `input_losses`, and parts of the game and facts.

    `kept_facts` are those that the format keeps besides `_COMMON_FACTS`.
    """
    facts = losses_of_facts(replay.facts, {*_COMMON_FACTS, *kept_facts})
    return [*replay.lost, *input_losses, *facts, *contradicted_claim_losses(replay)]


def recorded_changes_losses(replay: Replay) -> tuple[Loss, ...]:
    """Return the loss of the board changes that the file recorded, if any."""
    lost = Loss("the board changes recorded in the file")
    return () if replay.recorded_changes is None else (lost,)


def plain_layout_losses(layout: Layout) -> tuple[Loss, ...]:
    """Return what a board file that holds only the mines loses."""
    plain = {"mode"} if layout.facts.get("mode") == MODES[0] else set()
    return (*layout.lost, *losses_of_facts(layout.facts, {"format", "level", *plain}))


def contradicted_claim_losses(replay: Replay) -> tuple[Loss, ...]:
    """Return the loss of claims that the recording contradicts, and of corrected times.

    A written file claims what results from the recording, whatever was claimed before.
    """
    changed = ", ".join(
        f"{fact['name']} {_claim_text(fact['claimed'])} -> {_claim_text(fact['found'])}"
        for fact in (each.to_dict() for each in contradictions(replay))
        if fact["name"] != CORRECTED_TIMES
    )
    said = [Loss("claims that its clicks contradict: {claims}", claims=changed)]
    moved = replay.facts.get(CORRECTED_TIMES)
    back = [Loss("that its clock ran backwards (times were corrected by up to {ms} ms)", ms=moved)]
    return (*(said if changed else ()), *(back if moved else ()))


def _claim_text(fact: Fact) -> str:
    return str(fact).lower() if isinstance(fact, bool) else str(fact)


def _lost_from_game(game: Game) -> tuple[Loss, ...]:
    """Return what a recording of the mouse cannot hold of a game."""
    lost: list[Loss] = []
    if game.undone:
        lost.append(Loss("what was undone, and that it was"))
    if game.hinted:
        lost.append(Loss("that help was shown"))
    if any(act.verb is Verb.PAUSE for act in acts(game.events)):
        lost.append(Loss("when the game was paused"))
    if game.resigned:
        lost.append(Loss("that the game was given up"))
    if game.rules.goal is not Goal.OPEN:
        lost.append(_lost_goal(game))
    if game.rules.lives > 1:
        lost.append(Loss("that it was a game of {lives} lives", lives=game.rules.lives))
    cell = game.facts.get("cell_px", game.cell_px)
    if cell != game.cell_px:
        # Journals of version 1 measure all touches at 16 pixels a cell.
        lost.append(Loss(
            "the pointer's path at {cell} pixels a cell: it was kept at {kept}",
            cell=cell, kept=game.cell_px,
        ))  # fmt: skip
    if game.names_players:
        lost.append(Loss("which player did what"))
    return tuple(lost)


def _lost_goal(game: Game) -> Loss:
    """Return the loss of the goal to flag all mines; a replay is won by opening all safe cells."""
    if game.status is Status.WON:
        return Loss("that flags won the game")
    if game.board.opened == game.rules.safe_cells:
        return Loss("that the game was not won: flags were still to win it")
    return Loss("that only flags were to win the game")
