"""The page of training in a real Chromium: answered by mouse, finger and keys, to its end."""

from __future__ import annotations

import pytest
from selenium.webdriver.common.keys import Keys

from tests.web.browser.board_page import BoardPage
from tests.web.browser.chromium import DESKTOP, PHONE, Browser

Cell = tuple[int, int]


class TrainPage(BoardPage):
    """The page of training, with a question."""

    def show(self, path: str = "/train") -> None:
        self.browser.open(path)
        self.wait_for_question()

    def labels(self) -> list[str]:
        """What a screen reader says of each cell of the page that is shown."""
        found: list[str] = self.browser.run(
            "const cells = document.querySelectorAll('main:not([hidden]) [role=gridcell]');"
            "return [...cells].map((c) => c.ariaLabel)"
        )
        return [each for each in found if each]

    def wait_for_question(self) -> None:
        """Wait until a question is there that has no answer yet."""
        self.browser.wait(lambda: self.browser.all(".train-question") and not self.answer())

    def answer(self) -> str:
        """What is said of the answer, empty before it."""
        return str(
            self.browser.run("return document.querySelector('.train-answer')?.textContent ?? ''")
        )

    def place(self) -> str:
        return self.browser.one(".train-head > span").text

    def covered(self) -> Cell:
        """The first covered cell."""
        words = next(each for each in self.labels() if each.endswith(": covered"))
        row, col = (int(part.split()[-1]) for part in words.split(":")[0].split(","))
        return row - 1, col - 1

    def marked(self) -> list[str]:
        """The cells that have a mark of the answer, as a screen reader says them."""
        return [each for each in self.labels() if each.split(": ")[1].count(",")]

    def next(self) -> None:
        self.browser.button("Next").click()


@pytest.fixture
def page(chromium: Browser) -> TrainPage:
    chromium.resize(DESKTOP)
    chromium.forget_player()
    return TrainPage(chromium)


def test_a_set_is_played_with_the_mouse_to_its_end(page: TrainPage, axe: str) -> None:
    page.show()
    for number in range(1, 11):
        assert page.place() == f"{number} of 10"
        assert page.marked() == []
        page.click(page.covered())
        page.browser.wait(page.answer)
        assert page.marked()
        assert page.answer().startswith(("✓ Right, in", "✗ Wrong."))
        page.next()
        if number < 10:
            page.wait_for_question()
    text = page.browser.wait(lambda: page.browser.all(".train-summary"))[0].text
    assert "of 10 right" in text
    assert "Today 10 of 10; streak 1" in text
    assert "Progress by pattern" in text
    assert page.browser.axe_violations(axe) == []
    page.browser.button("Another set").click()
    page.wait_for_question()
    assert page.place() == "1 of 10"
    assert page.browser.complaints() == []


def test_keys_answer_and_go_on(page: TrainPage) -> None:
    page.browser.open("/")
    page.wait_until_shown(81)
    page.keys("t", Keys.CONTROL)
    page.wait_for_question()
    page.keys(Keys.ARROW_UP)  # shows the cursor
    row, col = page.covered()
    page.keys(Keys.HOME)
    page.keys(Keys.HOME, Keys.CONTROL)
    page.keys(Keys.ARROW_DOWN * row + Keys.ARROW_RIGHT * col + " ")
    page.browser.wait(page.answer)
    page.keys(Keys.ENTER)
    page.wait_for_question()
    assert page.place() == "2 of 10"
    page.browser.chrome.back()
    page.wait_until_shown(81)


def test_a_finger_answers_on_a_phone_and_a_drag_does_not(page: TrainPage, axe: str) -> None:
    page.browser.resize(PHONE, touch=True)
    page.show()
    cell = page.covered()
    x, y = page.point(cell)
    page.fingers("start", [(x, y)])
    page.fingers("move", [(x + 40, y + 40)])
    page.fingers("end")
    page.tap(page.covered())
    page.browser.wait(page.answer)
    for scheme in ("dark", "light"):
        page.browser.prefer(scheme)
        assert page.browser.axe_violations(axe) == []
    assert page.browser.complaints() == []


def test_the_drill_of_the_day_is_one_and_a_guess_has_its_button(page: TrainPage) -> None:
    page.show()
    page.browser.button("Drill of the day").click()
    page.browser.wait(lambda: page.place() == "1 of 1")
    page.browser.button("My set").click()
    page.browser.wait(lambda: page.place() == "1 of 10")
    for _ in range(10):
        if guess := [
            each for each in page.browser.all(".train .buttons button") if each.is_displayed()
        ]:
            assert guess[0].text == "It is a guess"
            page.keys("g")
            page.browser.wait(page.answer)
            return
        page.click(page.covered())
        page.browser.wait(page.answer)
        page.next()
        page.wait_for_question()
    raise AssertionError("no drill of the set may be a guess")
