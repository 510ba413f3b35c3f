"""Looking ahead: how safe the next guess will be, over all numbers that a cell may show.

The score of a cell is the chance to survive it and the guess after it, which is 1 if something is
then certain. `offset` is 0 for the first look, `SECOND_LOOK` for one after a supposed number;
`total` is the `TOTAL_WEIGHT` of the position that is looked at.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from demine.solver.exact.kernels.box_order import order_all_boxes
from demine.solver.exact.kernels.offsets import BEYOND, CHANCE, NEED, SEA, SIZE
from demine.solver.player.kernels.box_probabilities import (
    add_to_edge,
    find_other_states,
    find_states_apart,
    gather_boxes_at_edge,
    remove_from_edge,
    set_component_apart,
    weigh_layouts,
    weigh_states,
    write_all_chances,
    write_chances_unless_safe,
)
from demine.solver.player.kernels.certain_or_safest import (
    TOLERANCE,
    known_around_score,
    write_risks,
)
from demine.solver.player.kernels.known_cells import suppose_number, unsuppose_number
from demine.solver.player.kernels.offsets import (
    BOX_COUNT,
    CERTAINTY,
    CERTAINTY_NOW,
    CHOICE_COUNT,
    CHOICES,
    COMPONENT_COUNT,
    COVERED,
    DIAL_BONUS,
    DIAL_EARLY,
    DIAL_LATE,
    DIAL_ONE_FAR_CELL,
    DIAL_REPLIES,
    DIAL_REPLIES_CERTAIN,
    DIAL_REPLY_MARGIN,
    DIAL_SHARE,
    DIAL_SLACK,
    DIAL_TWO_AHEAD,
    DIAL_UNAVOIDABLE,
    DIALS,
    HEIGHT,
    KIND,
    LACK,
    MOST_WORTH,
    NEIGHBOUR_HASH,
    NUMBER_INDEX,
    RISK,
    SEA_CELLS,
    SECOND_LOOK,
    STAMP,
    STRIDE,
    TOTAL_WEIGHT,
    UNAVOIDABLE,
    UNKNOWN,
    UNKNOWN_AROUND,
    WIDTH,
    WORTH,
)
from demine.solver.player.kernels.unavoidable_guesses import unavoidable_risk

if TYPE_CHECKING:
    from demine.kernels.array_types import FloatArray, IntArray
    from demine.solver.player.kernels.return_types import CellOrCode


def look_ahead(
    max_cells: int, safety_ratio: float, work: IntArray, values: FloatArray
) -> CellOrCode:
    """Return the best of the `max_cells` safest cells; -1 if none could be looked at.

    Cells less safe than `safety_ratio` times the safest are left out.
    """
    total = values[TOTAL_WEIGHT]
    find_unavoidable_risks(total, safety_ratio, work, values)
    values[TOTAL_WEIGHT] = total
    best = best_of_safest_cells(0, max_cells, safety_ratio, work, values)
    max_deeper = int(values[DIALS + DIAL_TWO_AHEAD])
    if max_deeper > 1 and best >= 0:
        best = look_one_further(max_deeper, best, total, work, values)
    values[TOTAL_WEIGHT] = total
    return best


def find_unavoidable_risks(
    total: float, safety_ratio: float, work: IntArray, values: FloatArray
) -> None:
    """Write which part of the risk of each cell cannot be avoided."""
    # Those of the position before would be taken off the lowest risk.
    forget_unavoidable_risks(work, values)
    late = work[COVERED] <= values[DIALS + DIAL_LATE] * work[HEIGHT] * work[WIDTH]
    dial = values[DIALS + DIAL_UNAVOIDABLE]
    if dial == 0.0 or not late:
        return
    highest = 1.0 - (1.0 - lowest_risk(0, work, values)) * safety_ratio
    for row in range(1, work[HEIGHT] + 1):
        begin = row * work[STRIDE] + 1
        for cell in range(begin, begin + work[WIDTH]):
            if work[KIND + cell] == UNKNOWN:
                risk = values[RISK + cell]
                # No more than the risk is unavoidable, nor than the safety.
                if risk - dial * min(risk, 1.0 - risk) <= highest:
                    values[UNAVOIDABLE + cell] = dial * unavoidable_risk(cell, total, work, values)


def forget_unavoidable_risks(work: IntArray, values: FloatArray) -> None:
    """Write that no risk is unavoidable."""
    for row in range(1, work[HEIGHT] + 1):
        begin = row * work[STRIDE] + 1
        for cell in range(begin, begin + work[WIDTH]):
            values[UNAVOIDABLE + cell] = 0.0


def lowest_risk(offset: int, work: IntArray, values: FloatArray) -> float:
    """Return the lowest risk of all unknown cells."""
    lowest = 1.0
    for row in range(1, work[HEIGHT] + 1):
        begin = row * work[STRIDE] + 1
        for cell in range(begin, begin + work[WIDTH]):
            if work[KIND + cell] == UNKNOWN:
                lowest = min(lowest, avoidable_risk(offset, cell, values))
    return lowest


def avoidable_risk(offset: int, cell: int, values: FloatArray) -> float:
    """Return the risk of a cell, in the first look without what cannot be avoided."""
    risk: float = values[RISK + offset + cell]
    return risk - values[UNAVOIDABLE + cell] if offset == 0 else risk


def best_of_safest_cells(
    offset: int, max_cells: int, safety_ratio: float, work: IntArray, values: FloatArray
) -> CellOrCode:
    """Find the scores of the safest cells, and return the best cell, or -1."""
    total = values[TOTAL_WEIGHT]
    found = list_safest_cells(offset, max_cells, safety_ratio, work, values)
    best = -1
    best_score = -1.0
    # Cells with nearly the best score may be looked at again.
    slack = values[DIALS + DIAL_SLACK] if offset == 0 else 0.0
    for at in range(found):
        cell = work[CHOICES + offset + at]
        safety = 1.0 - values[RISK + offset + cell]
        gain = (1.0 - avoidable_risk(offset, cell, values)) / safety
        values[WORTH + offset + at] = 0.0
        values[CERTAINTY + offset + at] = 0.0
        must_reach = best_score - slack - TOLERANCE
        if safety * gain <= must_reach:
            continue
        score = gain * survival_one_ahead(
            offset, cell, safety, total, must_reach / gain, work, values
        )
        values[WORTH + offset + at] = score
        values[CERTAINTY + offset + at] = values[CERTAINTY_NOW + offset]
        if score > best_score + TOLERANCE:
            best_score = score
            best = cell
    work[CHOICE_COUNT + offset] = found
    values[MOST_WORTH + offset] = best_score
    return best


def look_one_further(
    max_cells: int, best: int, total: float, work: IntArray, values: FloatArray
) -> int:
    """Look one move further at the best `max_cells` cells, and return the best of them.

    Looking further can only lower a score, so cells that are already behind the best are left out.
    The bonus of a cell stays as it was.
    """
    best_score = values[MOST_WORTH] - values[DIALS + DIAL_SLACK]
    bonus = certainty_bonus(work, values)
    for _ in range(max_cells):
        # The best cell that is left.
        place = -1
        score = best_score + TOLERANCE
        for at in range(work[CHOICE_COUNT]):
            reach = values[WORTH + at] + bonus * values[CERTAINTY + at]
            if reach > score:
                score = reach
                place = at
        if place < 0:
            break
        values[WORTH + place] = -2.0
        cell = work[CHOICES + place]
        score = survival_two_ahead(cell, score, total, best_score + TOLERANCE, work, values)
        if score > best_score + TOLERANCE:
            best_score = score
            best = cell
    return best


def certainty_bonus(work: IntArray, values: FloatArray) -> float:
    """Return the bonus for a cell, to be multiplied by the chance that something is certain next.

    While nearly everything is covered, games are won by finding an opening, which is worth more
    than looking a few moves ahead shows. Later the bonus is 0.
    """
    early = work[COVERED] >= values[DIALS + DIAL_EARLY] * work[HEIGHT] * work[WIDTH]
    found: float = values[DIALS + DIAL_BONUS] if early else 0.0
    return found


def survival_two_ahead(
    cell: int, one_ahead: float, total: float, must_reach: float, work: IntArray, values: FloatArray
) -> float:
    """Return the chance to survive a cell, the best move after it, and the guess after that.

    `one_ahead` is the score of the cell without this look, with its bonus, which is kept. Once
    below `must_reach`, the search ends early with a value that is below it too.
    """
    gain = (1.0 - avoidable_risk(0, cell, values)) / (1.0 - values[RISK + cell])
    fewest = -work[LACK + cell]
    unseen = work[UNKNOWN_AROUND + cell] - 1
    suppose_number(cell, fewest, work)
    add_to_edge(cell, work)
    for more in range(unseen + 1):
        # The last look further has overwritten the boxes of this position.
        if gather_boxes_at_edge(work) == BEYOND:
            continue
        work[COMPONENT_COUNT] = order_all_boxes(work[BOX_COUNT], work)
        if unseen > 0:
            work[LACK + cell] = more
            work[NEED + work[NUMBER_INDEX + cell] - work[STAMP]] = more
        if weigh_layouts(work, values) == BEYOND or values[TOTAL_WEIGHT] == 0.0:
            continue
        share = values[TOTAL_WEIGHT] / total
        if share > 0.002:
            write_all_chances(work, values)
            lowest = write_risks(SECOND_LOOK, work, values)
            max_cells = (
                int(values[DIALS + DIAL_REPLIES])
                if lowest > 0.0
                else int(values[DIALS + DIAL_REPLIES_CERTAIN])
            )
            # With nothing but mines left the game is won, and there is no cell to look at.
            if (
                lowest < 1.0
                and best_of_safest_cells(
                    SECOND_LOOK, max_cells, values[DIALS + DIAL_REPLY_MARGIN], work, values
                )
                >= 0
            ):
                one_ahead -= gain * share * (1.0 - lowest - values[MOST_WORTH + SECOND_LOOK])
        if one_ahead < must_reach:
            break
    if unseen > 0:
        work[LACK + cell] = 0
    remove_from_edge(cell, work)
    unsuppose_number(cell, fewest, work)
    return one_ahead


def list_safest_cells(
    offset: int, max_cells: int, safety_ratio: float, work: IntArray, values: FloatArray
) -> int:
    """List the safest cells, of equal ones those around which most is known; return how many.

    If the policy says so, one cell far from numbers stands for all others as near to the sides:
    they win nearly the same, and looking ahead takes as long for each of them.
    """
    lowest = lowest_risk(offset, work, values)
    highest = 1.0 - (1.0 - lowest) * safety_ratio
    found = 0
    one_of_far_cells = offset == 0 and values[DIALS + DIAL_ONE_FAR_CELL] != 0.0
    seen_places = 0
    for row in range(1, work[HEIGHT] + 1):
        begin = row * work[STRIDE] + 1
        for cell in range(begin, begin + work[WIDTH]):
            if work[KIND + cell] != UNKNOWN:
                continue
            risk = avoidable_risk(offset, cell, values)
            if risk > highest + TOLERANCE:
                continue
            if one_of_far_cells:
                place_bit = place_of_far_cell(row, cell - begin + 1, work)
                if seen_places & place_bit:
                    continue
                seen_places |= place_bit
            rank = risk - TOLERANCE * known_around_score(cell, work)
            place = found
            if found == max_cells:
                if rank >= values[WORTH + offset + max_cells - 1]:
                    continue
                place = max_cells - 1
            else:
                found += 1
            while place > 0 and values[WORTH + offset + place - 1] > rank:
                values[WORTH + offset + place] = values[WORTH + offset + place - 1]
                work[CHOICES + offset + place] = work[CHOICES + offset + place - 1]
                place -= 1
            values[WORTH + offset + place] = rank
            work[CHOICES + offset + place] = cell
    return found


def place_of_far_cell(row: int, col: int, work: IntArray) -> int:
    """Return a bit that tells how near to the sides of the board a cell is, of two steps at most.

    0 if a cell within two steps is known or beside a number: this one is not far from numbers.
    """
    height, width = work[HEIGHT], work[WIDTH]
    for each_row in range(max(1, row - 2), min(height, row + 2) + 1):
        begin = each_row * work[STRIDE]
        for cell in range(begin + max(1, col - 2), begin + min(width, col + 2) + 1):
            if work[KIND + cell] != UNKNOWN or work[NEIGHBOUR_HASH + cell] != 0:
                return 0
    place: int = 3 * min(row - 1, height - row, 2) + min(col - 1, width - col, 2)
    return 1 << place


def survival_one_ahead(
    offset: int,
    cell: int,
    cell_safety: float,
    total: float,
    must_reach: float,
    work: IntArray,
    values: FloatArray,
) -> float:
    """Return the chance to survive a cell and the guess after it.

    Ends early with some value below `must_reach` if that cannot be reached; -1 if it cannot be
    found.
    """
    fewest = -work[LACK + cell]
    unseen = work[UNKNOWN_AROUND + cell] - 1
    suppose_number(cell, fewest, work)
    add_to_edge(cell, work)
    worth = 0.0
    sure = 0.0
    rest = cell_safety
    if gather_boxes_at_edge(work) == BEYOND:
        remove_from_edge(cell, work)
        unsuppose_number(cell, fewest, work)
        return -1.0
    work[COMPONENT_COUNT] = order_all_boxes(work[BOX_COUNT], work)
    name = work[NUMBER_INDEX + cell] - work[STAMP]
    apart = set_component_apart(cell, work) if unseen > 0 else -1
    others_end = find_other_states(apart, work, values)
    end = others_end
    for more in range(unseen + 1):
        if unseen > 0:
            work[NEED + name] = more
        if apart >= 0 and others_end >= 0:
            raised = more > 0 and end != BEYOND
            end = find_states_apart(apart, name, raised, others_end, work, values)
        if weigh_states(end, work, values) == BEYOND or values[TOTAL_WEIGHT] == 0.0:
            continue
        share = values[TOTAL_WEIGHT] / total
        safety = 1.0
        if not write_chances_unless_safe(apart, work, values):
            safety = safety_of_next_guess(offset, work, values)
        worth += share * safety
        sure += share if safety == 1.0 else 0.0
        rest -= share
        if rest < TOLERANCE or worth + rest < must_reach:
            break
    values[CERTAINTY_NOW + offset] = sure
    remove_from_edge(cell, work)
    unsuppose_number(cell, fewest, work)
    return worth


def safety_of_next_guess(offset: int, work: IntArray, values: FloatArray) -> float:
    """Return how safe the next guess is: 1 if a cell is certain, else by the two safest cells."""
    first = 2.0
    second = 2.0
    for box in range(work[BOX_COUNT]):
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
    # If a second look follows, the score must be an upper bound: the safest cell alone.
    shared = offset > 0 or values[DIALS + DIAL_TWO_AHEAD] == 0.0
    share = values[DIALS + DIAL_SHARE] if shared else 0.0
    return 1.0 - first - (second - first) * share
