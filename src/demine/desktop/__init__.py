"""The desktop scene: the full application, with Qt."""

import os

# NumPy's linear algebra would start a thread and reserve memory for every core, but does almost
# nothing here.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
# The board is drawn by copying tiles. Without this, Qt loads an OpenGL stack on X11 that nothing
# here uses: it costs memory and delays the first frame.
os.environ.setdefault("QT_XCB_GL_INTEGRATION", "none")
