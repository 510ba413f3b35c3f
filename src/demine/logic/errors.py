"""Errors whose messages can be translated.

An error keeps its English message as a template with named parameters, so that it can be shown in
another language (`demine.scene.translation.explain`). `str(error)` is the English message, in which
control characters are escaped (`demine.logic.sanitize`).
"""

from __future__ import annotations

from demine.logic.sanitize import escape_control_characters


def mark(message: str) -> str:
    """Return a message unchanged; marks it for translation, which happens where it is shown."""
    return message


class DemineError(Exception):
    """Base of every error that demine raises on purpose.

    `template` is an English message with `{named}` fields, `params` their values.
    """

    def __init__(self, template: str, **params: object) -> None:
        super().__init__(template, params)
        self.template = template
        self.params = params

    def __str__(self) -> str:
        return escape_control_characters(self.template.format(**self.params))

    def __reduce__(self) -> tuple[object, ...]:
        # Errors are pickled between processes; the default would lose the parameters.
        notes = {"__notes__": self.__notes__} if hasattr(self, "__notes__") else None
        return _rebuild, (type(self), self.template, self.params), notes


def quoted(value: object) -> str:
    """Return the `repr` of a wrong value for a message, on one line of at most 80 characters.

    If `repr` fails, as for very long numbers and deeply nested lists, it is the type's name.
    """
    try:
        written = repr(value)
    except (AttributeError, LookupError, RuntimeError, TypeError, ValueError):
        return f"<{type(value).__name__}>"
    return (" ".join(written.split()) if "\n" in written else written)[:80]


def _rebuild(kind: type[DemineError], template: str, params: dict[str, object]) -> DemineError:
    return kind(template, **params)


class RulesError(DemineError, ValueError):
    """Rules that nobody could play, or a text that is not valid rules."""


class LayoutError(DemineError, ValueError):
    """A mine map that does not fit its rules, or a text that is not a layout."""


class ActError(DemineError, ValueError):
    """An act that the rules refuse at this moment; the message says why."""


class WorkError(DemineError, ValueError):
    """A game that takes more work to read than is allowed for an untrusted file."""


class TextError(DemineError, ValueError):
    """A diagram or a share code that cannot be read."""


class JournalError(DemineError, ValueError):
    """A journal that cannot be read or whose events the rules refuse."""


class ShareError(TextError):
    """A share code that is damaged or of an unknown kind."""
