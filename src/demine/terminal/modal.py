"""What stands over the board, and what the hand does there: pages scroll, forms are filled in."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from demine.scene.key_bindings import Command
from demine.terminal.forms import Form
from demine.terminal.render import form_top, page_room

if TYPE_CHECKING:
    from demine.terminal.screen_layout import ScreenLayout
    from demine.terminal.text_pages import Page

_PAGE_STEPS: Final = {"up": -1, "down": 1, "home": -(10**6), "end": 10**6}
_FORM_STEPS: Final = {"up": -1, "down": 1, "tab": 1, "shift+tab": -1}
_VALUE_STEPS: Final = {"left": -1, "-": -1, "right": 1, "+": 1, "space": 1, "=": 1}


class Modal:
    """The page or form that covers the board, if there is one."""

    def __init__(self) -> None:
        self.shown: Page | Form | None = None

    def __bool__(self) -> bool:
        return self.shown is not None

    def close(self) -> None:
        """Show the board again."""
        self.shown = None

    def scroll(self, lines: int, stage: ScreenLayout) -> None:
        """Scroll a page, or go through a form."""
        if isinstance(self.shown, Form):
            self.shown.go((lines > 0) - (lines < 0))
            self._follow(self.shown, stage)
        elif self.shown is not None:
            self.shown = self.shown.scrolled(lines, *page_room(stage))

    def key(self, names: tuple[str, ...], command: Command | None, stage: ScreenLayout) -> bool:
        """Take a key; return whether it meant something here."""
        if command is Command.CANCEL:
            self.close()
            return True
        form = self.shown
        if isinstance(form, Form):
            meant = self._key_in_form(form, names)
            self._follow(form, stage)
            return meant
        return self._key_on_page(names, command, stage)

    def _key_on_page(
        self, names: tuple[str, ...], command: Command | None, stage: ScreenLayout
    ) -> bool:
        height = page_room(stage)[1]
        paging = {"pageup": -height, "pagedown": height, "space": height}
        steps = {**_PAGE_STEPS, **paging}
        found = next((name for name in names if name in steps), None)
        vi = {Command.UP: -1, Command.DOWN: 1}.get(command) if command else None
        if found is not None or vi is not None:
            self.scroll(steps[found] if found is not None else vi or 0, stage)
            return True
        return False

    def _key_in_form(self, form: Form, names: tuple[str, ...]) -> bool:
        for name in names:
            if name in _FORM_STEPS:
                form.go(_FORM_STEPS[name])
            elif name in _VALUE_STEPS:
                form.step(_VALUE_STEPS[name])
            elif name in ("backspace", "delete"):
                form.erase()
            elif name == "enter":
                if form.accept() and self.shown is form:
                    self.close()
            elif len(name) == 1 and name.isdigit():
                form.type(name)
            else:
                continue
            return True
        return len(names[0]) == 1 if names else True

    def _follow(self, form: Form, stage: ScreenLayout) -> None:
        form.first = form.seen_from(page_room(stage)[1])

    def click(self, x: int, y: int, stage: ScreenLayout, *, back: bool) -> None:
        """Take a click: it closes a page, and changes a form's field, backwards if asked."""
        if not isinstance(self.shown, Form):
            self.close()
            return
        top, left = form_top(stage)
        height = page_room(stage)[1]
        row = y - top + self.shown.seen_from(height)
        if not (top <= y < top + height and row < len(self.shown.fields)):
            if x < left or y >= top:
                return
            self.close()
            return
        again = self.shown.at == row
        self.shown.go(row - self.shown.at)
        if again:
            self.shown.step(-1 if back else 1)
