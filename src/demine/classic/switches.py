"""What the player may choose at any moment, kept for good: in the small window sound, too."""

from __future__ import annotations

from typing import TYPE_CHECKING

from demine.play import preference_switches
from demine.scene.translation import tr

if TYPE_CHECKING:
    from demine.classic.sound import Speaker
    from demine.play.session import Session
    from demine.scene.preferences import Preferences
    from demine.scene.status_line import News


class Switches(preference_switches.Switches):
    """The switches of a window that can make sounds."""

    def __init__(
        self, preferences: Preferences, session: Session, speaker: Speaker, news: News
    ) -> None:
        super().__init__(preferences, session, news)
        self._speaker = speaker

    def toggle_sound(self) -> None:
        """Make sounds, or none."""
        self._speaker.on = not self._speaker.on
        if self._speaker.on and not self._speaker.works():
            self._news.say(tr("No sound on this machine"))
        else:
            self._news.say(tr("Sound on") if self._speaker.on else tr("Sound off"))
        self.keep(sound=self._speaker.on)
