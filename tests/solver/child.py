"""Gets the kernels ready from a cache folder, and prints what came of it as JSON.

python child.py CACHE_FOLDER
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import numpy as np

from demine.solver import compiled
from demine.solver.exact.probability import mine_probability

if __name__ == "__main__":
    folder = Path(sys.argv[1])
    compiled.user_cache = lambda: folder
    steps: list[int] = []
    warmed = compiled.warm(lambda done, _: steps.append(done))
    engine = compiled.engine()
    kernels = tuple(engine._kernels.values()) if engine else ()
    report = {
        "warmed": warmed,
        "steps": steps,
        "loaded": sum(sum(kernel.stats.cache_hits.values()) for kernel in kernels),
        "answer": mine_probability(np.array([[9, 9], [9, 9]], np.uint8), 1).tolist(),
    }
    print(json.dumps(report))
