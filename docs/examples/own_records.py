"""Your own records and history, read from the store of the game."""

import demine

with demine.Store.open(reading=True) as store:  # reading changes nothing, even beside a game
    for record in store.records():
        best = "-" if record.best_ms is None else f"{record.best_ms / 1000:.2f} s"
        print(f"{record.rules}: {record.wins} of {record.games} won, best {best}")

    for row in store.games(limit=10):
        speed = "" if row.bv_s is None else f", {row.bv_s:.2f} 3BV/s"
        print(row.began_at[:10], row.rules, row.status, f"{row.time_ms / 1000:.2f} s{speed}")

    wins = store.games(status="won", limit=1)
    if wins:
        game = store.load_game(wins[0].id)
        print(game)
        print(demine.review(game, why=False).luck)
        demine.save(game, "last-win.evf")
