"""The text environment as an HTTP server, in the manner of OpenEnv.

`python -m demine.envs.text.server` runs it.
"""
