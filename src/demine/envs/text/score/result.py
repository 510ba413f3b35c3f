"""The score of a model over many games, its file, and its words."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any, Final

from demine import __version__
from demine.envs.text.score.game_score import GameScore
from demine.logic.errors import DemineError
from demine.logic.rules import Rules
from demine.scene.system_errors import system_error_reason
from demine.scene.translation import tr
from demine.solver.wilson_interval import wilson_interval

if TYPE_CHECKING:
    from pathlib import Path

FILE_NAME: Final = "score.json"
_MOST_BYTES: Final = 1 << 28
_COUNTS: Final = (
    "turns", "unreadable", "illegal", "silent", "openings", "forced", "avoidable", "blunders",
    "certain_mines",
)  # fmt: skip


class ScoreError(DemineError, ValueError):
    """A file of a score that cannot be read, written or continued."""


@dataclass(frozen=True, slots=True)
class Settings:
    """What is played: the same settings and answers give the same score."""

    model: str
    rules: str
    language: str
    max_turns: int | None
    seeds: tuple[int, ...]
    """The boards: the first one of each seed."""


@dataclass(slots=True)
class Score:
    """The games of a model."""

    settings: Settings
    games: list[GameScore] = field(default_factory=list)
    """The games that are over, in the order of the boards."""

    def summary(self) -> dict[str, Any]:
        """Return the figures of all games, without those that need a game that is over."""
        games = len(self.games)
        found: dict[str, Any] = {"games": games, "won": sum(game.won for game in self.games)}
        if games:
            found["win_rate"] = found["won"] / games
            found["interval"] = wilson_interval(found["won"], games)
        found |= {name: sum(getattr(game, name) for game in self.games) for name in _COUNTS}
        if found["openings"]:
            found["mean_risk"] = sum(game.risk for game in self.games) / found["openings"]
            least = sum(game.least_risk for game in self.games)
            found["mean_least_risk"] = least / found["openings"]
        return found

    def __str__(self) -> str:
        """Return the score as lines in the current language."""
        found = self.summary()
        lines = [
            tr(
                "{model} on {rules}, {done} of {count} games",
                model=self.settings.model,
                rules=self.settings.rules,
                done=found["games"],
                count=len(self.settings.seeds),
            )
        ]
        if found["games"]:
            low, high = found["interval"]
            lines += [
                tr(
                    "Won: {won} ({rate}; 95 % interval {low} to {high})",
                    won=found["won"],
                    rate=_percent(found["win_rate"]),
                    low=_percent(low),
                    high=_percent(high),
                ),
                tr(
                    "Answers: {turns}; illegal {illegal}, unreadable {unreadable}, of these too "
                    "late {silent}",
                    **found,
                ),
                tr(
                    "Openings after the first: {openings}; forced guesses {forced}, avoidable "
                    "guesses {avoidable}, blunders {blunders}, certain mines {certain_mines}",
                    **found,
                ),
            ]
        if found["openings"]:
            lines.append(
                tr(
                    "Mean risk of an opening: {risk}; of the least risky cells: {least}",
                    risk=_percent(found["mean_risk"]),
                    least=_percent(found["mean_least_risk"]),
                )
            )
        return "\n".join(lines)

    def to_json(self) -> str:
        """Return all of it as JSON."""
        values = {
            "demine": __version__,
            "settings": asdict(self.settings),
            "summary": self.summary(),
            "games": [asdict(game) for game in self.games],
        }
        return json.dumps(values, indent=1, ensure_ascii=False) + "\n"

    @classmethod
    def from_json(cls, text: str) -> Score:
        """Return what `to_json` wrote; raises `ScoreError` for other texts."""
        try:
            values = json.loads(text)
            settings = values["settings"]
            seeds = tuple(settings.pop("seeds"))
            found = cls(
                Settings(seeds=seeds, **settings), list(map(GameScore.of_dict, values["games"]))
            )
            Rules.parse(found.settings.rules)
        except (ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
            raise ScoreError("it is not the file of a score") from error
        are_seeds = all(type(seed) is int and seed >= 0 for seed in seeds)
        if not are_seeds or [game.seed for game in found.games] != list(seeds[: len(found.games)]):
            raise ScoreError("it is not the file of a score")
        return found

    def save(self, folder: Path) -> None:
        """Write its file into a folder, all or nothing; raises `ScoreError`."""
        path, new = folder / FILE_NAME, folder / f"{FILE_NAME}.new"
        try:
            new.write_text(self.to_json(), encoding="utf-8")
            new.replace(path)
        except OSError as error:
            raise _refused(path, error) from error


def load_score(path: Path) -> Score:
    """Return the score of a file; raises `ScoreError`."""
    try:
        with path.open("rb") as file:
            data = file.read(_MOST_BYTES)
    except OSError as error:
        raise _refused(path, error) from error
    try:
        return Score.from_json(data.decode("utf-8", "replace"))
    except ScoreError as error:
        raise ScoreError("{path}: {reason}", path=path, reason=error) from error


def _refused(path: Path, error: OSError) -> ScoreError:
    return ScoreError("{path}: {reason}", path=path, reason=system_error_reason(error))


def _percent(share: float) -> str:
    return f"{share:.1%}"
