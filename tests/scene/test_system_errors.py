"""What the system refused is said without numbers, in both languages."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from demine.logic.errors import DemineError
from demine.scene.system_errors import system_error_reason
from demine.scene.translation import explain, set_language


def test_a_missing_file_is_said_in_both_languages(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError) as caught:
        (tmp_path / "none").read_text()
    error = DemineError("{path}: {reason}", path="a", reason=system_error_reason(caught.value))
    assert str(error) == "a: there is no such file or folder"
    set_language("zh_CN")
    try:
        assert explain(error) == "a：没有这个文件或文件夹"
    finally:
        set_language("en")


@pytest.mark.parametrize("number", sorted(errno.errorcode))
def test_no_reason_has_a_number_or_a_path(number: int) -> None:
    reason = str(system_error_reason(OSError(number, os.strerror(number), "/some/path")))
    assert reason
    assert "Errno" not in reason
    assert "/some/path" not in reason


def test_what_is_no_error_of_the_system_speaks_for_itself() -> None:
    error = ValueError("embedded null byte")
    assert system_error_reason(error) is error
    assert system_error_reason(OSError("no display")) == "no display"
