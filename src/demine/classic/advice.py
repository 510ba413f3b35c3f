"""The coach at the window: where its words stand."""

from __future__ import annotations

from typing import TYPE_CHECKING

from demine.classic.words import fits_line
from demine.play.hint_timer import HintTimer

if TYPE_CHECKING:
    from collections.abc import Callable
    from concurrent.futures import Future

    from demine.classic.camera import Camera
    from demine.play.session import Session


class Advice:
    """A coach with its time, and its words at the window."""

    def __init__(
        self,
        session: Session,
        ask: Callable[..., Future[object]],
        wake: Callable[[], object],
    ) -> None:
        self.paced = HintTimer(session, ask, wake)
        self.hints = self.paced.hints
        self._session = session

    def placed(self, camera: Camera) -> tuple[str, str, str]:
        """Return what the panel's line says, what it says of the game played, and the note.

        What is about marked cells stands in the note, below the board, and so does what is too
        long for the line; the camera makes room for it. Once there is room, all words stand there.
        """
        words, title = self.paced.sentence(), self.hints.title()
        if not words:
            if camera.stage.note_height and not fits_line(title, camera.stage):
                return "", self._session.title(), title
            return "", title, ""
        plain = not (self.hints.overlay.marks.any() or self._session.game.status.over)
        if not camera.stage.note_height and plain and fits_line(words, camera.stage):
            return words, title, ""
        camera.make_room(words)
        return "", title, words
