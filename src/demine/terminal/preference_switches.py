"""What the player may choose at any moment, kept for good: in a terminal its letters, too."""

from __future__ import annotations

from typing import TYPE_CHECKING

from demine.play import preference_switches
from demine.scene.translation import language, set_language, tr
from demine.terminal.cell_style import ASCII, Dress

if TYPE_CHECKING:
    from collections.abc import Mapping

    from demine.play.session import Session
    from demine.scene.preferences import Preferences
    from demine.scene.status_line import News


class Switches(preference_switches.Switches):
    """The switches of a terminal.

    `colours` is how many it shows, `dark` whether its ground is.
    """

    def __init__(
        self,
        preferences: Preferences,
        session: Session,
        news: News,
        *,
        colours: int,
        ascii_only: bool,
        dark: bool,
    ) -> None:
        super().__init__(preferences, session, news, dark=dark)
        self.ascii_only = ascii_only
        self._colours = colours
        self.dress = self._dressed()

    def _dressed(self) -> Dress:
        return Dress(self.theme, colours=self._colours, ascii_only=self.ascii_only)

    def keep(self, **changes: object) -> None:
        """Keep choices, by the names of `Preferences`, and `ascii`."""
        super().keep(**changes)
        self.ascii_only = bool(changes.get(ASCII, self.ascii_only))
        self.dress = self._dressed()

    def keep_all(self, chosen: Mapping[str, object]) -> None:
        """Keep what a form says, where it differs from what was."""
        now = {**self.preferences.as_settings(), ASCII: self.ascii_only, "language": language()}
        changes = {name: value for name, value in chosen.items() if now.get(name) != value}
        if "language" in changes:
            set_language(str(changes["language"]))
        if changes:
            self.keep(**changes)

    def toggle_ascii(self) -> None:
        """Draw with the signs of Unicode, or in plain ASCII."""
        self.keep(**{ASCII: not self.ascii_only})
        self._news.say(tr("Plain ASCII signs") if self.ascii_only else tr("Unicode signs"))
