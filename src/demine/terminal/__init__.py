"""The terminal scene: the whole game in a terminal, drawn with Textual."""

import os

# NumPy's linear algebra would start a thread and reserve memory for every core, and is never used.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
