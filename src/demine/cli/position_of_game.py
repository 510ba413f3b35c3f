"""The position at a moment of a recorded game, or of a board that nobody has played."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from demine.cli.exit_codes import print_message
from demine.cli.game_input import choose_game
from demine.cli.position import Position, check_size
from demine.logic.errors import TextError
from demine.logic.event import Lay
from demine.logic.event_log import acts
from demine.logic.rules import First
from demine.replay.load_save import load_all
from demine.scene.moment import START, Moment, last_move, position_at
from demine.scene.sight import sight, sight_while_running
from demine.scene.translation import tr

if TYPE_CHECKING:
    from demine.cli.position_params import Cell, PositionChoice
    from demine.game import Game


def position_of_game(
    data: bytes, moment: str | None, verb: str, chosen: PositionChoice
) -> Position:
    """Return the chosen position of the chosen game in a file's bytes; raises `DemineError`."""
    game = choose_game(load_all(data), chosen["game"])
    check_size(game.rules)
    if chosen["mines"] is not None:
        raise TextError("its mine count comes with it, so --mines is for diagrams only")
    wanted = last_move(game) if moment is None else Moment.parse(moment)
    if not any(acts(game.events)):
        if wanted != START:
            raise TextError("nobody has played this board, so @start is its only moment")
        first = game.start if moment is None else None
        return _position_of_board(game, chosen["open_cell"] or first)
    if chosen["open_cell"] is not None:
        raise TextError("--open is for boards that nobody has played")
    seen = position_at(game, wanted)
    if moment is None and game.status.over:
        print_message(
            verb, tr("this is the position before the last move, {moment}", moment=wanted)
        )
    return Position(game.rules, seen.scene, game.start)


def _position_of_board(game: Game, first: Cell | None) -> Position:
    """Return a board that nobody has played, after its first click if one is known."""
    if first is None:
        return Position(game.rules, sight(game))
    row, col = first
    if not (row < game.rules.height and col < game.rules.width):
        raise TextError(
            "row {row}, column {col} is outside the {width}x{height} board (--open {cell})",
            row=row, col=col, width=game.rules.width, height=game.rules.height, cell=f"{row},{col}",
        )  # fmt: skip
    if game.board.laid and game.board.mine_map[row, col]:
        raise TextError(
            "row {row}, column {col} is a mine (--open {cell})",
            row=row, col=col, cell=f"{row},{col}",
        )  # fmt: skip
    played = type(game)(replace(game.rules, first=First.ANY, guess_free=False), game.seed)
    if game.board.laid:
        played.lay(Lay(0, game.board.mine_map))
    played.open(row, col)
    return Position(game.rules, sight_while_running(played.board))
