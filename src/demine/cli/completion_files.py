"""Where the completion of each shell is installed, and the lines that load it."""

from __future__ import annotations

import os
import re
import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from demine.cli.desktop_entry import xdg_data_home
from demine.replay.errors import ReplayError
from demine.replay.limited_file_io import atomic_write, read_up_to_limit
from demine.scene.system_errors import system_error_reason

if TYPE_CHECKING:
    from collections.abc import Mapping

_BEGIN: Final = b"# >>> demine completion >>>\n"
_END: Final = b"# <<< demine completion <<<\n"
_BLOCK: Final = re.compile(rb"\n?" + re.escape(_BEGIN) + rb".*?" + re.escape(_END), re.DOTALL)


class CompletionFiles(NamedTuple):
    """The files that complete `demine` in one shell."""

    script: Path
    start_up: Path | None
    """The shell's start-up file, which loads the script; None where the shell finds it itself."""
    loading: str
    """The line of the start-up file."""

    def install(self, script: str) -> list[Path]:
        """Write the script and the line that loads it; return what was changed, best nothing.

        Raises `ReplayError` with the path and the reason.
        """
        changed = [self.script] if _write(self.script, script.encode("utf-8")) else []
        if self.start_up is None:
            return changed
        before = _read(self.start_up)
        rest = _BLOCK.sub(b"", before)
        gap = b"" if not rest or rest.endswith(b"\n") else b"\n"
        line = f"{self.loading}\n".encode("utf-8", "surrogateescape")
        block = b"\n" + _BEGIN + line + _END if rest else _BEGIN + line + _END
        if _BEGIN + line + _END in before:
            return changed
        return [*changed, self.start_up] if _write(self.start_up, rest + gap + block) else changed

    def uninstall(self) -> list[Path]:
        """Take the script and the line away; return what was changed or removed."""
        changed = list[Path]()
        if self.script.is_file():
            self.script.unlink()
            changed.append(self.script)
        if self.start_up is not None:
            before = _read(self.start_up)
            rest = _BLOCK.sub(b"", before)
            if rest != before:
                if rest:
                    _write(self.start_up, rest)
                else:
                    self.start_up.unlink()
                changed.append(self.start_up)
        return changed


def completion_files(shell: str, environ: Mapping[str, str]) -> CompletionFiles:
    """Return where the completion of `bash`, `zsh` or `fish` belongs."""
    home, data = Path.home(), xdg_data_home(environ)
    if shell == "fish":
        chosen = environ.get("XDG_CONFIG_HOME", "")
        config = Path(chosen) if Path(chosen).is_absolute() else home / ".config"
        return CompletionFiles(config / "fish" / "completions" / "demine.fish", None, "")
    if shell == "zsh":
        script = data / "zsh" / "site-functions" / "_demine"
        loading = (
            "(( $+functions[compdef] )) || { autoload -Uz compinit && compinit; }; "
            f"source {shlex.quote(str(script))}"
        )
        return CompletionFiles(script, Path(environ.get("ZDOTDIR") or home) / ".zshrc", loading)
    script = data / "bash-completion" / "completions" / "demine"
    name = shlex.quote(str(script))
    return CompletionFiles(script, home / ".bashrc", f"[ -r {name} ] && . {name}")


def shell_in_use(environ: Mapping[str, str]) -> str:
    """Return the name of the player's shell, such as `bash`; empty if it is not known."""
    return os.path.basename(environ.get("SHELL", "")).removesuffix(".exe")  # noqa: PTH119


def _read(path: Path) -> bytes:
    return read_up_to_limit(path) if path.exists() else b""


def _write(path: Path, data: bytes) -> bool:
    """Write a file unless it is so already; return whether it was written."""
    if _read(path) == data and path.exists():
        return False
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ReplayError(
            "{path}: {reason}", path=path, reason=system_error_reason(error)
        ) from error
    with atomic_write(path) as file:
        file.write(data)
    return True
