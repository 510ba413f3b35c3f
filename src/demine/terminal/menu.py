"""A menu over the board: commands to choose from by arrows, by the mouse or by their own keys."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from demine.scene.board_title import LEVELS as LEVEL_NAMES
from demine.scene.board_title import board_size_title
from demine.scene.key_bindings import Command, key_label
from demine.scene.preferences import LEVELS
from demine.scene.translation import tr

if TYPE_CHECKING:
    from collections.abc import Callable

    from demine.logic.rules import Rules
    from demine.scene.key_bindings import KeyMap


@dataclass(frozen=True, slots=True)
class MenuItem:
    """An item of a menu: what it is, more about it, its key and its command."""

    name: str
    about: str
    key: str
    command: Command


@dataclass(slots=True)
class Menu:
    """A menu; `at` is the index of the selected item, `choose` is called with its command."""

    title: str
    items: tuple[MenuItem, ...]
    choose: Callable[[Command], object]
    at: int = 0

    def move_selection(self, steps: int) -> None:
        """Select the item that many further, or back, from the last to the first and round."""
        self.at = (self.at + steps) % len(self.items)


def level_menu(rules: Rules, keys: KeyMap, choose: Callable[[Command], object]) -> Menu:
    """Return the menu of levels, that of the game's rules selected."""
    items = [
        _item(command, tr(name), board_size_title(LEVELS[command]), keys)
        for command, name in zip(LEVELS, LEVEL_NAMES, strict=True)
    ]
    items.append(_item(Command.DAILY, tr("Daily boards"), "", keys))
    items.append(_item(Command.SETUP, tr("Custom"), "", keys))
    size = (rules.width, rules.height, rules.mines)
    sizes = [(each.width, each.height, each.mines) for each in LEVELS.values()]
    at = sizes.index(size) if size in sizes else len(items) - 1
    return Menu(tr("Level"), tuple(items), choose, at)


def _item(command: Command, name: str, about: str, keys: KeyMap) -> MenuItem:
    bound = keys.keys(command)
    return MenuItem(name, about, key_label(bound[0]) if bound else "", command)
