"""One rule for what leads in and out of a value: `str`, `to_dict`, `to_json`, `from_json`."""

from __future__ import annotations

import inspect
import json
from pathlib import Path

import numpy as np
import pytest

import demine
from demine.logic.json_text import JsonTwin, ToJson
from demine.scene.translation import set_language

CLASSES = {
    name: getattr(demine, name) for name in demine.__all__ if inspect.isclass(getattr(demine, name))
}
JSON = {name: each for name, each in CLASSES.items() if issubclass(each, ToJson)}
OTHER_WORDS = {
    "as_dict", "asdict", "dumps", "facts", "format", "from_facts", "from_string", "json", "loads",
    "text", "to_string", "to_text", "tojson",
}  # fmt: skip
"""Names of methods that would be a second word for one of these."""


def lost_game() -> demine.Game:
    game = demine.Game("9x9/10", seed=7)
    game.open(4, 4)
    row, col = np.argwhere(game.board.mine_map)[0].tolist()
    game.open(row, col, t=900)
    return game


def examples(folder: Path) -> list[ToJson]:
    game = demine.Game("9x9/10", seed=7)
    game.open(4, 4)
    judged = demine.review(lost_game())
    result = demine.study("5x5/4", games=4, policy=("logic", "safest"), workers=1)
    chances = demine.CellChances(0, 2, 0.0, 1.0, (1.0, 1.0), True, 0)
    analysis = demine.Analysis((chances,), "fast", 0, 0, 0.7, True, True)
    match = demine.match("logic", "safest", rules="5x5/4", games=4)
    assert result.difference is not None
    assert judged.missed_win is not None
    drill = demine.drills("5x5/4", seed=1, count=1)[0]
    question = demine.DrillQuestion(drill)
    answer = demine.DrillSession.of_drills([drill]).answer(None)
    dataset = demine.dataset("5x5/4", folder, positions=2, seed=1, format="npz")
    contradiction = demine.Contradiction("{name} {claimed} {found}", name="bv", claimed=1, found=2)
    return [
        dataset, drill, question, question.solution, answer, analysis, analysis.best, contradiction,
        demine.hint(game), demine.explain(game),
        demine.judge("3x2/1\n1 # #\n1 # #", cells=[(0, 1)]), judged, judged.acts[-1], judged.luck,
        judged.missed_win, judged.spent[0], demine.stats(game), result, result.plan,
        result.policies[0], result.difference, match, match.players[0],
    ]  # fmt: skip


@pytest.fixture(scope="module")
def values(tmp_path_factory: pytest.TempPathFactory) -> dict[str, ToJson]:
    folder = tmp_path_factory.mktemp("values") / "positions"
    return {type(each).__name__: each for each in examples(folder)}


@pytest.mark.parametrize("name", CLASSES)
def test_no_second_word(name: str) -> None:
    assert not {key for key, each in vars(CLASSES[name]).items() if callable(each)} & OTHER_WORDS


def test_every_type_that_tells_itself_is_tried(values: dict[str, ToJson]) -> None:
    assert set(values) == set(JSON)


@pytest.mark.parametrize("name", JSON)
def test_json_is_one_line_of_the_dict(name: str, values: dict[str, ToJson]) -> None:
    value = values[name]
    text = value.to_json()
    assert "\n" not in text
    assert json.loads(text) == value.to_dict()


@pytest.mark.parametrize(
    "name", [name for name, each in JSON.items() if issubclass(each, JsonTwin)]
)
def test_what_holds_everything_is_read_back(name: str, values: dict[str, ToJson]) -> None:
    value = values[name]
    assert isinstance(value, JsonTwin)
    assert type(value).from_json(value.to_json()) == value
    for wrong in ("[]", "{", "7", '"x"', "[" * 100_000):
        with pytest.raises(demine.TextError, match="is not a JSON object"):
            type(value).from_json(wrong)
    with pytest.raises(demine.DemineError):
        type(value).from_json('{"nothing": true}')


def test_text_is_in_the_current_language(values: dict[str, ToJson]) -> None:
    english = {name: str(value) for name, value in values.items()}
    set_language("zh_CN")
    try:
        told = {name for name, value in values.items() if str(value) != english[name]}
    finally:
        set_language("en")
    assert told >= {
        "Analysis",
        "Hint",
        "JudgedAct",
        "Luck",
        "MissedWin",
        "PolicyResult",
        "Reason",
        "Review",
    }
