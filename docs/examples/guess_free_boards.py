"""Guess-free boards until there are three hard ones, with their proofs."""

from itertools import count

import demine

FIRST = (4, 4)

found = 0
for seed in count(1):
    mine_map = demine.make("9x9/20", seed, FIRST, guess_free=True)
    rating = demine.rate(mine_map, FIRST)
    if rating.hardest.level < demine.Pattern.CHAIN.level:
        continue
    found += 1
    print(f"seed {seed}: {rating}")
    print(demine.show(mine_map))
    for step in demine.prove_step_by_step(mine_map, FIRST):
        if step.reason and step.reason.pattern is rating.hardest:
            print(step.reason)
            break
    if found == 3:
        break
