"""`demine menu`: adds the game, with its icon, to the desktop's menu, or removes it."""

from __future__ import annotations

import click

from demine.cli.options import LaterImport, Switch
from demine.scene.translation import mark, tr

ABOUT = mark("Add demine to your desktop's menu, with its icon.")
HELP_ORDER = 140


def command() -> click.Command:
    """Return the Click command of `demine menu`."""
    return click.Command(
        "menu",
        callback=LaterImport("menu"),
        help=tr(
            "Add demine to your desktop's menu, with its icon.\n\nThis is for Linux and other "
            "systems that follow freedesktop.org. It writes only below XDG_DATA_HOME "
            "(~/.local/share); run it again when demine or its Python has moved."
        ),
        params=[
            Switch("--remove", tr("Remove the entry and the icons.")),
            Switch("--print only_print", tr("Print the entry and write nothing.")),
        ],
    )
