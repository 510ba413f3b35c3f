"""One server and one Chromium for each file of tests, and what judges the pages."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.web.browser.chromium import Browser, started_chromium
from tests.web.browser.npm_packages import installed_packages
from tests.web.browser.served_site import ServedSite


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServedSite]:
    """A server of its own."""
    served = ServedSite(tmp_path_factory.mktemp("site"))
    yield served
    served.stop()


@pytest.fixture(scope="module")
def chromium(site: ServedSite, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    """A Chromium on that server."""
    chrome = started_chromium(tmp_path_factory.mktemp("profile"))
    try:
        yield Browser(chrome, site.address)
    finally:
        chrome.quit()


@pytest.fixture
def browser(chromium: Browser) -> Iterator[Browser]:
    """The Chromium as a new player finds it; nothing may be complained of, no other host asked."""
    chromium.forget_player()
    chromium.resize((1280, 800))
    chromium.prefer("light")
    chromium.speak("en-GB")
    chromium.complaints()
    chromium.foreign_requests()
    yield chromium
    assert chromium.complaints() == []
    assert chromium.foreign_requests() == []


@pytest.fixture(scope="session")
def axe() -> str:
    """The text of axe-core."""
    source: Path = installed_packages() / "axe-core" / "axe.min.js"
    return source.read_text(encoding="utf-8")
