"""Boards of any size, each of them a game of `demine.logic`: slower than those of the kernels."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, ClassVar, Final

import numpy as np

from demine.envs.board_batch import NO_REWARD, BoardBatch, RewardWeights
from demine.envs.kernels import LOST, PLAYED, READY, REFUSED, RESET, RUNNING, WON
from demine.logic.errors import ActError
from demine.logic.event import Act, Lay, Verb
from demine.logic.game import BaseGame, Status
from demine.logic.layout import checked_mine_map
from demine.logic.neighbours import count_around
from demine.scene.cell_faces import Face
from demine.scene.sight import sight

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from demine.envs.board_batch import Shown
    from demine.logic.rules import Rules

_VERBS: Final = (Verb.OPEN, Verb.FLAG, Verb.CHORD)
_STATUS: Final = {
    Status.READY: READY, Status.RUNNING: RUNNING, Status.WON: WON, Status.LOST: LOST
}  # fmt: skip


class GameBoards(BoardBatch):
    """Boards of any rules, which are played one after the other."""

    bytes_of_board: ClassVar[int] = 10_000
    bytes_of_cell: ClassVar[int] = 6

    def __init__(
        self,
        rules: Rules,
        boards: int,
        verbs: int,
        weights: RewardWeights = NO_REWARD,
        *,
        invalid_ends: bool = False,
    ) -> None:
        super().__init__(rules, boards, verbs)
        self._rewards, self._invalid_ends = weights, invalid_ends
        self._faces = np.full((boards, *rules.shape), Face.COVERED, np.uint8)
        self._masks = np.zeros((boards, verbs, rules.cells), np.int8)
        self._status = np.full(boards, READY, np.int64)
        self._indices = np.zeros(boards, np.int64)
        self._games = [BaseGame(rules, 0) for _ in range(boards)]

    @property
    def faces(self) -> NDArray[np.uint8]:
        """What the player of each board sees."""
        return self._faces

    @property
    def status(self) -> NDArray[np.int64]:
        """The status of each board."""
        return self._status

    @property
    def indices(self) -> NDArray[np.int64]:
        """Which board of its seed each one is."""
        return self._indices

    @property
    def are_laid(self) -> NDArray[np.bool_]:
        """Whether the mines of each board are laid."""
        return np.array([game.board.laid for game in self._games], np.bool_)

    def reset(self, boards: NDArray[np.bool_]) -> None:
        """Begin a new game on each of these boards."""
        for board in np.flatnonzero(boards).tolist():
            self._begin(board)

    def show(self, boards: NDArray[np.bool_], shown: Shown) -> None:
        """Write what these boards show."""
        shown.faces[boards] = self._faces[boards]
        shown.masks.reshape(self._masks.shape)[boards] = self._masks[boards]

    def play(self, actions: NDArray[np.int64], shown: Shown, *, resets: bool) -> None:
        """Play an action on each board, or begin a new game on it; write what it shows then."""
        self.lay_before(actions)
        self.opened[:], self.rewards[:] = 0, 0.0
        for board, action in enumerate(actions.tolist()):
            if resets and self._status[board] >= WON:
                self._begin(board)
                self.outcomes[board] = RESET
            elif self._status[board] < WON and self._can_play(board, action):
                self.outcomes[board] = PLAYED
                self._look(board)
                self._reward(board)
            else:
                self.outcomes[board] = REFUSED
                self.rewards[board] = self._rewards.refused
                if self._invalid_ends:
                    self._status[board] = LOST
                    self._masks[board] = 0
        np.greater_equal(self._status, WON, out=self.ended)
        self.show(np.ones(actions.size, np.bool_), shown)

    def sample(self) -> NDArray[np.int64]:
        """Return a random legal action of each board."""
        actions = np.zeros(self.seeds.size, np.int64)
        for board, masks in enumerate(self._masks):
            legal = np.flatnonzero(masks)
            if legal.size:
                random = Random(int(self._streams[board]))
                actions[board] = legal[random.randrange(legal.size)]
        self._streams += np.uint64(1)
        return actions

    def close(self) -> None:
        """Do nothing: games are played on the thread that asks."""

    def lay(self, board: int, mine_map: ArrayLike) -> None:
        """Lay mines on a board whose game has not begun; raises `LayoutError`."""
        self._games[board].lay(Lay(0, checked_mine_map(self.rules, mine_map)))

    def mine_map(self, board: int) -> NDArray[np.bool_] | None:
        """Return where the mines of a board are, None before they are laid."""
        logic = self._games[board].board
        return logic.mine_map if logic.laid else None

    def _begin(self, board: int) -> None:
        self._games[board] = BaseGame(self.rules, 0)
        self._indices[board] += 1
        self._look(board)

    def _can_play(self, board: int, action: int) -> bool:
        """Play an action, unless the rules refuse it; return whether it was played."""
        verb, cell = divmod(action, self.rules.cells)
        if not 0 <= verb < self._masks.shape[1]:
            return False
        game = self._games[board]
        before = game.board.opened
        try:
            game.play(Act(0, _VERBS[verb], *divmod(cell, self.rules.width)))
        except ActError:
            return False
        self.opened[board] = game.board.opened - before
        return True

    def _look(self, board: int) -> None:
        """Keep what the player of a board sees now, and which actions are legal."""
        game = self._games[board]
        faces = self._faces[board] = sight(game)
        self._status[board] = _STATUS[game.status]
        masks = self._masks[board]
        if game.status.over:
            masks[:] = 0
            return
        covered, flagged = faces == Face.COVERED, faces == Face.FLAG
        masks[0] = covered.ravel()
        if len(masks) > 1:
            masks[1] = (covered | flagged).ravel()
            known = count_around(flagged | (faces == Face.BLOWN))
            masks[2] = ((known == faces) & (count_around(covered) > 0)).ravel()

    def _reward(self, board: int) -> None:
        weights, status = self._rewards, self._status[board]
        self.rewards[board] = weights.cell * self.opened[board]
        if status >= WON:
            self.rewards[board] += weights.win if status == WON else weights.loss
