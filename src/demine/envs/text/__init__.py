"""Minesweeper for language models: what is seen is text, and what is answered is too.

>>> import gymnasium
>>> import demine.envs
>>> env = gymnasium.make("demine/BeginnerText-v0")
>>> text, info = env.reset(seed=7)
>>> text, reward, over, truncated, info = env.step("The middle is a good start: open 5 5")
>>> info["action"]
'open 5 5'
"""

from demine.envs.text.answer import AnswerError, TextAction, read_action
from demine.envs.text.text_env import TextMinesweeperEnv

__all__ = ["AnswerError", "TextAction", "TextMinesweeperEnv", "read_action"]
