"""A game as PNG, SVG and GIF: the board, a hint, the risks, the whole game."""

import demine

game = demine.Game("16x16/40", seed=7)
game.open(7, 7)
for _ in range(20):
    move = demine.best_move(game)
    game.open(move.row, move.col, t=game.time_ms + 250)

demine.show(game).save("board.png")
demine.show(game, demine.hint(game), theme="dark").save("hint.svg")
demine.heat_map(game, palette="okabe-ito").save("risks.png")
demine.animate(game, speed=2).save("game.gif")
demine.show(demine.make(demine.EXPERT, seed=3)).save("layout.svg")

picture = demine.show(game, region=(0, 0, 8, 8))  # a part of the board
png, svg = picture.png(), picture.svg  # as bytes and as text
