"""The desktop scene: the full application in the platform's own manner, after the Qt ancestor."""

import os

# NumPy's linear algebra would start a thread and reserve memory for every core, and does next to
# nothing here.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
# The board is drawn by copying tiles. Without this Qt loads an OpenGL stack on X11 that nothing
# here uses: more memory and a later first frame.
os.environ.setdefault("QT_XCB_GL_INTEGRATION", "none")
