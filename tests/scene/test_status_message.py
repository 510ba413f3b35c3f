"""The line of words: what goes by itself, and what stays until it was read."""

from __future__ import annotations

from demine.scene.status_message import SECONDS, StatusMessage, status_line


def test_the_line_says_the_end_first() -> None:
    assert status_line("", "", "", "Beginner") == "Beginner"
    assert status_line("", "", "Dark", "Beginner") == "Dark"
    assert status_line("Win", "1.234 s", "", "Beginner") == "Win · 1.234 s"
    assert status_line("Win", "1.234 s", "Dark", "Beginner") == "Win · Dark"
    assert status_line("Paused", "", "", "Beginner") == "Paused"


class Time:
    """Seconds that pass when told to."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def test_news_go_by_themselves_and_trouble_stays() -> None:
    time = Time()
    news = StatusMessage(time)
    assert (news.text, news.redraw_after_s()) == ("", 60.0)
    news.show("Dark")
    assert news.text == "Dark"
    assert 0 < news.redraw_after_s() <= SECONDS + 0.001
    time.now += SECONDS
    assert news.text == ""
    news.show("Light")
    news.dismiss_on_action()
    assert news.text == ""
    news.show_trouble("No room on the disk.")
    assert news.is_trouble
    assert news.redraw_after_s() == 60.0
    news.dismiss_on_action()  # too early to have been read
    assert news.text == "No room on the disk."
    time.now += 1000
    assert news.text == "No room on the disk."
    news.dismiss_on_action()
    assert (news.text, news.is_trouble) == ("", False)
    assert news.troubles == ["No room on the disk."]
