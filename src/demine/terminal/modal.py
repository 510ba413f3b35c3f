"""The page, form or menu over the board: scrolled, filled in, or chosen from."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from demine.scene.key_bindings import Command
from demine.terminal.forms import Form
from demine.terminal.menu import Menu
from demine.terminal.render import first_field_row_col, first_menu_row, page_text_cols_rows

if TYPE_CHECKING:
    from demine.terminal.screen_layout import ScreenLayout
    from demine.terminal.text_pages import Page

_PAGE_STEPS: Final = {"up": -1, "down": 1, "home": -(10**6), "end": 10**6}
_FORM_STEPS: Final = {"up": -1, "down": 1, "tab": 1, "shift+tab": -1}
_VALUE_STEPS: Final = {"left": -1, "-": -1, "right": 1, "+": 1, "space": 1, "=": 1}


class Modal:
    """The page, form or menu that covers the board, if there is one."""

    def __init__(self) -> None:
        self.content: Page | Form | Menu | None = None

    def __bool__(self) -> bool:
        return self.content is not None

    def close(self) -> None:
        """Remove what covers the board."""
        self.content = None

    def scroll(self, lines: int, layout: ScreenLayout) -> None:
        """Scroll a page by that many lines, or select the next or previous field or item."""
        if isinstance(self.content, Form):
            self.content.move_selection((lines > 0) - (lines < 0))
            self._scroll_to_field(self.content, layout)
        elif isinstance(self.content, Menu):
            self.content.move_selection((lines > 0) - (lines < 0))
        elif self.content is not None:
            self.content = self.content.scrolled(lines, *page_text_cols_rows(layout))

    def handle_key(
        self, names: tuple[str, ...], command: Command | None, layout: ScreenLayout
    ) -> bool:
        """Handle a key of these names or this command; return whether it had a meaning here."""
        if command is Command.CANCEL:
            self.close()
            return True
        form = self.content
        if isinstance(form, Form):
            handled = self._key_in_form(form, names)
            self._scroll_to_field(form, layout)
            return handled
        if isinstance(form, Menu):
            return self._key_in_menu(form, names, command)
        return self._key_on_page(names, command, layout)

    def _key_on_page(
        self, names: tuple[str, ...], command: Command | None, layout: ScreenLayout
    ) -> bool:
        height = page_text_cols_rows(layout)[1]
        paging = {"pageup": -height, "pagedown": height, "space": height}
        steps = {**_PAGE_STEPS, **paging}
        found = next((name for name in names if name in steps), None)
        vi = {Command.UP: -1, Command.DOWN: 1}.get(command) if command else None
        if found is not None or vi is not None:
            self.scroll(steps[found] if found is not None else vi or 0, layout)
            return True
        return False

    def _key_in_menu(self, menu: Menu, names: tuple[str, ...], command: Command | None) -> bool:
        if "enter" in names or "space" in names:
            self._choose(menu)
            return True
        vi = {Command.UP: -1, Command.DOWN: 1}.get(command, 0) if command else 0
        steps = vi or next((_FORM_STEPS[name] for name in names if name in _FORM_STEPS), 0)
        menu.move_selection(steps)
        return bool(steps)

    def _choose(self, menu: Menu) -> None:
        self.close()
        menu.choose(menu.items[menu.at].command)

    def _key_in_form(self, form: Form, names: tuple[str, ...]) -> bool:
        for name in names:
            if name in _FORM_STEPS:
                form.move_selection(_FORM_STEPS[name])
            elif name in _VALUE_STEPS:
                form.step_value(_VALUE_STEPS[name])
            elif name in ("backspace", "delete"):
                form.erase_digit()
            elif name == "enter":
                if form.try_accept() and self.content is form:
                    self.close()
            elif len(name) == 1 and name.isdigit():
                form.type_digit(name)
            else:
                continue
            return True
        return len(names[0]) == 1 if names else True

    def _scroll_to_field(self, form: Form, layout: ScreenLayout) -> None:
        form.first = form.first_visible_index(page_text_cols_rows(layout)[1])

    def handle_click(self, x: int, y: int, layout: ScreenLayout, *, backwards: bool) -> None:
        """Handle a click: it closes a page, selects a field or steps it, or chooses an item."""
        if isinstance(self.content, Menu):
            self._click_in_menu(self.content, y - first_menu_row(layout))
            return
        if not isinstance(self.content, Form):
            self.close()
            return
        top, left = first_field_row_col(layout)
        height = page_text_cols_rows(layout)[1]
        row = y - top + self.content.first_visible_index(height)
        if not (top <= y < top + height and row < len(self.content.fields)):
            if x < left or y >= top:
                return
            self.close()
            return
        again = self.content.at == row
        self.content.move_selection(row - self.content.at)
        if again:
            self.content.step_value(-1 if backwards else 1)

    def _click_in_menu(self, menu: Menu, item: int) -> None:
        """Handle a click on an item; one beside the items closes the menu."""
        if 0 <= item < len(menu.items):
            menu.at = item
            self._choose(menu)
        else:
            self.close()
