"""What every replay and board file comes to: a recording or a layout, and what else it says.

`demine.replay.format` says what a format is, and `demine.replay.registry` lists them all.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

import numpy as np

from demine.game import Game
from demine.logic.errors import LayoutError
from demine.logic.event import Lay, Verb
from demine.logic.event_log import acts
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
    from demine.statistics.played_recording import PlayedRecording
    from demine.statistics.recording_type import Recording

FACTS: Final[Mapping[str, str]] = MappingProxyType({
    "format": "the file's format and its version: `AVF 52`, `EVF 4`, `RMV 2`",
    "program": "the program that recorded the game, with its version where the file joins them",
    "version": "the program's version, where the file keeps it apart",
    "player": "the player's name",
    "player_bytes": "the name's bytes in hex, where their encoding had to be guessed",
    "nick": "the player's other name",
    "country": "a country's name or code, as the file says it",
    "token": "what proves that the game belongs to a tournament",
    "identifier": "the file's own mark of this game",
    "device": "the file's mark of the device",
    "level": "`beginner`, `intermediate`, `expert` or `custom`",
    "mode": "one of `MODES`",
    "started": "ISO date and time; with an offset where the file fixes the time zone",
    "ended": "the same of the end",
    "claimed_bv": "the 3BV that the file claims",
    "claimed_bv_solved": "how much of it the file claims to be solved",
    "claimed_ms": "the time that the file claims, as real time from 0",
    "claimed_won": "whether the file claims a win",
    "official": "whether the file claims to be official",
    "fair": "whether the file claims that no rule was broken",
    "no_flag": "whether the file claims that no flag was set",
    "high_score": "whether the file claims a record",
    "marks": "whether question marks were switched on",
    "cell_px": "pixels a cell while it was recorded",
    "checksum": "the checksum's bytes in hex; nobody but its program can check it",
    "transcoder": "the program that made this file from another one",
    "source": "what it was made from, as the file says it",
    "skin": "the program's skin",
    "author": "who made a board",
    "comment": "what the file says besides",
    "mended_ms": "milliseconds by which times were moved at most, for the file's clock ran back",
})  # fmt: skip
"""The names of the facts that formats share, and what they say. A fact is absent where a file
does not say it; `claimed` values are never checked on the way in."""

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
"""The modes of a game by the numbers of EVF, whose first four RMV has too."""

_LEVEL_BOARDS: Final = {(8, 8, 10): 0, (9, 9, 10): 0, (16, 16, 40): 1, (16, 30, 99): 2}


def level_name(mine_map: NDArray[np.bool_]) -> str:
    """Return the level that a board has by its size and its number of mines."""
    height, width = mine_map.shape
    return LEVELS[_LEVEL_BOARDS.get((height, width, int(np.count_nonzero(mine_map))), 3)]


def corrected_times_fact(ms: int) -> dict[str, Fact]:
    """Return the fact that times were mended by so much; none for 0."""
    return {CORRECTED_TIMES: ms} if ms else {}


def demine_with_version() -> str:
    """Return the name and version under which every file is written."""
    from demine import __version__

    return f"demine {__version__}"


class LazyFacts(Mapping[str, "Fact"]):
    """Facts that are worked out when first asked for: reading only the events need not wait."""

    def __init__(self, make: Callable[[], dict[str, Fact]]) -> None:
        self._make = make

    @cached_property
    def _found(self) -> dict[str, Fact]:
        return self._make()

    def __getitem__(self, name: str) -> Fact:
        return self._found[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._found)

    def __len__(self) -> int:
        return len(self._found)

    def __repr__(self) -> str:
        return f"Facts({self._found!r})"


@dataclass(frozen=True, eq=False)
class Replay:
    """A replay file as it was understood."""

    format: str
    """The `NAME` of its format; empty if it comes from no file."""
    version: str
    recording: Recording
    facts: Mapping[str, Fact] = field(default_factory=dict)
    """What the file says besides, by the names of `FACTS`."""
    recorded_changes: RecordedBoardChanges | None = None
    original_parts: Mapping[str, bytes] = field(default_factory=dict)
    """What its format needs beyond all that to write the same bytes again."""
    lost: tuple[Loss, ...] = ()
    """What of the game it was made from has no place in any replay."""

    @classmethod
    def of(cls, game: Game | Replay) -> Replay:
        """Return a game as a replay that no file holds yet; a replay as it is.

        Raises `LayoutError` before the mines are laid.
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
        """What the rules of the mouse make of the recording."""
        return play_recording(self.recording)

    def game(self, *, trusted: bool = False) -> Game:
        """Return the game.

        Raises `RulesError` for a board without a safe cell, and `WorkError` for openings that take
        too long; one that is trusted may take as long as it does.
        """
        known = vars(self).get("course")
        game = game_from_recording(Game, self.recording, self.facts, played=known, trusted=trusted)
        game.notes = contradictions(game)
        return game


@dataclass(frozen=True, eq=False)
class Layout:
    """A board file as it was understood: where the mines are, and no game on them."""

    format: str
    version: str
    mine_map: NDArray[np.bool_]
    """Shape `(height, width)`."""
    facts: Mapping[str, Fact] = field(default_factory=dict)
    original_parts: Mapping[str, bytes] = field(default_factory=dict)
    lost: tuple[Loss, ...] = ()

    @classmethod
    def of(cls, game: Game | Replay) -> Layout:
        """Return a game's mines. Raises `LayoutError` before they are laid."""
        if isinstance(game, Replay):
            game = game.game()
        if not game.board.laid:
            raise LayoutError("the mines are not laid yet")
        lost = (Loss("what was played on the board"),) if game.begun else ()
        return cls("", "", game.board.mine_map.copy(), dict(game.facts), lost=lost)

    def game(self, *, trusted: bool = False) -> Game:  # noqa: ARG002 - nothing is played
        """Return a game whose mines are laid. Raises `RulesError` for a board without a safe cell.

        A board file names no first cell, so nothing is promised about it (`first=any`).
        """
        height, width = self.mine_map.shape
        rules = Rules(width, height, int(np.count_nonzero(self.mine_map)), first=First.ANY)
        game = Game(rules, 0, origin=Origin.SHARE, facts=self.facts)
        game.lay(Lay(0, self.mine_map))
        return game


def pointer_goes_beyond(recording: Recording, limit: int) -> bool:
    """Whether the pointer is anywhere more than so many pixels away from the board's corner."""
    # The magnitude of the lowest whole number is none.
    points = (recording.x, recording.y)
    return any(each.size and max(int(each.max()), -int(each.min())) > limit for each in points)


def loss_of_facts(facts: Mapping[str, Fact], held: Collection[str]) -> tuple[Loss, ...]:
    """Return the loss of all facts but those that a format holds."""
    # What is claimed of the game is in its events, or told as a claim that is not.
    held = {*held, *CLAIM_CHECKS}
    names = sorted(name for name in facts if name not in held and facts[name] not in {None, ""})
    return (Loss("these facts: {names}", names=", ".join(names)),) if names else ()


def has_original(content: Replay | Layout, format: str) -> bool:  # noqa: A002 - its name
    """Whether something was read from a file of a format, whose bytes it keeps."""
    return content.format == format and bool(content.original_parts)


def replay_losses(replay: Replay, of_hand: Iterable[Loss], held: Collection[str]) -> list[Loss]:
    """Return what every format of mouse events loses: of the game, the hand and the facts."""
    facts = loss_of_facts(replay.facts, held)
    return [*replay.lost, *of_hand, *facts, *contradicted_claims(replay)]


def recorded_changes_losses(replay: Replay) -> tuple[Loss, ...]:
    """Return the loss of what the file said that the board did."""
    lost = Loss("the board changes recorded in the file")
    return () if replay.recorded_changes is None else (lost,)


def plain_layout_losses(layout: Layout) -> tuple[Loss, ...]:
    """Return what a board file loses that holds the mines alone."""
    plain = {"mode"} if layout.facts.get("mode") == MODES[0] else set()
    return (*layout.lost, *loss_of_facts(layout.facts, {"format", "level", *plain}))


def contradicted_claims(replay: Replay) -> tuple[Loss, ...]:
    """Return the loss of what a file claims and the hand does not bear out.

    What is written says what the rules make of the hand, whatever was claimed before.
    """
    changed = ", ".join(
        f"{fact['name']} {_claim_text(fact['claimed'])} -> {_claim_text(fact['found'])}"
        for fact in (each.facts() for each in contradictions(replay))
        if fact["name"] != CORRECTED_TIMES
    )
    said = [Loss("claims that the hand does not bear out: {claims}", claims=changed)]
    moved = replay.facts.get(CORRECTED_TIMES)
    back = [Loss("that its clock ran backwards (times were corrected by up to {ms} ms)", ms=moved)]
    return (*(said if changed else ()), *(back if moved else ()))


def _claim_text(fact: Fact) -> str:
    return str(fact).lower() if isinstance(fact, bool) else str(fact)


def _lost_from_game(game: Game) -> tuple[Loss, ...]:
    """Return what of a game is no evidence of the hand."""
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
    """Return that flags were the goal; in a replay opening all safe cells is what wins."""
    if game.status is Status.WON:
        return Loss("that flags won the game")
    if game.board.opened == game.rules.safe_cells:
        return Loss("that the game was not won: flags were still to win it")
    return Loss("that only flags were to win the game")
