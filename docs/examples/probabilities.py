"""The chance of a mine in every covered cell, and what follows from it."""

import numpy as np

import demine

BOARD = """9x9/10
. . . . . 1 # # #
. . . . 1 3 # # #
. . . . 1 # # # #
1 1 1 . 1 2 2 # #
# # 2 . . . 1 # #
# # 3 . . . 1 # #
# # 2 1 1 1 1 # #
# # # # # # # # #
# # # # # # # # #"""

print(demine.heat_map(BOARD))
print(demine.count_layouts(BOARD), "layouts fit these numbers")

chances = demine.mine_probability(BOARD)  # float64 (9, 9), NaN where a cell is open
print(f"the riskiest cell that may be safe: {chances[chances < 1].max():.1%}")

certain = demine.deduce(BOARD)
print(certain.safe.sum(), "cells are safe,", certain.mines.sum(), "are mines")

hint = demine.hint(BOARD)
print((hint.row, hint.col), hint)  # programs count from 0, sentences from 1

for row, col in np.argwhere(certain.mines)[:2]:
    print(demine.explain(BOARD, cell=(row, col)))
