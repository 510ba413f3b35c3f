"""What the player may choose at any moment, kept for good: look, colours of the numbers, language.

Each scene adds its own switches.
"""

from __future__ import annotations

from dataclasses import fields, replace
from typing import TYPE_CHECKING, Final

from demine.scene.palette import palette_after, palette_title
from demine.scene.preferences import Preferences
from demine.scene.themes import theme_after
from demine.scene.translation import languages, speak_next, tr

if TYPE_CHECKING:
    from demine.play.session import Session
    from demine.scene.status_line import News
    from demine.scene.themes import Theme

_KNOWN: Final = frozenset(field.name for field in fields(Preferences))


class Switches:
    """The player's preferences and the switches that change them; news say what was chosen.

    `dark` is whether the system is, as far as anybody knows.
    """

    def __init__(
        self, preferences: Preferences, session: Session, news: News, *, dark: bool = False
    ) -> None:
        self.preferences = preferences
        self.theme: Theme = preferences.look(dark=dark)
        self._session = session
        self._news = news
        self._dark = dark

    def keep(self, **changes: object) -> None:
        """Keep choices, by the names of `Preferences`, and others that a scene may have."""
        known = {name: value for name, value in changes.items() if name in _KNOWN}
        self.preferences = replace(self.preferences, **known)  # type: ignore[arg-type]
        if not {"theme", "palette"}.isdisjoint(changes):
            self.theme = self.preferences.look(dark=self._dark)
        self._session.remember(changes)

    def next_theme(self) -> None:
        """Put the next theme on."""
        self.keep(theme=theme_after(self.theme.name).name)
        self._news.say(tr(self.theme.title))

    def next_palette(self) -> None:
        """Give the numbers the next colours."""
        self.keep(palette=palette_after(self.preferences.palette))
        self._news.say(palette_title(self.preferences.palette))

    def next_language(self) -> None:
        """Speak the next language."""
        code = speak_next()
        self._news.say(languages()[code])
        self.keep(language=code)
