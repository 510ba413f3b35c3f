"""Games under every value of every option of the rules: kept, gone on with, in the records."""

from __future__ import annotations

import numpy as np

from demine.game import Game
from demine.logic.event import Act, Lay, Verb
from demine.logic.game import Status
from demine.logic.rules import Goal, Option, Rules
from demine.store import Store
from tests.logic.rule_choices import EVERY, PLAIN


def begun(rules: Rules) -> tuple[Game, list[Act]]:
    """A game with its mines laid, and the acts that win it."""
    mine_map = np.zeros(rules.shape, np.bool_)
    mine_map[3, [2, 4]] = True
    game = Game(rules)
    game.lay(Lay(0, mine_map))
    flags = [Act(2, Verb.FLAG, 3, col) for col in (2, 4)]
    opens = [Act(1, Verb.OPEN, row, col) for row, col in np.argwhere(~mine_map).tolist()]
    return game, opens[:1] + (flags if rules.goal is Goal.FLAG else opens[1:])


@EVERY
def test_a_game_goes_on_and_its_win_is_found_by_its_rules(option: Option, rules: Rules) -> None:
    game, acts = begun(rules)
    with Store.open() as store:
        live = store.begin(game)
        live.play(acts[0])
    with Store.open() as store:
        again = store.resume(rules)
        assert again is not None
        assert again.game.rules == rules
        for act in acts[1:]:
            if again.game.can(act):
                again.play(act)
        assert again.game.status is Status.WON
        again.record()
        row = store.games()[0]
        assert row.rules == str(rules)
        assert store.load_game(row.id).rules == rules
        assert store.record_of(rules).wins == 1
        assert [record.rules for record in store.records()] == [str(rules)]
        other = PLAIN if rules != PLAIN else Rules(5, 4, 3)
        assert store.record_of(other).games == 0
