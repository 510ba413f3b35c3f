"""How 3BV is spread over a hundred thousand boards, as arrays."""

import numpy as np

import demine

boards = demine.make_batch(demine.BEGINNER, seed=7, count=100_000)
bv = demine.three_bv_batch(boards)
print(boards.shape, boards.dtype, bv.shape, bv.dtype)

low, median, high = np.percentile(bv, [5, 50, 95])
print(f"mean {bv.mean():.2f}, median {median:.0f}, 90% of boards from {low:.0f} to {high:.0f}")

counts = np.bincount(bv)
for value in range(0, counts.size, 4):
    share = counts[value : value + 4].sum() / bv.size
    print(f"{value:3}-{value + 3:<3} {'#' * round(100 * share)}")

hardest = int(bv.argmax())
print("the most clicks:", bv[hardest])
print(demine.format_layout(demine.BEGINNER, boards[hardest]), end="")
