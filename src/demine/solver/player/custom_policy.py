"""A policy of one's own: how it is asked, what it may answer, and how workers get it."""

from __future__ import annotations

import functools
import operator
import pickle
import sys
import threading
import traceback
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias
from uuid import uuid4

import numpy as np

from demine.logic.errors import DemineError, quoted
from demine.scene.cell_faces import Face
from demine.solver.errors import NothingCertain
from demine.solver.player.move import Move
from demine.solver.player.policy_error import PolicyError
from demine.solver.player.policy_version import is_importable, policy_name, policy_version

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from demine.logic.rules import Rules
    from demine.scene.seen_position import SeenPosition

Cell: TypeAlias = tuple[int, int]

_GIVES_UP: Final = (-1, -1)
"""In an answer to a batch, this row gives a game up."""
_MOST_KEPT: Final = 8
"""A worker keeps so many policies, those used last."""


class CustomPolicy:
    """A policy of one's own, asked and its answers checked.

    `name` and `version` identify it (`demine.solver.player.policy_version`). What is `given` is a
    `Policy`, a `BatchPolicy` or a class of either; a class is called once in each thread. With None
    it is known by name only, as in the file of an earlier study, and cannot be asked.

    It can be pickled: a copy in another process loads the policy there when it is first asked, and
    is the same object as other copies of the same policy.
    """

    def __init__(self, given: object, name: str | None = None, version: str | None = None) -> None:
        self.name = policy_name(given) if name is None else name
        self.version = policy_version(given) if given is not None else version
        self._given = given
        self._pickle: _Pickle | None = None
        self._thread = threading.local()

    @property
    def in_batches(self) -> bool:
        """Whether it is asked about many games at once."""
        return supports_batches(self._loaded())

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
            return player(*question)
        except (Exception, SystemExit) as error:
            raise PolicyError(
                "{policy} raised {error}", policy=self.name, error=_text_and_place(error)
            ) from error

    def _checked_cell(self, answer: Any, scene: NDArray[np.uint8]) -> Cell:  # noqa: ANN401
        """Return the answer as a covered cell of the scene board; raises `PolicyError`."""
        height, width = scene.shape
        try:
            row, col = map(operator.index, answer[:2] if isinstance(answer, Move) else answer)
        except (TypeError, ValueError):
            wrong = "{policy} answered {answer}, which is no cell (row, col)"
        else:
            if not (0 <= row < height and 0 <= col < width):
                wrong = (
                    "{policy} answered {answer} (counted from 0), which is outside the "
                    "{width}x{height} board"
                )
            elif Face.EIGHT < scene[row, col] < Face.MINE:
                return row, col
            else:
                wrong = "{policy} answered {answer} (counted from 0), which is open already"
        about = {"policy": self.name, "answer": quoted(answer), "scene": scene}
        raise PolicyError(wrong, height=height, width=width, **about)

    def _player(self) -> Any:  # noqa: ANN401 - what users give
        """Return what is asked in this thread; a class is called the first time."""
        if not hasattr(self._thread, "player"):
            given = self._loaded()
            self._thread.player = self._ask(given) if isinstance(given, type) else given
        return self._thread.player

    def _loaded(self) -> object:
        if self._given is None:
            if self._pickle is None:
                raise PolicyError("{policy} is known by its name only", policy=self.name)
            self._given = self._pickle.load()
        return self._given

    def __reduce__(self) -> tuple[object, ...]:
        self._pickle = self._pickle or _Pickle.of(self._given, self.name, self.version)
        return _copy_in_worker, (self._pickle,)


class _Pickle(NamedTuple):
    """A policy as bytes, for worker processes and other machines."""

    token: str
    name: str
    version: str | None
    data: bytes
    has_code: bool
    main: str | None
    """The main program, which a worker has to run to find the policy."""

    @classmethod
    def of(cls, given: object, name: str, version: str | None) -> _Pickle:
        """Return a policy as bytes; raises `PolicyError` if it cannot be sent.

        What a worker can import is sent by its name. Functions and classes of the main program or
        notebook, lambdas and functions made by others are sent with their code if `cloudpickle` is
        installed, which comes with Dask.
        """
        has_code = not is_importable(given) and find_spec("cloudpickle") is not None
        in_main = not has_code and not is_importable(given)
        main = getattr(sys.modules["__main__"], "__file__", None) if in_main else None
        if has_code:
            from cloudpickle import dumps
        else:
            from pickle import dumps
        try:
            return cls(uuid4().hex, name, version, dumps(given), has_code, main)
        except Exception as error:
            raise PolicyError(
                "{policy} cannot be sent to other processes ({reason}): define it at the top level "
                "of a module, give a class that each worker makes for itself, or play without "
                "workers",
                policy=name,
                reason=exception_text(error),
            ) from error

    def load(self) -> object:
        """Return the policy, in a worker; raises `PolicyError` if it is not the same there."""
        try:
            if self.main is not None:
                from multiprocessing.spawn import import_main_path

                import_main_path(str(Path(self.main).resolve()))
            given = pickle.loads(self.data)  # noqa: S301 - from the process that plays the study
        except DemineError:
            raise
        except Exception as error:
            raise PolicyError(
                "a worker cannot load {policy}: {reason}; its module has to be where workers can "
                "import it",
                policy=self.name,
                reason=exception_text(error),
            ) from error
        here = self.version if self.has_code else policy_version(given)
        if here != self.version:
            raise PolicyError(
                "a worker has other code for {policy} ({theirs}, here {ours})",
                policy=self.name,
                theirs=here,
                ours=self.version,
            )
        return given


_COPY_LOCK: Final = threading.Lock()


def _copy_in_worker(sent: _Pickle) -> CustomPolicy:
    """Return the copy of a policy in this process, one for all chunks of a study."""
    with _COPY_LOCK:
        return _kept_copy(sent)


@functools.lru_cache(_MOST_KEPT)
def _kept_copy(sent: _Pickle) -> CustomPolicy:
    copy = CustomPolicy(None, sent.name, sent.version)
    copy._pickle = sent  # noqa: SLF001 - its own
    return copy


def without_marks(scene: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return a scene board without flags and question marks, as policies see it."""
    marked = (scene == Face.FLAG) | (scene == Face.QUESTION)
    return np.where(marked, np.uint8(Face.COVERED), scene)


def supports_batches(policy: object) -> bool:
    """Return whether a policy answers for many games at once."""
    return callable(getattr(policy, "choose_batch", None))


def exception_text(error: BaseException) -> str:
    """Return what kind of exception this is and what it says, on one line."""
    return " ".join(f"{type(error).__name__}: {error}".split())[:200]


def _text_and_place(error: BaseException) -> str:
    """Return what an exception of a policy says, and where in the policy's file it came up."""
    frames = traceback.extract_tb(error.__traceback__)[1:]
    in_policy = [frame for frame in frames if frame.filename == frames[0].filename]
    place = f" ({Path(in_policy[-1].filename).name}:{in_policy[-1].lineno})" if in_policy else ""
    return exception_text(error) + place
