"""The benchmarks: each is a module of this folder with a function `rows(run)`."""

from __future__ import annotations

from typing import Final, NamedTuple


class Benchmark(NamedTuple):
    """One table of the page."""

    name: str
    """Its module."""
    title: str
    about: str
    """What is measured, and how."""


BENCHMARKS: Final = (
    Benchmark(
        "flood",
        "Opening the largest opening of a board",
        "*The rule* is the function that opens an opening on an array of numbers, marks the cells "
        "that are open and returns them; its peers make an array of the opened cells and nothing "
        "else: SciPy's `label` with four shifted ors, OpenCV's `floodFill` and "
        "`connectedComponents`, each with `dilate`, one thread. The best of them is told. "
        "*`game.open`* is the first act of a game whose mines are laid: besides the rule it checks "
        "the act, records it as an event, keeps what undoing it takes, removes wrong marks, counts "
        "and judges the game; no peer does that. The kernels are loaded (`demine.warm()`), but "
        "where told. All open the same cells and take turns.",
    ),
    Benchmark(
        "deal",
        "Dealing boards",
        "`deal` promises that a seed means the same board with every NumPy; `Generator.choice` "
        "and `permuted` do not. `make_batch` returns the same boards in one array; its peer is a "
        "loop of `choice`.",
    ),
    Benchmark(
        "probability",
        "Exact mine probabilities",
        "Positions of expert games from a fifth to four fifths open, half of them stuck, each met "
        "for the first time in its pass; both are checked to say the same. The peer is "
        "`cal_probability_onboard`.",
    ),
    Benchmark(
        "solver_start",
        "Waiting for the solver",
        "Hints for mid-game expert boards, asked of the process that answers beside a window, "
        "with cache folders of its own.",
    ),
    Benchmark(
        "script_start",
        "Scripts from begin to end",
        "Processes that ask `demine.mine_probability` for mid-game expert boards, call by call, "
        "and end: their processor time beside the same with kernels forbidden. All give the same "
        "answers to the last bit. Short ones must not pay for kernels, long ones get them.",
    ),
    Benchmark(
        "guess_free",
        "Guess-free expert boards",
        "`demine.make(..., guess_free=True)`, one call a board, taking turns with "
        "`laymine_solvable` and with `sgt-mines --generate`, whose boards are repaired until they "
        "can be solved instead of drawn evenly.",
    ),
    Benchmark(
        "strength",
        "Games of the policies",
        "Expert games with a safe first click, by one processor. The peer's speed is the one its "
        "author published for PSEQ (C++); [strength](../docs/strength.md) has the win rates.",
    ),
    Benchmark(
        "environments",
        "Environments for learning",
        "Steps a second through the public `VectorEnv.step` with `copy=False`, by legal actions "
        "that are chosen before anything is timed, on boards that begin anew by themselves: random "
        "ones, and the oracle's moves, which open cells without mines until the board is full. "
        "Jumanji's Minesweeper is compiled by JAX for the processor, the loop over its steps too; "
        "it opens one cell a step, where demine opens whole openings, and its first may be a mine. "
        "It is told with as many boards, by the quicker of its two ways to begin anew, and in the "
        "rows with a goal with the number of boards that suits it best: one is dealt anew only "
        "when its game is over. POPGym has the fastest package for Gymnasium, told the size of the "
        "board; it opens one cell a step and shows only that cell's number. *Beside memory*: the "
        "observation and the mask of a step are a byte each for every cell, and the peer does "
        "nothing but write as many bytes to two buffers of that size.",
    ),
    Benchmark(
        "custom_policies",
        "A study by a policy of one's own",
        "The same policy as demine's own kernel, as a function, and for many games at once; each "
        "pair wins the same games. The first covered cell takes no time to choose: what is left "
        "is the study around it.",
    ),
    Benchmark(
        "datasets",
        "Datasets of solved positions",
        "Four positions of each game that the policy `fast` plays, with the exact probability of "
        "every cell and the best move: as `demine dataset` makes and writes them, by one processor "
        "and with the chance to win, and by a loop that plays `demine.Game` and asks the library "
        "about each position.",
    ),
    Benchmark(
        "advice",
        "Advised guesses",
        "Guesses of games, by how many layouts are left: the time of an answer with the player "
        "compiled, and how many of the answers are the same before it is.",
    ),
    Benchmark(
        "figures",
        "Boards and games counted",
        "Processor time. 3BV and ZiNi are checked to be the peer's. Every statistic of a replay "
        "is the whole table of [statistics](../docs/statistics.md) beside `analyse`, which counts "
        "about half as many.",
    ),
    Benchmark(
        "replays",
        "Reading replay files",
        "From a path to the events, beside `parse()`: of each format the shortest and the longest "
        "of the sample files, and with the kernels loaded. *The floor* is what no reader in Python "
        "does without: the shortest file opened and read, and the objects of a replay made without "
        "looking at it. Three times as fast as the peer is below it for a hundred events. "
        "*stats(load(file))* is from a path to the statistics that the peer has too, beside "
        "`parse`, `analyse` and the same number of attributes. RawVF is text, its peer demine's "
        "own reading of RMV.",
    ),
    Benchmark(
        "review",
        "Judging replays",
        "Every act of a replay judged, beside the figure of luck alone (`pluck`) that the peer "
        "works out; parsing is left out.",
    ),
    Benchmark(
        "fold",
        "A whole expert game from its events",
        "A game won with flags and chords, the median of some games.",
    ),
    Benchmark(
        "store_acts",
        "Keeping acts",
        "An act kept by `demine.store`, the rules included, beside the same row written by SQLite "
        "as it comes (rollback journal, `synchronous=FULL`) and in the store's own mode; and what "
        "a player waits for.",
    ),
    Benchmark(
        "large_store",
        "A store of a million games",
        "Processor time of what a player or a script asks, beside a small store; ending a game and "
        "the first page of the history mean to depend on how many there are as little as can be. "
        "Pages have a hundred games; those of a filter are counted with what counts the games that "
        "fit. Every game has an id, a moment, statistics and checksums of its own. Plots read all "
        "games by the same rules, a third of all there are; a page in the middle by 3BV or clicks "
        "reads the end of every game with the same value, a few in a hundred. An import plays "
        "every journal.",
    ),
    Benchmark(
        "hostile",
        "Files made to take long",
        "One in three of the files that `hostile_files.py` makes, of every format, each read in a "
        "process of its own: the slowest of each kind. *Loops* are the time as multiples of five "
        "million turns of plain Python.",
    ),
    Benchmark(
        "picture_frames",
        "Drawing boards",
        "`demine.picture.render`, which makes a new array each time, beside loops that put the "
        "same tiles into an array or a surface that they already hold.",
    ),
    Benchmark(
        "window",
        "The classic window",
        "From starting the program to its first picture, and to the first press answered, on one "
        "Xvfb, taking turns; the median. GNOME Mines first shows a choice of sizes: its first "
        "press chooses one.",
    ),
    Benchmark(
        "desktop",
        "The desktop window",
        "The same for the desktop, and a notch of the wheel on a board of 500 x 500 cells.",
    ),
    Benchmark(
        "terminal",
        "The game in a terminal",
        "In pseudo-terminals; a bare Textual application shows one word.",
    ),
    Benchmark(
        "click",
        "The calls of one click",
        "Calls of Python functions from the press to the end of the paint, for a number that is "
        "opened on an expert board on the desktop with the store on.",
    ),
    Benchmark(
        "server_load",
        "Thousands of players",
        "`demine serve` in a process of its own, with SQLite that waits for the disk or a "
        "PostgreSQL server of its own; and a bare uvicorn that sends every message back, which is "
        "what the connection alone costs. The players, another process on the same machine, have a "
        "WebSocket and an expert game each, begun a while ago. They flag, chord and open once a "
        "second on average, with pauses as people make them, whether or not the last act is "
        "answered, but wait once three are not; and they begin a new game when theirs ends. A wait "
        "is that from the moment before the act is sent to its answer, once it is on the disk; of "
        "three rounds the best is told. "
        "Players, server, its solver and PostgreSQL share the processors, so that the waits are "
        "those of all of them together: on a machine with more cores they are shorter. Processor "
        "time of the server is that of all its processes, the solver included and PostgreSQL not.",
    ),
    Benchmark(
        "server_memory",
        "Ten thousand connections",
        "Players who have an expert game open and look on, while 200 of them act once a second. "
        "Every tenth connection is a second one to the same game, which shows what a connection "
        "takes without a game.",
    ),
)
"""All of them, in the order of the page."""
