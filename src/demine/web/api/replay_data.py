"""What the page needs to show a game that is over: its acts, what they changed, and its review.

A cell is its index in the board, row by row. Pages fold the changes; they hold no rules. Everything
here tells where the mines are, so it is for games that are over.
"""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from demine.logic.errors import DemineError
from demine.logic.event import Act
from demine.logic.event_log import KINDS, EventLog, indexed_non_touches
from demine.logic.metadata import FIELD_CELL
from demine.reviews.review_result import MISTAKES
from demine.reviews.watch_review import judged_by_event, with_judged_act
from demine.reviews.watch_text import act_sentence, file_note_sentences, replay_title, verdict_text
from demine.scene.cell_faces import Face
from demine.scene.overlay import UNKNOWN, Overlay
from demine.scene.playback import Playback
from demine.statistics.chosen_counters import format_value
from demine.statistics.compute import Timeline
from demine.statistics.definitions import OF_ONE_GAME, TABLE
from demine.statistics.formula import Formula
from demine.statistics.player_shares import player_shares

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from demine.logic.game import BaseGame
    from demine.reviews.review_result import JudgedAct, Review

MOST_WORK: Final = 400_000_000
"""The most cells compared to find out what the acts changed: acts times cells of the board."""
_PRESSES: Final = {at for at, (_, action) in enumerate(KINDS) if action == "press"}


class TooLargeToWatch(DemineError, ValueError):
    """A recording with more acts on a larger board than a page can be given."""


def watch_data(game: BaseGame, title: str) -> dict[str, Any]:
    """Return a game as the page plays it: every act with its text and the cells that it changed.

    All cells are covered at first. Times are in milliseconds since the first opening, the pointer's
    points at 16 pixels a cell. Raises TooLargeToWatch.
    """
    playback = Playback(game)
    count = len(playback.acts)
    if (count + 1) * game.rules.cells > MOST_WORK:
        raise TooLargeToWatch(
            "this recording is too large to watch in a browser: {acts} moves on {cells} cells",
            acts=count,
            cells=game.rules.cells,
        )
    return {
        "title": title,
        "rules": str(game.rules),
        "width": game.rules.width,
        "height": game.rules.height,
        "mines": game.rules.mines,
        "status": game.status.value,
        "time_ms": game.time_ms,
        "start_ms": playback.start,
        "end_ms": playback.end,
        "notes": file_note_sentences(game),
        "players": shares_data(game),
        "acts": _acts(playback),
        "pointer": _pointer(playback),
    }


def _acts(playback: Playback) -> list[dict[str, Any]]:
    playback.seek_before_event(0)
    before: NDArray[np.uint8] = np.full(playback.game.rules.cells, Face.COVERED, np.uint8)
    acts = []
    for place in playback.acts.tolist():
        playback.seek_before_event(place + 1)
        still = playback.snapshot()
        faces = still.faces.reshape(-1)
        changed = np.flatnonzero(faces != before)
        act = playback.events[place]
        if not isinstance(act, Act):
            raise TypeError(f"event {place} is no act")
        acts.append(
            {
                "t": act.t,
                "verb": act.verb.value,
                "cell": act.row * playback.game.rules.width + act.col if act.row >= 0 else None,
                "text": act_sentence(act, still.faces),
                "player": act.player,
                "changed": np.stack((changed, faces[changed]), axis=1).reshape(-1).tolist(),
                "mines_left": still.mines_left,
                "status": still.status.value,
            }
        )
        before = faces
    return acts


def _pointer(playback: Playback) -> dict[str, Any]:
    """Return the pointer as columns: times, x, y, and which of these are presses of a button."""
    log = EventLog.of(playback.events)
    hand = log.touches.scaled(playback.game.cell_px, FIELD_CELL)
    presses = np.flatnonzero(np.isin(hand.kind, list(_PRESSES)))
    return {
        "t": hand.t.tolist(),
        "x": hand.x.tolist(),
        "y": hand.y.tolist(),
        "presses": presses.tolist(),
    }


def review_data(game: BaseGame, review: Review) -> dict[str, Any]:
    """Return a review for the page: a summary, and the judged acts by their place among all acts.

    `marks` are pairs of cell and `Mark`, to be shown before the act is played.
    """
    place_of = {
        index: place
        for place, index in enumerate(
            index for index, event in indexed_non_touches(game.events) if isinstance(event, Act)
        )
    }
    judged = judged_by_event(game, review)
    guesses = {act.number for act in review.guesses}
    mistakes = {act.number for act in review.mistakes}
    return {
        "headline": str(review).splitlines()[0],
        "summary": review.summary_rows(),
        "acts": [
            {
                "act": place_of[index],
                "verdict": act.verdict.value,
                "text": verdict_text(act),
                "marks": _marks(game, act),
                "guess": act.number in guesses,
                "mistake": act.verdict in MISTAKES and act.number in mistakes,
                "notable": act.worth_reading,
            }
            for index, act in judged.items()
        ],
    }


def _marks(game: BaseGame, act: JudgedAct) -> list[int]:
    marks = with_judged_act(Overlay.empty(game.rules.shape), act).marks.reshape(-1)
    marked = np.flatnonzero(marks)
    found: list[int] = np.stack((marked, marks[marked]), axis=1).reshape(-1).tolist()
    return found


def shares_data(game: BaseGame) -> list[dict[str, Any]]:
    """Return what each player of a game of several did, in the order of their first acts."""
    return [asdict(share) for share in player_shares(game)]


def statistics_data(game: BaseGame) -> dict[str, Any]:
    """Return how a game ended, and its quick statistics as the page shows them: title and value."""
    found = Timeline(game).at(None)
    return {
        "headline": replay_title(game, ""),
        "figures": [
            {
                "name": name,
                "title": TABLE[name].title(),
                "value": _with_unit(format_value(Formula(name).value(found)), TABLE[name].unit),
                "explanation": TABLE[name].explanation(),
            }
            for name in OF_ONE_GAME
        ],
    }


def _with_unit(value: str, unit: str) -> str:
    return f"{value} {unit}" if unit and value != "–" else value


def faces_after_act(game: BaseGame, place: int) -> NDArray[np.uint8] | None:
    """Return the running board after the act at `place`, for the solver; None if there is none.

    -1 is the board before the first act. There is none while nothing is open, and after the end.
    """
    playback = Playback(game)
    if not 0 <= place < len(playback.acts):
        return None
    playback.seek_before_event(int(playback.acts[place]) + 1)
    faces = playback.snapshot().faces
    is_running = (faces < Face.COVERED).any() and not (faces > Face.QUESTION).any()
    return faces if is_running and (faces >= Face.COVERED).any() else None


def risk_data(risks: NDArray[np.float64], faces: NDArray[np.uint8]) -> dict[str, Any]:
    """Return the risks of a position in percent, -1 for none, and where colour alone shows them."""
    overlay = Overlay.empty(faces.shape).with_risks(risks, faces)
    percent = overlay.risk.astype(np.int16)
    percent[overlay.risk == UNKNOWN] = -1
    return {
        "risk": percent.reshape(-1).tolist(),
        "unwritten": np.flatnonzero(overlay.unwritten).tolist(),
    }
