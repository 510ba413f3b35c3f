"""A kernel says of a journal what playing it through the rules says."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import cache
from random import Random
from typing import Any, Final

import numpy as np
import pytest

from demine.game import Game
from demine.logic.errors import DemineError
from demine.logic.event import BUTTONS, Act, Touch, Verb
from demine.logic.game import Origin
from demine.logic.kernels import JOURNAL_KERNELS, journal_fold
from demine.logic.layout import deal
from demine.logic.quick_fold import QuickFold, quick_fold
from demine.logic.rules import First, Flags, Goal, Rules, most_mines
from demine.store.game_rows import facts_of_game, facts_of_quick_fold

GAMES = 900
VERBS = (*[Verb.OPEN] * 6, *[Verb.FLAG] * 4, Verb.CHORD, Verb.CHORD, Verb.QUESTION)
RARE = (Verb.PAUSE, Verb.RESUME, Verb.RESIGN, Verb.UNDO, Verb.HINT)


def random_rules(random: Random) -> Rules:
    width, height = random.randint(1, 12), random.randint(1, 9)
    first = random.choice([each for each in First if most_mines(width, height, each) >= 0])
    mines = min(most_mines(width, height, first), int(width * height * random.random() * 0.4))
    goal = Goal.FLAG if mines and random.random() < 0.3 else Goal.OPEN
    lives, flags = random.choice((1, 1, 3)), random.choice(list(Flags))
    return Rules(width, height, mines, first, goal, flags=flags, lives=lives)


def random_game(random: Random) -> Game:
    """A game that knows most of its mines, with touches between its acts."""
    rules = random_rules(random)
    start = None
    if random.random() < 0.2:
        start = random.randrange(rules.height), random.randrange(rules.width)
    game = Game(rules, random.randrange(99), origin=random.choice(list(Origin)), start=start)
    mines = deal(rules, game.seed, start) if rules.mines else np.zeros(rules.shape, np.bool_)
    time = random.randrange(-500, 500)
    for _ in range(random.choice((20, 400))):
        if game.status.over:
            break
        cell = random.randrange(rules.height), random.randrange(rules.width)
        verb = random.choice(RARE) if random.random() < 0.01 else random.choice(VERBS)
        wanted = game.board.mine_map if game.begun else mines
        if verb is Verb.OPEN and wanted[cell] and random.random() < 0.95:
            verb = Verb.FLAG
        act = Act(time, verb, *(cell if verb in {*VERBS, Verb.HINT} else (-1, -1)))
        if random.random() < 0.3:
            button = random.choice(BUTTONS[:3])
            game.touch(Touch(time, button, random.choice(("press", "release")), *cell))
            game.touch(Touch(time, "", "move", -3, 40))
        if game.can(act):
            begun = game.begun
            game.play(act)
            time = 0 if game.begun and not begun else time
        time += random.randrange(60)
    return game


@cache
def journals() -> tuple[str, ...]:
    random = Random(7)
    return tuple(random_game(random).journal() for _ in range(GAMES))


def interpreted(*arrays: Any) -> bool:
    with np.errstate(over="ignore"):
        return journal_fold.fold_events(*arrays)


@pytest.fixture(params=["compiled", "interpreted"])
def _kernel(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    if request.param == "compiled":
        pytest.importorskip("numba")
        JOURNAL_KERNELS.load()
    else:
        monkeypatch.setattr(JOURNAL_KERNELS, "loaded", {"fold_events": interpreted})


def is_plain(game: Game) -> bool:
    return game.status.over and not game.hinted and not game.undone


@pytest.mark.usefixtures("_kernel")
def test_games_end_as_the_rules_say(request: pytest.FixtureRequest) -> None:
    few = "interpreted" in request.node.name
    ended = 0
    for journal in journals()[:: 8 if few else 1]:
        game = Game.from_journal(journal)
        fold = quick_fold(journal)
        assert (fold is not None) == is_plain(game), journal
        if fold is not None:
            assert_same(fold, game)
            ended += 1
    assert ended > GAMES // (24 if few else 3)


def assert_same(fold: QuickFold, game: Game) -> None:
    assert facts_of_quick_fold(fold) == facts_of_game(game)
    names = ("rules", "seed", "origin", "start", "facts", "cell_px")
    assert all(getattr(fold.header, name) == getattr(game, name) for name in names)


def changed(journal: str, random: Random) -> str:
    """A journal of which something is another character, gone or twice, or one act more."""
    lines = journal.splitlines(keepends=True)
    at, other = random.randrange(len(lines)), random.randrange(len(lines))
    place = random.randrange(len(journal))
    verb, row, col = (
        random.choice(("open", "flag", "chord")),
        random.randrange(6),
        random.randrange(6),
    )
    act = f'[{lines[at][1:].partition(",")[0]},"{verb}",{row},{col}]\n'
    changes: tuple[Callable[[], str], ...] = (
        lambda: journal[:place] + random.choice('0123456789-,"[]\n moepn\0') + journal[place + 1 :],
        lambda: journal[:place] + journal[place + 1 :],
        lambda: "".join(lines[:at] + lines[at + 1 :]),
        lambda: "".join([*lines[:at], lines[other], *lines[at:]]),
        lambda: "".join(lines[:at]),
        *[lambda: "".join([*lines[: at + 1], act, *lines[at + 1 :]])] * 8,
    )
    return random.choice(changes)()


def test_whatever_is_done_to_a_journal_is_noticed() -> None:
    pytest.importorskip("numba")
    JOURNAL_KERNELS.load()
    random = Random(3)
    known = 0
    for journal in journals():
        for _ in range(6):
            text = changed(journal, random)
            try:
                fold = quick_fold(text)
            except DemineError:
                fold = None
                with pytest.raises(DemineError):
                    Game.from_journal(text)
            if fold is not None:
                game = Game.from_journal(text)
                assert is_plain(game)
                assert_same(fold, game)
                known += 1
    assert known > GAMES // 8


def test_what_the_kernel_leaves_to_the_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(JOURNAL_KERNELS, "loaded", {"fold_events": interpreted})
    game = Game("3x1/0 first=safe", 1)
    game.open(0, 0)
    journal = game.journal()
    assert quick_fold(journal) is not None
    assert quick_fold(journal.replace(",", ", ")) is None
    assert quick_fold(journal.removesuffix("\n")) is None
    monkeypatch.setattr(JOURNAL_KERNELS, "loaded", {})
    assert quick_fold(journal) is None


LAYING: Final = '[0,"lay","3x3:hAA"]'
PLAYED: Final = (
    '{"demine":1,"rules":"3x3/2","seed":1,"origin":"fresh"}\n'
    f'[-3,"flag",0,0]\n[-2,"flag",0,2]\n{LAYING}\n[0,"open",2,2]\n[5,"resign"]\n'
)


@pytest.mark.usefixtures("_kernel")
@pytest.mark.parametrize(
    "wrong",
    [
        '[0,"lay","03x3:hAA"]',
        '[0,"lay","3x03:hAA"]',
        '[0,"lay","3x9:hAA"]',
        '[0,"lay","9x1:hAA"]',
        '[0,"lay","1x9:hAA"]',
        '[0,"lay","3x3:hAB"]',
        '[0,"lay","3x3:hAQ"]',
        '[0,"lay","3x3:hA"]',
        '[0,"lay","3x3:hAAA"]',
        '[0,"lay","3x3:h+A"]',
        '[0,"lay","3x3:h=="]',
        '[0,"lay","3x3:xAA"]',
        '[0,"lay","3x3:hAA",1]',
        '[0,"lay","3x3:hAA"',
        '[0,"lay",3,"3x3:hAA"]',
        '[0,"lay"]',
        '[0,"lay","',
        f"{LAYING}\n{LAYING}",
    ],
)
def test_mines_that_are_written_wrongly_are_left_to_the_rules(wrong: str) -> None:
    assert quick_fold(PLAYED.replace(LAYING, wrong)) is None
    assert quick_fold(PLAYED.partition(LAYING)[0] + wrong) is None
    with pytest.raises(DemineError):
        Game.from_journal(PLAYED.replace(LAYING, wrong))


@pytest.mark.usefixtures("_kernel")
def test_flags_that_are_set_before_the_mines_are_laid_count() -> None:
    text = PLAYED.replace("3x3/2", "3x3/3 goal=flag").replace('[5,"resign"]', '[5,"flag",0,1]')
    for mines, status in (("4AA", "won"), ("wgA", "running")):
        journal = text.replace("hAA", mines)
        assert Game.from_journal(journal).status == status
        assert (quick_fold(journal) is not None) == (status == "won")


@pytest.mark.usefixtures("_kernel")
def test_a_word_that_ends_in_a_nul_is_another_word() -> None:
    journal = next(each for each in journals() if is_plain(Game.from_journal(each)))
    assert quick_fold(journal) is not None
    for word in ("open", "lay"):
        longer = journal.replace(f'"{word}"', f'"{word}\0"', 1)
        assert longer != journal
        with pytest.raises(DemineError):
            Game.from_journal(longer)
        with suppress(DemineError):
            assert quick_fold(longer) is None
