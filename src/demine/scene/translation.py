"""What the program says, in the player's language: gettext catalogues, English being the source.

A language is a folder of `demine/locale` named by its code, such as `pt_BR`, with a compiled
catalogue, `LC_MESSAGES/demine.mo`, and a declaration, `language.json`: its `name` for itself, and
whether it is `complete`, which the tests then hold it to. What a catalogue does not translate is
said in English.

Importing this module reads no file and imports no gettext: a catalogue is loaded when a language
other than English says its first sentence. A screen for one player uses `set_language` and `tr`; a
program that talks to many players at once keeps a `Catalogue` for each. What is filled into a
sentence may come from outside: every sentence is inert (`demine.logic.sanitize`).
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator, Mapping
from functools import cache, cached_property
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from demine.logic.errors import DemineError, mark
from demine.logic.sanitize import escape_control_characters

if TYPE_CHECKING:
    from gettext import NullTranslations

__all__ = [
    "SOURCE",
    "Catalogue",
    "LanguageError",
    "current_language",
    "detect_language",
    "explain",
    "languages",
    "mark",
    "mark_many",
    "match_language",
    "ntr",
    "preferred_language",
    "set_language",
    "tr",
    "use_next_language",
]

SOURCE = "en"
LOCALE: Final = Path(__file__).parents[1] / "locale"
"""The folder of all languages but English."""
_LOCALE_VARIABLES = ("LC_ALL", "LC_MESSAGES", "LANG")


class LanguageError(DemineError, ValueError):
    """A language there are no messages in."""


class Catalogue:
    """The messages of one language; `code` is any spelling of it (`zh-Hans`, `zh_CN.UTF-8`).

    Raises LanguageError when there are no messages in that language.
    """

    def __init__(self, code: str) -> None:
        known = match_language(code)
        if known is None:
            raise LanguageError(
                "there are no messages in {language!r}; there are {known}",
                language=code,
                known=", ".join(language_codes()),
            )
        self.code = known

    def __repr__(self) -> str:
        return f"Catalogue({self.code!r})"

    @cached_property
    def _translations(self) -> NullTranslations:
        import gettext

        if self.code == SOURCE:
            return gettext.NullTranslations()
        try:
            with _catalogue_file(self.code).open("rb") as file:
                return gettext.GNUTranslations(file)
        except OSError:
            # A program that speaks English is better than none.
            return gettext.NullTranslations()

    def tr(self, msgid: str, /, **params: object) -> str:
        """The message in this language, its `{named}` fields filled from `params` if any."""
        # gettext answers the empty message with the catalogue's header.
        text = self._translations.gettext(msgid) if msgid and self.code != SOURCE else msgid
        return escape_control_characters(text.format(**params)) if params else text

    def ntr(self, one: str, many: str, n: int, /, **params: object) -> str:
        """The message for `n` things in this language; `{n}` is filled by itself."""
        return escape_control_characters(
            self._translations.ngettext(one, many, n).format(n=n, **params)
        )

    def explain(self, error: DemineError) -> str:
        """The error's sentence in this language; errors among its parameters are explained too."""
        params = {
            name: self.explain(value) if isinstance(value, DemineError) else value
            for name, value in error.params.items()
        }
        return escape_control_characters(self.tr(error.template).format(**params))


def mark_many(one: str, many: str) -> tuple[str, str]:
    """Names a message that counts and is translated elsewhere; returns both forms unchanged."""
    return one, many


def _catalogue_file(code: str) -> Path:
    return LOCALE / code / "LC_MESSAGES" / "demine.mo"


@cache
def language_codes() -> tuple[str, ...]:
    """The codes of every language there are messages in, English first."""
    folders = sorted(LOCALE.iterdir()) if LOCALE.is_dir() else []
    codes = [each.name for each in folders if _catalogue_file(each.name).is_file()]
    return SOURCE, *codes


@cache
def languages() -> Mapping[str, str]:
    """Every language there are messages in: its code and its name for itself."""
    others = {code: _declaration(code)["name"] for code in language_codes()[1:]}
    return MappingProxyType({SOURCE: "English", **others})


def _declaration(code: str) -> dict[str, Any]:
    """What a language's folder declares: its `name`, and whether it is `complete`."""
    import json

    path = LOCALE / code / "language.json"
    found = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
    return {"name": code, "complete": False, **found}


def match_language(code: str) -> str | None:
    """The known language that a locale's name asks for, or None: `zh-Hans_CN.UTF-8` is `zh_CN`.

    One of the same language and country goes before one of the same language.
    """
    wanted = re.split(r"[.@]", code.strip().lower().replace("-", "_"), maxsplit=1)[0]
    exact = (known for known in language_codes() if known.lower() == wanted)
    language_alone = wanted.split("_")[0]
    near = (known for known in language_codes() if known.split("_")[0] == language_alone)
    return next(exact, None) or next(near, None)


class _Spoken:
    """The language of the one player this process talks to."""

    catalogue = Catalogue(SOURCE)


def current_language() -> str:
    """The code of the language that `tr` speaks; English until `set_language`."""
    return _Spoken.catalogue.code


def set_language(code: str) -> str:
    """Makes `tr`, `ntr`, `explain` speak a language; returns its code or raises LanguageError."""
    _Spoken.catalogue = Catalogue(code)
    return _Spoken.catalogue.code


def use_next_language() -> str:
    """Speaks the next of the languages; returns its code."""
    codes = language_codes()
    return set_language(codes[(codes.index(current_language()) + 1) % len(codes)])


def tr(msgid: str, /, **params: object) -> str:
    """The message in the language set, its `{named}` fields filled from `params` if any."""
    return _Spoken.catalogue.tr(msgid, **params)


def ntr(one: str, many: str, n: int, /, **params: object) -> str:
    """The message for `n` things in the language set; `{n}` is filled by itself."""
    return _Spoken.catalogue.ntr(one, many, n, **params)


def explain(error: DemineError) -> str:
    """The error's sentence in the language set."""
    return _Spoken.catalogue.explain(error)


def preferred_language(kept: str, *, now: bool = False) -> str:
    """Return the language to begin in: the one chosen for good (`kept`), or `DEMINE_LANG`.

    `now`: it was chosen for this start, which goes before the environment. Where nobody chose, it
    is the language spoken already.
    """
    chosen = match_language(kept)
    environment = match_language(os.environ.get("DEMINE_LANG", ""))
    return chosen if chosen and (now or not environment) else current_language()


def detect_language(environ: Mapping[str, str] | None = None) -> str:
    """The code of the language the player's system asks for; English if it asks for none of ours.

    `DEMINE_LANG` decides if set to a known language, then `LANGUAGE` (a list, the best first), then
    the locale, then what Windows or macOS say where the environment is silent.
    """
    env = os.environ if environ is None else environ
    return next((code for code in map(match_language, _requested_locales(env)) if code), SOURCE)


def _requested_locales(env: Mapping[str, str]) -> Iterator[str]:
    """The languages asked for, the dearest first."""
    yield env.get("DEMINE_LANG", "")
    yield from env.get("LANGUAGE", "").split(":")
    locale = next((env[name] for name in _LOCALE_VARIABLES if env.get(name)), "")
    if locale:
        # A locale that is set is an answer, even when it names a language we have no messages in.
        yield locale
    else:
        yield from _platform_locales(sys.platform)


def _platform_locales(platform: str) -> list[str]:
    """What the system says where no locale is in the environment."""
    if platform == "win32":
        return _windows_locales()
    if platform == "darwin":
        return _macos_locales()
    return []


def _windows_locales() -> list[str]:
    import ctypes
    import locale

    kernel = getattr(ctypes, "windll").kernel32  # noqa: B009 (exists on Windows only)
    return [locale.windows_locale.get(kernel.GetUserDefaultUILanguage(), "")]


def _macos_locales() -> list[str]:
    import subprocess

    try:
        answer = subprocess.run(
            ["/usr/bin/defaults", "read", "-g", "AppleLanguages"],
            capture_output=True,
            text=True,
            timeout=2,
            check=True,
        )
    except (OSError, subprocess.SubprocessError):
        return []
    return re.findall(r"[A-Za-z][\w-]+", answer.stdout)
