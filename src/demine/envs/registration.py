"""The ids under which Gymnasium makes the environments."""

from __future__ import annotations

from typing import Final

import gymnasium
from gymnasium.envs.registration import registry

IDS: Final = {
    "demine/Beginner-v0": "beginner",
    "demine/Intermediate-v0": "intermediate",
    "demine/Expert-v0": "expert",
    "demine/Custom-v0": None,
}
"""The rules of each id; None where `make` is told them."""


def register_ids() -> None:
    """Make the ids known to Gymnasium; may be called again."""
    for name, rules in IDS.items():
        if name not in registry:
            gymnasium.register(
                name,
                entry_point="demine.envs.single_env:MinesweeperEnv",
                vector_entry_point="demine.envs.vector_env:MinesweeperVectorEnv",
                kwargs={} if rules is None else {"rules": rules},
            )
