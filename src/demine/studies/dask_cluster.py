"""A Dask cluster as an executor, for studies on many machines."""

from __future__ import annotations

import contextlib
import logging
import re
import threading
from concurrent.futures import BrokenExecutor, Executor, Future, InvalidStateError
from typing import TYPE_CHECKING, Any, Final, ParamSpec, TypeVar

from demine.studies.errors import StudyError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

P = ParamSpec("P")
T = TypeVar("T")

CONNECT_SECONDS: Final = 10
WORKER_SECONDS: Final = 30
_RETRIES: Final = 5
_LOOK_SECONDS: Final = 0.5
_GONE: Final = ("closing", "closed")
_ADDRESS: Final = re.compile(r"((tcp|tls|ws|wss)://)?([\w.-]+|\[[0-9a-fA-F:.%]+\]):\d{1,5}")


@contextlib.contextmanager
def dask_executor(address: str) -> Iterator[tuple[Executor, int]]:
    """Yield an executor on the cluster of a Dask scheduler, and the number of its worker threads.

    `address` is `tcp://HOST:PORT` or `HOST:PORT`. Raises `StudyError` if Dask is missing, if no
    scheduler answers, if it has no workers, or if they cannot import demine.
    """
    try:
        import distributed
    except ImportError as error:
        raise StudyError(
            'a cluster needs Dask: install it with `pip install "demine[study]"`'
        ) from error
    if _ADDRESS.fullmatch(address) is None:
        # Dask would also refuse it, but leave threads behind that print errors at the end.
        raise StudyError(
            "{address} is not a scheduler's address: write tcp://HOST:PORT",
            address=repr(address)[:80],
        )
    with _silent_dask_log(), contextlib.ExitStack() as stack:
        connect: Any = distributed.Client
        try:
            client = stack.enter_context(
                connect(address, timeout=CONNECT_SECONDS, set_as_default=False)
            )
        except (OSError, ValueError, RuntimeError, ImportError) as error:
            raise StudyError(
                "no Dask scheduler answers at {address}: {reason}",
                address=address,
                reason=_error_text(error, address),
            ) from error
        try:
            client.wait_for_workers(1, timeout=WORKER_SECONDS)
        except TimeoutError as error:
            raise StudyError(
                "the scheduler at {address} has no workers: start `dask worker {address}`",
                address=address,
            ) from error
        threads = sum(client.nthreads().values())
        executor = _WatchedExecutor(client)
        try:
            yield executor, max(1, threads)
        finally:
            executor.shutdown(wait=False)


class _WatchedExecutor(Executor):
    """A Dask client's executor whose futures break when the client loses its scheduler.

    Dask itself leaves them pending for ever.
    """

    def __init__(self, client: Any) -> None:  # noqa: ANN401 - Dask's types come with it
        self._client = client
        self._executor: Executor = client.get_executor(pure=False, retries=_RETRIES)
        self._pending: set[Future[Any]] = set()
        self._over = threading.Event()
        threading.Thread(target=self._break_futures_when_gone, daemon=True).start()

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """Call a function on one of the workers; the future has its result."""
        if self._client.status in _GONE:
            raise StudyError("the connection to the Dask scheduler was lost")
        future: Future[T] = self._executor.submit(fn, *args, **kwargs)
        self._pending.add(future)
        future.add_done_callback(self._pending.discard)
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Shut down the client's executor; Dask drops the calls under way."""
        del cancel_futures
        self._over.set()
        # It does not matter if the scheduler is gone.
        with contextlib.suppress(Exception):
            self._executor.shutdown(wait=wait)

    def _break_futures_when_gone(self) -> None:
        while self._client.status not in _GONE:
            if self._over.wait(_LOOK_SECONDS):
                return
        for future in list(self._pending):
            with contextlib.suppress(InvalidStateError):
                future.set_exception(BrokenExecutor("the scheduler is gone"))


@contextlib.contextmanager
def _silent_dask_log() -> Iterator[None]:
    """Silence Dask's own log: whatever matters is raised as an error."""
    logger = logging.getLogger("distributed")
    before = [(handler, handler.level) for handler in logger.handlers]
    for handler, _ in before:
        handler.setLevel(logging.CRITICAL + 1)
    try:
        yield
    finally:
        for handler, level in before:
            handler.setLevel(level)


def _error_text(error: BaseException, address: str) -> str:
    if "timed out" in str(error).lower():
        return f"{CONNECT_SECONDS} s"
    return " ".join(str(error).replace(address, "").split())[:200] or type(error).__name__
