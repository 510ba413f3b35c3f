"""`--lang`: the one option that stands before any verb or behind it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from demine.scene.translation import language_codes, match_language, tr

if TYPE_CHECKING:
    from collections.abc import Sequence


def language_option(*, exposed: bool = False) -> click.Option:
    """Return the option; `exposed`: its value, a language's code, goes to the verb as `lang`."""
    return click.Option(
        ["--lang"],
        callback=_language_code,
        expose_value=exposed,
        metavar="|".join(language_codes()),
        help=tr("Language of all that is said."),
    )


def drop_language_option(args: Sequence[str]) -> list[str]:
    """Return the arguments from the first on that does not say the language."""
    left = list(args)
    while left and (left[0] == "--lang" or left[0].startswith("--lang=")):
        del left[: 2 if left[0] == "--lang" else 1]
    return left


def _language_code(ctx: click.Context, param: click.Parameter, value: str | None) -> str | None:
    if value is not None and match_language(value) is None:
        raise click.BadParameter(
            tr(
                "{text!r} is no language known here: {known}",
                text=value,
                known=", ".join(language_codes()),
            ),
            ctx=ctx,
            param=param,
        )
    return match_language(value) if value else None
