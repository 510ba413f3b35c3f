"""What somebody probably meant: the sentence after a word that is not known."""

from __future__ import annotations

from difflib import get_close_matches
from typing import TYPE_CHECKING, Any

import click

from demine.scene.translation import tr

if TYPE_CHECKING:
    from collections.abc import Iterable

    _ChoiceOfTexts = click.Choice[str]
else:
    _ChoiceOfTexts = click.Choice  # older versions of Click have no type parameter


def nearest_word(word: str, known: Iterable[str]) -> str | None:
    """Return the known word that is most like a word, whatever its case, or None."""
    by_folded = {each.casefold(): each for each in known}
    # What is too long to be typed by mistake is not compared, which would take long.
    near = get_close_matches(word.casefold(), by_folded, 1) if len(word) <= 80 else []
    return by_folded[near[0]] if near else None


def unknown_verb_sentence(word: str, known: Iterable[str]) -> str:
    """Return the sentence that refuses a word that is no verb, with what was probably meant."""
    near = nearest_word(word, known)
    if near is None:
        return tr("there is no verb {word!r}; `demine --help` lists them", word=word[:80])
    return tr("there is no verb {word!r}; did you mean {near}?", word=word, near=near)


class Choice(_ChoiceOfTexts):
    """A choice of texts that, after a wrong one, says which was probably meant."""

    def convert(
        self,
        value: Any,  # noqa: ANN401 - as in Click
        param: click.Parameter | None,
        ctx: click.Context | None,
    ) -> str:
        """Return the text; raise `click.BadParameter` for any other."""
        try:
            return str(super().convert(value, param, ctx))
        except click.BadParameter as error:
            near = nearest_word(str(value), map(str, self.choices))
            if near is None:
                raise
            sentence = tr("{refusal} Did you mean {word}?", refusal=error.message, word=near)
            raise click.BadParameter(sentence, ctx=ctx, param=param) from None
