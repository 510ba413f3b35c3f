"""The log is sentences, or one JSON object a line."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("pythonjsonlogger")

READY_SECONDS = 60


def test_a_log_for_programs_has_an_object_in_each_line(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "demine", "serve", "--port", "0", "--log", "json"]
    server = subprocess.Popen(
        command,
        env={**os.environ, "DEMINE_DATA_DIR": str(tmp_path), "LC_ALL": "C.UTF-8"},
        stdin=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
    )
    with server:
        assert server.stderr is not None
        first = json.loads(server.stderr.readline())
        server.send_signal(signal.SIGTERM)
        rest = [json.loads(line) for line in server.stderr]
        assert server.wait(READY_SECONDS) == 0
    assert first["message"] == "listening"
    assert first["database"] == str(tmp_path / "server.sqlite")
    assert first["address"].startswith("http://127.0.0.1:")
    assert [each["message"] for each in rest] == ["stopping", "ended"]
    assert all(each["level"] == "INFO" and each["timestamp"] for each in [first, *rest])
