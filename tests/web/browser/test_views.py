"""Dialogs and pages beside the board in a real Chromium, in both languages, light and dark."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Final

import numpy as np
import pytest
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.remote.webelement import WebElement

from demine import Game
from tests.web.browser.chromium import DESKTOP, PHONE, Browser
from tests.web.browser.served_site import ServedSite

HOSTILE: Final = "<img src=x onerror=alert(1)>\u202e.demine"
PLAY: Final = """
const [rules, seed, acts, done] = arguments;
const headers = {"Content-Type": "application/json"};
const body = JSON.stringify(seed === null ? {rules} : {rules, seed});
fetch("/api/games", {method: "POST", headers, body}).then((made) => made.json()).then(({id}) => {
  if (!acts.length) return done(id);
  const socket = new WebSocket(`ws://${location.host}/ws/games/${id}`);
  const play = (seq) => {
    const [verb, cell] = acts[seq - 1];
    socket.send(JSON.stringify({seq, verb, cell}));
  };
  socket.onmessage = ({data}) => {
    const told = JSON.parse(data);
    if (told.hello) play(1);
    else if (told.ack < acts.length) play(told.ack + 1);
    else if (told.ack) { socket.close(); done(id); }
  };
});
"""

REFUSE_ONCE: Final = """
// As a server answers who sends too much: that takes many files, and minutes.
const send = window.fetch;
let refused = false;
window.fetch = (address, options) => {
  if (refused || !address.includes(encodeURIComponent(arguments[0]))) return send(address, options);
  refused = true;
  const headers = {"Content-Type": "application/json", "Retry-After": "1"};
  const body = JSON.stringify({error: {what: "too_many", message: "too many requests"}});
  return Promise.resolve(new Response(body, {status: 429, headers}));
};
"""

STAY: Final = """
navigation.onnavigate = (event) => {
  event.preventDefault();
  navigation.onnavigate.wanted = event.destination.url;
};
navigation.onnavigate.wanted = null;
"""
SPOKEN: Final = "return document.querySelector('dialog[open] .unseen[role=status]').textContent"


class Views:
    """The page with its dialogs, and games that were played before."""

    def __init__(self, browser: Browser) -> None:
        self.browser = browser

    def play(self, rules: str, seed: int | None, acts: list[tuple[str, tuple[int, int]]]) -> str:
        """Have the player's browser play acts of a new game; return its id."""
        self.browser.open("/worker.js")
        return str(self.browser.chrome.execute_async_script(PLAY, rules, seed, acts))

    def lost(self, rules: str = "9x9/10", seed: int = 7) -> tuple[str, Game]:
        """Lose a game after an opening, a flag and a safe cell."""
        game = Game(rules, seed)
        first = game.rules.height // 2, game.rules.width // 2
        game.open(*first)
        mines = [(int(row), int(col)) for row, col in np.argwhere(game.board.mine_map)]
        covered = np.argwhere(~game.board.mine_map & ~game.board.open_map)
        safe = int(covered[0][0]), int(covered[0][1])
        acts = [("open", first), ("flag", mines[1]), ("open", safe), ("open", mines[0])]
        return self.play(rules, seed, acts), game

    def won(self, rules: str = "9x9/10", seed: int = 7) -> tuple[str, Game]:
        """Win a game."""
        game = Game(rules, seed)
        acts = [("open", (game.rules.height // 2, game.rules.width // 2))]
        game.open(*acts[0][1])
        while not game.status.over:
            row, col = np.argwhere(~game.board.mine_map & ~game.board.open_map)[0].tolist()
            game.open(row, col)
            acts.append(("open", (row, col)))
        return self.play(rules, seed, acts), game

    def open_game(self, path: str = "/") -> None:
        """Open the board, and wait until it can be played."""
        self.browser.open(path)
        self.browser.wait(lambda: bool(self.browser.all("[role=gridcell][aria-label]")))

    def press(self, *keys: str) -> None:
        """Press the last of some keys while the others are held."""
        actions = ActionChains(self.browser.chrome)
        for key in keys[:-1]:
            actions.key_down(key)
        actions.send_keys(keys[-1])
        for key in keys[:-1]:
            actions.key_up(key)
        actions.perform()

    @property
    def dialog(self) -> WebElement:
        return self.browser.one("dialog[open]")

    def dialog_by(self, *keys: str) -> WebElement:
        """Open the dialog of some keys."""
        self.press(*keys)
        return self.dialog

    def close(self) -> None:
        """Close the dialog as everybody does."""
        self.press(Keys.ESCAPE)
        self.browser.wait(lambda: not self.browser.all("dialog[open]"))

    def tab(self, name: str) -> None:
        """Show a tab by its name."""
        self.browser.wait(lambda: self.is_tab_clicked(name))

    def is_tab_clicked(self, name: str) -> bool:
        """Click on a tab, if it is there; the dialog may be drawn anew at any moment."""
        found = [each for each in self.tabs if each.text == name]
        for each in found:
            each.click()
        return bool(found)

    @property
    def tabs(self) -> list[WebElement]:
        return self.browser.all("[role=tab]")

    def address_of(self, selector: str) -> str:
        """Where a link leads."""
        return str(self.browser.one(selector).get_attribute("href"))

    def spoken(self) -> str:
        """What a screen reader says last of the dialog, beside what everybody sees."""
        return str(self.browser.run(SPOKEN))

    def says(self, text: str, selector: str = "body") -> None:
        """Wait until a part of the page says something."""
        self.browser.wait(lambda: any(text in each for each in self.browser.texts(selector)))


@pytest.fixture
def views(browser: Browser) -> Views:
    return Views(browser)


def test_settings_are_kept_and_applied_at_once_by_keys_alone(views: Views) -> None:
    views.open_game()
    dialog = views.dialog_by(Keys.CONTROL, ",")
    focused = views.browser.chrome.switch_to.active_element
    assert (focused.get_attribute("role"), focused.text) == ("tab", "Game")
    views.press(Keys.ARROW_RIGHT)
    views.browser.field("Theme", "dialog").send_keys("Dark")
    views.browser.wait(
        lambda: views.browser.run("return document.documentElement.dataset.theme === 'dark'")
    )
    views.tab("Mouse and touch")
    hold = views.browser.field("Long press", "dialog")
    hold.clear()
    hold.send_keys("99999", Keys.TAB)
    assert hold.get_attribute("value") == "1000"
    assert dialog.is_displayed()
    views.close()
    stored = "return fetch('/api/me').then((a) => a.json()).then((me) => me.preferences.hold_ms)"
    views.browser.wait(lambda: views.browser.run(stored) == 1000)
    views.open_game()
    assert views.browser.run("return document.documentElement.dataset.theme") == "dark"


def test_a_key_is_changed_refused_and_taken_back(views: Views) -> None:
    views.open_game()
    views.dialog_by(Keys.CONTROL, ",")
    views.tab("Keys")
    change = "Change the key: Place or remove a flag"
    views.browser.button(change, "dialog").click()
    views.press("x")
    until_key("X", "Place or remove a flag", views)
    views.close()
    views.press(Keys.ARROW_DOWN, "x")
    views.browser.wait(lambda: bool(views.browser.all("[aria-label$=': flag']")))
    views.dialog_by(Keys.CONTROL, ",")
    views.tab("Keys")
    views.browser.button("Default keys", "dialog").click()
    until_key("F", "Place or remove a flag", views)


def until_key(key: str, head: str, views: Views) -> None:
    """Wait until a row has a key; the dialog is drawn anew, on its first tab, once it is saved."""
    views.browser.wait(lambda: views.is_tab_clicked("Keys") and key in row_of(head, views))


def row_of(head: str, views: Views) -> str:
    rows = [row.text for row in views.browser.all("dialog tr")]
    return next((text for text in rows if text.startswith(head)), "")


def test_the_page_speaks_chinese_when_it_is_told_to_and_when_the_browser_does(views: Views) -> None:
    views.open_game()
    views.dialog_by(Keys.CONTROL, ",")
    views.tab("Language")
    views.browser.field("Language", "dialog").send_keys("简体中文")
    views.says("设置", "dialog h2")
    assert views.browser.run("return document.documentElement.lang") == "zh-CN"
    views.close()
    views.browser.wait(lambda: "新" in views.browser.one("#new").text)
    views.browser.forget_player()
    views.browser.speak("zh-CN")
    views.open_game()
    views.dialog_by("4")
    views.says("高级 · 30 × 16", "dialog")
    views.says("宽", "dialog")


def test_setup_says_what_does_not_fit_and_plays_what_does(views: Views) -> None:
    views.open_game()
    views.dialog_by("4")
    assert views.browser.chrome.switch_to.active_element.get_attribute("value") == "9"
    fill(views.browser.field("Mines", "dialog"), "99")
    views.says("At most 80 mines fit 9 × 9.", "dialog")
    assert not views.browser.button("Start", "dialog").is_enabled()
    views.browser.button("Make it fit", "dialog").click()
    views.browser.wait(lambda: views.browser.button("Start", "dialog").is_enabled())
    assert views.browser.field("Mines", "dialog").get_attribute("value") == "80"
    for label, number in (("Width", "12"), ("Height", "7"), ("Mines", "13")):
        fill(views.browser.field(label, "dialog"), number)
    views.says("12 × 7, 13 mines, safe first click · 15.5% mines", "dialog")
    views.browser.button("Keep this board", "dialog").click()
    views.browser.button("Remove from the list", "dialog")
    assert (
        views.browser.button("12 × 7, 13 mines, safe first click", "dialog").get_attribute(
            "aria-pressed"
        )
        == "true"
    )
    views.browser.button("Start", "dialog").click()
    views.browser.wait(lambda: len(views.browser.all("[role=gridcell][aria-label]")) == 84)


def fill(field: WebElement, text: str) -> None:
    field.clear()
    field.send_keys(text)


def test_a_share_code_is_copied_after_the_game_and_played(views: Views) -> None:
    game_id, game = views.lost()
    views.open_game(f"/g/{game_id}")
    views.dialog_by(Keys.CONTROL, "v")
    code = views.browser.field("Share code of this board", "dialog").get_attribute("value")
    assert code == game.share()
    fill(views.browser.field("Play a share code", "dialog"), code[:-1] + "!")
    views.browser.button("Start", "dialog").click()
    views.says("share code", "dialog .status")
    fill(views.browser.field("Play a share code", "dialog"), f" {code} ")
    views.browser.button("Start", "dialog").click()
    views.browser.wait(lambda: f"/g/{game_id}" not in views.browser.chrome.current_url)
    views.open_game()
    views.dialog_by(Keys.CONTROL, "v")
    views.says("once the game is over", "dialog")


def test_help_has_lessons_with_boards_and_the_keys(views: Views) -> None:
    views.open_game()
    views.dialog_by(Keys.F1)
    views.says("Place or remove a flag", "dialog")
    views.tab("How to play")
    views.says("The pattern 1-2", "dialog")
    drawn = "return [...document.querySelectorAll('dialog canvas')].every((c) => c.width > 100)"
    views.browser.wait(lambda: views.browser.run(drawn))
    views.tab("With others")
    views.says("two minutes to come back", "dialog")


def test_a_key_that_follows_the_end_of_a_dialog_at_once_is_the_boards(views: Views) -> None:
    views.open_game()
    views.dialog_by("4")
    views.browser.run(
        "document.querySelector('dialog[open]').close();"
        "document.activeElement.dispatchEvent("
        " new KeyboardEvent('keydown', {key: 'F1', bubbles: true, cancelable: true}))"
    )
    views.says("Place or remove a flag", "dialog[open]")


def test_help_on_a_phone_speaks_of_fingers_until_a_key_is_pressed(views: Views) -> None:
    views.browser.resize(PHONE, touch=True)
    views.open_game()
    views.browser.one("#menu").click()
    views.browser.button("Help").click()
    views.says("A long press", "dialog")
    assert [each.text for each in views.tabs] == ["How to play", "With others", "Fingers"]
    assert "Ctrl" not in views.dialog.text
    views.tab("How to play")
    views.says("Tap a cell to open it", "dialog")
    views.close()
    views.dialog_by(Keys.F1)
    views.says("Shift", "dialog")
    assert [each.text for each in views.tabs] == ["How to play", "With others", "Keys and mouse"]


def test_history_leads_to_a_game_that_is_watched_and_reviewed(views: Views) -> None:
    game_id, game = views.lost()
    views.browser.open("/history#games")
    assert views.address_of(".games tbody a").endswith(f"/w/{game_id}")
    views.browser.one(".games tbody a").click()
    views.says("1 of 4: opens row 5, column 5", "#page")
    at = "return document.querySelector('.watch-line').textContent"
    views.browser.button("To the start").click()
    views.says("No moves yet.", "#page")
    views.browser.button("Forward one move").click()
    views.browser.wait(lambda: views.browser.run(at).startswith("1 of 4: opens row 5, column 5"))
    views.press(Keys.ARROW_RIGHT)
    views.browser.wait(lambda: views.browser.run(at).startswith("2 of 4: flags"))
    assert views.browser.one(".counter").text == "9"
    views.browser.button("Risks").click()
    views.browser.wait(
        lambda: views.browser.button("Risks").get_attribute("aria-pressed") == "true"
    )
    views.press(Keys.END)
    views.browser.wait(lambda: views.browser.run(at).startswith("4 of 4: opens"))
    views.browser.button("Review").click()
    views.says("Luck", ".watch-side")
    views.browser.button("Next mistake")
    views.browser.all(".judged button")[-1].click()
    views.browser.wait(lambda: "mine" in views.browser.run(at))
    views.browser.button("Statistics").click()
    views.says("3BV/s", "dialog")
    assert game.rules.mines == 10


def test_a_lost_game_that_goes_on_is_played_from_the_history(views: Views) -> None:
    game_id, _ = views.lost()
    views.open_game(f"/g/{game_id}")
    views.press("u")
    views.browser.wait(lambda: views.browser.one("#pause").is_enabled())
    views.browser.open("/history#games")
    assert views.address_of(".games tbody a").endswith(f"/g/{game_id}")


def test_a_recording_plays_by_the_keys_of_a_page_just_opened(views: Views) -> None:
    game_id, _ = views.won()
    views.browser.open(f"/w/{game_id}")
    views.browser.button("Play", ".transport")
    views.press(" ")
    ended = "return document.querySelector('.seek').value === document.querySelector('.seek').max"
    views.browser.wait(lambda: views.browser.run(ended))
    views.browser.button("Play", ".transport")
    assert views.browser.one(".counter").text == "0"


def test_a_stranger_watches_by_the_link_but_sees_no_running_game(views: Views) -> None:
    game_id, _ = views.lost()
    running = views.play("9x9/10", 3, [("open", (4, 4))])
    views.browser.open(f"/w/{game_id}")
    views.says("lost after", "h1")
    views.browser.forget_player()
    views.browser.speak("zh-CN")
    views.browser.open(f"/w/{game_id}")
    views.says("初级", "h1")
    views.browser.speak("en-GB")
    views.browser.open(f"/w/{running}")
    views.says("not over yet")


def test_a_replay_is_chosen_or_dropped_whatever_its_name(views: Views, tmp_path: Path) -> None:
    game = Game("9x9/10", seed=7)
    game.open(4, 4)
    row, col = np.argwhere(game.board.mine_map)[0].tolist()
    game.open(row, col, t=900)
    journal = tmp_path / "<b>my game.demine"
    journal.write_text(game.journal(), encoding="utf-8")
    junk = tmp_path / "junk.avf"
    junk.write_bytes(bytes(range(256)))
    views.open_game()
    views.dialog_by(Keys.CONTROL, "o")
    views.browser.all("#replay-file")[0].send_keys(f"{journal}\n{journal}")
    views.says("2 of 2 files read", "dialog .status")
    views.browser.run(STAY)
    views.browser.all("#replay-file")[0].send_keys(str(junk))
    views.browser.wait(lambda: views.browser.all("dialog .results .trouble"))
    assert views.browser.run("return navigation.onnavigate.wanted") is None
    refusal = views.browser.all("dialog .results .trouble")[0].text.removeprefix("junk.avf ")
    assert views.spoken() == f"junk.avf: {refusal}"
    views.browser.run("navigation.onnavigate = null")
    views.browser.all("#replay-file")[0].send_keys(str(journal))
    views.browser.wait(lambda: "/w/" in views.browser.chrome.current_url)
    views.says("<b>my game.demine", "h1")
    views.open_game()
    views.browser.run(
        "const data = new DataTransfer();"
        "data.items.add(new File([arguments[0]], arguments[1]));"
        "document.getElementById('board').dispatchEvent("
        " new DragEvent('drop', {dataTransfer: data, bubbles: true, cancelable: true}))",
        game.journal(),
        HOSTILE,
    )
    views.browser.wait(lambda: "/w/" in views.browser.chrome.current_url)
    views.says("<img src=x onerror=alert(1)>", "h1")
    assert "\u202e" not in views.browser.one("h1").text


def test_many_files_at_once_are_each_told_of_and_listed(
    views: Views, axe: str, tmp_path: Path
) -> None:
    files = [tmp_path / f"game {number}.demine" for number in range(4)]
    for number, file in enumerate(files):
        game = Game("9x9/10", seed=number)
        game.open(4, 4)
        file.write_text(game.journal(), encoding="utf-8")
    files[1].write_bytes(bytes(range(256)))
    views.open_game()
    views.browser.run(REFUSE_ONCE, "game 2")
    views.dialog_by(Keys.CONTROL, "o")
    views.browser.all("#replay-file")[0].send_keys("\n".join(map(str, files)))
    views.says("the next try is in", "dialog .results")
    assert views.spoken() == "game 2.demine: too many requests; the next try is in 1 s"
    views.says("3 of 4 files read · 1 could not be read", "dialog .status")
    refused = views.browser.all("dialog .results .trouble")
    assert [each.text.startswith("game 1.demine ") for each in refused] == [True]
    views.browser.button("My replays", "dialog").click()
    views.browser.wait(lambda: len(views.browser.all(".replays tbody tr")) >= 2)
    assert views.browser.axe_violations(axe) == []
    row = views.browser.one(".replays tbody tr").text
    assert "Beginner" in row
    assert "not finished" in row
    listed = len(views.browser.all(".replays tbody tr"))
    views.browser.button("Delete…", ".replays").click()
    views.browser.button("Delete", "dialog.small").click()
    views.browser.wait(lambda: len(views.browser.all(".replays tbody tr")) == listed - 1)
    views.browser.button("Review", ".replays").click()
    views.says("Opening moves", ".watch-side")


def test_a_player_moves_to_another_device_and_leaves(views: Views) -> None:
    game_id, _ = views.lost()
    views.open_game()
    open_player(views)
    name = views.browser.field("Name", "dialog")
    fill(name, "Mi\u202ena <b>")
    views.browser.button("Save", "dialog").click()
    views.says("Saved.", "dialog")
    assert name.get_attribute("value") == "Mi na <b>"
    views.browser.button("Make a recovery link", "dialog").click()
    link = str(views.browser.field("Recovery link", "dialog").get_attribute("value"))
    views.browser.forget_player()
    views.browser.chrome.get(link)
    views.browser.one("button").click()
    views.browser.wait(lambda: "/g/" in views.browser.chrome.current_url)
    views.browser.open("/history#games")
    assert views.address_of(".games tbody a").endswith(game_id)
    views.open_game()
    open_player(views)
    views.browser.button("Delete all my data…", "dialog").click()
    views.browser.button("Delete everything", "dialog.small").click()
    views.browser.wait(lambda: not views.browser.all("dialog[open]"))
    views.browser.open("/history#games")
    views.says("No games yet")


def test_a_player_takes_games_along_and_brings_them(views: Views, tmp_path: Path) -> None:
    game_id, _ = views.lost()
    views.open_game()
    open_player(views)
    link = views.browser.button("Export my games", "dialog").get_attribute("href")
    text = views.browser.run("return fetch(arguments[0]).then((a) => a.text())", link)
    assert game_id in text
    export = tmp_path / "games.jsonl"
    export.write_text(text, encoding="utf-8")
    views.browser.forget_player()
    views.open_game()
    open_player(views)
    views.browser.all("dialog input[type=file]")[0].send_keys(str(export))
    views.says("game was added", "dialog .status")
    views.browser.open("/history#games")
    views.says("lost", ".games tbody")


def open_player(views: Views) -> None:
    views.browser.one("#menu").click()
    views.browser.button("Player and devices…").click()
    views.says("Another device", "dialog")


@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_axe_finds_nothing_anywhere(views: Views, axe: str, size: tuple[int, int]) -> None:
    game_id, _ = views.lost()
    views.won(seed=8)
    views.browser.resize(size, touch=size == PHONE)
    found: dict[str, list[str]] = {}

    def check(name: str) -> None:
        for scheme in ("dark", "light"):
            views.browser.prefer(scheme)
            if wrong := views.browser.axe_violations(axe):
                found[f"{name}, {scheme}"] = wrong

    for name, page in pages(views, game_id).items():
        print(name)  # for the report of a failure
        page()
        check(name)
    assert found == {}


def pages(views: Views, game_id: str) -> dict[str, Callable[[], object]]:
    """What opens each dialog and page."""

    def dialog(*keys: str) -> Callable[[], object]:
        def go() -> None:
            if views.browser.all("dialog[open]"):
                views.close()
            elif f"/g/{game_id}" not in views.browser.chrome.current_url:
                views.open_game(f"/g/{game_id}")
            views.dialog_by(*keys)

        return go

    def page(path: str, shown: str) -> Callable[[], object]:
        def go() -> None:
            views.browser.open("/worker.js")
            views.browser.open(path)
            views.browser.one(shown)

        return go

    return {
        "settings": dialog(Keys.CONTROL, ","),
        "settings of looks": lambda: views.tab("Look"),
        "settings of keys": lambda: views.tab("Keys"),
        "setup": dialog("4"),
        "help": dialog(Keys.F1),
        "keys": lambda: views.tab("Keys and mouse"),
        "share": dialog(Keys.CONTROL, "v"),
        "upload": dialog(Keys.CONTROL, "o"),
        "statistics": dialog(Keys.CONTROL, "i"),
        "best": page("/history", ".tab-pages table, .empty"),
        "games": page("/history#games", ".games"),
        "replays": page("/history#replays", ".replays .empty"),
        "progress": page("/history#progress", ".empty, .plot"),
        "training": page("/train", ".train .page-grid [role=gridcell]"),
        "analysis": page("/analyse", ".analyse-said li"),
        "watch": page(f"/w/{game_id}", ".watch-canvas"),
        "nothing": page("/nosuch", ".notice"),
        "review": page(f"/r/{game_id}", ".judged"),
    }


def test_what_takes_long_shows_a_sign_and_what_fails_can_be_tried_again(
    views: Views, axe: str, site: ServedSite
) -> None:
    game_id, _ = views.lost()
    views.open_game()
    views.dialog_by(Keys.F1)
    views.close()
    slow_down(views, latency_ms=1500)
    views.press(Keys.CONTROL, "i")
    views.says("Loading…", ".waiting")
    slow_down(views, latency_ms=0)
    views.browser.wait(lambda: not views.browser.all(".waiting"))
    views.browser.run("document.querySelector('dialog[open]')?.close()")
    site.kill()
    try:
        views.press(Keys.CONTROL, ",")
        views.says("The server cannot be reached", "dialog.failure")
        assert views.browser.axe_violations(axe) == []
    finally:
        site.start()
    views.browser.button("Try again").click()
    views.says("Settings", "dialog h2")
    views.browser.open(f"/w/{game_id}")
    views.browser.one(".watch-canvas")
    views.browser.run(
        "history.pushState(null, '', '/w/nosuch'); dispatchEvent(new Event('popstate'))"
    )
    views.says("There is no such game", "#page h1")
    assert not [each for each in views.browser.all("#page button") if each.is_displayed()]
    assert views.browser.axe_violations(axe) == []
    views.browser.button("To the game", "#page").click()
    views.browser.wait(lambda: "/g/" in views.browser.chrome.current_url)
    views.browser.complaints()  # of addresses that could not be reached


def slow_down(views: Views, latency_ms: int) -> None:
    """Have every answer come later."""
    conditions = {"offline": False, "latency": latency_ms} | dict.fromkeys(
        ("downloadThroughput", "uploadThroughput"), -1
    )
    views.browser.chrome.execute_cdp_cmd("Network.enable", {})
    views.browser.chrome.execute_cdp_cmd("Network.emulateNetworkConditions", conditions)
