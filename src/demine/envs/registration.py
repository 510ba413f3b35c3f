"""The ids under which Gymnasium makes the environments."""

from __future__ import annotations

from typing import Final, NamedTuple

import gymnasium
from gymnasium.envs.registration import registry


class EnvKind(NamedTuple):
    """A kind of environment: where its class is, and the one for many boards if there is one."""

    entry_point: str
    vector_entry_point: str | None


RULES: Final = {
    "Beginner": "beginner",
    "Intermediate": "intermediate",
    "Expert": "expert",
    "Custom": None,
}
"""The rules by the first part of an id; None where `make` is told them."""
KINDS: Final = {
    "": EnvKind(
        "demine.envs.single_env:MinesweeperEnv", "demine.envs.vector_env:MinesweeperVectorEnv"
    ),
    "Text": EnvKind("demine.envs.text.text_env:TextMinesweeperEnv", None),
}
"""The kinds of environments by the second part of an id."""
IDS: Final = {
    f"demine/{name}{kind}-v0": (rules, KINDS[kind])
    for kind in KINDS
    for name, rules in RULES.items()
}
"""The rules and the kind of each id."""


def register_ids() -> None:
    """Make the ids known to Gymnasium; may be called again."""
    for name, (rules, kind) in IDS.items():
        if name not in registry:
            gymnasium.register(
                name,
                entry_point=kind.entry_point,
                vector_entry_point=kind.vector_entry_point,
                kwargs={} if rules is None else {"rules": rules},
            )
