"""The page of analysis in a real Chromium: painted by mouse, finger and keys, pasted and linked."""

from __future__ import annotations

import numpy as np
import pytest
from selenium.webdriver.common.keys import Keys

from tests.web.browser.board_page import BoardPage, Cell
from tests.web.browser.chromium import DESKTOP, PHONE, Browser

ONE_TWO_ONE = "/analyse#1-5x3-4-BCBJ12"


class AnalysePage(BoardPage):
    """The page of analysis with its answers."""

    def show(self, path: str = "/analyse") -> None:
        self.browser.open("/worker.js")
        self.browser.open(path)
        self.wait_for_answer()

    def labels(self) -> list[str]:
        """What a screen reader says of each cell of the page that is shown."""
        found: list[str] = self.browser.run(
            "const cells = document.querySelectorAll('main:not([hidden]) [role=gridcell]');"
            "return [...cells].map((c) => c.ariaLabel)"
        )
        return [each for each in found if each]

    def point(self, cell: Cell) -> tuple[float, float]:
        """The middle of a cell of the page that is shown."""
        box = self.browser.run(
            "const rows = document.querySelectorAll('.analyse .page-grid [role=row]');"
            "const at = rows[arguments[0]].children[arguments[1]].getBoundingClientRect();"
            "return [at.x + at.width / 2, at.y + at.height / 2]",
            *cell,
        )
        return box[0], box[1]

    def said(self) -> str:
        """What the solver says."""
        return str(
            self.browser.run("return document.querySelector('.analyse-said')?.innerText ?? ''")
        )

    def status(self) -> str:
        """What is said of an action."""
        return str(self.browser.run("return document.querySelector('.analyse .status').innerText"))

    def wait_for_answer(self, *parts: str) -> None:
        """Wait until the solver has said something, with these parts in it."""
        wanted = parts or ("",)
        self.browser.wait(
            lambda: (
                (said := self.said())
                and "Thinking" not in said
                and all(each in said for each in wanted)
            )
        )

    def tool(self, name: str) -> None:
        """Choose a tool by its name."""
        self.browser.one(f".analyse-tools [aria-label^='{name}']").click()


@pytest.fixture
def page(browser: Browser) -> AnalysePage:
    browser.resize(DESKTOP)
    return AnalysePage(browser)


def test_a_position_is_painted_with_the_mouse_and_kept_by_its_link(
    page: AnalysePage, axe: str
) -> None:
    page.show()
    page.wait_for_answer("1.9×10^12 layouts fit")
    page.click((0, 0))  # steps to zero
    page.wait_for_answer("Certain: 3 safe, 0 mines")
    assert page.shows((1, 1)) == "covered, safe, open it, 0% risk"
    page.tool("2")
    page.mouse("press", (0, 3), held=1)
    for col in (4, 5):
        page.mouse("move", (0, col), held=1)
    page.mouse("release", (0, 5))
    page.click((8, 8), "right")
    assert [page.shows((0, col)).split(",")[0] for col in (3, 4, 5)] == ["2", "2", "2"]
    assert page.shows((8, 8)).startswith("flag")
    page.wait_for_answer("layouts fit")
    assert page.browser.axe_violations(axe) == []
    shown = page.labels()
    address = page.browser.chrome.current_url
    assert "/analyse#1-9x9-10-A" in address
    page.browser.open("/worker.js")
    page.browser.chrome.get(address)
    page.browser.wait(lambda: page.labels() == shown)
    page.show()
    page.click((4, 4))
    page.browser.button("Undo").click()
    page.browser.wait(lambda: page.shows((4, 4)).startswith("covered"))
    page.browser.button("Redo").click()
    page.browser.wait(lambda: page.shows((4, 4)).startswith("empty"))


def test_keys_paint_and_ask_why(page: AnalysePage) -> None:
    page.show("/analyse#1-5x3-4-J15")
    page.keys(Keys.ARROW_UP)  # shows the cursor
    page.keys(Keys.HOME)
    page.keys(Keys.HOME, Keys.CONTROL)
    page.keys("1" + Keys.ARROW_RIGHT + "2" + Keys.ARROW_RIGHT + "1" + Keys.ARROW_DOWN)
    page.wait_for_answer("Certain:")
    page.keys("w")
    page.wait_for_answer("Row 2, column 3 is a mine.")
    page.browser.button("Prove the easiest cell").click()
    page.wait_for_answer("is safe.")
    assert any("a number used in the proof" in each for each in page.labels())
    page.keys("8")
    page.wait_for_answer("The 8 at row 2, column 3 cannot be satisfied")
    assert "layouts fit" not in page.said()
    page.keys("z", Keys.CONTROL)
    page.wait_for_answer("layouts fit")


def test_texts_are_pasted_and_what_is_wrong_is_said(page: AnalysePage, axe: str) -> None:
    page.show("/analyse#games")
    assert page.status() == "There is no position in this link that can be shown"
    page.browser.button("Paste…").click()
    field = page.browser.one("dialog textarea")
    field.send_keys("nothing of the kind")
    page.browser.button("Take over", "dialog").click()
    page.browser.wait(lambda: page.browser.one("dialog .status").text)
    assert page.browser.axe_violations(axe) == []
    field.clear()
    field.send_keys("5x3/4\n121##\n#####\n#####")
    page.browser.button("Take over", "dialog").click()
    page.browser.wait(lambda: len(page.labels()) == 15)
    page.wait_for_answer("layouts fit")
    width = page.browser.field("Width")
    width.clear()
    width.send_keys("70000" + Keys.TAB)
    page.browser.wait(lambda: page.browser.field("Width").get_attribute("value") == "5")
    assert page.status() == "The editor takes positions of up to 65536 cells"
    page.browser.complaints()  # of the text that was refused


def test_a_running_game_is_taken_over_after_a_warning(page: AnalysePage) -> None:
    played = BoardPage(page.browser)
    game = played.begin()
    played.click((4, 4))
    game.open(4, 4)
    opened = int(game.board.open_map.sum())

    def shown(labels: list[str]) -> int:
        return sum(": covered" not in each for each in labels)

    page.browser.wait(lambda: shown(played.labels()) == opened)
    address = page.browser.chrome.current_url.replace("/g/", "/api/games/")
    page.keys("e", Keys.CONTROL)
    page.wait_for_answer("layouts fit")
    assert shown(page.labels()) == 0
    page.browser.chrome.refresh()  # the page knows the game all the same
    page.wait_for_answer("layouts fit")
    page.browser.button("From the game").click()
    assert "counts as help" in page.browser.one("dialog p").text
    page.browser.button("Cancel", "dialog").click()
    assert shown(page.labels()) == 0
    page.browser.button("From the game").click()
    page.browser.button("From the game", "dialog").click()
    page.browser.wait(lambda: shown(page.labels()) == opened)
    page.wait_for_answer("layouts fit")
    path = address.removeprefix(page.browser.address)
    page.browser.open(path)
    assert "hint" in page.browser.one("body").text
    page.browser.open(path.replace("/api/games/", "/g/"))
    played.wait_until_shown(81)
    page.browser.one("#pause-card").click()
    page.browser.wait(lambda: shown(played.labels()) == opened)
    mine = np.argwhere(game.board.mine_map)[0].tolist()
    played.click((mine[0], mine[1]))
    played.expect((mine[0], mine[1]), "the mine that went off")
    page.browser.open(path.replace("/api/games/", "/w/"))
    page.browser.one(".watch-canvas")
    page.keys(Keys.HOME + Keys.ARROW_RIGHT)
    page.browser.button("Analyse").click()
    page.browser.wait(lambda: shown(page.labels()) == opened)
    page.wait_for_answer("layouts fit")


def test_a_finger_paints_and_two_move_the_board(page: AnalysePage, axe: str) -> None:
    page.browser.resize(PHONE, touch=True)
    page.show(ONE_TWO_ONE)
    page.wait_for_answer("Certain: 3 safe, 2 mines")
    (x, y), (x2, y2) = page.point((1, 0)), page.point((2, 4))
    page.fingers("start", [(x, y)])
    page.fingers("start", [(x, y), (x2, y2)])
    page.fingers("move", [(x - 30, y), (x2 + 30, y2)])
    page.fingers("end")
    assert page.shows((1, 0)).startswith("covered")
    page.tap((2, 4))
    page.browser.wait(lambda: page.shows((2, 4)).startswith("empty"))
    page.tool("5")
    page.fingers("start", [page.point((1, 0))])
    page.fingers("move", [page.point((1, 1))])
    page.fingers("end")
    page.browser.wait(lambda: page.shows((1, 1)).startswith("5"))
    assert page.shows((1, 0)).startswith("5")  # where the finger was put down
    for scheme in ("dark", "light"):
        page.browser.prefer(scheme)
        assert page.browser.axe_violations(axe) == []


def test_nothing_is_asked_while_a_hand_paints(page: AnalysePage) -> None:
    page.show(ONE_TWO_ONE)
    page.browser.run(
        "window.asked = 0; const send = window.fetch;"
        "window.fetch = (...all) => {"
        "  window.asked += all[0] === '/api/analyse'; return send(...all);"
        "}"
    )
    page.mouse("press", (2, 4), held=1)
    # A later and longer timer of the page runs after that which would have asked.
    page.browser.chrome.execute_async_script("setTimeout(arguments[0], 1000)")
    assert page.browser.run("return window.asked") == 0
    page.mouse("release", (2, 4))
    page.browser.wait(lambda: page.browser.run("return window.asked") == 1)
    page.wait_for_answer()


def test_who_is_told_to_wait_waits_and_paints_meanwhile(page: AnalysePage) -> None:
    page.show(ONE_TWO_ONE)
    page.browser.run(
        "window.sent = []; const send = window.fetch;"
        "window.fetch = (...all) => {"
        "  if (all[0] !== '/api/analyse') return send(...all);"
        "  window.sent.push(performance.now());"
        "  if (window.sent.length > 1) return send(...all);"
        "  const headers = {'Content-Type': 'application/json', 'Retry-After': '2'};"
        "  const error = {what: 'too_many', message: 'too many requests'};"
        "  return Promise.resolve(new Response(JSON.stringify({error}), {status: 429, headers}));"
        "}"
    )
    page.click((2, 4), "right")
    page.browser.wait(lambda: "Too many requests; the next try is in" in page.said())
    page.click((2, 3), "right")
    page.browser.wait(lambda: "Too many requests; the next try is in" in page.said())
    page.wait_for_answer("layouts fit")
    first, second = page.browser.run("return window.sent")
    assert second - first >= 2000
    assert page.shows((2, 3)).startswith("flag")


def test_nothing_is_lost_while_the_server_does_not_answer(page: AnalysePage) -> None:
    page.show(ONE_TWO_ONE)
    page.browser.run(
        "window.fetch = () => Promise.reject(new TypeError('no network'));"
        "navigator.clipboard.writeText = async (text) => { window.copied = text; }"
    )
    page.click((2, 4), "right")
    page.browser.wait(lambda: "The server cannot be reached" in page.said())
    page.browser.button("Copy as text").click()
    page.browser.wait(lambda: page.browser.run("return window.copied"))
    assert page.browser.run("return window.copied") == "5x3/4\n1 2 1 # #\n# # # # #\n# # # # F\n"
    page.browser.wait(lambda: page.browser.run("return location.hash") == "#1-5x3-4-BCBJ11K")
