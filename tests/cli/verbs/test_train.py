"""`demine train`: what it asks, how it judges, what it saves, and what it refuses."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest

import demine
from demine.cli.main import run
from demine.play.drills.drill import DrillKind
from demine.scene.translation import set_language
from demine.store import Store
from demine.store.daily import today_utc

Train = Callable[..., str]
LOST = Path(__file__).parents[2] / "golden" / "beginner-lost-by-a-chord.jsonl"


@pytest.fixture(autouse=True)
def own_data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DEMINE_DATA_DIR", str(tmp_path / "data"))
    now = today_utc()  # one day for all of a test, though midnight may come
    monkeypatch.setattr("demine.cli.actions.train.today_utc", lambda: now)


@pytest.fixture
def train(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Train:
    """Runs the verb with lines of answers, and returns what it prints."""

    def trained(*words: str, answers: str = "", code: int = 0) -> str:
        monkeypatch.setattr("sys.stdin", io.StringIO(answers))
        assert run(["train", *words]) == code
        out, err = capsys.readouterr()
        return err if code else out

    return trained


def questions(printed: str) -> list[dict[str, object]]:
    return [json.loads(line) for line in printed.splitlines()]


def answer_to(train: Train, *words: str) -> tuple[int, int]:
    """A right answer to the first question, which is asked in vain for that."""
    asked = questions(train(*words, "--json"))[0]
    safe = demine.deduce(demine.SeenPosition.parse(str(asked["position"]))).safe
    row, col = (int(cells[0]) for cells in safe.nonzero())
    return row, col


def test_a_right_answer_is_judged_shown_and_saved(train: Train) -> None:
    words = ("--level", "beginner", "--kind", "safe", "--count", "1")
    row, col = answer_to(train, *words)
    said = train(*words, answers=f"99 99\nnonsense\n{row + 1} {col + 1}\n")
    assert said.startswith("\n1/1 · Find the safe cell · Beginner\nWhich covered cell is")
    assert "row 99, column 99 is no covered cell" in said
    assert "write the row and the column, as in 4 7" in said
    assert re.search(r"Right, in \d+\.\d s\. Pattern: .*\. Safe: row ", said)
    assert "[#]" in said
    assert "1 of 1 right, in " in said
    assert "Today 1 of 10; streak 0, longest 0" in said
    with Store.open() as store:
        (review,) = store.drill_reviews()
    assert review.is_right
    assert review.drill.kind == "safe"


def test_a_wrong_answer_shows_the_mistake(train: Train) -> None:
    words = ("--level", "beginner", "--kind", "prove-or-guess", "--count", "6")
    said = train(*words, answers="g\n" * 6)
    assert "Wrong. Pattern: " in said
    assert said.count(" · Prove or guess? · ") == 6
    with Store.open() as store:
        assert len(store.drill_reviews()) == 6


def test_answers_end_with_the_input_and_with_a_wish(train: Train) -> None:
    for answers in ("", "q\n1 1\n", "quit\n"):
        said = train("--level", "beginner", answers=answers)
        assert said.count("1/10 · ") == 1
        assert "2/10" not in said
    with Store.open() as store:
        assert store.drill_reviews() == ()


def test_json_is_a_line_each(train: Train) -> None:
    words = ("--level", "beginner", "--kind", "safe", "--count", "1", "--json")
    right = list(answer_to(train, *words[:-1]))
    asked, refused, judged, end = questions(train(*words, answers=f"[0]\n{json.dumps(right)}\n"))
    assert (asked["number"], asked["count"], asked["kind"]) == (1, 1, "safe")
    assert refused == {"error": "write a cell as [4, 7], or null for a guess"}
    assert (judged["is_right"], judged["answer"]) == (True, right)
    assert right in judged["solution"]["right"]  # type: ignore[index]
    assert (end["answers"], end["right"], end["today"]) == (1, 1, 1)


def test_the_daily_drill_is_one_and_the_same(train: Train) -> None:
    first, again = (train("--daily", "--json").splitlines()[0] for _ in range(2))
    assert first == again
    assert json.loads(first)["count"] == 1


def test_drills_of_replays_are_asked(train: Train, tmp_path: Path) -> None:
    folder = tmp_path / "replays"
    folder.mkdir()
    (folder / "lost.jsonl").write_bytes(LOST.read_bytes())
    (folder / "broken.avf").write_bytes(b"nothing")
    asked = questions(train("--from", str(folder), "--json"))[0]
    found = {drill.act for drill in demine.drills(demine.load(LOST))}
    assert asked["act"] in found
    assert train("--from", str(folder), "--kind", "best-guess", code=1).endswith(
        "demine train: there are no such drills\n"
    )


def test_games_of_the_store_are_searched(train: Train) -> None:
    with Store.open() as store:
        store.begin(demine.load(LOST))
        (row,) = store.games()
    asked = questions(train("--json"))[0]
    with Store.open() as store:
        assert store.games_without_drills(1) == ()
        assert {drill.game for drill in store.drills()} == {row.id}
    assert asked["count"] == 10


def test_progress_as_table_and_json(train: Train) -> None:
    assert train("--progress") == "Today 0 of 10; streak 0, longest 0\n"
    train("--level", "beginner", "--kind", "prove-or-guess", answers="g\n" * 10)
    lines = train("--progress").splitlines()
    assert lines[0] == "Today 10 of 10; streak 1, longest 1"
    assert lines[2].split() == ["Pattern", "Answers", "Right", "First", "Last", "Since", "Times"]
    told = json.loads(train("--progress", "--json"))
    assert sum(each["answers"] for each in told["patterns"]) == 10
    assert told["streak"] == 1


def test_chinese_is_asked_in_chinese(train: Train) -> None:
    try:
        said = train("--lang", "zh_CN", "--level", "beginner", "--kind", "safe", answers="1 1\n")
    finally:
        set_language("en")
    assert "找出安全格" in said
    assert "哪个未翻开的格子一定安全" in said


def test_a_long_search_shows_how_far_it_is(
    train: Train, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("demine.cli.progress_line.SECONDS_BEFORE_SHOWN", 0.0)
    monkeypatch.setattr("demine.play.drills.find_or_make.MOST_BOARDS", 20)
    monkeypatch.setattr("sys.stderr.isatty", lambda: True, raising=False)
    said = train("--level", "beginner", "--pattern", "1-2-2-1/corner", code=1)
    assert re.search(r"\d of 1,000 boards \(", said)
    assert said.endswith("demine train: there are no such drills\n")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--progress", "--daily"), "goes with no choice"),
        (("--daily", "--kind", "safe"), "--daily goes with neither"),
        (("--from", "x", "--level", "expert"), "do not go together"),
        (("--kind", "best-guess", "--pattern", "1-2"), "no drill of the kind best-guess has"),
        (("--kind", "saef"), "there is no 'saef'"),
        (("--pattern", "1-2-1/middle"), "there is no '1-2-1/middle'"),
    ],
)
def test_what_does_not_go_together_is_refused(
    train: Train, words: tuple[str, ...], said: str
) -> None:
    assert said in train(*words, code=2)


def test_the_help_names_every_kind(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["train", "--help"]) == 0
    said = " ".join(capsys.readouterr().out.split())
    assert all(kind in said for kind in DrillKind)
