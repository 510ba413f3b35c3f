"""A screen reader as small as can be: it finds, acts and hears through AT-SPI, and nothing else.

The system's Python runs it, because pyatspi comes with the system. It reads a question a line, a
JSON list of a name and arguments, and answers each with a line of JSON.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from typing import Any

import pyatspi
from gi.repository import Gio, GLib

HEARD: list[list[str]] = []
"""What was heard and not asked for yet: the kind of event, and the words that it is about."""
BUS, STATUS = "org.a11y.Bus", "org.a11y.Status"
PROPERTIES = "org.freedesktop.DBus.Properties"
EVENTS = {
    "object:announcement": "says",
    "object:state-changed:focused": "focus",
    "object:property-change:accessible-name": "name",
}


def hear(event: Any) -> None:
    """Note an event."""
    kind = next(word for name, word in EVENTS.items() if str(event.type).startswith(name))
    if kind == "focus" and not event.detail1:
        return
    HEARD.append([kind, event.any_data if kind == "says" else event.source.name])


def everything() -> Iterator[Any]:
    """Yield all objects of the programs on this bus, but not the cells of tables."""
    waiting = [pyatspi.Registry.getDesktop(0)]
    while waiting:
        each = waiting.pop()
        if each is None:
            continue
        yield each
        if each.getRoleName() != "table":
            waiting.extend(each)


def tables() -> list[Any]:
    """Return all tables."""
    return [each for each in everything() if each.getRoleName() == "table"]


def roles() -> list[str]:
    """Return the role of every object but cells."""
    return [each.getRoleName() for each in everything()]


def cells() -> list[str]:
    """Return the names of the cells of the only table; none without one."""
    found = tables()
    return [cell.name for cell in found[0]] if len(found) == 1 else []


def rows(row: int, col: int) -> list[Any]:
    """Return how many rows a large table has, and the role and names of one and of its cell."""
    table = tables()[0]
    each = list(table)
    return [len(each), each[row].getRoleName(), each[row].name, each[row][col].name]


def act_in_row(row: int, col: int, action: str) -> str:
    """Carry out an action of a cell of a large table; return the cell's name before."""
    return _act(tables()[0][row][col], action)


def act(index: int, action: str) -> str:
    """Carry out an action of a cell, by its index in the table; return the cell's name before."""
    return _act(tables()[0][index], action)


def _act(cell: Any, action: str) -> str:
    name, actions = cell.name, cell.queryAction()
    found = [actions.getName(each) for each in range(actions.nActions)]
    return str(name) if actions.doAction(found.index(action)) else ""


def heard() -> list[list[str]]:
    """Return what was heard since the last time."""
    found = HEARD[:]
    HEARD.clear()
    return found


def say_that_i_am_here() -> None:
    """Set the property by which programs know that there is a screen reader."""
    value = GLib.Variant("(ssv)", (STATUS, "ScreenReaderEnabled", GLib.Variant("b", True)))
    session = Gio.bus_get_sync(Gio.BusType.SESSION)
    session.call_sync(
        BUS, "/org/a11y/bus", PROPERTIES, "Set", value, None, Gio.DBusCallFlags.NONE, -1, None
    )


QUESTIONS = {each.__name__: each for each in (roles, cells, rows, act, act_in_row, heard)}


def answer(*_: object) -> bool:
    """Answer a question; end with the last one."""
    line = sys.stdin.readline()
    if not line:
        pyatspi.Registry.stop()
        return False
    name, *arguments = json.loads(line)
    print(json.dumps(QUESTIONS[name](*arguments)), flush=True)
    return True


if __name__ == "__main__":
    pyatspi.Registry.registerEventListener(hear, *EVENTS)
    GLib.io_add_watch(sys.stdin.fileno(), GLib.IO_IN | GLib.IO_HUP, answer)
    say_that_i_am_here()
    print(json.dumps("ready"), flush=True)
    pyatspi.Registry.start()
