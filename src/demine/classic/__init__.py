"""The classic scene: the small pygame window, after the first of demine's ancestors."""

import os

# NumPy's linear algebra would start a thread and reserve memory for every core, and is never used.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
# SDL's accelerated window surface loads a whole OpenGL stack for a board that is drawn by copying
# tiles: four times the memory and twice the time to the first frame.
os.environ.setdefault("SDL_FRAMEBUFFER_ACCELERATION", "0")
os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
# A board game need not inhibit the screen saver or switch off the compositor.
os.environ.setdefault("SDL_VIDEO_ALLOW_SCREENSAVER", "1")
os.environ.setdefault("SDL_VIDEO_X11_NET_WM_BYPASS_COMPOSITOR", "0")
# By this name docks match the window with the menu entry (`demine menu`).
os.environ.setdefault("SDL_VIDEO_X11_WMCLASS", "demine")
os.environ.setdefault("SDL_VIDEO_WAYLAND_WMCLASS", "demine")
