"""The game's page as a hand, a key and a screen reader find it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from selenium.webdriver.common.action_chains import ActionChains

from demine import Game
from tests.web.browser.chromium import Browser

Cell = tuple[int, int]
_NAMES: Final = {"covered": 9, "flag": 10, "question mark": 11, "empty": 0}


class BoardPage:
    """The page of one game. Cells are (row, col), counted from 0."""

    def __init__(self, browser: Browser) -> None:
        self.browser = browser

    def begin(self, rules: str = "9x9/10", seed: int = 7) -> Game:
        """Have the server deal a board and open its page; return the same game, not yet begun."""
        self.browser.open("/worker.js")
        game_id = self.browser.chrome.execute_async_script(
            "const [rules, seed, done] = arguments;"
            "fetch('/api/games', {method: 'POST', headers: {'Content-Type': 'application/json'},"
            " body: JSON.stringify({rules, seed})}).then((a) => a.json()).then((g) => done(g.id))",
            rules,
            seed,
        )
        self.browser.open(f"/g/{game_id}")
        self.wait_until_shown(Game(rules).rules.cells)
        return Game(rules, seed)

    def wait_until_shown(self, cells: int) -> None:
        """Wait until the board has its cells for screen readers, and stands where it will."""
        self.browser.wait(lambda: len(self.labels()) == cells and self._stands_still())

    def _stands_still(self) -> bool:
        before = self.point((0, 0))
        self.browser.chrome.execute_async_script(
            "requestAnimationFrame(() => requestAnimationFrame(arguments[0]))"
        )
        return self.point((0, 0)) == before

    # What is seen

    def labels(self) -> list[str]:
        """What a screen reader says of each cell, row by row."""
        found: list[str] = self.browser.run(
            "return [...document.querySelectorAll('[role=gridcell]')].map((c) => c.ariaLabel)"
        )
        return [each for each in found if each]

    def shows(self, cell: Cell) -> str:
        """What a screen reader says that a cell shows."""
        start = f"row {cell[0] + 1}, column {cell[1] + 1}: "
        return next(each[len(start) :] for each in self.labels() if each.startswith(start))

    def expect(self, cell: Cell, shown: str) -> None:
        """Wait until a cell shows something."""
        self.browser.wait(lambda: self.shows(cell) == shown)

    def message(self) -> str:
        """What the strip says."""
        return str(self.browser.run("return document.querySelector('#strip .words').innerText"))

    def kind(self) -> str:
        """What the strip is about."""
        return str(self.browser.run("return document.getElementById('strip').dataset.kind ?? ''"))

    def figure(self, name: str) -> int:
        """The number of `mines` or `time`."""
        text = self.browser.run(
            "return document.querySelector(`#${arguments[0]}`).ariaLabel.split(': ')[1]", name
        )
        return int(text)

    def pixel(self, cell: Cell) -> list[int]:
        """The colour in the middle of a cell, red, green, blue; empty before the first picture."""
        x, y = self.point(cell)
        found: list[int] = self.browser.run(
            "const board = document.getElementById('board'), box = board.getBoundingClientRect();"
            "const ratio = board.width / box.width;"
            "const at = [(arguments[0] - box.x) * ratio, (arguments[1] - box.y) * ratio];"
            "const pen = new OffscreenCanvas(1, 1).getContext('2d', {willReadFrequently: true});"
            "pen.drawImage(board, ...at, 1, 1, 0, 0, 1, 1);"
            "return [...pen.getImageData(0, 0, 1, 1).data].slice(0, 3)",
            x,
            y,
        )
        return found

    def point(self, cell: Cell) -> tuple[float, float]:
        """The middle of a cell in the window, by where screen readers have it."""
        box = self.browser.run(
            "const row = document.querySelectorAll('[role=row]')[arguments[0]];"
            "const at = row.children[arguments[1]].getBoundingClientRect();"
            "return [at.x + at.width / 2, at.y + at.height / 2]",
            *cell,
        )
        return box[0], box[1]

    # What is done

    def mouse(self, what: str, cell: Cell, button: str = "left", held: int = 0) -> None:
        """Press, release or move the mouse at a cell; `held` are the buttons that are down then."""
        x, y = self.point(cell)
        kind = {"press": "mousePressed", "release": "mouseReleased", "move": "mouseMoved"}[what]
        event = {"type": kind, "x": x, "y": y, "buttons": held, "clickCount": 1}
        event |= {} if what == "move" else {"button": button}
        self.browser.chrome.execute_cdp_cmd("Input.dispatchMouseEvent", event)

    def click(self, cell: Cell, button: str = "left") -> None:
        """Click at a cell."""
        self.mouse("press", cell, button, {"left": 1, "right": 2, "middle": 4}[button])
        self.mouse("release", cell, button)

    def fingers(self, what: str, points: Sequence[tuple[float, float]] = ()) -> None:
        """Have fingers start, move or end; the points are those that are down then."""
        kind = {"start": "touchStart", "move": "touchMove", "end": "touchEnd"}[what]
        touches = [{"x": x, "y": y, "id": place} for place, (x, y) in enumerate(points)]
        self.browser.chrome.execute_cdp_cmd(
            "Input.dispatchTouchEvent", {"type": kind, "touchPoints": touches}
        )

    def tap(self, cell: Cell) -> None:
        """Tap a cell."""
        self.fingers("start", [self.point(cell)])
        self.fingers("end")

    def keys(self, text: str, held: str = "") -> None:
        """Press keys, one after another, while another one is held."""
        keyboard = ActionChains(self.browser.chrome)
        if held:
            keyboard.key_down(held).send_keys(text).key_up(held).perform()
        else:
            keyboard.send_keys(text).perform()
