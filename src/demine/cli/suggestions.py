"""A choice on the command line that says which of its words was probably meant."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from demine.logic.errors import DID_YOU_MEAN
from demine.logic.nearest_word import nearest_word
from demine.scene.translation import tr

if TYPE_CHECKING:
    from collections.abc import Iterable

    _ChoiceOfTexts = click.Choice[str]
else:
    _ChoiceOfTexts = click.Choice  # older versions of Click have no type parameter


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
            sentence = sentence_with_suggestion(error.message, str(value), map(str, self.choices))
            raise click.BadParameter(sentence, ctx=ctx, param=param) from None


def sentence_with_suggestion(sentence: str, word: str, known: Iterable[str]) -> str:
    """Return a translated sentence that refuses a word, with the known one that is most like it."""
    sentence, meant = sentence.rstrip(".。"), nearest_word(word, known)
    return sentence if meant is None else tr(DID_YOU_MEAN, sentence=sentence, meant=meant)
