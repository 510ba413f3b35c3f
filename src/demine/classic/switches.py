"""What the player may choose at any moment, kept for good: theme, language, sound, size."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from demine.scene.messages import language, languages, set_language, tr
from demine.scene.theme import THEMES, theme

if TYPE_CHECKING:
    from demine.classic.news import News
    from demine.classic.sound import Speaker
    from demine.scene.wishes import Preferences
    from demine.store.sitting import Sitting


class Switches:
    """The player's preferences and the switches that change them; news say what was chosen."""

    def __init__(
        self, preferences: Preferences, sitting: Sitting, speaker: Speaker, news: News
    ) -> None:
        self.preferences = preferences
        self.theme = theme(preferences.theme)
        self._sitting = sitting
        self._speaker = speaker
        self._news = news

    def keep(self, **changes: object) -> None:
        """Keep choices, by the names of `Preferences`."""
        self.preferences = replace(self.preferences, **changes)  # type: ignore[arg-type]
        self._sitting.remember(changes)

    def next_theme(self) -> None:
        """Put the next theme on."""
        names = list(THEMES)
        name = names[(names.index(self.theme.name) + 1) % len(names)]
        self.theme = theme(name)
        self._news.say(tr(self.theme.title))
        self.keep(theme=name)

    def next_language(self) -> None:
        """Speak the next language."""
        codes = list(languages())
        code = set_language(codes[(codes.index(language()) + 1) % len(codes)])
        self._news.say(languages()[code])
        self.keep(language=code)

    def toggle_sound(self) -> None:
        """Make sounds, or none."""
        self._speaker.on = not self._speaker.on
        if self._speaker.on and not self._speaker.works():
            self._news.say(tr("No sound on this machine"))
        else:
            self._news.say(tr("Sound on") if self._speaker.on else tr("Sound off"))
        self.keep(sound=self._speaker.on)
