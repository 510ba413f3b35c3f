"""The file that docs/verified_games.md reads: two games, written as a server writes them."""

from __future__ import annotations

import re
from datetime import date
from pathlib import Path

import demine
from demine.web.database.exportable_games import ExportableGame
from demine.web.verified_games import Pseudonyms, verify, write_verified_games
from tests.docs.pages import ROOT

_DAY = date(2026, 11, 26)


def write_sample(target: Path) -> None:
    """Write the games, as if they had been played on new boards."""
    names = ("beginner-lost-by-a-chord", "expert-won")
    texts = [(ROOT / "tests" / "golden" / f"{name}.jsonl").read_text("utf-8") for name in names]
    journals = [re.sub('"origin":"seed".*?}+\n', '"origin":"fresh"}\n', text) for text in texts]
    pseudonyms, rows = Pseudonyms(), []
    for number, journal in enumerate(journals):
        time_ms = demine.Game.from_journal(journal).time_ms
        found = ExportableGame(number, "", "", str(_DAY), time_ms, None, None, journal)
        rows.append(verify(found, pseudonyms))
    assert None not in rows
    write_verified_games(filter(None, rows), target, _DAY)
