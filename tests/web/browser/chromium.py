"""Debian's Chromium, driven by Selenium; what emulates phones and schemes is its own protocol."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import time
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final, Self, TypeVar

import pytest
from selenium.common.exceptions import JavascriptException, StaleElementReferenceException
from selenium.webdriver import Chrome, ChromeOptions, ChromeService
from selenium.webdriver.common.by import By
from selenium.webdriver.remote.webelement import WebElement
from websockets.sync.client import ClientConnection, connect

PHONE: Final = (390, 844)
DESKTOP: Final = (1280, 800)
PATIENCE_SECONDS: Final = 30.0
T = TypeVar("T")
_FIRST_VISIBLE: Final = """
const [selector, text] = arguments;
const isVisible = (each) =>
  each.checkVisibility({opacityProperty: true, visibilityProperty: true});
const isMeant = (each) => text === null
  || [each.innerText?.trim(), each.getAttribute("aria-label")].includes(text);
return [...document.querySelectorAll(selector)]
  .find((each) => isVisible(each) && isMeant(each)) ?? null;
"""


def started_chromium(profile: Path) -> Chrome:
    """A headless Chromium with an empty profile; skips the test where there is none."""
    browser = shutil.which("chromium") or shutil.which("chromium-browser")
    driver = shutil.which("chromedriver")
    if browser is None or driver is None:
        pytest.skip("no Chromium here (on Debian: apt install chromium chromium-driver)")
    options = ChromeOptions()
    options.binary_location = browser
    root = ["--no-sandbox"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []
    for argument in (
        "--headless=new", f"--user-data-dir={profile}", "--disable-dev-shm-usage",
        "--disable-background-networking", "--no-first-run", "--disable-component-update",
        "--disable-gpu", "--force-color-profile=srgb", "--hide-scrollbars", *root,
    ):  # fmt: skip
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    return Chrome(options=options, service=ChromeService(executable_path=driver))


class Profiles:
    """Profiles of one Chromium: windows that share neither cookies nor anything else."""

    def __init__(self, socket: ClientConnection) -> None:
        self._socket = socket

    @classmethod
    @contextlib.contextmanager
    def of(cls, chrome: Chrome) -> Iterator[Self]:
        """Open the door of a Chromium by which it makes profiles."""
        debugger = chrome.capabilities["goog:chromeOptions"]["debuggerAddress"]
        with urllib.request.urlopen(f"http://{debugger}/json/version") as answer:
            address = json.load(answer)["webSocketDebuggerUrl"]
        with connect(address) as socket:
            yield cls(socket)

    def make(self) -> str:
        """Make a profile; return its id."""
        return str(self._command("Target.createBrowserContext")["browserContextId"])

    def open_window(self, profile: str) -> str:
        """Open a window of a profile; return the handle by which Selenium knows it."""
        wish = {"url": "about:blank", "browserContextId": profile, "newWindow": True}
        return str(self._command("Target.createTarget", **wish)["targetId"])

    def remove(self, profile: str) -> None:
        """Close all windows of a profile, and forget it."""
        self._command("Target.disposeBrowserContext", browserContextId=profile)

    def _command(self, method: str, **parameters: object) -> dict[str, Any]:
        self._socket.send(json.dumps({"id": 1, "method": method, "params": parameters}))
        while "id" not in (answer := json.loads(self._socket.recv())):
            pass  # events of targets
        found: dict[str, Any] = answer["result"]
        return found


class Browser:
    """A Chromium on one site, and what a test asks of it."""

    def __init__(self, chrome: Chrome, address: str) -> None:
        self.chrome = chrome
        self.address = address
        self.resize(DESKTOP)

    # Emulation

    def resize(self, size: tuple[int, int], *, touch: bool = False, ratio: float = 1.0) -> None:
        width, height = size
        metrics = {
            "width": width, "height": height, "deviceScaleFactor": ratio, "mobile": touch,
        }  # fmt: skip
        self.chrome.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
        self.chrome.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": touch})

    def prefer(self, scheme: str = "light", *, less_motion: bool = True) -> None:
        """Have the system prefer light or dark, and ask for less motion."""
        features = [
            {"name": "prefers-color-scheme", "value": scheme},
            {"name": "prefers-reduced-motion", "value": "reduce" if less_motion else ""},
        ]
        self.chrome.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})

    def speak(self, language: str) -> None:
        agent = self.run("return navigator.userAgent")
        wish = {"userAgent": agent, "acceptLanguage": language}
        self.chrome.execute_cdp_cmd("Emulation.setUserAgentOverride", wish)

    def forget_player(self) -> None:
        self.chrome.execute_cdp_cmd("Network.clearBrowserCookies", {})
        self.chrome.execute_cdp_cmd(
            "Storage.clearDataForOrigin", {"origin": self.address, "storageTypes": "all"}
        )

    # Pages

    @contextlib.contextmanager
    def runs_first(self, script: str) -> Iterator[None]:
        """Have every page that is opened meanwhile run a script before its own."""
        command = self.chrome.execute_cdp_cmd
        made = command("Page.addScriptToEvaluateOnNewDocument", {"source": script})
        yield
        command("Page.removeScriptToEvaluateOnNewDocument", made)

    def open(self, path: str = "/") -> None:
        self.chrome.get(self.address + path)

    def run(self, script: str, *arguments: object) -> Any:
        return self.chrome.execute_script(script, *arguments)

    def all(self, selector: str) -> list[WebElement]:
        found: list[WebElement] = self.chrome.find_elements(By.CSS_SELECTOR, selector)
        return found

    def one(self, selector: str) -> WebElement:
        """The one visible element of a selector, once it is there."""
        return self.wait(lambda: self._first_visible(selector))

    def button(self, text: str, within: str = "body") -> WebElement:
        """The visible button or link with a text or a label."""
        selector = f"{within} :is(button, a, [role=menuitem])"
        return self.wait(lambda: self._first_visible(selector, text))

    def _first_visible(self, selector: str, text: str | None = None) -> WebElement | None:
        """The first visible element of a selector, with a text or a label if one is given.

        By one script, since Selenium asks the browser three times about each element.
        """
        found: WebElement | None = self.run(_FIRST_VISIBLE, selector, text)
        return found

    def field(self, label: str, within: str = "body") -> WebElement:
        """The field with a label."""
        found = self.wait(
            lambda: self.run(
                "return [...document.querySelectorAll(arguments[0] + ' label')]"
                ".find((each) => each.textContent === arguments[1])?.control ?? null",
                within,
                label,
            )
        )
        assert isinstance(found, WebElement)
        return found

    def text(self) -> str:
        """What is seen of the page."""
        return "".join(self.texts("body"))

    def texts(self, selector: str) -> list[str]:
        """What is seen of each element of a selector, by one question for all of them."""
        found: list[str] = self.run(
            "return [...document.querySelectorAll(arguments[0])].map((each) => each.innerText)",
            selector,
        )
        return found

    def wait(self, found: Callable[[], T | None]) -> T:
        """What `found` returns once it is something; fails after the patience of a test."""
        until = time.monotonic() + PATIENCE_SECONDS
        while True:
            try:
                if answer := found():
                    return answer
            except (StaleElementReferenceException, JavascriptException):
                pass  # the page is being drawn
            if time.monotonic() > until:
                told = [entry["message"] for entry in self._log("browser")]
                text = self.run("return document.body.innerText")
                raise AssertionError(f"not within {PATIENCE_SECONDS} s; {told}; the page: {text}")
            time.sleep(0.02)

    # What must never happen

    def _log(self, kind: str) -> list[dict[str, Any]]:
        """What was logged since the last time."""
        found: list[dict[str, Any]] = self.chrome.get_log(kind)  # type: ignore[no-untyped-call]
        return found

    def complaints(self) -> list[str]:
        """What the console says, but for answers that a test provokes with a status of refusal."""
        return [
            entry["message"]
            for entry in self._log("browser")
            if entry["level"] in ("SEVERE", "WARNING") and entry.get("source") != "network"
        ]

    def foreign_requests(self) -> list[str]:
        """The addresses of other hosts that were asked since the last time."""
        events = [json.loads(entry["message"])["message"] for entry in self._log("performance")]
        asked = [
            event["params"].get("request", {}).get("url") or event["params"].get("url", "")
            for event in events
            if event["method"] in ("Network.requestWillBeSent", "Network.webSocketCreated")
        ]
        own = (self.address, self.address.replace("http", "ws"), "data:", "blob:", "chrome:")
        return [url for url in asked if url and not url.startswith(own)]

    def axe_violations(self, axe: str) -> list[str]:
        """What axe-core finds wrong in the page as it is."""
        self.run(axe)
        found = self.chrome.execute_async_script(
            "const done = arguments[0];"
            "axe.run(document, {resultTypes: ['violations']})"
            ".then(({violations}) => done(violations),"
            " (error) => done([{id: String(error), nodes: []}]))"
        )
        return [
            f"{each['id']}: {[node['html'][:160] for node in each['nodes']][:3]}" for each in found
        ]
