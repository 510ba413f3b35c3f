"""The line of words: what goes by itself, and what stays until it was read."""

from __future__ import annotations

from demine.scene.status_line import SECONDS, News, line


def test_the_line_says_the_end_first() -> None:
    assert line("", "", "", "Beginner") == "Beginner"
    assert line("", "", "Dark", "Beginner") == "Dark"
    assert line("Win", "1.234 s", "", "Beginner") == "Win · 1.234 s"
    assert line("Win", "1.234 s", "Dark", "Beginner") == "Win · Dark"
    assert line("Paused", "", "", "Beginner") == "Paused"


class Time:
    """Seconds that pass when told to."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def test_news_go_by_themselves_and_trouble_stays() -> None:
    time = Time()
    news = News(time)
    assert (news.text, news.patience()) == ("", 60.0)
    news.say("Dark")
    assert news.text == "Dark"
    assert 0 < news.patience() <= SECONDS + 0.001
    time.now += SECONDS
    assert news.text == ""
    news.say("Light")
    news.heard()
    assert news.text == ""
    news.tell("No room on the disk.")
    assert news.trouble
    assert news.patience() == 60.0
    news.heard()  # too early to have been read
    assert news.text == "No room on the disk."
    time.now += 1000
    assert news.text == "No room on the disk."
    news.heard()
    assert (news.text, news.trouble) == ("", False)
    assert news.troubles == ["No room on the disk."]
