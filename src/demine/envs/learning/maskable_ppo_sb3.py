"""Masked PPO on Minesweeper by sb3-contrib, for those who have PyTorch.

    pip install demine[envs] sb3-contrib
    python -m demine.envs.learning.maskable_ppo_sb3 --board 5x5/3 --save ppo.zip

No extra of demine brings these libraries. `demine.envs.learning.masked_ppo` does the same in JAX.
"""

from __future__ import annotations

import argparse
import sys
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import torch
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from stable_baselines3.common.env_util import make_vec_env
from torch import nn

from demine.envs.learning.evaluation import rules_of_text, win_rate_table
from demine.envs.single_env import MinesweeperEnv
from demine.logic.errors import DemineError
from demine.logic.rules import Rules
from demine.scene.cell_faces import Face

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from demine.envs.learning.evaluation import ChooseActions

CHANNELS: Final = 32
LAYERS: Final = 4
_PLANES: Final = len(Face)


class BoardHeads(nn.Module):  # type: ignore[misc] # untyped where PyTorch is not installed
    """A fully convolutional policy, and what a critic needs, pooled over the board."""

    def __init__(self, shape: tuple[int, int]) -> None:
        super().__init__()
        self._shape = shape
        self.latent_dim_pi = shape[0] * shape[1]
        self.latent_dim_vf = 2 * CHANNELS
        widths = [_PLANES] + LAYERS * [CHANNELS]
        layers = [(nn.Conv2d(*each, 3, padding=1), nn.ReLU()) for each in pairwise(widths)]
        self._features = nn.Sequential(*(part for layer in layers for part in layer))
        self._cell = nn.Conv2d(CHANNELS, 1, 1)

    def forward(self, faces: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Return a number for each cell, `(boards, cells)`, and the pooled features.

        `faces` is what is seen, `(boards, cells)`, as Stable Baselines hands it on: floats.
        """
        seen = faces.long().reshape(-1, *self._shape)
        planes = nn.functional.one_hot(seen, _PLANES).permute(0, 3, 1, 2).float()
        features = self._features(planes)
        pooled = torch.cat([features.mean((2, 3)), features.amax((2, 3))], 1)
        return self._cell(features).flatten(1), pooled

    def forward_actor(self, faces: torch.Tensor) -> torch.Tensor:
        """Return the first of `forward`."""
        return self(faces)[0]

    def forward_critic(self, faces: torch.Tensor) -> torch.Tensor:
        """Return the second of `forward`."""
        return self(faces)[1]


class BoardPolicy(MaskableActorCriticPolicy):  # type: ignore[misc] # as above
    """The policy of `BoardHeads`, whose numbers for the cells are the logits as they are."""

    def _build_mlp_extractor(self) -> None:
        self.mlp_extractor = BoardHeads(self.observation_space.shape)

    def _build(self, lr_schedule: Any) -> None:  # noqa: ANN401 - a type of Stable Baselines
        super()._build(lr_schedule)
        self.action_net = nn.Identity()
        self.optimizer = self.optimizer_class(
            self.parameters(), lr=lr_schedule(1), **self.optimizer_kwargs
        )


def new_model(rules: Rules, *, seed: int, boards: int = 64, verbose: int = 0) -> MaskablePPO:
    """Return a model that has learned nothing, and plays `boards` games at once."""
    # On networks this small several threads wait for each other most of the time.
    torch.set_num_threads(1)
    envs = make_vec_env(lambda: MinesweeperEnv(rules), boards, seed=seed)
    return MaskablePPO(
        BoardPolicy, envs, learning_rate=1e-3, n_steps=64, batch_size=512, n_epochs=2, gamma=0.5,
        gae_lambda=0.9, ent_coef=0.01, seed=seed, verbose=verbose, device="cpu",
    )  # fmt: skip


def greedy(model: MaskablePPO) -> ChooseActions:
    """Return the way to play of a model: the action that its policy thinks most of."""

    def choose(faces: NDArray[np.uint8], masks: NDArray[np.int8]) -> NDArray[np.int64]:
        # Where a game is over nothing may be opened, which the library does not expect.
        allowed = masks.astype(np.bool_) | ~masks.any(axis=1, keepdims=True)
        actions, _ = model.predict(faces, action_masks=allowed, deterministic=True)
        return np.asarray(actions, np.int64)

    return choose


def main(arguments: Sequence[str] | None = None) -> int:
    """Train as the command line says; return the exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m demine.envs.learning.maskable_ppo_sb3",
        description="Learn Minesweeper by MaskablePPO, and compare with random play and `fast`.",
        formatter_class=argparse.ArgumentDefaultsHelpFormatter,
    )
    parser.add_argument("--board", default="5x5/3", help="the rules of the games")
    parser.add_argument("--seed", type=int, default=1, help="everything random depends on it")
    parser.add_argument("--steps", type=int, default=300_000, help="how many cells are opened")
    parser.add_argument("--judged", type=int, default=4096, help="how many boards are judged")
    parser.add_argument("--save", metavar="FILE.zip", help="where the model is saved at the end")
    given = parser.parse_args(arguments)
    try:
        rules = rules_of_text(given.board)
        model = new_model(rules, seed=given.seed, verbose=1).learn(given.steps)
        if given.save is not None:
            model.save(given.save)
        for line in win_rate_table(rules, {"learned": greedy(model)}, boards=given.judged):
            print(line, flush=True)
    except (DemineError, OSError) as error:
        print(f"maskable_ppo_sb3: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())
