"""What is said and marked of a game that somebody watches, and where its guesses are."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from demine.logic.event import CELL_VERBS, Act, Verb
from demine.logic.event_log import indexed_non_touches
from demine.logic.game import Status
from demine.logic.sanitize import escape_control_characters
from demine.replay.claimed_statistics import contradictions
from demine.reviews.review_result import NAMES
from demine.scene.cell_faces import Face
from demine.scene.overlay import Mark, Overlay
from demine.scene.translation import explain, mark, tr

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from demine.logic.game import Game
    from demine.reviews.review_result import JudgedAct, Review
    from demine.scene.playback import Playback

PATHS: Final = ("off", "last", "whole")
"""How much of the way of the pointer is shown."""
LAST_MS: Final = 1500
"""How much of the way is shown that was gone last."""
ACTS: Final = {
    Verb.OPEN: mark("opens row {row}, column {col}"),
    Verb.FLAG: mark("flags row {row}, column {col}"),
    Verb.QUESTION: mark("question mark at row {row}, column {col}"),
    Verb.CHORD: mark("chords at row {row}, column {col}"),
    Verb.HINT: mark("asks for help, about row {row}, column {col}"),
    Verb.UNDO: mark("takes an act back"),
    Verb.PAUSE: mark("pauses"),
    Verb.RESUME: mark("goes on"),
    Verb.RESIGN: mark("gives up"),
}
_ENDINGS: Final = {
    Status.WON: mark("won in {time} s"),
    Status.LOST: mark("lost after {time} s"),
}


def act_sentence(act: Act, faces: NDArray[np.uint8]) -> str:
    """Return what an act did that led to these faces; counted from 0, as hints count."""
    text = tr(ACTS[act.verb])
    if act.verb is Verb.FLAG and faces[act.row, act.col] != Face.FLAG:
        text = tr("takes the flag off row {row}, column {col}")
    return text.format(row=act.row, col=act.col) if act.verb in CELL_VERBS else text


def last_act_line(playback: Playback, faces: NDArray[np.uint8]) -> str:
    """Return what was done last, and before and after all acts what is to be said of the file."""
    done, count = playback.acts_done, len(playback.acts)
    event = playback.events[int(playback.acts[done - 1])] if done else None
    if isinstance(event, Act):
        told = tr("{n} of {count}: {act}", n=done, count=count, act=act_sentence(event, faces))
    else:
        told = tr("Nothing was done yet.") if count else tr("There are no acts in this game.")
    return told if 0 < done < count else " · ".join([told, *note_sentences(playback.game)])


def note_sentences(game: Game) -> list[str]:
    """Return what is to be said of the file that a game came from, such as a claim that is wrong.

    Reasons begin small, as parts of longer sentences do; here they stand alone.
    """
    told = map(explain, game.notes)
    return [text[:1].upper() + text[1:] for text in told]


def add_contradiction_notes(game: Game) -> Game:
    """Return the game with its notes, which one from the history does not have yet."""
    game.notes = game.notes or contradictions(game)
    return game


def replay_title(game: Game, name: str, rules: str) -> str:
    """Return what is watched: the file, the player, the rules in words, how it ended."""
    player = game.facts.get("player")
    ending = _ENDINGS.get(game.status)
    told = tr(ending).format(time=f"{game.time_ms / 1000:.3f}") if ending else ""
    if rules == str(game.rules):
        rules = f"{game.rules.width}x{game.rules.height}/{game.rules.mines}"
    parts = [name, player if isinstance(player, str) else "", rules, told]
    return " · ".join(
        escape_control_characters(" ".join(part.split()))[:60]
        for part in parts
        if part and part.strip()
    )


def mark_judged_act(judged: JudgedAct, base: Overlay) -> Overlay:
    """Return an overlay with what a judged act did and what was better."""
    best, reason = judged.best, judged.reason
    if reason is not None:
        base = base.with_marks(Mark.BECAUSE, reason.because)
    if best is not None:
        base = base.with_marks(Mark.SAFE if best.risk == 0 else Mark.GUESS, [(best.row, best.col)])
    forced = judged.verdict.value == "forced"
    if judged.row >= 0:
        cells = judged.cells or ((judged.row, judged.col),)
        base = base.with_marks(Mark.GUESS if forced else Mark.MISTAKE, cells)
    return base


def verdict_text(judged: JudgedAct) -> str:
    """Return why an act was a guess or a mistake."""
    named = tr(NAMES[judged.verdict])
    if judged.judgement is None:
        return named
    return tr("{what}: {told}", what=named, told=judged.judgement.text())


def judged_by_event(game: Game, review: Review) -> dict[int, JudgedAct]:
    """Return the judged acts by their place among the game's events; pauses are not judged."""
    still = (Verb.PAUSE, Verb.RESUME)
    places = [
        place
        for place, event in indexed_non_touches(game.events)
        if isinstance(event, Act) and event.verb not in still
    ]
    return {places[act.number - 1]: act for act in review.acts}


def next_guess_or_mistake(
    judged: Mapping[int, JudgedAct], review: Review, kind: str, first: int
) -> int | None:
    """Return the place of the next `guess` or `mistake` from a place on; None if there is none."""
    numbers = {act.number for act in (review.guesses if kind == "guess" else review.mistakes)}
    places = (at for at, act in judged.items() if act.number in numbers and at >= first)
    return min(places, default=None)


def no_more_text(kind: str) -> str:
    """Return what to say where there is none."""
    return tr("No more guesses.") if kind == "guess" else tr("No more mistakes.")


def format_tenths(ms: float) -> str:
    """Return a time as players write it: seconds with tenths, after minutes if there are any."""
    sign, tenths = "-" if ms <= -50 else "", round(abs(ms) / 100)
    minutes, rest = divmod(tenths, 600)
    if minutes:
        return f"{sign}{minutes}:{rest / 10:04.1f}"
    return f"{sign}{rest / 10:.1f}"


def distinct_times_between(times: Sequence[int], start: int, end: int) -> list[int]:
    """Return the times between a start and an end, each once."""
    return sorted({min(max(int(ms), start), end) for ms in times})
