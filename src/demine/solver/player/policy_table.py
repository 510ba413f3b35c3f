"""The table of policies: `POLICY_TABLE` has one entry for each, and nothing else declares them.

What the kernels do for each policy's number is in `demine.solver.player.kernels.policies`. The help
of commands is made from this table, so it imports no kernel, and NumPy neither.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from demine.logic.errors import mark
from demine.scene.translation import tr
from demine.solver.player.kernels import offsets, policy_numbers

if TYPE_CHECKING:
    from collections.abc import Iterable

SEARCH_BUDGET: Final = 20_000_000
"""How much work a search of the endgame may do, about a tenth of a second of compiled code."""
DEEP_LAYOUTS: Final = 5000
"""Up to this many layouts the endgame is searched by `deep`."""
DEEP_SEARCH_BUDGET: Final = 100_000_000
"""The budget of `deep`. Of 319 expert endgames of 1,001 to 5,000 layouts, 29 needed more than
`SEARCH_BUDGET`, three more than 60 million and none more than 150 million."""
ENDGAME_LAYOUTS: Final = 1000
"""Up to this many layouts the endgame is searched exactly, by `best` and for advice."""
SMALL_BOARD_LAYOUTS: Final = 400_000
"""Up to this many layouts an untouched board is searched from the first cell on."""


@dataclass(frozen=True, slots=True)
class BuiltInPolicy:
    """A policy of demine: a way to choose the cells to open."""

    name: str
    """Its name on the command line, in the library and in files."""
    number: int
    """Its number in the kernels."""
    description: str
    """A message that says what it does, in one sentence about `{policy}`."""
    guesses: bool = True
    """Whether it chooses a cell when none is certain."""
    best_start: bool = False
    """Whether it begins small boards with the cell that wins most."""
    needs_compiler: bool = False
    """Whether plain Python would need longer for a game than compiling takes."""
    dials: tuple[tuple[int, float], ...] = ()
    """Settings of its kernels: pairs of a `DIAL_` offset and a value; the others are 0."""
    search_budget: int = SEARCH_BUDGET
    """How much work it spends on one endgame, in steps and not in seconds, for the same cells
    everywhere. Where that is not enough, it looks ahead as if there were too many layouts."""


def checked_policy_table(table: tuple[BuiltInPolicy, ...]) -> tuple[BuiltInPolicy, ...]:
    """Return a table of policies; raises ValueError if a name, number or dial occurs twice."""
    _refuse_twice("name", [each.name for each in table])
    _refuse_twice("number", [each.number for each in table])
    for each in table:
        _refuse_twice(f"dial of {each.name}", [dial for dial, _ in each.dials])
    return table


def _refuse_twice(what: str, values: list[str] | list[int]) -> None:
    twice = [value for value, times in Counter[str | int](values).items() if times > 1]
    if twice:
        raise ValueError(f"the table of policies has a {what} twice: {twice[0]}")


_BEST_DIALS: Final[tuple[tuple[int, float], ...]] = (
    (offsets.DIAL_LAYOUTS, float(ENDGAME_LAYOUTS)),
    (offsets.DIAL_CHOICES, 40.0),
    (offsets.DIAL_MARGIN, 0.85),
    (offsets.DIAL_SHARE, 0.2),
    (offsets.DIAL_TWO_AHEAD, 12.0),
    (offsets.DIAL_SLACK, 0.08),
    (offsets.DIAL_REPLIES, 8.0),
    (offsets.DIAL_REPLIES_CERTAIN, 3.0),
    (offsets.DIAL_REPLY_MARGIN, 0.85),
    (offsets.DIAL_BONUS, 0.05),
    (offsets.DIAL_EARLY, 0.968),
    (offsets.DIAL_SMALL, float(SMALL_BOARD_LAYOUTS)),
    (offsets.DIAL_SMALL_BUDGET, 50_000_000_000.0),
)
POLICY_TABLE: Final = checked_policy_table(
    (
        BuiltInPolicy(
            "logic",
            policy_numbers.LOGIC,
            mark("{policy} opens proven cells and gives up at the first guess."),
            guesses=False,
        ),
        BuiltInPolicy("safest", policy_numbers.SAFEST, mark("{policy} takes the lowest risk.")),
        BuiltInPolicy(
            "fast",
            policy_numbers.FAST,
            mark("{policy} takes the lowest risk and breaks ties by what is known around a cell."),
        ),
        BuiltInPolicy(
            "strong",
            policy_numbers.STRONG,
            mark("{policy} plays out the last layouts and looks one step ahead before that."),
            dials=(
                (offsets.DIAL_LAYOUTS, 300.0),
                (offsets.DIAL_CHOICES, 12.0),
                (offsets.DIAL_MARGIN, 0.9),
                (offsets.DIAL_SHARE, 0.2),
            ),
        ),
        BuiltInPolicy(
            "best",
            policy_numbers.BEST,
            mark(
                "{policy} plays out up to a thousand layouts and looks two steps ahead before that."
            ),
            best_start=True,
            needs_compiler=True,
            dials=_BEST_DIALS,
        ),
        BuiltInPolicy(
            "deep",
            policy_numbers.DEEP,
            mark(
                "{policy} plays out up to five thousand layouts, and before that looks ahead as "
                "best does, but does not shun a guess that it cannot avoid later."
            ),
            best_start=True,
            needs_compiler=True,
            dials=tuple(
                {
                    **dict(_BEST_DIALS),
                    offsets.DIAL_LAYOUTS: float(DEEP_LAYOUTS),
                    # All that are safe enough: the riskiest come last, and may win most.
                    offsets.DIAL_CHOICES: 300.0,
                    offsets.DIAL_ONE_FAR_CELL: 1.0,
                    offsets.DIAL_MARGIN: 0.75,
                    offsets.DIAL_UNAVOIDABLE: 1.0,
                    offsets.DIAL_LATE: 0.92,
                }.items()
            ),
            search_budget=DEEP_SEARCH_BUDGET,
        ),
    )
)
"""All policies, as they are listed to users: the weakest first."""
POLICIES: Final = tuple(each.name for each in POLICY_TABLE)
"""The names of all policy_numbers."""
GUESSING: Final = tuple(each.name for each in POLICY_TABLE if each.guesses)
"""The names of the policies that choose a cell when none is certain."""
_BY_NAME: Final = {each.name: each for each in POLICY_TABLE}


def policy_by_name(name: str) -> BuiltInPolicy:
    """Return the policy with a name; raises KeyError if there is none."""
    return _BY_NAME[name]


def describe_policies(names: Iterable[str]) -> str:
    """Return a sentence about what each policy does, in the language set."""
    return " ".join(tr(policy_by_name(name).description, policy=name) for name in names)
