"""What other sites show of a link to a recording: a title, a picture, and the frame that plays it.

Pages name them by Open Graph (https://ogp.me) and lead to oEmbed (https://oembed.com). Whatever
stands in a recording was written by somebody, so all of it is escaped.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING, Final
from urllib.parse import quote, urlsplit

from demine.reviews.watch_text import title_of_replay
from demine.scene.translation import tr

if TYPE_CHECKING:
    from starlette.requests import Request

    from demine.logic.rules import Rules

FRAME: Final = (480, 460)
"""Width and height of the frame that is offered, as the dialog of sharing has it."""
LEAST_FRAME: Final = 240
"""The smallest width and height of a frame."""
_PICTURE: Final = (1200, 630)
"""The most pixels that a picture is to have, as sites show them."""
_CELL: Final = (4, 64)
"""The smallest and the largest cell of a picture."""
_RECORDING: Final = re.compile(r"/(?:w|r|embed)/([\w-]{1,36})/?", re.ASCII)


@dataclass(frozen=True, slots=True)
class RecordingFacts:
    """What is known of a recording that everybody may watch, without playing it again."""

    id: str
    name: str
    """Of its file, empty for a game that was played here."""
    player: str
    rules: Rules
    ending: str
    time_ms: int

    @property
    def title(self) -> str:
        """Return its title in the language spoken."""
        return title_of_replay(self.name, self.player, self.rules, self.ending, self.time_ms)

    @property
    def picture_size(self) -> tuple[int, int]:
        """Width and height of its picture in pixels."""
        cell = picture_cell(self.rules)
        return self.rules.width * cell, self.rules.height * cell


def picture_cell(rules: Rules) -> int:
    """Return the size of the cells in a picture of a board, in pixels."""
    least, most = _CELL
    fitting = min(_PICTURE[0] // rules.width, _PICTURE[1] // rules.height)
    return min(max(fitting, least), most)


def site_of(request: Request) -> str:
    """Return the address of this server as the client has it, without a slash at its end."""
    return f"{request.base_url.scheme}://{request.base_url.netloc}"


def picture_address(site: str, recording: str) -> str:
    """Return where the picture of a recording's last board is."""
    return f"{site}/api/watch/{recording}.png"


def frame_code(site: str, recording: str, title: str, width: int, height: int) -> str:
    """Return the HTML of a frame that plays a recording."""
    return (
        f'<iframe src="{escape(site)}/embed/{escape(recording)}" width="{width}" '
        f'height="{height}" style="border:0" loading="lazy" title="{escape(title)}"></iframe>'
    )


def recording_at(url: str, site: str) -> str | None:
    """Return the id of the recording that an address of this server leads to."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return None
    found = _RECORDING.fullmatch(parts.path)
    return found[1] if found and f"{parts.scheme}://{parts.netloc}" == site else None


def head_of_page(facts: RecordingFacts, site: str, path: str) -> str:
    """Return what stands in the head of a recording's page at `path`, as HTML."""
    title, address = facts.title, site + path
    width, height = facts.picture_size
    properties = {
        "og:site_name": "demine",
        "og:type": "website",
        "og:title": title,
        "og:description": tr("Watch the game move by move, with its review."),
        "og:url": address,
        "og:image": picture_address(site, facts.id),
        "og:image:width": width,
        "og:image:height": height,
        "og:image:alt": tr("The board at the end of the game"),
    }
    lines = [
        f'<meta property="{name}" content="{escape(str(value))}">'
        for name, value in properties.items()
    ]
    oembed = f"{site}/api/oembed?url={quote(address, safe='')}"
    return "\n".join(
        (
            f"<title>{escape(title)}</title>",
            *lines,
            '<meta name="twitter:card" content="summary_large_image">',
            f'<link rel="alternate" type="application/json+oembed" href="{escape(oembed)}">',
        )
    )
