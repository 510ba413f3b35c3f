"""How well a language model plays: games, their review by the exact solver, and the score.

`python -m demine.envs.text.score` runs it.
"""
