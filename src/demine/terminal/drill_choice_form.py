"""The form in which a player chooses what is asked: a kind, a pattern, or the drill of the day."""

from __future__ import annotations

from typing import TYPE_CHECKING

from demine.play.drills.drill import DrillKind
from demine.play.drills.find_or_make import DrillError, drill_filter
from demine.play.drills.patterns import PatternName
from demine.play.drills.todays_session import DrillChoice
from demine.scene.translation import explain, tr
from demine.terminal.forms import ChoiceField, Form

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping


def drill_choice_form(chosen: DrillChoice, begin: Callable[[DrillChoice], object]) -> Form:
    """Return the form that chooses which drills are asked; `begin` is called with the choice."""

    def accept(values: Mapping[str, object]) -> str:
        choice = DrillChoice(**values)  # type: ignore[arg-type]  # the fields have its names
        try:
            drill_filter(choice.kind, choice.pattern)
        except DrillError as error:
            return explain(error)
        begin(choice)
        return ""

    kinds = [(kind.value, tr(kind.heading)) for kind in DrillKind]
    patterns = [(name.value, tr(name.words)) for name in PatternName]
    daily = [(False, tr("no")), (True, tr("yes"))]
    fields = (
        ChoiceField("kind", tr("Kind"), [(None, tr("All kinds")), *kinds]),
        ChoiceField("pattern", tr("Pattern"), [(None, tr("All patterns")), *patterns]),
        ChoiceField("is_daily", tr("Drill of the day"), daily),
    )
    for field in fields:
        field.choose(getattr(chosen, field.name))
    return Form(tr("Choose the drills"), fields, accept)
