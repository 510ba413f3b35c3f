"""Translation of messages into the player's language, by gettext; the source is English.

A language is a folder of `demine/locale` named by its code, such as `pt_BR`. It has a compiled
catalogue, `LC_MESSAGES/demine.mo`, and a declaration, `language.json`: its `name` in that language,
and whether it is `complete`, which the tests then check. Messages that a catalogue does not
translate appear in English.

Importing this module reads no file and does not import gettext: a catalogue is loaded when the
first message is translated into a language other than English. A program for one player uses
`set_language` and `tr`; one for several players answers each of them inside `speaking`. What is
filled into a message may come from outside, so its control characters are escaped
(`demine.logic.sanitize`). A cell's `row` and `col` are given as everywhere, counted from 0; the
sentence counts from 1 (`demine.logic.errors.fill_in`).
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator, Mapping
from contextvars import ContextVar
from functools import cache, cached_property
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from demine.logic.errors import DID_YOU_MEAN, DemineError, fill_in, mark

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
    "speaking",
    "tr",
    "translated_without_access_key",
    "use_next_language",
]

SOURCE = "en"
LOCALE: Final = Path(__file__).parents[1] / "locale"
"""The folder of all languages but English."""
_LOCALE_VARIABLES = ("LC_ALL", "LC_MESSAGES", "LANG")


class LanguageError(DemineError, ValueError):
    """A language that has no messages.

    >>> import demine
    >>> demine.set_language("xx")
    Traceback (most recent call last):
    demine.scene.translation.LanguageError: there is no translation into 'xx', only en, zh_CN
    """


class Catalogue:
    """The messages of one language; `code` is any name of it (`zh-Hans`, `zh_CN.UTF-8`).

    Raises LanguageError for a language without messages.
    """

    def __init__(self, code: str) -> None:
        known = match_language(code)
        if known is None:
            raise LanguageError(
                "there is no translation into {language!r}, only {known}",
                language=code,
                known=", ".join(language_codes()),
            ).with_suggestion(code, language_codes())
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
            # A program in English is better than none.
            return gettext.NullTranslations()

    def tr(self, msgid: str, /, **params: object) -> str:
        """Translate a message; `params` fill its `{named}` fields."""
        # gettext translates the empty message to the catalogue's header.
        text = self._translations.gettext(msgid) if msgid and self.code != SOURCE else msgid
        return fill_in(text, params) if params else text

    def ntr(self, one: str, many: str, n: int, /, **params: object) -> str:
        """Translate a message about `n` things; `n` and `params` fill its fields."""
        return fill_in(self.plural_form(one, many, n), {"n": n, **params})

    def plural_form(self, one: str, many: str, n: int, /) -> str:
        """Translate a message about `n` things, and leave its fields as they are."""
        return self._translations.ngettext(one, many, n)

    def explain(self, error: DemineError) -> str:
        """Translate the message of an error, and those of errors among its parameters."""
        params = {
            name: self.explain(value) if isinstance(value, DemineError) else value
            for name, value in error.params.items()
        }
        sentence = fill_in(self.tr(error.template), params)
        meant = params.get("meant")
        return sentence if meant is None else self.tr(DID_YOU_MEAN, sentence=sentence, meant=meant)


def mark_many(one: str, many: str) -> tuple[str, str]:
    """Return both forms of a message unchanged; it marks them for translation elsewhere."""
    return one, many


def _catalogue_file(code: str) -> Path:
    return LOCALE / code / "LC_MESSAGES" / "demine.mo"


@cache
def language_codes() -> tuple[str, ...]:
    """Return the codes of all languages that have messages, English first."""
    folders = sorted(LOCALE.iterdir()) if LOCALE.is_dir() else []
    codes = [each.name for each in folders if _catalogue_file(each.name).is_file()]
    return SOURCE, *codes


@cache
def languages() -> Mapping[str, str]:
    """Return the code of every language, with the language's name in that language."""
    others = {code: _declaration(code)["name"] for code in language_codes()[1:]}
    return MappingProxyType({SOURCE: "English", **others})


def _declaration(code: str) -> dict[str, Any]:
    """Return what a language's folder declares: its `name`, and whether it is `complete`."""
    import json

    path = LOCALE / code / "language.json"
    found = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
    return {"name": code, "complete": False, **found}


def match_language(code: str) -> str | None:
    """Return the code of the language that best matches a locale, or None.

    `zh-Hans_CN.UTF-8` gives `zh_CN`. A match of language and country precedes one of the language
    alone.
    """
    wanted = re.split(r"[.@]", code.strip().lower().replace("-", "_"), maxsplit=1)[0]
    exact = (known for known in language_codes() if known.lower() == wanted)
    language_alone = wanted.split("_")[0]
    near = (known for known in language_codes() if known.split("_")[0] == language_alone)
    return next(exact, None) or next(near, None)


class _Current:
    """The current language of this process."""

    catalogue = Catalogue(SOURCE)


_SPOKEN: Final[ContextVar[Catalogue | None]] = ContextVar("_SPOKEN", default=None)
"""The language of this task or thread, where it is not that of the process."""


def _catalogue() -> Catalogue:
    return _SPOKEN.get() or _Current.catalogue


def current_language() -> str:
    """Return the code of the current language; it is English until `set_language`."""
    return _catalogue().code


class speaking:  # noqa: N801 - used as a function
    """Have this task or thread speak a language until the end of a `with`; others go on in theirs.

    Raises LanguageError for a language without messages.
    """

    # No generator: a server holds thousands of these at the same time.
    __slots__ = ("_code", "_token")

    def __init__(self, code: str) -> None:
        self._code = code

    def __enter__(self) -> None:
        self._token = _SPOKEN.set(_kept_catalogue(self._code))

    def __exit__(self, *_: object) -> None:
        _SPOKEN.reset(self._token)


@cache
def _kept_catalogue(code: str) -> Catalogue:
    return Catalogue(code)


def set_language(code: str) -> str:
    r"""Choose the language of hints, reviews and all other texts for people; return its code.

    `code` is one such as `en` or `zh_CN`, `zh` or `zh-Hans` for that. Messages of errors stay
    English. Raises `LanguageError` with the known codes for a language without messages.

    >>> import demine
    >>> demine.set_language("zh_CN")
    'zh_CN'
    >>> str(demine.hint("3x2/1\n1 # #\n1 # #"))[:11]
    '第 1 行第 3 列安'
    >>> demine.set_language("en")
    'en'
    """
    _Current.catalogue = Catalogue(code)
    return _Current.catalogue.code


def use_next_language() -> str:
    """Set the next language in the order of `language_codes`; return its code."""
    codes = language_codes()
    return set_language(codes[(codes.index(current_language()) + 1) % len(codes)])


def tr(msgid: str, /, **params: object) -> str:
    """Translate a message into the current language; `params` fill its `{named}` fields."""
    return _catalogue().tr(msgid, **params)


def ntr(one: str, many: str, n: int, /, **params: object) -> str:
    """Translate a message about `n` things; `n` and `params` fill its fields."""
    return _catalogue().ntr(one, many, n, **params)


def translated_without_access_key(message: str) -> str:
    """Return a message translated, without its access key and final punctuation."""
    return re.sub(r"\(&\w\)|&", "", tr(message)).rstrip(":：… ")


def explain(error: DemineError) -> str:
    """Translate the message of an error into the current language."""
    return _catalogue().explain(error)


def preferred_language(saved: str, *, overrides_environment: bool = False) -> str:
    """Return the code of the language that the player saved ("" for none), or the current one.

    `DEMINE_LANG` takes precedence, if it is a known language and the saved one does not override
    it: then the current language is returned.
    """
    chosen = match_language(saved)
    environment = match_language(os.environ.get("DEMINE_LANG", ""))
    return chosen if chosen and (overrides_environment or not environment) else current_language()


def detect_language(environ: Mapping[str, str] | None = None) -> str:
    """Return the code of the language that the system asks for, or English if it is unknown.

    The sources are, in this order, `DEMINE_LANG`, `LANGUAGE` (a list, the best first), and the
    locale; if the environment has no locale, the settings of Windows or macOS.
    """
    env = os.environ if environ is None else environ
    return next((code for code in map(match_language, _requested_locales(env)) if code), SOURCE)


def _requested_locales(env: Mapping[str, str]) -> Iterator[str]:
    """Yield the locales asked for, the most preferred first."""
    yield env.get("DEMINE_LANG", "")
    yield from env.get("LANGUAGE", "").split(":")
    locale = next((env[name] for name in _LOCALE_VARIABLES if env.get(name)), "")
    if locale:
        # A locale that is set decides, even if it names a language without messages.
        yield locale
    else:
        yield from _platform_locales(sys.platform)


def _platform_locales(platform: str) -> list[str]:
    """Return the locales of the system's own settings."""
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
