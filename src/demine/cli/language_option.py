"""`--lang`: the only option that may stand before the verb or after it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from demine.cli.options import Option
from demine.cli.param_types import CompletedText, Completions
from demine.scene.translation import Catalogue, LanguageError, explain, language_codes, tr

if TYPE_CHECKING:
    from collections.abc import Sequence


def language_option(*, pass_to_verb: bool = False) -> Option:
    """Return `--lang`; with `pass_to_verb` the verb gets its value, a language code, as `lang`."""
    codes = tuple(language_codes())
    return Option(
        "--lang",
        CompletedText("|".join(codes), lambda: Completions(words=codes)),
        tr("Language of the program."),
        callback=_language_code,
        expose_value=pass_to_verb,
    )


def skip_leading_language_option(args: Sequence[str]) -> list[str]:
    """Return the arguments without any `--lang` and its value at their beginning."""
    left = list(args)
    while left and (left[0] == "--lang" or left[0].startswith("--lang=")):
        del left[: 2 if left[0] == "--lang" else 1]
    return left


def _language_code(ctx: click.Context, param: click.Parameter, value: str | None) -> str | None:
    try:
        return None if value is None else Catalogue(value).code
    except LanguageError as error:
        raise click.BadParameter(explain(error), ctx=ctx, param=param) from None
