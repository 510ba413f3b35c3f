"""The processes that answer the questions of `demine.solver.service.client` and compile kernels.

They talk to their parent through standard input and output: each message is a pickle after its
length. They trust their parent, which started them, and nobody else can reach them. They end at
once when the parent's end of the pipe is closed, for whatever reason.
"""

from __future__ import annotations

import os
import pickle
import signal
import sys
import threading
from importlib import import_module
from queue import SimpleQueue
from typing import TYPE_CHECKING, BinaryIO, Final, Literal

from demine.kernels import kernel_set
from demine.kernels.background import compile_setting
from demine.logic.errors import DemineError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from demine.kernels.kernel_set import KernelSet

QUESTIONS: Final[Mapping[str, str]] = {
    "ready": "demine.solver.service.server:ready",
    "mine_probability": "demine.solver.exact.probability:mine_probability",
    "count_layouts": "demine.solver.exact.probability:count_layouts",
    "deduce": "demine.solver.exact.deduce:deduce",
    "best_move": "demine.solver.player.choose_cell:find_best_move",
    "analyse": "demine.solver.win_chances:analyse",
    "win_chances": "demine.solver.win_chances:exact_win_chances",
    "levels": "demine.solver.proof.cell_levels:levels",
    "explain": "demine.solver.proof.explain:explain",
    "clash": "demine.solver.proof.clash:find_clash",
    "hint": "demine.solver.hint:find_hint",
    "judge": "demine.solver.judge:judge",
    "make": "demine.solver.deal.make_layout:make_layout",
    "lay": "demine.solver.deal.guess_free:find_guess_free_layout",
    "rate": "demine.solver.proof.rating:rate",
    "proof": "demine.solver.proof.rating:prove_step_by_step",
    "review": "demine.reviews.review:review_events",
    "guesses": "demine.reviews.review:guess_count_and_chance",
    "drills": "demine.play.drills.solver_questions:keys_of_game",
    "made drills": "demine.play.drills.solver_questions:keys_of_made_game",
    "drill of day": "demine.play.drills.solver_questions:key_of_day",
    "drill question": "demine.play.drills.solver_questions:solved_question",
    "figures": "demine.web.game_figures:game_figures",
}
"""The functions that may be asked for; a module is imported when it is first needed."""

HELLO: Final = "hello"
NOT_CACHED: Final = "cold"
DONE: Final = "done"
FAILED: Final = "failed"
PROGRESS: Final = "told"
"""The arguments with which a function calls its `progress`."""
FIRST_COMPILED: Final = "begun"
"""The kernels that single questions need are compiled."""
SOLVER_COMPILED: Final = "further"
"""All kernels are compiled except those of the player, which advises on guesses."""
ALL_COMPILED: Final = "compiled"
COMPILE_MESSAGES: Final = {FIRST_COMPILED: b"\0", SOLVER_COMPILED: b"\1", ALL_COMPILED: b""}
"""The messages that tell the solver's process so; no question is so short."""

FIRST_SECONDS: Final = 1.0
"""How long loading the kernels waits for the first question to be answered."""
_SIZE: Final = 8
"""How many bytes the length of a message has."""
_NICE: Final = 10


class SolverClientError(DemineError):
    """A question that could not be sent to the solver's process, or that it did not answer."""


def encode_question(
    name: str,
    args: tuple[object, ...],
    kwargs: Mapping[str, object],
    *,
    with_progress: bool = False,
) -> bytes:
    """Return a question as a message; raises `SolverClientError` if it cannot be sent.

    With `with_progress` the function is called with a `progress`.
    """
    if name not in QUESTIONS:
        raise SolverClientError(
            "the solver has no answer for {name!r}, only for {known}",
            name=name,
            known=", ".join(QUESTIONS),
        )
    try:
        return pickle.dumps((name, args, dict(kwargs), with_progress))
    except Exception as error:  # a pickle may raise anything
        raise SolverClientError(
            "this cannot be sent to the solver's process: {reason}", reason=str(error)
        ) from error


def answer_question(message: bytes, on_progress: Callable[..., object] = lambda *_: None) -> bytes:
    """Answer a question; return a pickle of `(DONE, result)` or `(FAILED, error)`.

    `on_progress` is passed to the function if the question was encoded `with_progress`.
    """
    try:
        name, args, kwargs, with_progress = pickle.loads(message)  # noqa: S301 - from `encode_question`
        kwargs |= {"progress": on_progress} if with_progress else {}
        module, _, function = QUESTIONS[name].partition(":")
        kind, value = DONE, getattr(import_module(module), function)(*args, **kwargs)
    except Exception as error:  # noqa: BLE001 - whoever asked gets it
        kind, value = FAILED, error
    try:
        answer = pickle.dumps((kind, value))
        if kind == FAILED:
            pickle.loads(answer)  # noqa: S301 - an error may be pickled and yet not unpickled
    except Exception as error:  # noqa: BLE001 - a pickle may raise anything
        cause = value if kind == FAILED else error
        reason = f"{type(cause).__name__}: {cause}"
        return pickle.dumps(
            (FAILED, SolverClientError("the solver failed: {reason}", reason=reason))
        )
    return answer


def demine_version() -> str:
    """Return the version of demine that runs, without importing anything else of it."""
    return str(vars(sys.modules["demine"])["__version__"])


def ready(*, is_background: bool = False) -> Literal[True]:
    """Return True, once the module that most questions need is imported.

    A process that works in the background lets all others of the system go first from now on.
    """
    if is_background and sys.platform != "win32":
        os.setpriority(os.PRIO_PROCESS, 0, _NICE)
    import_module("demine.solver.player.choose_cell")
    return True


def write_message(sink: BinaryIO, message: bytes) -> None:
    """Write a message to a pipe; raises `OSError` if its other end is closed."""
    left = memoryview(len(message).to_bytes(_SIZE, "big") + message)
    while left:
        left = left[sink.write(left) :]


def read_message(source: BinaryIO) -> bytes | None:
    """Wait for the next message of a pipe and return it, or None at the end of the pipe."""
    head = source.read(_SIZE)
    size = int.from_bytes(head, "big")
    message = source.read(size) if len(head) == _SIZE else b""
    return message if len(head) == _SIZE and len(message) == size else None


def answer_questions(*kernel_set_names: str) -> None:
    """Run the process that answers questions, until its pipe is closed.

    The named kernel sets are loaded after the solver's own.
    """
    asked: SimpleQueue[bytes] = SimpleQueue()
    compiled: SimpleQueue[str] = SimpleQueue()
    answered = threading.Event()
    compile_kinds = {message: kind for kind, message in COMPILE_MESSAGES.items()}

    def receive(message: bytes) -> None:
        if message in compile_kinds:
            compiled.put(compile_kinds[message])
        else:
            asked.put(message)

    send = _take_over_pipes(receive)
    # Imported here, because two threads that import NumPy at the same time each get half of it.
    import_module("demine.solver.exact.compiled_engine")
    arguments = (kernel_set_names, send, answered, compiled)
    threading.Thread(target=_load_or_have_compiled, args=arguments, daemon=True).start()
    while True:
        send(answer_question(asked.get(), lambda *done: send(pickle.dumps((PROGRESS, done)))))
        answered.set()


def compile_kernels(*kernel_set_names: str) -> None:
    """Run the process that compiles all kernels with low priority; it ends when they are ready."""
    sets = _kernel_sets(kernel_set_names)
    send = _take_over_pipes(lambda _message: None)
    if hasattr(os, "nice"):
        os.nice(_NICE)
    sets[0].load()
    send(pickle.dumps((FIRST_COMPILED, None)))
    kernel_set.load_sets(sets)
    send(pickle.dumps((SOLVER_COMPILED, None)))
    _player_kernels().load()
    send(pickle.dumps((ALL_COMPILED, None)))


def _kernel_sets(other_names: Iterable[str]) -> tuple[KernelSet, ...]:
    """Return the kernel sets to compile; the first is the one that single questions need."""
    from demine.solver.proof.kernels import SOLVER_KERNELS

    return (*SOLVER_KERNELS, *map(kernel_set.kernel_set_by_name, other_names))


def _player_kernels() -> KernelSet:
    from demine.solver.player.kernels import PLAYER_KERNELS

    return PLAYER_KERNELS


def _load_or_have_compiled(
    kernel_set_names: tuple[str, ...],
    send: Callable[[bytes], None],
    answered: threading.Event,
    compiled: SimpleQueue[str],
) -> None:
    """Load the compiled kernels while questions are answered; have them compiled if need be."""
    answered.wait(FIRST_SECONDS)
    # If Numba cannot be loaded, the answers are the same, only slower. `demine warm` says what is
    # wrong with it.
    try:
        if not kernel_set.numba_available():
            return
        sets, player = _kernel_sets(kernel_set_names), _player_kernels()
        whole = kernel_set.are_cached(sets)
        if whole:
            kernel_set.load_sets(sets)
        if (
            compile_setting().compiles
            and sets[0].can_write_cache()
            and not (whole and player.is_cached())
        ):
            # Another process compiles, because compiling here would slow down every answer.
            send(pickle.dumps((NOT_CACHED, None)))
            while (kind := compiled.get()) != ALL_COMPILED:
                kernel_set.load_sets(sets[:1] if kind == FIRST_COMPILED else sets)
        kernel_set.load_sets(sets)
        if player.is_cached():
            player.load()
    except Exception:  # noqa: BLE001
        return


def _take_over_pipes(receive: Callable[[bytes], None]) -> Callable[[bytes], None]:
    """Use the standard pipes for messages and say hello; return a function that sends messages.

    `receive` is called in a thread with each message of the parent.
    """
    # It is for the window to decide what Ctrl-C in the terminal does.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # These processes load and compile by themselves.
    kernel_set.KernelSet.loads_in_background = False
    source, sink = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb", buffering=0)
    # Anything that is printed must not get between the messages.
    nowhere = os.open(os.devnull, os.O_RDWR)
    os.dup2(nowhere, 0)
    os.dup2(nowhere, 1)
    os.close(nowhere)
    lock = threading.Lock()

    def send(message: bytes) -> None:
        try:
            with lock:
                write_message(sink, message)
        except OSError:
            os._exit(0)

    def listen() -> None:
        while (message := read_message(source)) is not None:
            receive(message)
        os._exit(0)

    threading.Thread(target=listen, daemon=True).start()
    send(pickle.dumps((HELLO, demine_version())))
    return send
