"""A policy of one's own: how it is asked, what it may answer, and how workers get it."""

from __future__ import annotations

import operator
import threading
import traceback
from collections import OrderedDict
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeAlias
from uuid import uuid4

import numpy as np

from demine.logic.errors import quoted
from demine.scene.cell_faces import Face
from demine.solver.errors import NothingCertain
from demine.solver.player.import_policy import import_policy
from demine.solver.player.move import Move
from demine.solver.player.policy_error import PolicyError
from demine.solver.player.policy_identity import policy_name, policy_version
from demine.solver.player.policy_table import POLICIES, BuiltInPolicy, policy_by_name
from demine.solver.player.sent_policy import SentPolicy, pack_policy, unpack_policy
from demine.solver.player.time_limit import TimeLimitReached, time_limit

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from demine.logic.rules import Rules
    from demine.scene.seen_position import SeenPosition
    from demine.solver.player.policy_types import PolicyLike

Cell: TypeAlias = tuple[int, int]
ResolvedPolicy: TypeAlias = "BuiltInPolicy | CustomPolicy"

ANSWER_SECONDS: Final = 60.0
"""How long a policy may take for one answer, unless told otherwise."""
_GIVES_UP: Final = (-1, -1)
"""In an answer to a batch, this row gives a game up."""
_MOST_KEPT: Final = 8
"""A worker keeps so many policies, those used last."""


class CustomPolicy:
    """A policy of one's own, asked and its answers checked.

    `name` and `version` identify it (`demine.solver.player.policy_identity`). What is `given` is a
    `Policy`, a `BatchPolicy` or a class of either; a class is called once in each thread. A policy
    that is known by name only, as in the file of an earlier study, cannot be asked. One answer may
    take `timeout` seconds, None is any time.

    It can be pickled: a copy in another process loads the policy there when it is first asked, and
    is the same object as other copies of the same policy.
    """

    def __init__(
        self,
        given: object,
        *,
        name: str | None = None,
        version: str | None = None,
        timeout: float | None = ANSWER_SECONDS,
    ) -> None:
        self.name = policy_name(given) if name is None else name
        self.version = policy_version(given) if version is None else version
        self.timeout = timeout
        self._given: object = given
        self._sent: SentPolicy | None = None
        self._token = uuid4().hex
        self._thread = threading.local()

    @classmethod
    def named_only(cls, name: str, version: str | None) -> CustomPolicy:
        """Return a policy that is known by its name and version only."""
        policy = cls(None, name=name, version="")
        policy.version = version
        return policy

    @property
    def in_batches(self) -> bool:
        """Whether it is asked about many games at once."""
        return _has_batches(self._loaded())

    def choose(self, scene: NDArray[np.uint8], rules: Rules) -> Cell | None:
        """Return the covered cell that it opens on a scene board; None if it gives the game up.

        Raises `PolicyError` if it fails or answers anything else.
        """
        player = self._player()
        if not callable(player):
            return self.choose_batch(scene[np.newaxis], rules)[0]
        try:
            answer = self._ask(player, scene.copy(), rules)
        except PolicyError as error:
            if isinstance(error.__cause__, NothingCertain):
                return None
            error.params["scene"] = scene
            raise
        return self._checked_cell(answer, scene)

    def choose_in(self, position: SeenPosition, rules: Rules) -> Cell:
        """Return the cell that it opens in a game, which may have to begin at a certain one.

        Raises `NothingCertain` if it gives the game up; other errors are those of `choose`.
        """
        scene = without_marks(position.scene)
        if position.start is not None and (scene == Face.COVERED).all():
            return position.start
        cell = self.choose(scene, rules)
        if cell is None:
            raise NothingCertain("{policy} gives the game up", policy=self.name)
        return cell

    def choose_batch(self, scenes: NDArray[np.uint8], rules: Rules) -> list[Cell | None]:
        """Return what `choose` returns for each of the scenes, `(boards, height, width)`.

        `PolicyError.params["board"]` is the number of the scene that an error is about.
        """
        answer = self._ask(self._player().choose_batch, scenes.copy(), rules)
        try:
            cells = np.asarray(answer)
        except (TypeError, ValueError):
            cells = np.empty(0)
        if cells.shape != (len(scenes), 2) or cells.dtype.kind not in "iu":
            raise PolicyError(
                "{policy} answered {answer} to {games} games: choose_batch returns whole numbers "
                "of shape ({games}, 2)",
                policy=self.name,
                answer=quoted(answer),
                games=len(scenes),
            )
        found: list[Cell | None] = []
        for board, cell in enumerate(map(tuple, cells.tolist())):
            try:
                found.append(None if cell == _GIVES_UP else self._checked_cell(cell, scenes[board]))
            except PolicyError as error:
                error.params["board"] = board
                raise
        return found

    def _ask(self, player: Any, *question: object) -> object:  # noqa: ANN401 - of any type
        try:
            with time_limit(self.timeout):
                return player(*question)
        except TimeLimitReached:
            raise PolicyError(
                "{policy} did not answer within {seconds} seconds",
                policy=self.name,
                seconds=f"{self.timeout:g}",
            ) from None
        except (Exception, SystemExit) as error:
            raise PolicyError(
                "{policy} raised {error}", policy=self.name, error=_described(error)
            ) from error

    def _checked_cell(self, answer: object, scene: NDArray[np.uint8]) -> Cell:
        """Return the answer as a covered cell of the scene board; raises `PolicyError`."""
        try:
            cell = _as_cell(answer)
        except (TypeError, ValueError):
            raise self._wrong_answer(
                "{policy} answered {answer}, which is no cell (row, col)", answer, scene
            ) from None
        height, width = scene.shape
        if not (0 <= cell[0] < height and 0 <= cell[1] < width):
            raise self._wrong_answer(
                "{policy} answered {answer} (counted from 0), which is outside the "
                "{width}x{height} board",
                answer,
                scene,
            )
        if not Face.EIGHT < scene[cell] < Face.MINE:
            raise self._wrong_answer(
                "{policy} answered {answer} (counted from 0), which is open already", answer, scene
            )
        return cell

    def _wrong_answer(self, template: str, answer: object, scene: NDArray[np.uint8]) -> PolicyError:
        height, width = scene.shape
        return PolicyError(
            template,
            policy=self.name,
            answer=quoted(answer),
            scene=scene,
            height=height,
            width=width,
        )

    def _player(self) -> Any:  # noqa: ANN401 - what users give
        """Return what is asked in this thread; a class is called the first time."""
        try:
            return self._thread.player
        except AttributeError:
            pass
        given = self._loaded()
        self._thread.player = self._ask(given) if isinstance(given, type) else given
        return self._thread.player

    def _loaded(self) -> object:
        if self._given is None:
            if self._sent is None:
                raise PolicyError("{policy} is known by its name only", policy=self.name)
            given = unpack_policy(self._sent, self.name)
            if not self._sent.by_value:
                self._check_same_code(given)
            self._given = given
        return self._given

    def _check_same_code(self, given: object) -> None:
        """Raise `PolicyError` if the code here, in a worker, is not what it is at home."""
        here = policy_version(given)
        if here != self.version:
            raise PolicyError(
                "a worker has other code for {policy} ({theirs}, here {ours})",
                policy=self.name,
                theirs=here,
                ours=self.version,
            )

    def __reduce__(self) -> tuple[object, ...]:
        if self._sent is None:
            self._sent = pack_policy(self._given, self.name)
        return _copy_in_worker, (self._token, self.name, self.version, self.timeout, self._sent)


_COPIES: Final[OrderedDict[str, CustomPolicy]] = OrderedDict()
_COPIES_LOCK: Final = threading.Lock()


def _copy_in_worker(
    token: str, name: str, version: str | None, timeout: float | None, sent: SentPolicy
) -> CustomPolicy:
    """Return the copy of a policy in this process, one for all chunks of a study."""
    with _COPIES_LOCK:
        if token not in _COPIES:
            copy = CustomPolicy.named_only(name, version)
            copy.timeout, copy._sent, copy._token = timeout, sent, token  # noqa: SLF001 - its own
            _COPIES[token] = copy
        _COPIES.move_to_end(token)
        while len(_COPIES) > _MOST_KEPT:
            _COPIES.popitem(last=False)
        return _COPIES[token]


def resolve_policy(
    policy: PolicyLike | ResolvedPolicy, *, timeout: float | None = ANSWER_SECONDS
) -> ResolvedPolicy:
    """Return the policy that is meant: an entry of `POLICY_TABLE`, or one of one's own.

    Raises `PolicyError` if there is none of that name, or it is neither callable nor has a method
    `choose_batch`.
    """
    if isinstance(policy, BuiltInPolicy | CustomPolicy):
        return policy
    if isinstance(policy, str):
        if policy in POLICIES:
            return policy_by_name(policy)
        if ":" not in policy:
            raise unknown_policy(policy, POLICIES)
        return _custom(import_policy(policy), policy, timeout)
    return _custom(policy, None, timeout)


def _custom(given: object, name: str | None, timeout: float | None) -> CustomPolicy:
    if not callable(given) and not _has_batches(given):
        raise PolicyError(
            "{policy} cannot be asked: a policy is a function policy(scene, rules), or has a "
            "method choose_batch(scenes, rules)",
            policy=quoted(given) if name is None else name,
        )
    return CustomPolicy(given, name=name, timeout=timeout)


def unknown_policy(name: str, known: tuple[str, ...]) -> PolicyError:
    """Return the error for a name that no policy has, with the name most like it."""
    return PolicyError(
        "there is no policy {policy}: use {choices}, or module:name for one of your own",
        policy=quoted(name),
        choices=", ".join(known),
    ).suggesting(name, known)


def without_marks(scene: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return a scene board without flags and question marks, as policies see it."""
    marked = (scene == Face.FLAG) | (scene == Face.QUESTION)
    return np.where(marked, np.uint8(Face.COVERED), scene)


def _has_batches(given: object) -> bool:
    return callable(getattr(given, "choose_batch", None))


def _as_cell(answer: Any) -> Cell:  # noqa: ANN401 - what policies return
    """Return an answer as a cell; raises TypeError or ValueError if it is none."""
    row, col = answer[:2] if isinstance(answer, Move) else answer
    return operator.index(row), operator.index(col)


def _described(error: BaseException) -> str:
    """Return what an exception of a policy says, and where in the policy's file it came up."""
    said = " ".join(f"{type(error).__name__}: {error}".split())[:200]
    frames = traceback.extract_tb(error.__traceback__)[1:]
    in_policy = [frame for frame in frames if frame.filename == frames[0].filename]
    if not in_policy:
        return said
    return f"{said} ({Path(in_policy[-1].filename).name}:{in_policy[-1].lineno})"
