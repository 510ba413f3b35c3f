"""What can go wrong, as typed errors whose sentence can be translated.

An error keeps its English sentence as a template with named parameters, so that a screen in
another language can say the same thing (`demine.scene.translation.explain`). `str(error)` is the
English sentence, in which the text that was wrong is inert (`demine.logic.sanitize`).
"""

from __future__ import annotations

from demine.logic.sanitize import inert


def mark(message: str) -> str:
    """Return a message unchanged: one that is translated later, where it is shown."""
    return message


class DemineError(Exception):
    """Base of every error demine raises on purpose.

    `template` is an English sentence with `{named}` fields, `params` their values.
    """

    def __init__(self, template: str, **params: object) -> None:
        super().__init__(template, params)
        self.template = template
        self.params = params

    def __str__(self) -> str:
        return inert(self.template.format(**self.params))

    def __reduce__(self) -> tuple[object, ...]:
        # Errors cross process borders in studies; the default would lose the parameters.
        notes = {"__notes__": self.__notes__} if hasattr(self, "__notes__") else None
        return _rebuild, (type(self), self.template, self.params), notes


def quoted(value: object) -> str:
    """Return what an error says of a wrong value: how Python writes it, on one line, cut short.

    Some values cannot be written, and then their type is said: very long numbers and deep lists,
    which Python refuses, and whatever somebody's own `__repr__` fails at.
    """
    try:
        written = repr(value)
    except (AttributeError, LookupError, RuntimeError, TypeError, ValueError):
        return f"<{type(value).__name__}>"
    return (" ".join(written.split()) if "\n" in written else written)[:80]


def _rebuild(kind: type[DemineError], template: str, params: dict[str, object]) -> DemineError:
    return kind(template, **params)


class RulesError(DemineError, ValueError):
    """Rules that nobody could play, or a text that is no rules."""


class LayoutError(DemineError, ValueError):
    """A mine map that does not fit its rules, or a text that is no layout."""


class ActError(DemineError, ValueError):
    """An act the rules refuse at this moment; the sentence says why."""


class WorkError(DemineError, ValueError):
    """A game that takes longer to read than any file may that is not trusted."""


class TextError(DemineError, ValueError):
    """A diagram or a share code that cannot be read."""


class JournalError(DemineError, ValueError):
    """A journal that cannot be read or whose events the rules refuse."""


class ShareError(TextError):
    """A share code that is damaged or of an unknown kind."""
