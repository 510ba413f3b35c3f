"""A service manager holds the address: a server that starts again refuses nobody."""

from __future__ import annotations

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import threading
import tomllib
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

pytest.importorskip("uvicorn")
if sys.platform != "linux":
    pytest.skip("systemd is of Linux", allow_module_level=True)

from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from tests.web.service_setup import COMMANDS

ROOT = Path(__file__).resolve().parents[2]
UNITS = ROOT / "share" / "systemd"
READY_SECONDS = 60
RESTARTS = 2
FROM_SHELL = 'LISTEN_PID=$$ exec "$@" 3<&"$0"'
"""Has the program believe that socket number $0 was handed to it by systemd."""


@contextmanager
def server(folder: Path, listener: socket.socket) -> Iterator[subprocess.Popen[bytes]]:
    """A server that was handed a socket; it has said that it is ready."""
    told = folder / "told"
    told.unlink(missing_ok=True)
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        manager.bind(str(told))
        manager.settimeout(READY_SECONDS)
        command = [sys.executable, "-m", "demine", "serve", "--port", "1"]
        process = subprocess.Popen(
            ["bash", "-c", FROM_SHELL, str(listener.fileno()), *command],
            env={
                **os.environ,
                "DEMINE_DATA_DIR": str(folder),
                "LISTEN_FDS": "1",
                "NOTIFY_SOCKET": str(told),
            },
            stdin=subprocess.DEVNULL,
            pass_fds=[listener.fileno()],
        )
        with process:
            assert manager.recv(100) == b"READY=1"
            yield process
            process.send_signal(signal.SIGTERM)
            assert manager.recv(100) == b"STOPPING=1"
            assert process.wait(READY_SECONDS) == 0


def test_no_act_is_lost_and_nobody_is_refused_by_a_restart(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        address = f"127.0.0.1:{listener.getsockname()[1]}"
        begun, over = threading.Event(), threading.Event()
        heard: list[int] = []
        asking = threading.Thread(target=ask_until, args=(address, begun, over, heard))
        playing = Playing(address)
        for restart in range(RESTARTS + 1):
            with server(tmp_path, listener):
                if not restart:
                    playing.make_game()
                    playing.start()
                    asking.start()
                playing.wait_for_answers(10)
        # The last server answers what is still asked for.
        with server(tmp_path, listener):
            over.set()
            asking.join(READY_SECONDS)
            playing.end()
        assert set(heard) == {200}
        assert playing.refused == 0


def ask_until(
    address: str, begun: threading.Event, over: threading.Event, heard: list[int]
) -> None:
    """Ask for health without a pause, and note every status."""
    while not over.is_set():
        with urllib.request.urlopen(f"http://{address}/healthz", timeout=READY_SECONDS) as answer:
            heard.append(answer.status)
        begun.set()


class Playing(threading.Thread):
    """A player who connects again after each restart and sends again what was not answered."""

    def __init__(self, address: str) -> None:
        super().__init__()
        self.refused = 0
        """How often a connection was refused."""
        self._address = address
        self._answered = threading.Semaphore(0)
        self._is_over = False

    def make_game(self) -> None:
        body = json.dumps({"rules": "30x16/40", "seed": 5}).encode()
        request = urllib.request.Request(
            f"http://{self._address}/api/games", body, {"Content-Type": "application/json"}
        )
        with urllib.request.urlopen(request, timeout=READY_SECONDS) as answer:
            self._game = json.load(answer)["id"]
            self._cookie = answer.headers["Set-Cookie"].partition(";")[0]

    def wait_for_answers(self, count: int) -> None:
        for _ in range(count):
            assert self._answered.acquire(timeout=READY_SECONDS)

    def end(self) -> None:
        self._is_over = True
        self.join(READY_SECONDS)

    def run(self) -> None:
        number = 1
        while not self._is_over:
            try:
                number = self._play_on(number)
            except ConnectionClosed:
                continue
            except OSError:
                self.refused += 1

    def _play_on(self, number: int) -> int:
        """Flag and unflag cells from act `number` on; returns the first that was not answered."""
        with connect(
            f"ws://{self._address}/ws/games/{self._game}?client=p",
            additional_headers={"Cookie": self._cookie},
            open_timeout=READY_SECONDS,
        ) as game:
            next_one = json.loads(game.recv(timeout=READY_SECONDS))["hello"]["next_seq"]
            # The last act may have been played though its answer was lost, but no more than it.
            assert next_one in {number, number + 1}
            number = next_one
            try:
                while not self._is_over:
                    act = {"seq": number, "verb": "flag", "cell": [0, number % 30]}
                    game.send(json.dumps(act))
                    while (said := json.loads(game.recv(timeout=READY_SECONDS))).get(
                        "ack"
                    ) != number:
                        pass
                    assert "refused" not in said
                    number += 1
                    self._answered.release()
            except ConnectionClosed:
                return number
        return number


def test_the_page_puts_everything_where_the_units_look_for_it() -> None:
    venv, _, program, units, options, start = COMMANDS
    unit = (UNITS / "demine.service").read_text(encoding="utf-8")
    assert f"ExecStart={program.split()[-1]} serve --log json $DEMINE_SERVE\n" in unit
    assert f"EnvironmentFile=-{options.split()[-1]}\n" in unit
    assert options.split("'")[1].startswith("DEMINE_SERVE=--host-name ")
    data = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    installed = data["tool"]["hatch"]["build"]["targets"]["wheel"]["shared-data"]
    for each in UNITS.iterdir():
        assert Path(installed[f"share/systemd/{each.name}"]).name == each.name
        assert each.name in start.split()
        folder = Path(venv.split()[-1]) / installed[f"share/systemd/{each.name}"]
        assert units.split()[1] == f"{folder.parent}/*"


def has_systemd() -> bool:
    """Whether a systemd of our own can be started here, which sees a `/run` of its own."""
    if not shutil.which("systemctl") or os.geteuid() or not Path("/lib/systemd/systemd").exists():
        return False
    probe = ["unshare", "--mount", "mount", "-t", "tmpfs", "tmpfs", "/run"]
    return subprocess.run(probe, check=False, capture_output=True).returncode == 0


IN_NAMESPACE = """
mount -t tmpfs tmpfs /run
mkdir -p /run/systemd/system /run/user
export XDG_RUNTIME_DIR=/run/user XDG_CONFIG_HOME=$0 XDG_STATE_HOME=$0 XDG_CACHE_HOME=$0
/lib/systemd/systemd --user --log-target=console >"$0/systemd.log" 2>&1 &
manager=$!
until systemctl --user is-system-running >/dev/null 2>&1; do
    kill -0 $manager || exit 1
    sleep 0.1
done
systemctl --user start demine.socket
curl --silent --fail --max-time 60 http://127.0.0.1:$1/readyz
systemctl --user restart demine.service
curl --silent --fail --max-time 60 http://127.0.0.1:$1/readyz
systemctl --user show demine.service --property=ActiveState --property=NRestarts
systemctl --user stop demine.socket demine.service
kill $manager
"""
OF_THE_SYSTEM = (
    "DynamicUser", "ProtectSystem", "ProtectHome", "PrivateTmp", "PrivateDevices",
    "ProtectKernelTunables", "ProtectKernelModules", "ProtectControlGroups",
)  # fmt: skip
"""Settings that only the manager of a whole system can keep."""


@pytest.mark.skipif(not has_systemd(), reason="no systemd can be started here")
def test_the_units_run_under_systemd(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    units = tmp_path / "systemd" / "user"
    shutil.copytree(UNITS, units)
    program = f"{sys.executable} -m demine serve --log json"
    lacks = "\n".join(f"{name}=no" for name in OF_THE_SYSTEM)
    changed = {
        "demine.socket": f"[Socket]\nListenStream=\nListenStream=127.0.0.1:{port}\n",
        "demine.service": f"[Service]\nExecStart=\nExecStart={program}\n{lacks}\n"
        f"Environment=PYTHONPATH={ROOT / 'src'}\n",
    }
    for unit, lines in changed.items():
        (units / f"{unit}.d").mkdir()
        (units / f"{unit}.d" / "test.conf").write_text(lines, encoding="utf-8")
    found = subprocess.run(
        ["unshare", "--mount", "bash", "-c", IN_NAMESPACE, str(tmp_path), str(port)],
        capture_output=True, text=True, check=False, timeout=180,
    )  # fmt: skip
    assert "ready\nready\nActiveState=active\nNRestarts=0" in found.stdout.replace(
        "NRestarts=0\nActiveState=active", "ActiveState=active\nNRestarts=0"
    ), found.stderr + (tmp_path / "systemd.log").read_text(encoding="utf-8")
