"""The desktop scene: the full application in the platform's own manner, after the Qt ancestor."""

import os

# The board is drawn by copying tiles. Without this Qt loads an OpenGL stack on X11 that nothing
# here uses: more memory and a later first frame.
os.environ.setdefault("QT_XCB_GL_INTEGRATION", "none")
