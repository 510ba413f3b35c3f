"""The solver process: answers the questions of `demine.solver.service.client`, and compiles.

Both hear and speak through the pipes they were born with: messages are pickles, each behind its
length. They trust their parent, which made them, and nobody else can reach them. When the parent's
end of the pipe closes, however it came to that, they are gone at once.
"""

from __future__ import annotations

import os
import pickle
import signal
import sys
import threading
from importlib import import_module
from queue import SimpleQueue
from typing import TYPE_CHECKING, BinaryIO, Final

from demine.kernels import kernel_set
from demine.logic.errors import DemineError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from demine.kernels.kernel_set import KernelSet

QUESTIONS: Final[Mapping[str, str]] = {
    "ready": "demine.solver.service.server:answer_when_ready",
    "mine_probability": "demine.solver.exact.probability:mine_probability",
    "count_layouts": "demine.solver.exact.probability:count_layouts",
    "deduce": "demine.solver.exact.deduce:deduce",
    "best_move": "demine.solver.player.choose_cell:best_move",
    "analyse": "demine.solver.win_chances:analyse",
    "levels": "demine.solver.proof.cell_levels:levels",
    "explain": "demine.solver.proof.explain:explain",
    "hint": "demine.solver.hint:hint",
    "judge": "demine.solver.judge:judge",
    "make": "demine.solver.deal.make_layout:make",
    "lay": "demine.solver.deal.guess_free:find_guess_free_layout",
    "rate": "demine.solver.proof.rate_and_prove_board:rate",
    "proof": "demine.solver.proof.rate_and_prove_board:prove_step_by_step",
    "review": "demine.reviews.review:review_events",
}
"""What may be asked, and where it is answered; nothing is imported before it is asked."""

HELLO: Final = "hello"
NOT_CACHED: Final = "cold"
DONE: Final = "done"
FAILED: Final = "failed"
PROGRESS: Final = "told"
"""How far an answer is: what its function calls `progress` with."""
FIRST_COMPILED: Final = "begun"
"""What single questions need is compiled; the rest is on its way."""
SOLVER_COMPILED: Final = "further"
"""All that questions need is compiled, but for the player who advises on guesses."""
ALL_COMPILED: Final = "compiled"
COMPILE_MESSAGES: Final = {FIRST_COMPILED: b"\0", SOLVER_COMPILED: b"\1", ALL_COMPILED: b""}
"""How the solver's process hears of it: no question is so short."""

FIRST_SECONDS: Final = 1.0
"""So long the first question has the process to itself, before the kernels are loaded."""
_SIZE: Final = 8
_NICE: Final = 10


class SolverClientError(DemineError):
    """A question that the solver's own process could not be asked, or did not answer."""


def encode_question(
    name: str,
    args: tuple[object, ...],
    kwargs: Mapping[str, object],
    *,
    with_progress: bool = False,
) -> bytes:
    """Encode a question as a message; raises `SolverClientError` if it cannot be asked.

    With `with_progress` its function is given a `progress` to call.
    """
    if name not in QUESTIONS:
        raise SolverClientError(
            "the solver has no answer for {name!r}; it has for {known}",
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
    """Answer a question: a pickle of `DONE` and the result, or of `FAILED` and the error.

    `on_progress` hears how far the answer is, if that was asked for too.
    """
    try:
        name, args, kwargs, told = pickle.loads(message)  # noqa: S301 - from `encode_question`
        kwargs |= {"progress": on_progress} if told else {}
        module, _, function = QUESTIONS[name].partition(":")
        kind, value = DONE, getattr(import_module(module), function)(*args, **kwargs)
    except Exception as error:  # noqa: BLE001 - the one who asked gets it
        kind, value = FAILED, error
    try:
        said = pickle.dumps((kind, value))
        if kind == FAILED:
            pickle.loads(said)  # noqa: S301 - an error may be written and yet not be read
    except Exception as error:  # noqa: BLE001 - a pickle may raise anything
        cause = value if kind == FAILED else error
        reason = f"{type(cause).__name__}: {cause}"
        return pickle.dumps(
            (FAILED, SolverClientError("the solver failed: {reason}", reason=reason))
        )
    return said


def running_version() -> str:
    """Return the version that runs, without importing any other name of the library."""
    return str(vars(sys.modules["demine"])["__version__"])


def answer_when_ready() -> bool:
    """Answer as soon as the process can answer anything."""
    import_module("demine.solver.player.choose_cell")
    return True


def write_message(sink: BinaryIO, message: bytes) -> None:
    """Write a message into a pipe; raises OSError if nobody reads there any more."""
    left = memoryview(len(message).to_bytes(_SIZE, "big") + message)
    while left:
        left = left[sink.write(left) :]


def read_message(source: BinaryIO) -> bytes | None:
    """Return the next message of a pipe, or None at its end."""
    head = source.read(_SIZE)
    size = int.from_bytes(head, "big")
    message = source.read(size) if len(head) == _SIZE else b""
    return message if len(head) == _SIZE and len(message) == size else None


def answer_questions(*kernels: str) -> None:
    """Run the process that answers questions.

    `kernels` names the sets that it loads, and has compiled, once it has the solver's own.
    """
    asked: SimpleQueue[bytes] = SimpleQueue()
    compiled: SimpleQueue[str] = SimpleQueue()
    answered = threading.Event()
    news = {message: kind for kind, message in COMPILE_MESSAGES.items()}

    def hear(message: bytes) -> None:
        if message in news:
            compiled.put(news[message])
        else:
            asked.put(message)

    say = _take_over_pipes(hear)
    # Two threads that import NumPy at the same time would each find half of it.
    import_module("demine.solver.exact.compiled_engine")
    arguments = (kernels, say, answered, compiled)
    threading.Thread(target=_load_or_have_compiled, args=arguments, daemon=True).start()
    while True:
        say(answer_question(asked.get(), lambda *how_far: say(pickle.dumps((PROGRESS, how_far)))))
        answered.set()


def compile_kernels(*kernels: str) -> None:
    """Run the process that compiles the kernels, with low priority, and ends."""
    sets = _kernel_sets(kernels)
    say = _take_over_pipes(lambda _message: None)
    if hasattr(os, "nice"):
        os.nice(_NICE)
    sets[0].load()
    say(pickle.dumps((FIRST_COMPILED, None)))
    kernel_set.load_sets(sets)
    say(pickle.dumps((SOLVER_COMPILED, None)))
    _player_kernels().load()
    say(pickle.dumps((ALL_COMPILED, None)))


def _kernel_sets(further: Iterable[str]) -> tuple[KernelSet, ...]:
    """Return the sets to compile: single questions wait for the first only, so it comes first."""
    from demine.solver.proof.kernels import SOLVER_KERNELS

    return (*SOLVER_KERNELS, *map(kernel_set.kernel_set_by_name, further))


def _player_kernels() -> KernelSet:
    from demine.solver.player.kernels import PLAYER_KERNELS

    return PLAYER_KERNELS


def _load_or_have_compiled(
    kernels: tuple[str, ...],
    say: Callable[[bytes], None],
    answered: threading.Event,
    compiled: SimpleQueue[str],
) -> None:
    """Load the compiled kernels beside the first answers; have them compiled if there are none."""
    answered.wait(FIRST_SECONDS)
    # A Numba that cannot be loaded is no reason to stop or to complain: the answers are the same.
    # `demine warm` tells what is wrong with it.
    try:
        if not kernel_set.numba_available():
            return
        sets, player = _kernel_sets(kernels), _player_kernels()
        whole = kernel_set.are_cached(sets)
        if whole:
            kernel_set.load_sets(sets)
        if sets[0].can_write_cache() and not (whole and player.is_cached()):
            # Another process compiles: here it would take every answer's time.
            say(pickle.dumps((NOT_CACHED, None)))
            while (news := compiled.get()) != ALL_COMPILED:
                kernel_set.load_sets(sets[:1] if news == FIRST_COMPILED else sets)
        kernel_set.load_sets(sets)
        if player.is_cached():
            player.load()
    except Exception:  # noqa: BLE001
        return


def _take_over_pipes(hear: Callable[[bytes], None]) -> Callable[[bytes], None]:
    """Take over the standard pipes and say hello; return a function that sends messages.

    `hear` is called in a thread with what the parent says.
    """
    # Ctrl-C in the terminal is for the window to decide about.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    source, sink = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb", buffering=0)
    # What somebody prints must not get between the messages.
    nowhere = os.open(os.devnull, os.O_RDWR)
    os.dup2(nowhere, 0)
    os.dup2(nowhere, 1)
    os.close(nowhere)
    lock = threading.Lock()

    def say(message: bytes) -> None:
        try:
            with lock:
                write_message(sink, message)
        except OSError:
            os._exit(0)

    def listen() -> None:
        while (message := read_message(source)) is not None:
            hear(message)
        os._exit(0)

    threading.Thread(target=listen, daemon=True).start()
    say(pickle.dumps((HELLO, running_version())))
    return say
