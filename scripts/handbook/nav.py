"""What stands where in the site: every page of both languages, in the order of its reading."""

from __future__ import annotations

from typing import Final

PLAYER_PAGES: Final = (
    "play/install",
    "play/first-game",
    "play/controls",
    "play/hints",
    "play/guess-free",
    "play/browser",
    "daily",
    "train",
    "play/replays",
    "play/records",
    "play/races",
    "play/together",
    "play/leaderboards",
    "play/stream",
    "terminal",
    "watch",
)
TUTORIAL_PAGES: Final = (
    "tutorial/index",
    "tutorial/numbers",
    "tutorial/patterns",
    "tutorial/chains",
    "tutorial/counting",
    "tutorial/guessing",
)
GENERATED_TABLES: Final = ("reference/commands", "reference/keys", "reference/settings")
"""Pages for players that are made from the code, in both languages."""
PAGES_IN_BOTH_LANGUAGES: Final = (*PLAYER_PAGES, *TUTORIAL_PAGES, *GENERATED_TABLES, "glossary")
"""The player's part: what has to be there in both languages."""

HOME_PAGE: Final = "index"
SIDEBAR: Final = {
    "en": {
        "Play": PLAYER_PAGES,
        "Learn to solve": TUTORIAL_PAGES,
        "How to": (
            "howto/library",
            "howto/examples",
            "howto/hints",
            "howto/guess-free-boards",
            "howto/replays",
            "howto/review",
            "howto/notebooks",
            "howto/own-scene",
            "study",
            "datasets",
            "engine",
            "protocol",
            "gym",
            "envs",
            "language_models",
            "serve",
            "scaling",
            "verified_games",
            "web",
        ),
        "Reference": (
            *GENERATED_TABLES,
            "cli",
            "rules",
            "statistics",
            "review",
            "journal",
            "formats",
            "store",
            "reference/library/index",
        ),
        "Explanation": (
            "architecture",
            "platforms",
            "design",
            "solver",
            "strength",
            "benchmarks",
            "benchmarks-positions",
        ),
        "Words": ("glossary", "changelog"),
    },
    "zh": {
        "玩": PLAYER_PAGES,
        "学会推理": TUTORIAL_PAGES,
        "参考": GENERATED_TABLES,
        "用词": ("glossary",),
    },
}
"""Headings of the sidebar and their pages, by language."""

SIDEBAR_TITLES: Final = {
    "howto/library": "Use the library",
    "howto/hints": "Probabilities and hints",
    "howto/guess-free-boards": "Boards that need no guess",
    "howto/replays": "Replays, one or thousands",
    "howto/review": "Have games judged",
    "howto/notebooks": "Pictures and notebooks",
    "howto/own-scene": "A scene of your own",
    "study": "Studies",
    "formats": "Formats",
    "review": "Reviews",
    "benchmarks-positions": "Counted positions",
}
"""What the sidebar calls a page whose title is too long for it."""
OPTIONAL_PAGES: Final = frozenset(
    {"study", "datasets", "gym", "envs", "language_models", "serve", "web", "strength"}
)
"""Pages that have a place as soon as somebody writes them."""

FILES_OUTSIDE_DOCS: Final = {
    "README.md": ("en", HOME_PAGE),
    "README.zh-CN.md": ("zh", HOME_PAGE),
    "CHANGELOG.md": ("en", "changelog"),
    "benchmarks/README.md": ("en", "benchmarks"),
    "benchmarks/positions/README.md": ("en", "benchmarks-positions"),
}
"""Files beside docs/ that are pages of the site, or whose place another page takes."""


def pages_in_order(language: str) -> tuple[str, ...]:
    """Every page of a language, the home page first."""
    return (HOME_PAGE, *(page for group in SIDEBAR[language].values() for page in group))
