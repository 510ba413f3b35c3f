"""Policies of one's own: how they are found, asked, checked, named and sent."""

# ruff: noqa: ARG002, ARG005 - a policy takes what it is given, whether it uses that or not
from __future__ import annotations

import functools
import pickle
import sys
import threading
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import demine
from demine.logic.errors import DemineError
from demine.logic.rules import Rules
from demine.scene.diagram import parse_scene
from demine.solver.player.custom_policy import CustomPolicy
from demine.solver.player.policy_error import PolicyError
from demine.solver.player.policy_table import policy_by_name
from demine.solver.player.policy_version import policy_name, policy_version
from demine.solver.player.resolve_policy import resolve_policy
from tests.solver.player import sample_policies as samples

if TYPE_CHECKING:
    from pathlib import Path

HERE = "tests.solver.player.sample_policies"
RULES = Rules.parse("4x3/2")
SCENE = np.array([[0, 1, 9, 9], [0, 1, 9, 9], [0, 1, 9, 9]], np.uint8)


def custom(given: object) -> CustomPolicy:
    found = resolve_policy(given)  # type: ignore[arg-type]  # wrong ones too
    assert isinstance(found, CustomPolicy)
    return found


@pytest.mark.parametrize(
    ("given", "cell"),
    [
        (samples.safest, (0, 2)),
        (f"{HERE}:safest", (0, 2)),
        (samples.SafestMade, (0, 2)),
        (samples.SafestMade(), (0, 2)),
        (samples.SafestInBatches, (0, 2)),
        (samples.SafestInBatches(), (0, 2)),
        (functools.partial(samples.safest), (0, 2)),
        (lambda scene, rules: [np.int64(2), np.int8(3)], (2, 3)),
        (lambda scene, rules: np.array([2, 3]), (2, 3)),
        (lambda scene, rules: demine.best_move(scene, rules.mines), (0, 2)),
        (samples.proven_only, (0, 2)),
    ],
)
def test_every_kind_of_policy_is_asked(given: object, cell: tuple[int, int]) -> None:
    assert custom(given).choose(SCENE, RULES) == cell


def test_it_sees_a_copy_of_the_faces_and_the_rules() -> None:
    seen: list[Any] = []

    def spoil(scene: np.ndarray, rules: Rules) -> tuple[int, int]:
        seen.append((scene.copy(), scene.dtype, rules))
        scene[:] = 0
        return 2, 3

    before = SCENE.copy()
    assert custom(spoil).choose(SCENE, RULES) == (2, 3)
    assert (before == SCENE).all()
    assert (seen[0][0] == before).all()
    assert seen[0][1:] == (np.uint8, RULES)


def test_built_in_names_are_those_of_the_table() -> None:
    assert resolve_policy("safest") is policy_by_name("safest")


@pytest.mark.parametrize(
    ("policy", "words"),
    [
        (
            samples.opened,
            "sample_policies:opened answered (0, 0) (counted from 0), which is open already",
        ),
        (samples.outside, "answered (3, 0) (counted from 0), which is outside the 4x3 board"),
        (samples.below, "answered (-1, 0) (counted from 0), which is outside the 4x3 board"),
        (samples.nothing, "answered None, which is no cell (row, col)"),
        (samples.nonsense, "answered 'top left', which is no cell (row, col)"),
        (samples.fraction, "answered (0.5, 0.5), which is no cell (row, col)"),
        (samples.raises, "sample_policies:raises raised KeyError: 'no such opening'"),
        (samples.leaves, "raised SystemExit: 3"),
        (samples.WrongShape, "to 1 games: choose_batch returns whole numbers of shape (1, 2)"),
        (samples.LastIsOpen, "LastIsOpen answered (0, 0) (counted from 0), which is open already"),
        (samples.CannotBeMade, "CannotBeMade raised TypeError"),
    ],
)
def test_what_is_no_move_is_refused(policy: object, words: str) -> None:
    with pytest.raises(PolicyError) as caught:
        custom(policy).choose(SCENE, RULES)
    assert words in str(caught.value)
    assert caught.value.policy == policy_name(policy)


def test_an_error_keeps_what_was_asked_and_why() -> None:
    with pytest.raises(PolicyError) as caught:
        custom(samples.raises).choose(SCENE, RULES)
    assert np.array_equal(np.asarray(caught.value.scene), SCENE)
    assert isinstance(caught.value.__cause__, KeyError)
    assert (caught.value.index, caught.value.seed, caught.value.answer) == (None, None, None)
    with pytest.raises(PolicyError) as caught:
        custom(samples.opened).choose(SCENE, RULES)
    assert caught.value.answer == "(0, 0)"
    said = caught.value.in_game(5, 77)
    assert str(said).endswith("which is open already (game 5, board seed 77)")
    assert (said.policy, said.index, said.seed) == (f"{HERE}:opened", 5, 77)
    assert np.array_equal(np.asarray(said.scene), SCENE)


@pytest.mark.parametrize("policy", [samples.raises, samples.raises_own])
def test_an_error_from_another_process_keeps_its_traceback(policy: object) -> None:
    with pytest.raises(PolicyError) as caught:
        custom(policy).choose(SCENE, RULES)
    there = pickle.loads(pickle.dumps(caught.value.in_game(1, 2)))
    assert str(there) == str(caught.value.in_game(1, 2))
    # Once Dask is imported, tblib lets every exception be pickled.
    kinds = (KeyError,) if policy is samples.raises else (RuntimeError, samples.OwnError)
    assert isinstance(there.__cause__, kinds)
    assert "sample_policies.py" in there.__cause__.__notes__[0]
    again = pickle.loads(pickle.dumps(there))
    assert len(again.__cause__.__notes__) == 1


def test_giving_up() -> None:
    covered = np.full((3, 4), 9, np.uint8)
    assert custom(samples.proven_only).choose(covered, RULES) is None

    class GivesUp:
        def choose_batch(self, scenes: np.ndarray, rules: Rules) -> np.ndarray:
            return np.array([[2, 3], [-1, -1]])

    assert custom(GivesUp()).choose_batch(np.stack([SCENE, SCENE]), RULES) == [(2, 3), None]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("safes", "; did you mean safest?"),
        ("qqq", "use logic, safest, fast, strong, best, deep, or module:name"),
        ("a b:c", "'a b:c' is not written as module:name"),
        (":c", "':c' is not written as module:name"),
        (
            "nump:where",
            "in the current folder nor installed; did you mean numpy?",
        ),
        ("qqqqqq:where", "there is no module qqqqqq, neither in the current folder nor installed"),
        ("tests.solver.player.sample_policy:safest", f"did you mean {HERE}?"),
        (f"{HERE}:safes", f"{HERE} has no safes; did you mean safest?"),
        (f"{HERE}:SafestMade.nowhere", f"{HERE}.SafestMade has no nowhere"),
        (f"{HERE}:NUMBER", f"{HERE}:NUMBER cannot be asked: a policy is a function"),
    ],
)
def test_a_wrong_name_is_told_with_the_one_most_like_it(text: str, words: str) -> None:
    with pytest.raises(PolicyError) as caught:
        resolve_policy(text)
    assert words in str(caught.value)


def test_a_stranger_that_is_a_little_like_a_module_is_not_meant(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "mdurl.py").touch()
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(PolicyError, match=r"in the current folder nor installed$"):
        resolve_policy("nomodule:x")


def test_a_module_that_cannot_be_imported_says_why(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "broken_policy.py").write_text("import no_such_package_here\n")
    with pytest.raises(PolicyError, match="importing the module broken_policy fails: Module"):
        resolve_policy("broken_policy:choose")
    (tmp_path / "broken_script.py").write_text("raise SystemExit('bye')\n")
    with pytest.raises(PolicyError, match="SystemExit: bye") as caught:
        resolve_policy("broken_script:choose")
    assert isinstance(caught.value.__cause__, SystemExit)


def test_names() -> None:
    assert policy_name(samples.safest) == f"{HERE}:safest"
    assert policy_name(samples.SafestMade) == f"{HERE}:SafestMade"
    assert policy_name(samples.SafestMade()) == f"{HERE}:SafestMade"
    assert policy_name(samples.Cautious(3)) == f"{HERE}:Cautious(corner=3)"
    assert policy_name(functools.partial(samples.fraction, rules=RULES)).endswith(
        ":fraction(rules=Rules.parse('4x3/2'))"
    )
    assert policy_name(samples.SafestInBatches().choose_batch).endswith(
        ":SafestInBatches.choose_batch"
    )
    assert custom(f"{HERE}:safest").name == f"{HERE}:safest"


def module_from(folder: Path, source: str) -> Any:
    """The module `changing_policy` with this source."""
    import importlib
    import linecache

    (folder / "changing_policy.py").write_text(source)
    sys.modules.pop("changing_policy", None)
    importlib.invalidate_caches()
    linecache.clearcache()
    return importlib.import_module("changing_policy")


BEFORE = """
LIMIT = 0.5
UNUSED = 1

def far(x):
    return x + LIMIT

def near(x):
    return far(x)

def other():
    return 1

class Base:
    def helper(self):
        return near(1)

class Player(Base):
    def __call__(self, scene, rules):
        return self.helper()

def choose(scene, rules):
    return [near(x) for x in scene]
"""


@pytest.mark.parametrize(
    ("old", "new", "changed"),
    [
        ("x + LIMIT", "x - LIMIT", True),
        ("LIMIT = 0.5", "LIMIT = 0.25", True),
        ("return far(x)", "return far(x)  # as ever", True),
        ("UNUSED = 1", "UNUSED = 2", False),
        ("def other():\n    return 1", "def other():\n    return 2", False),
    ],
)
@pytest.mark.parametrize("name", ["choose", "Player"])
def test_the_version_is_of_what_the_policy_uses(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    name: str,
    old: str,
    new: str,
    changed: bool,
) -> None:
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    before = policy_version(getattr(module_from(tmp_path, BEFORE), name))
    assert before is not None
    assert policy_version(getattr(module_from(tmp_path, BEFORE), name)) == before
    after = policy_version(getattr(module_from(tmp_path, BEFORE.replace(old, new)), name))
    assert (after != before) is changed


def test_a_version_can_be_stated_and_may_be_unknown() -> None:
    class Stated:
        version = 3

        def __call__(self, scene: np.ndarray, rules: Rules) -> tuple[int, int]:
            return 0, 0

    assert policy_version(Stated()) == "3"
    assert policy_version(len) is None


@pytest.mark.parametrize("given", [samples.safest, samples.SafestMade, samples.Cautious(2)])
def test_a_copy_in_a_worker_is_loaded_once(given: object) -> None:
    policy = custom(given)
    sent = pickle.dumps(policy)
    assert HERE.encode() in sent
    copy = pickle.loads(sent)
    assert (copy.name, copy.version) == (policy.name, policy.version)
    assert copy is pickle.loads(sent)
    assert copy.choose(SCENE, RULES) == policy.choose(SCENE, RULES)


def test_local_functions_are_sent_with_their_code() -> None:
    pytest.importorskip("cloudpickle")
    copy = pickle.loads(pickle.dumps(custom(samples.make_local())))
    assert copy.choose(SCENE, RULES) == (0, 2)
    lock = threading.Lock()
    with pytest.raises(PolicyError, match=r"cannot be sent to other processes.*top level"):
        pickle.dumps(custom(lambda scene, rules: lock.locked()))


def test_without_cloudpickle_local_functions_stay(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "cloudpickle", None)
    with pytest.raises(PolicyError, match=r"make_local.* cannot be sent to other processes"):
        pickle.dumps(custom(samples.make_local()))


def test_a_worker_that_lacks_or_differs_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    with monkeypatch.context() as here:
        here.syspath_prepend(tmp_path)
        sent = pickle.dumps(custom(module_from(tmp_path, BEFORE).choose))
        other = pickle.dumps(custom(module_from(tmp_path, BEFORE).choose))
        module_from(tmp_path, BEFORE.replace("0.5", "0.6"))
        with pytest.raises(PolicyError, match="a worker has other code for changing_policy:cho"):
            pickle.loads(other).choose(SCENE, RULES)
    del sys.modules["changing_policy"]
    with pytest.raises(PolicyError, match="a worker cannot load changing_policy:choose: Module"):
        pickle.loads(sent).choose(SCENE, RULES)


@pytest.mark.parametrize("policy", [samples.safest, f"{HERE}:safest", samples.SafestInBatches])
def test_best_move_asks_it(policy: Any) -> None:
    move = demine.best_move(SCENE, 2, policy=policy)
    assert move == (0, 2, demine.mine_probability(SCENE, 2)[0, 2])
    game = demine.Game("4x4/2", seed=1)
    assert demine.best_move(game, policy=policy) == (0, 0, 0.0)
    game.flag(0, 0)
    seen: list[Any] = []

    def look(scene: np.ndarray, rules: Rules) -> tuple[int, int]:
        seen.extend(scene.ravel())
        return 0, 0

    assert demine.best_move(game, policy=look)[:2] == (0, 0)
    assert set(seen) == {9}
    begun = demine.Game("4x4/2", seed=1, start=(2, 1))
    assert demine.best_move(begun, policy=look) == (2, 1, 0.0)


def test_best_move_says_what_went_wrong() -> None:
    with pytest.raises(PolicyError, match="open already"):
        demine.best_move(SCENE, 2, policy=samples.opened)
    with pytest.raises(demine.NothingCertain, match="proven_only gives the game up"):
        demine.best_move(np.full((4, 4), 9), 2, policy=samples.proven_only)
    with pytest.raises(demine.NothingToOpen):
        demine.best_move(parse_scene("2x1/1\n1 #")[1], 1, policy=samples.safest)
    with pytest.raises(DemineError, match="policy 'logic'"):
        demine.best_move(SCENE, 2, policy="logic")
