"""Gets the kernels ready from a cache folder, and prints what came of it as JSON.

python child.py CACHE_FOLDER
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import numpy as np

from demine.kernels import cache
from demine.solver.exact.probability import mine_probability
from demine.solver.proof.kernels import SOLVER_KERNELS

if __name__ == "__main__":
    folder = Path(sys.argv[1])
    cache.user_cache_folder = lambda: folder
    steps: list[int] = []
    warmed = [each.load(lambda done, _: steps.append(done)) for each in SOLVER_KERNELS]
    kernels: list[Any] = [kernel for each in SOLVER_KERNELS for kernel in each.loaded.values()]
    report = {
        "warmed": all(warmed),
        "steps": steps,
        "loaded": sum(sum(kernel.stats.cache_hits.values()) for kernel in kernels),
        "answer": mine_probability(np.array([[9, 9], [9, 9]], np.uint8), 1).tolist(),
    }
    print(json.dumps(report))
