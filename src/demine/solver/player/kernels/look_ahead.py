"""Looking ahead: how safe the next guess will be, over all numbers that a cell may show."""

from __future__ import annotations

from typing import TYPE_CHECKING

from demine.solver.exact.kernels.box_order import order_all_boxes
from demine.solver.exact.kernels.offsets import BEYOND, CHANCE, NEED, SEA, SIZE
from demine.solver.player.kernels.box_probabilities import gather_boxes, weigh_boxes
from demine.solver.player.kernels.certain_or_safest import ALIKE, known_around, write_risks
from demine.solver.player.kernels.known_cells import suppose_number, unsuppose_number
from demine.solver.player.kernels.offsets import (
    BOXES_NOW,
    CERTAINTY,
    CERTAINTY_NOW,
    CHOICES,
    CHOICES_NOW,
    COVERED,
    DEEPER,
    DIAL_BONUS,
    DIAL_DEEP,
    DIAL_EARLY,
    DIAL_NEXT,
    DIAL_NEXT_CERTAIN,
    DIAL_NEXT_MARGIN,
    DIAL_SHARE,
    DIAL_SLACK,
    DIALS,
    HEIGHT,
    KIND,
    LACK,
    MOST_WORTH,
    NAMED,
    PARTS_NOW,
    RISK,
    SEA_CELLS,
    STAMP,
    STRIDE,
    UNKNOWN,
    UNSEEN,
    WHOLE,
    WIDTH,
    WORTH,
)

if TYPE_CHECKING:
    from demine.kernels.array_types import FloatArray, IntArray


def look_ahead(most: int, margin: float, work: IntArray, values: FloatArray) -> int:
    """Return the best of the `most` safest cells; -1 where none could be looked at.

    A cell is worth the chance to survive it and the guess after it, which is free where something
    is certain then. Cells less safe than `margin` times the safest are left out.
    """
    whole = values[WHOLE]
    best = best_of_safest_cells(0, most, margin, work, values)
    deep = int(values[DIALS + DIAL_DEEP])
    if deep > 1 and best >= 0:
        best = look_one_further(deep, best, whole, work, values)
    values[WHOLE] = whole
    return best


def best_of_safest_cells(
    level: int, most: int, margin: float, work: IntArray, values: FloatArray
) -> int:
    """Find what the safest cells are worth, and return the best of them, or -1."""
    whole = values[WHOLE]
    found = list_safest_cells(level, most, margin, work, values)
    best = -1
    most_worth = -1.0
    # Those that are worth nearly as much may be looked at again.
    slack = values[DIALS + DIAL_SLACK] if level == 0 else 0.0
    for at in range(found):
        cell = work[CHOICES + level + at]
        safe = 1.0 - values[RISK + level + cell]
        values[WORTH + level + at] = 0.0
        values[CERTAINTY + level + at] = 0.0
        needed = most_worth - slack - ALIKE
        if safe <= needed:
            continue
        worth = worth_one_ahead(level, cell, safe, whole, needed, work, values)
        values[WORTH + level + at] = worth
        values[CERTAINTY + level + at] = values[CERTAINTY_NOW + level]
        if worth > most_worth + ALIKE:
            most_worth = worth
            best = cell
    work[CHOICES_NOW + level] = found
    values[MOST_WORTH + level] = most_worth
    return best


def look_one_further(deep: int, best: int, whole: float, work: IntArray, values: FloatArray) -> int:
    """Look one act further at the best cells found, and return the best of them then.

    Looking further only takes away from what a cell is worth, so that one that was worth less
    before than another is now need not be looked at. The bonus of a cell stays what it was.
    """
    most_worth = values[MOST_WORTH] - values[DIALS + DIAL_SLACK]
    bonus = certainty_bonus(work, values)
    for _ in range(deep):
        # The next best one that is left.
        place = -1
        worth = most_worth + ALIKE
        for at in range(work[CHOICES_NOW]):
            reach = values[WORTH + at] + bonus * values[CERTAINTY + at]
            if reach > worth:
                worth = reach
                place = at
        if place < 0:
            break
        values[WORTH + place] = -2.0
        cell = work[CHOICES + place]
        worth = worth_two_ahead(cell, worth, whole, most_worth + ALIKE, work, values)
        if worth > most_worth + ALIKE:
            most_worth = worth
            best = cell
    return best


def certainty_bonus(work: IntArray, values: FloatArray) -> float:
    """Return what it counts on top that something is certain after a cell.

    While hardly anything is open, games are won by finding an opening, and that is worth more than
    the few acts tell that are looked ahead.
    """
    early = work[COVERED] >= values[DIALS + DIAL_EARLY] * work[HEIGHT] * work[WIDTH]
    found: float = values[DIALS + DIAL_BONUS] if early else 0.0
    return found


def worth_two_ahead(
    cell: int, worth: float, whole: float, needed: float, work: IntArray, values: FloatArray
) -> float:
    """Return the chance to survive a cell, the best act after it, and the guess after that.

    `worth` is the chance without the last of these; where it falls below `needed`, that is enough.
    """
    fewest = -work[LACK + cell]
    unseen = work[UNSEEN + cell] - 1
    suppose_number(cell, fewest, work)
    for more in range(unseen + 1):
        # Looking further has spoilt the boxes of this position.
        if gather_boxes(work) == BEYOND:
            continue
        work[PARTS_NOW] = order_all_boxes(work[BOXES_NOW], work)
        if unseen > 0:
            work[LACK + cell] = more
            work[NEED + work[NAMED + cell] - work[STAMP]] = more
        if weigh_boxes(work, values) == BEYOND or values[WHOLE] == 0.0:
            continue
        share = values[WHOLE] / whole
        if share > 0.002:
            lowest = write_risks(DEEPER, work, values)
            most = (
                int(values[DIALS + DIAL_NEXT])
                if lowest > 0.0
                else int(values[DIALS + DIAL_NEXT_CERTAIN])
            )
            if (
                best_of_safest_cells(DEEPER, most, values[DIALS + DIAL_NEXT_MARGIN], work, values)
                >= 0
            ):
                worth -= share * (1.0 - lowest - values[MOST_WORTH + DEEPER])
        if worth < needed:
            break
    if unseen > 0:
        work[LACK + cell] = 0
    unsuppose_number(cell, fewest, work)
    return worth


def list_safest_cells(
    level: int, most: int, margin: float, work: IntArray, values: FloatArray
) -> int:
    """List the safest cells, of equal ones those around which most is known; return how many."""
    lowest = 1.0
    for row in range(1, work[HEIGHT] + 1):
        begin = row * work[STRIDE] + 1
        for cell in range(begin, begin + work[WIDTH]):
            if work[KIND + cell] == UNKNOWN:
                lowest = min(lowest, values[RISK + level + cell])
    highest = 1.0 - (1.0 - lowest) * margin
    found = 0
    for row in range(1, work[HEIGHT] + 1):
        begin = row * work[STRIDE] + 1
        for cell in range(begin, begin + work[WIDTH]):
            risk = values[RISK + level + cell]
            if work[KIND + cell] != UNKNOWN or risk > highest + ALIKE:
                continue
            rank = risk - ALIKE * known_around(cell, work)
            place = found
            if found == most:
                if rank >= values[WORTH + level + most - 1]:
                    continue
                place = most - 1
            else:
                found += 1
            while place > 0 and values[WORTH + level + place - 1] > rank:
                values[WORTH + level + place] = values[WORTH + level + place - 1]
                work[CHOICES + level + place] = work[CHOICES + level + place - 1]
                place -= 1
            values[WORTH + level + place] = rank
            work[CHOICES + level + place] = cell
    return found


def worth_one_ahead(
    level: int,
    cell: int,
    safe: float,
    whole: float,
    needed: float,
    work: IntArray,
    values: FloatArray,
) -> float:
    """Return what a cell is worth, or less than `needed` where it cannot be worth more."""
    fewest = -work[LACK + cell]
    unseen = work[UNSEEN + cell] - 1
    suppose_number(cell, fewest, work)
    worth = 0.0
    sure = 0.0
    rest = safe
    if gather_boxes(work) == BEYOND:
        unsuppose_number(cell, fewest, work)
        return -1.0
    work[PARTS_NOW] = order_all_boxes(work[BOXES_NOW], work)
    name = work[NAMED + cell] - work[STAMP]
    for more in range(unseen + 1):
        if unseen > 0:
            work[NEED + name] = more
        if weigh_boxes(work, values) == BEYOND or values[WHOLE] == 0.0:
            continue
        share = values[WHOLE] / whole
        safety = safety_of_next_guess(level, work, values)
        worth += share * safety
        sure += share if safety == 1.0 else 0.0
        rest -= share
        if rest < ALIKE or worth + rest < needed:
            break
    values[CERTAINTY_NOW + level] = sure
    unsuppose_number(cell, fewest, work)
    return worth


def safety_of_next_guess(level: int, work: IntArray, values: FloatArray) -> float:
    """Return how safe the next guess is: 1 where a cell is certain, else by the two safest."""
    first = 2.0
    second = 2.0
    for box in range(work[BOXES_NOW]):
        risk = values[CHANCE + box]
        if risk < first:
            second = risk if work[SIZE + box] > 1 else first
            first = risk
        elif risk < second:
            second = risk
    if work[SEA_CELLS] > 0:
        risk = values[SEA]
        if risk < first:
            second = risk if work[SEA_CELLS] > 1 else first
            first = risk
        elif risk < second:
            second = risk
    if first == 0.0 or first > 1.0:
        return 1.0
    second = min(second, 1.0)
    # Where it is looked further, the safest cell alone is the bound.
    shared = level > 0 or values[DIALS + DIAL_DEEP] == 0.0
    share = values[DIALS + DIAL_SHARE] if shared else 0.0
    return 1.0 - first - (second - first) * share
