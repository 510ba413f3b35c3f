"""The table of policies: each is one entry of `POLICY_TABLE`, and declared nowhere else.

What the kernels do with a policy's number is told in `demine.solver.player.kernels.policies`.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from demine.logic.errors import mark
from demine.scene.translation import tr
from demine.solver.player.kernels import offsets, policies

if TYPE_CHECKING:
    from collections.abc import Iterable

ENDGAME_LAYOUTS: Final = 1000
"""Up to this many layouts `best`, and whoever asks what to open, has the endgame searched."""


@dataclass(frozen=True, slots=True)
class Policy:
    """One way to choose the moves."""

    name: str
    """What it is called on the command line, in the library and in files."""
    number: int
    """What it is called in the kernels."""
    description: str
    """The message that tells what it does, in one sentence about `{policy}`."""
    guesses: bool = True
    """Whether it has an answer where nothing is certain."""
    best_start: bool = False
    """Whether it begins small boards in the cell that wins most."""
    dials: tuple[tuple[int, float], ...] = ()
    """What its kernels are set to: pairs of a `DIAL_` of the offsets and a value; else 0."""


def checked_table(table: tuple[Policy, ...]) -> tuple[Policy, ...]:
    """Return a table of policies; raises ValueError for a name, number or dial given twice."""
    _refuse_twice("name", [each.name for each in table])
    _refuse_twice("number", [each.number for each in table])
    for each in table:
        _refuse_twice(f"dial of {each.name}", [dial for dial, _ in each.dials])
    return table


def _refuse_twice(what: str, values: list[str] | list[int]) -> None:
    twice = [value for value, times in Counter[str | int](values).items() if times > 1]
    if twice:
        raise ValueError(f"the table of policies has a {what} twice: {twice[0]}")


POLICY_TABLE: Final = checked_table(
    (
        Policy(
            "logic",
            policies.LOGIC,
            mark("{policy} opens proven cells and gives up at the first guess."),
            guesses=False,
        ),
        Policy("safest", policies.SAFEST, mark("{policy} takes the lowest risk.")),
        Policy(
            "fast",
            policies.FAST,
            mark("{policy} takes the lowest risk and breaks ties by what is known around a cell."),
        ),
        Policy(
            "strong",
            policies.STRONG,
            mark("{policy} plays the last layouts out and looks one step ahead before."),
            dials=(
                (offsets.DIAL_LAYOUTS, 300.0),
                (offsets.DIAL_CHOICES, 12.0),
                (offsets.DIAL_MARGIN, 0.9),
                (offsets.DIAL_SHARE, 0.2),
            ),
        ),
        Policy(
            "best",
            policies.BEST,
            mark("{policy} plays up to a thousand layouts out and looks two steps ahead before."),
            best_start=True,
            dials=(
                (offsets.DIAL_LAYOUTS, float(ENDGAME_LAYOUTS)),
                (offsets.DIAL_CHOICES, 40.0),
                (offsets.DIAL_MARGIN, 0.85),
                (offsets.DIAL_SHARE, 0.2),
                (offsets.DIAL_DEEP, 12.0),
                (offsets.DIAL_SLACK, 0.08),
                (offsets.DIAL_NEXT, 8.0),
                (offsets.DIAL_NEXT_CERTAIN, 3.0),
                (offsets.DIAL_NEXT_MARGIN, 0.85),
                (offsets.DIAL_BONUS, 0.05),
                (offsets.DIAL_EARLY, 0.968),
                (offsets.DIAL_SMALL, 400_000.0),
                (offsets.DIAL_SMALL_BUDGET, 50_000_000_000.0),
            ),
        ),
    )
)
"""All policies, in the order in which they are listed to users: the weakest first."""
POLICIES: Final = tuple(each.name for each in POLICY_TABLE)
"""The names of all policies."""
GUESSING: Final = tuple(each.name for each in POLICY_TABLE if each.guesses)
"""The names of the policies that have an answer where nothing is certain."""
_BY_NAME: Final = {each.name: each for each in POLICY_TABLE}


def policy_by_name(name: str) -> Policy:
    """Return the policy of a name; raises KeyError where there is none."""
    return _BY_NAME[name]


def describe_policies(names: Iterable[str]) -> str:
    """Return what policies do, one sentence each, in the language set."""
    return " ".join(tr(policy_by_name(name).description, policy=name) for name in names)
