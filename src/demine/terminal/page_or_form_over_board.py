"""What stands over the board, and what the hand does there: pages scroll, forms are filled in."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from demine.scene.key_bindings import Command
from demine.terminal.forms import Form
from demine.terminal.render import form_origin, page_text_size

if TYPE_CHECKING:
    from demine.terminal.screen_layout import ScreenLayout
    from demine.terminal.text_pages import Page

_PAGE_STEPS: Final = {"up": -1, "down": 1, "home": -(10**6), "end": 10**6}
_FORM_STEPS: Final = {"up": -1, "down": 1, "tab": 1, "shift+tab": -1}
_VALUE_STEPS: Final = {"left": -1, "-": -1, "right": 1, "+": 1, "space": 1, "=": 1}


class Modal:
    """The page or form that covers the board, if there is one."""

    def __init__(self) -> None:
        self.content: Page | Form | None = None

    def __bool__(self) -> bool:
        return self.content is not None

    def close(self) -> None:
        """Show the board again."""
        self.content = None

    def scroll(self, lines: int, layout: ScreenLayout) -> None:
        """Scroll a page, or go through a form."""
        if isinstance(self.content, Form):
            self.content.select((lines > 0) - (lines < 0))
            self._scroll_to_field(self.content, layout)
        elif self.content is not None:
            self.content = self.content.scrolled(lines, *page_text_size(layout))

    def handle_key(
        self, names: tuple[str, ...], command: Command | None, layout: ScreenLayout
    ) -> bool:
        """Take a key; return whether it meant something here."""
        if command is Command.CANCEL:
            self.close()
            return True
        form = self.content
        if isinstance(form, Form):
            meant = self._key_in_form(form, names)
            self._scroll_to_field(form, layout)
            return meant
        return self._key_on_page(names, command, layout)

    def _key_on_page(
        self, names: tuple[str, ...], command: Command | None, layout: ScreenLayout
    ) -> bool:
        height = page_text_size(layout)[1]
        paging = {"pageup": -height, "pagedown": height, "space": height}
        steps = {**_PAGE_STEPS, **paging}
        found = next((name for name in names if name in steps), None)
        vi = {Command.UP: -1, Command.DOWN: 1}.get(command) if command else None
        if found is not None or vi is not None:
            self.scroll(steps[found] if found is not None else vi or 0, layout)
            return True
        return False

    def _key_in_form(self, form: Form, names: tuple[str, ...]) -> bool:
        for name in names:
            if name in _FORM_STEPS:
                form.select(_FORM_STEPS[name])
            elif name in _VALUE_STEPS:
                form.step_value(_VALUE_STEPS[name])
            elif name in ("backspace", "delete"):
                form.erase_digit()
            elif name == "enter":
                if form.accept() and self.content is form:
                    self.close()
            elif len(name) == 1 and name.isdigit():
                form.type_digit(name)
            else:
                continue
            return True
        return len(names[0]) == 1 if names else True

    def _scroll_to_field(self, form: Form, layout: ScreenLayout) -> None:
        form.first = form.first_visible_field(page_text_size(layout)[1])

    def handle_click(self, x: int, y: int, layout: ScreenLayout, *, back: bool) -> None:
        """Take a click: it closes a page, and changes a form's field, backwards if asked."""
        if not isinstance(self.content, Form):
            self.close()
            return
        top, left = form_origin(layout)
        height = page_text_size(layout)[1]
        row = y - top + self.content.first_visible_field(height)
        if not (top <= y < top + height and row < len(self.content.fields)):
            if x < left or y >= top:
                return
            self.close()
            return
        again = self.content.at == row
        self.content.select(row - self.content.at)
        if again:
            self.content.step_value(-1 if back else 1)
