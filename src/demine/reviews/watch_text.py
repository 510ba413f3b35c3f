"""The text beside a replay that somebody watches."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from demine.logic.event import Act, Verb
from demine.logic.rules import Rules
from demine.logic.sanitize import escape_control_characters
from demine.replay.claimed_statistics import contradictions
from demine.reviews.review_result import NAMES
from demine.scene.board_title import board_title
from demine.scene.cell_faces import Face
from demine.scene.translation import explain, mark, tr

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from demine.logic.game import BaseGame
    from demine.reviews.review_result import JudgedAct
    from demine.scene.playback import Playback

PATHS: Final = ("off", "last", "whole")
"""How much of the pointer's path is shown."""
LAST_MS: Final = 1500
"""How many milliseconds of the path "last" shows."""
ACTS: Final = {
    Verb.OPEN: mark("opens row {row}, column {col}"),
    Verb.FLAG: mark("flags row {row}, column {col}"),
    Verb.QUESTION: mark("question mark at row {row}, column {col}"),
    Verb.CHORD: mark("chords at row {row}, column {col}"),
    Verb.HINT: mark("asks for help, about row {row}, column {col}"),
    Verb.UNDO: mark("undoes a move"),
    Verb.PAUSE: mark("pauses"),
    Verb.RESUME: mark("resumes"),
    Verb.RESIGN: mark("gives up"),
}
_ENDINGS: Final = {
    "won": mark("won in {time} s"),
    "lost": mark("lost after {time} s"),
    "resigned": mark("given up after {time} s"),
}


def act_sentence(act: Act, faces_after: NDArray[np.uint8]) -> str:
    """Return a sentence that says what an act did."""
    text = ACTS[act.verb]
    if act.verb is Verb.FLAG and faces_after[act.row, act.col] != Face.FLAG:
        text = mark("takes the flag off row {row}, column {col}")
    return tr(text, row=act.row, col=act.col)


def playback_line(playback: Playback, faces: NDArray[np.uint8]) -> str:
    """Return the last act as text, and before the first and after the last the game's notes."""
    done, count = playback.acts_done, len(playback.acts)
    event = playback.events[int(playback.acts[done - 1])] if done else None
    if isinstance(event, Act):
        told = tr("{n} of {count}: {act}", n=done, count=count, act=act_sentence(event, faces))
    else:
        told = tr("No moves yet.") if count else tr("This game has no moves.")
    return told if 0 < done < count else " · ".join([told, *file_note_sentences(playback.game)])


def file_note_sentences(game: BaseGame) -> list[str]:
    """Return the notes about the file of a game as sentences, such as a claim that is wrong."""
    # The texts begin with a small letter, as parts of longer sentences do.
    texts = map(explain, game.notes)
    return [text[:1].upper() + text[1:] for text in texts]


def set_contradiction_notes(game: BaseGame) -> None:
    """Set what its file claims wrongly as a game's notes, unless it has notes already."""
    game.notes = game.notes or contradictions(game)


def replay_title(game: BaseGame, name: str) -> str:
    """Return the title of a replay: file name, player, rules and how the game ended."""
    ending = "resigned" if game.resigned else game.status.value
    return title_of_replay(name, recorded_player(game), game.rules, ending, game.time_ms)


def recorded_player(game: BaseGame) -> str:
    """Return the name of the player that a recording gives, empty if it gives none."""
    player = game.facts.get("player")
    return player if isinstance(player, str) else ""


def title_of_replay(name: str, player: str, rules: Rules, ending: str, time_ms: int) -> str:
    """Return the title of a replay that ended "won", "lost", "resigned", or not at all."""
    told = tr(_ENDINGS[ending], time=f"{time_ms / 1000:.3f}") if ending in _ENDINGS else ""
    # What the first click and flags do is the program's habit, not this game's.
    board = Rules(
        rules.width,
        rules.height,
        rules.mines,
        goal=rules.goal,
        guess_free=rules.guess_free,
        lives=rules.lives,
    )
    parts = [name, player, board_title(board), told]
    return " · ".join(
        escape_control_characters(" ".join(part.split()))[:60]
        for part in parts
        if part and part.strip()
    )


def verdict_text(judged: JudgedAct) -> str:
    """Return the verdict of an act and its explanation as text, with a capital letter."""
    named = tr(NAMES[judged.verdict])
    named = named[:1].upper() + named[1:]
    if judged.judgement is None:
        return named
    return tr("{what}: {told}", what=named, told=judged.judgement)


def no_further_jump_text(kind: str) -> str:
    """Return the text that no `guess` or `mistake` is left to jump to."""
    return tr("No more guesses.") if kind == "guess" else tr("No more mistakes.")


def format_time_to_tenths(ms: float) -> str:
    """Return a time as "12.3" seconds, or "1:02.3" from a minute on."""
    sign, tenths = "-" if ms <= -50 else "", round(abs(ms) / 100)
    minutes, rest = divmod(tenths, 600)
    if minutes:
        return f"{sign}{minutes}:{rest / 10:04.1f}"
    return f"{sign}{rest / 10:.1f}"
