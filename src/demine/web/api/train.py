"""Training: sets of drills, a question at a time, answers with their proofs, and progress."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated, Any, Final

import numpy as np
from msgspec import Meta, Struct

from demine.play.drills.progress import PROGRESS_HEADS, DrillProgress
from demine.play.drills.set_summary import SetSummary
from demine.scene.cell_highlights import cell_looks
from demine.scene.translation import mark, tr
from demine.store.daily import today_utc
from demine.web.api.door import JSON_TYPE, Door, Nothing, Visit
from demine.web.training_desk import SetKind

if TYPE_CHECKING:
    from demine.store.drills import DrillReview
    from demine.web.training_desk import ShownQuestion, TrainingSet

_SUMMARY_HEADS: Final = (
    mark("Pattern"), mark("Question"), mark("Answer"), mark("Time"), mark("Comes again"),
)  # fmt: skip


class WantedStep(Struct):
    """Which set, and whether a new one is to begin where one is over."""

    set: SetKind = "own"
    begin: bool = False


class GivenAnswer(Struct):
    """An answer to a question by its id: a covered cell, row and column from 0; null a guess."""

    id: Annotated[str, Meta(max_length=40)]
    cell: tuple[int, int] | None


async def _step(visit: Visit[WantedStep]) -> dict[str, Any]:
    asked, desk = visit.asked, visit.services.training
    here = await desk.step(visit.asker, asked.set, begin=asked.begin)
    if here.shown is not None:
        return {"set": here.kind, "question": await visit.in_thread(_question, here, here.shown)}
    async with visit.turn():  # nobody waits with many answers in memory
        reviews = await desk.reviews(visit.player.id)
        summary = await asyncio.to_thread(SetSummary.of, here.answers, reviews, datetime.now(UTC))
    return {"set": here.kind, "summary": _summary(here.answers, summary)}


def _question(here: TrainingSet, shown: ShownQuestion) -> dict[str, Any]:
    question = shown.question
    rows, cols = question.faces.shape
    told = {"n": question.drill.act, "mines": question.mines}
    sent = tr("a replay that you sent, before move {n}, {mines} mines", **told)
    return {
        "id": shown.id,
        "place": tr("{n} of {count}", n=len(here.answers) + 1, count=here.count),
        "count": here.count,
        "signs": [each.is_right for each in here.answers],
        "heading": tr(question.drill.kind.heading),
        "text": question.text,
        "origin": sent if shown.is_sent else question.origin,
        "rows": rows,
        "cols": cols,
        "faces": question.faces.ravel().tolist(),
        "looks": cell_looks(question.faces, fade_finished=False).ravel().tolist(),
        "faded": np.flatnonzero(question.faded).tolist(),
        "may_be_a_guess": question.may_be_a_guess,
    }


def _summary(answers: list[DrillReview], summary: SetSummary) -> dict[str, Any]:
    right = sum(each.is_right for each in answers)
    seconds = f"{sum(each.time_ms for each in answers) / 1000:.1f}"
    told = tr("{right} of {n} right, in {time} s.", right=right, n=len(answers), time=seconds)
    return {
        "text": told if answers else tr("There are no drills to ask."),
        "notes": [each for each in (summary.progress.headline, summary.best_improvement) if each],
        "heads": [tr(head) for head in _SUMMARY_HEADS],
        "rows": [
            [each.pattern, each.kind, each.verdict, each.time, each.comes_again]
            for each in summary.lines
        ],
        "progress": _progress_table(summary.progress),
    }


def _progress_table(progress: DrillProgress) -> dict[str, Any]:
    return {
        "headline": progress.headline,
        "heads": [tr(head) for head in PROGRESS_HEADS],
        "rows": [each.texts for each in progress.patterns],
    }


async def _answer(visit: Visit[GivenAnswer]) -> dict[str, Any]:
    asked = visit.asked
    told = await visit.services.training.answer(visit.player.id, asked.id, asked.cell)
    return {"is_right": told.is_right, "text": told.text, "marks": told.marks}


async def _progress(visit: Visit[Nothing]) -> dict[str, Any]:
    async with visit.turn():  # nobody waits with many answers in memory
        reviews = await visit.services.training.reviews(visit.player_id)
        progress = await asyncio.to_thread(DrillProgress.of, reviews, today_utc())
    return _progress_table(progress)


DOORS: Final = (
    Door(method="POST", path="/api/train", summary="The next question of a set, or its end",
         handler=_step, asks=WantedStep, answers=JSON_TYPE, player="made", cost=4),
    Door(method="POST", path="/api/train/answer", summary="Answer a question; the first one counts",
         handler=_answer, asks=GivenAnswer, answers=JSON_TYPE, player="known"),
    Door(method="GET", path="/api/train/progress", summary="My answers and times by pattern",
         handler=_progress, asks=Nothing, answers=JSON_TYPE),
)  # fmt: skip
