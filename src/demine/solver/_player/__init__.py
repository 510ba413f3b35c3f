"""The compiled player: a position that grows cell by cell, and what to open next.

Kernels only: valid plain Python over two arrays, `work` (int64) and `values` (float64), whose parts
`places` names. `demine.solver.player.compiled_policies` compiles them; nothing here sees where the
mines are.
"""
