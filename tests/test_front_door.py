"""The names of `import demine`: whole, typed, and nothing beside them."""

from __future__ import annotations

import ast
import builtins
import doctest
import inspect
import pydoc
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import get_args

import numpy as np
import pytest

import demine
from demine import _NAMES
from demine.lazy_exports import modules_by_name
from demine.logic.layout import parse_layout
from demine.scene.translation import set_language

MODULES = modules_by_name(_NAMES)
FUNCTIONS = sorted(name for name in demine.__all__ if inspect.isfunction(getattr(demine, name)))
CLASSES = sorted(name for name in demine.__all__ if inspect.isclass(getattr(demine, name)))
AT_HOME = {
    "Argument", "Clock", "CumulativeCounts", "CustomPolicy", "DrillPool", "EventLog", "GameTotals",
    "Grade", "LayoutFigures",
    "Mark", "MomentFigures", "Option", "PlayedRecording", "RecordedBoardChanges",
    "Statistic", "StudyCounts", "Touches", "WorkLimit",
    # What a store is made of and a screen needs: `demine.store` has it.
    "Counts", "CountedGame", "CountedResults", "CountedWin", "DailyAttempt", "GameImporter",
    "History", "HistoryFilter", "LiveGame", "NewRecord", "RetryQueue", "Settings", "StoreNotice",
    "WinsOfDay",
}  # fmt: skip
"""What exported values are made of: programs neither make nor name it, or find it in its module."""


WORD = re.compile(r"(?<![\w.])[A-Za-z]\w*")
TYPES_OF_OTHERS = {
    "ArrayLike", "Callable", "Executor", "Iterable", "NDArray", "PathLike", "Sequence",
    "SupportsIndex", "date", "np", "os",
}  # fmt: skip
HEARS_RULES = {"BatchPolicy", "Policy", "Review"}
"""What is called with rules by demine alone."""


def test_the_door_shows_its_names_and_nothing_else() -> None:
    assert dir(demine) == sorted(["__version__", *demine.__all__])
    assert sorted(MODULES) == sorted(demine.__all__)
    fresh = "import demine; print(*dir(demine))"
    shown = subprocess.run(
        [sys.executable, "-c", fresh], capture_output=True, text=True, check=True
    )
    assert shown.stdout.split() == dir(demine)


def test_the_help_of_the_package_begins_with_names_that_are_there() -> None:
    told = str(inspect.getdoc(demine))
    rows = re.findall(r"^    [a-z]+ +(\S.*)$", told, re.MULTILINE)
    named = ", ".join(rows).split(", ")
    assert len(named) > 30
    assert set(named) <= set(demine.__all__)
    assert (
        not doctest.DocTestRunner(verbose=False)
        .run(doctest.DocTestParser().get_doctest(told, {}, "demine", None, None))
        .failed
    )


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_function_can_be_inspected(name: str) -> None:
    function = getattr(demine, name)
    assert not isinstance(function, ModuleType)
    assert function.__name__ == name
    assert function.__module__ == MODULES[name]
    signature = inspect.signature(function)
    assert signature.return_annotation is not inspect.Signature.empty
    assert all(each.annotation is not each.empty for each in signature.parameters.values())
    assert name in pydoc.render_doc(function)
    assert inspect.getdoc(function)


@pytest.mark.parametrize("name", FUNCTIONS + CLASSES)
def test_every_type_of_a_signature_is_exported(name: str) -> None:
    module = import_module(MODULES[name])
    tree = ast.parse(inspect.getsource(getattr(demine, name)).lstrip())
    used = {word for text in _annotations(tree) for word in re.findall(r"\w+", text)}
    ours = {word for word in used if _is_our_class(word, module)}
    assert sorted(ours - set(demine.__all__) - AT_HOME) == []


@pytest.mark.parametrize("name", FUNCTIONS + CLASSES)
def test_every_name_has_an_example_that_runs(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    # As on a machine without Numba: compiling takes minutes, and the examples print the same.
    monkeypatch.setitem(sys.modules, "numba", None)
    module = import_module(MODULES[name])
    found: list[str] = []
    tests = doctest.DocTestFinder().find(getattr(demine, name), name, module, {})
    try:
        for test in tests:
            doctest.DocTestRunner(verbose=False).run(test, out=found.append)
    finally:
        set_language("en")
    assert not found, "".join(found)
    assert any(test.name == name and test.examples for test in tests)


@pytest.mark.parametrize("name", FUNCTIONS + CLASSES)
def test_every_error_that_is_promised_is_exported(name: str) -> None:
    told = getattr(demine, name)
    members = vars(told).values() if inspect.isclass(told) else ()
    words = " ".join(inspect.getdoc(each) or "" for each in (told, *members))
    errors = set(re.findall(r"\b[A-Z]\w+Error\b", words))
    assert {each for each in errors if not hasattr(builtins, each)} <= set(demine.__all__)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_signature_says_types_that_its_reader_knows(name: str) -> None:
    """Names of types are those that are exported, or of Python and NumPy; no word is ours alone."""
    signature = inspect.signature(getattr(demine, name))
    kinds = [each.annotation for each in signature.parameters.values()]
    words = {word for kind in [*kinds, signature.return_annotation] for word in WORD.findall(kind)}
    known = {*demine.__all__, *vars(builtins), *TYPES_OF_OTHERS}
    assert sorted(words - known) == []


@pytest.mark.parametrize("name", FUNCTIONS)
def test_no_parameter_is_of_any_type(name: str) -> None:
    signature = inspect.signature(getattr(demine, name))
    kinds = {each.name: str(each.annotation) for each in signature.parameters.values()}
    assert [each for each, kind in kinds.items() if re.search(r"\bAny\b", kind)] == []
    assert "Any" not in str(signature.return_annotation)


@pytest.mark.parametrize("name", sorted({*FUNCTIONS, *CLASSES} - HEARS_RULES))
def test_rules_are_also_given_as_their_text(name: str) -> None:
    told = getattr(demine, name)
    methods = [
        each
        for word, member in (vars(told).items() if inspect.isclass(told) else ())
        if word[0] != "_" or word in {"__init__", "__call__"}
        if inspect.isfunction(each := getattr(member, "__func__", member))
    ]
    for function in methods or [told]:
        for each in inspect.signature(function).parameters.values():
            kinds = str(each.annotation).split(" | ")
            assert "Rules" not in kinds or "str" in kinds, (function.__qualname__, each.name)


@pytest.mark.parametrize("name", CLASSES)
def test_what_may_be_none_says_when(name: str) -> None:
    """None is a value that the docstring explains; where an error tells more, one is raised."""
    source = inspect.getsource(getattr(demine, name))
    (tree,) = ast.parse(source.lstrip()).body
    assert isinstance(tree, ast.ClassDef)
    whole = str(ast.get_docstring(tree))
    for node, after in zip(tree.body, [*tree.body[1:], None], strict=True):
        if isinstance(node, ast.FunctionDef) and node.name[0] != "_" and node.returns is not None:
            if ast.unparse(node.returns).endswith("| None"):
                assert "None" in whole + str(ast.get_docstring(node)), node.name
        elif isinstance(node, ast.AnnAssign) and ast.unparse(node.annotation).endswith("| None"):
            said = ast.unparse(after) if isinstance(after, ast.Expr) else ""
            field = ast.unparse(node.target)
            assert "None" in said or f"`{field}`" in whole or "None" in whole, field


def test_acts_are_played_by_their_names() -> None:
    game, same = demine.Game("9x9/10", seed=7), demine.Game("9x9/10", seed=7)
    assert game.open(4, 4, t=70) is demine.Status.RUNNING
    assert game.flag(4, 1) is game.question(0, 6, t=900) is demine.Status.RUNNING
    assert game.chord(3, 1, t=900) is demine.Status.RUNNING
    assert game.undo(t=950) is demine.Status.RUNNING
    for act in (
        demine.Act(0, "open", 4, 4),
        demine.Act(0, "flag", 4, 1),
        demine.Act(900, demine.Verb.QUESTION, 0, 6),
        demine.Act(900, "chord", 3, 1),
        demine.Act(950, "undo"),
    ):
        same.play(act)
    assert game == same
    with pytest.raises(demine.ActError, match="row 5, column 5 is open already"):
        game.open(4, 4)
    with pytest.raises(demine.ActError, match="backwards"):
        game.flag(4, 0, t=0)


def test_verbs_are_also_told_as_the_types_say() -> None:
    assert list(demine.Verb) == list(get_args(demine.VerbName))


def test_games_and_boards_are_printed() -> None:
    game = demine.Game("4x3/2", seed=1)
    assert str(game) == "4x3/2\n# # # #\n# # # #\n# # # #"
    game.lay(demine.Lay(0, parse_layout("4x3/2\n...*\n....\n...*")[1]))
    game.open(0, 0)
    game.flag(0, 3)
    assert str(game) == "4x3/2\n. . 1 F\n. . 2 #\n. . 1 #"
    assert str(game.board) == "4x3/2\n001*\n002.\n001*"
    rules, mine_map = parse_layout(str(game.board))
    assert rules == game.rules
    assert np.array_equal(mine_map, game.board.mine_map)


def test_what_takes_a_scene_takes_a_game() -> None:
    game = demine.Game("9x9/10", seed=7)
    game.open(4, 4)
    scene, mines = demine.sight(game), game.rules.mines
    found = demine.hint(game)
    assert found == demine.hint(scene, mines)
    assert demine.best_move(game) == demine.best_move(scene, mines)
    cell = found.row, found.col
    assert demine.explain(game, cell=cell) == demine.explain(scene, mines, cell)
    assert demine.count_layouts(game) == demine.count_layouts(scene, mines)
    assert np.array_equal(
        demine.mine_probability(game), demine.mine_probability(scene, mines), equal_nan=True
    )
    for one, other in zip(demine.deduce(game), demine.deduce(scene, mines), strict=True):
        assert np.array_equal(one, other)
    assert demine.analyse(game, playouts=1) == demine.analyse(scene, mines, playouts=1)


def test_a_game_tells_where_it_begins() -> None:
    game = demine.Game("9x9/10", seed=7)
    assert demine.best_move(game) == demine.best_move(demine.sight(game), 10, first="zero")
    assert demine.hint(game).safe
    game.open(4, 4)
    same = demine.Game.from_share(game.share())
    assert demine.best_move(same)[:2] == (4, 4)
    chosen = demine.hint(same)
    assert (chosen.row, chosen.col) == (4, 4)
    risky = demine.Game("9x9/10 first=any", seed=7, start=(8, 0))
    assert demine.best_move(risky) == (8, 0, 10 / 81)
    assert not demine.hint(risky).safe


def test_a_game_is_not_asked_when_it_does_not_show_its_board() -> None:
    game = demine.Game("9x9/10", seed=7)
    game.open(4, 4)
    with pytest.raises(demine.SceneError, match="a game tells its number of mines itself"):
        demine.hint(game, 10)
    with pytest.raises(demine.SceneError, match="needs the number of mines"):
        demine.hint(demine.sight(game))
    game.play(demine.Act(0, "pause"))
    with pytest.raises(demine.SceneError, match="the game is paused"):
        demine.mine_probability(game)
    game.play(demine.Act(0, "resume"))
    game.play(demine.Act(0, "resign"))
    with pytest.raises(demine.SceneError, match="this game has ended"):
        demine.best_move(game)


DIAGRAM = "# # #\n1 1 1"
ASKED_OF_A_SCENE: dict[str, Callable[..., object]] = {
    "analyse": lambda *scene: demine.analyse(*scene, playouts=1),
    "best_move": demine.best_move,
    "best_move by a policy": lambda *scene: demine.best_move(*scene, policy="safest"),
    "best_move by one's own": lambda *scene: demine.best_move(*scene, policy=lambda *_: (0, 0)),
    "count_layouts": demine.count_layouts,
    "deduce": lambda *scene: [each.tolist() for each in demine.deduce(*scene)],
    "explain": demine.explain,
    "heat_map": lambda *scene: str(demine.heat_map(*scene)),
    "hint": demine.hint,
    "judge": lambda scene, mines=None: demine.judge(scene, mines, [(0, 0)]),
    "mine_probability": lambda *scene: demine.mine_probability(*scene).tobytes(),
}
ASKED_OF_A_GAME: dict[str, Callable[..., object]] = {
    "animate": demine.animate,
    "convert": lambda game: demine.convert(game, "rmv"),
    "review": demine.review,
    "save": lambda game: demine.save(game, "copy.rmv"),
    "show": demine.show,
    "sight": demine.sight,
    "stats": demine.stats,
}


@pytest.mark.parametrize("name", ASKED_OF_A_SCENE)
def test_a_diagram_without_its_rules_takes_a_mine_count(name: str) -> None:
    ask = ASKED_OF_A_SCENE[name]
    told = ask(demine.parse_scene(f"3x2/1\n{DIAGRAM}")[1], 1)
    assert ask(DIAGRAM, 1) == ask(f"3x2/1\n{DIAGRAM}") == told
    assert ask(f"3x2/2\n{DIAGRAM}", 1) == told, "what is said in the call counts"
    with pytest.raises(demine.TextError, match="begin it with a line such as 3x2/1"):
        ask(DIAGRAM)
    with pytest.raises(demine.RulesError):
        ask(DIAGRAM, 7)


def test_the_text_of_rules_goes_where_rules_go() -> None:
    mine_map = demine.make("4x2/2", seed=1)
    rules = demine.Rules.parse("4x2/2")
    assert demine.format_layout("4x2/2", mine_map) == demine.format_layout(rules, mine_map)
    faces = np.full(rules.shape, demine.Face.COVERED)
    assert demine.format_scene("4x2/2", faces) == demine.format_scene(rules, faces)
    plan = demine.StudyPlan("beginner", "safest", seed=0, games=3)
    assert plan == demine.StudyPlan(demine.BEGINNER, ("safest",), seed=0, games=3)
    with demine.Store.memory() as store:
        assert store.resume("9x9/10") is None
    for wrong in ("9x9", "9x9/99"):
        with pytest.raises(demine.RulesError):
            demine.format_layout(wrong, mine_map)


def test_what_is_shown_needs_no_mine_count() -> None:
    assert str(demine.show(DIAGRAM)) == DIAGRAM
    game = demine.Game("4x3/2", seed=1)
    assert str(demine.show(game.seen_position())) == str(demine.show(game))


@pytest.mark.parametrize("name", [*ASKED_OF_A_SCENE, *ASKED_OF_A_GAME])
def test_the_path_of_a_game_is_answered_with_how_to_load_it(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    game = demine.Game("9x9/10", seed=7)
    game.open(4, 4)
    demine.save(game, "game.jsonl")
    ask = {**ASKED_OF_A_SCENE, **ASKED_OF_A_GAME}[name]
    for path in ("game.jsonl", Path("game.jsonl"), Path("none.avf"), "none.avf"):
        sentence = f"read the game in it with demine.load({str(path)!r})"
        with pytest.raises(demine.NotAGame, match=re.escape(sentence)) as caught:
            ask(path)
        assert isinstance(caught.value, TypeError)
    assert not Path("copy.rmv").exists()


def _is_our_class(name: str, module: ModuleType) -> bool:
    """Whether a name in a module is a class of demine, imported for type checkers or not."""
    for node in ast.walk(ast.parse(inspect.getsource(module))):
        if not isinstance(node, ast.ImportFrom) or not str(node.module).startswith("demine"):
            continue
        if name in [each.name for each in node.names]:
            module = import_module(str(node.module))
    found = getattr(module, name, None)
    return inspect.isclass(found) and found.__module__.startswith("demine.")


def _annotations(tree: ast.Module) -> Iterator[str]:
    """The annotations of what a function or class offers, private members left out."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and (node.name[0] != "_" or node.name == "__init__"):
            arguments = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
            found = [node.returns, *(each.annotation for each in arguments)]
            yield from (ast.unparse(each) for each in found if each is not None)
        elif isinstance(node, ast.AnnAssign) and not ast.unparse(node.target).removeprefix(
            "self."
        ).startswith("_"):
            yield ast.unparse(node.annotation)
