"""The page's scripts do as Python does: what was ported is held to vectors that Python makes."""

from __future__ import annotations

import json
import random
import shutil
import subprocess
from concurrent.futures import Future
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from demine import Game
from demine.logic.event import Act, Verb
from demine.logic.game import Status
from demine.play.position_editor import MOST_UNDONE, PAINTING_KEYS, TOOLS, PositionEditor
from demine.scene import motion
from demine.scene.board_geometry import MAX_CELL, MIN_CELL, ZOOM_STEPS, Rect, View
from demine.scene.cell_faces import Face
from demine.scene.cell_highlights import cell_looks
from demine.scene.diagram import FACE_LETTERS
from demine.scene.draft import Draft
from demine.scene.key_bindings import DEFAULT_KEYS, KEY_LABELS, Command, key_label, normalise_key
from demine.scene.keyboard_cursor import MOVES, intended_act, moved_cursor
from demine.scene.led_text import led_text
from demine.scene.mouse_automaton import Button, Faces, Mouse, MouseOptions
from demine.scene.overlay import Mark, Overlay
from demine.scene.sight import sight
from demine.scene.touch_input import Finger, TouchOptions
from demine.web.page.generated_assets import motion_times
from demine.web.page.messages import STATIC

NODE = shutil.which("node")
pytestmark = pytest.mark.skipif(
    NODE is None, reason="Node runs the page's scripts, and is not here"
)
SCRIPT = Path(__file__).parent / "page_rules.mjs"
Vector = tuple[str, Any, Any]
"""What is played, with what, and what comes of it."""


def played(vectors: list[Vector]) -> list[Any]:
    """Return what the page's scripts make of vectors."""
    asked = json.dumps([(kind, given) for kind, given, _ in vectors])
    command = [str(NODE), str(SCRIPT), str(STATIC / "js")]
    done = subprocess.run(
        command, input=asked, capture_output=True, text=True, timeout=60, check=False
    )
    assert not done.returncode, done.stderr
    found: list[Any] = json.loads(done.stdout)
    return found


def hold(vectors: list[Vector]) -> None:
    """Compare what the page's scripts make of vectors with what Python did."""
    for (kind, given, expected), found in zip(vectors, played(vectors), strict=True):
        for place, (wanted, got) in enumerate(zip(plain(expected), found, strict=True)):
            assert got == wanted, (kind, place, given)


def plain(value: object) -> Any:
    return json.loads(json.dumps(value))


def board(draw: random.Random, rows: int, cols: int) -> Faces:
    """A board of any faces, more of them covered than not."""
    faces = draw.choices(range(len(Face)), [3] + [2] * 8 + [20, 6, 3, 1, 1, 1], k=rows * cols)
    return np.array(faces, np.uint8).reshape(rows, cols)


def as_given(faces: Faces) -> dict[str, object]:
    rows, cols = faces.shape
    return {"rows": rows, "cols": cols, "faces": faces.ravel().tolist()}


def some_cell(draw: random.Random, faces: Faces) -> tuple[int, int] | None:
    if draw.random() < 0.15:
        return None
    # One row and one column beyond the board, which may have become smaller.
    return draw.randint(0, faces.shape[0]), draw.randint(0, faces.shape[1])


def mouse_vector(seed: int) -> Vector:
    draw = random.Random(seed)
    options = MouseOptions(questions=draw.random() < 0.5, left_chords=draw.random() < 0.5)
    mouse, faces = Mouse(options), board(draw, 4, 5)
    given, came = [], []
    for _ in range(60):
        if draw.random() < 0.2:
            faces = board(draw, 4, 5)
        what = draw.choices(["press", "release", "move", "cancel", "ignore"], [9, 9, 4, 1, 1])[0]
        button, cell = draw.choice(list(Button)), some_cell(draw, faces)
        shift, ctrl, lost = draw.random() < 0.15, draw.random() < 0.15, draw.random() < 0.5
        asked: list[Any] = []
        if what == "press":
            asked = mouse.press(button, cell, faces, shift=shift, ctrl=ctrl)
        elif what == "release":
            asked = mouse.release(button, cell, faces)
        elif what == "move":
            asked = mouse.move(cell, faces)
        elif what == "ignore":
            mouse.ignore(button)
        else:
            mouse.cancel(releases_lost=lost)
        step = {"what": what, "button": button, "cell": cell, "board": as_given(faces)}
        given.append(step | {"shift": shift, "ctrl": ctrl, "lost": lost})
        state = mouse.state, mouse.pressed, mouse.is_holding_cell
        came.append([asked, *state, mouse.has_button_down, mouse.is_ignoring_input])
    chosen = {"questions": options.questions, "left_chords": options.left_chords}
    return "mouse", {"options": chosen, "steps": given}, came


def finger_vector(seed: int) -> Vector:
    draw = random.Random(seed)
    habits = TouchOptions()
    finger, faces, now = Finger(habits), board(draw, 4, 5), 0
    given, came = [], []
    for _ in range(40):
        now += draw.choice([1, 40, 299, 300, 700])
        what = draw.choices(["press", "move", "wait", "release", "cancel"], [4, 6, 3, 4, 1])[0]
        cell = some_cell(draw, faces[:-1, :-1])
        point = draw.randint(0, 30), draw.randint(0, 30)
        result: object = None
        if what == "press":
            finger.press(cell, point, now)
        elif what == "move":
            result = finger.move(point)
        elif what == "wait":
            result = finger.due_long_press(now)
        elif what == "release":
            result = finger.release(now)
        else:
            finger.cancel()
        given.append({"what": what, "cell": cell, "point": point, "now": now})
        came.append([result, finger.state, finger.pressed_cells(faces)])
    limits = {"hold": habits.hold_ms, "tremble": habits.tremble_px}
    return "finger", {**limits, "board": as_given(faces), "steps": given}, came


def cursor_vector(seed: int) -> Vector:
    draw = random.Random(seed)
    faces = board(draw, draw.randint(1, 5), draw.randint(1, 6))
    rows, cols = faces.shape
    cell = None if draw.random() < 0.1 else (draw.randrange(rows), draw.randrange(cols))
    acts = [Command.ACT, Command.FLAG, Command.CHORD, Command.QUESTION, Command.HOVER_ACT]
    command = draw.choice([*sorted(MOVES), *acts, Command.HOVER_FLAG, Command.NEW])
    act = None if cell is None else intended_act(faces, cell, command)
    given = {"board": as_given(faces), "cell": cell, "command": command}
    return "cursor", given, [moved_cursor(faces, cell, command), act]


def looks_vector(seed: int) -> Vector:
    draw = random.Random(seed)
    faces, fade = board(draw, 5, 6), draw.random() < 0.5
    if draw.random() < 0.5:
        faces[np.isin(faces, (Face.MINE, Face.WRONG))] = Face.COVERED  # lives are left
    looks = cell_looks(faces, fade_finished=fade).ravel().tolist()
    return "looks", {"board": as_given(faces), "fade": fade}, looks


def motion_vector(seed: int) -> Vector:
    draw = random.Random(seed)
    game = Game("8x7/9", seed=seed)
    moving, now = motion.Motion((7, 8)), 1000.0
    acts: list[dict[str, object]] = []
    before = sight(game)
    while len(acts) < 6 and game.status not in (Status.WON, Status.LOST):
        cell = draw.randrange(7), draw.randrange(8)
        if draw.random() < 0.3 and game.can(Act(0, Verb.FLAG, *cell)):
            game.flag(*cell)
        elif game.can(Act(0, Verb.OPEN, *cell)):
            game.open(*cell)
        faces = sight(game)
        moving.animate_change(before, faces, cell, game.status, now)
        played_act = {"before": before.ravel().tolist(), "faces": faces.ravel().tolist()}
        acts.append(played_act | {"origin": cell, "status": game.status, "now": now})
        before, now = faces, now + draw.choice([5, 30, 90])
    moments = [now + step for step in (-90, 1, 33, 66, 140, 301, 500, 702)]
    came = []
    for moment in moments:
        frame = moving.frame(before, moment)
        landing = [[row * 8 + col, height] for (row, col), height in frame.landing.items()]
        arrays = (frame.faces, frame.veil, frame.light)
        came.append([*(each.ravel().tolist() for each in arrays), landing])
    given = {"times": motion_times(), "rows": 7, "cols": 8, "acts": acts, "moments": moments}
    return "motion", given, came


def view_vector(seed: int) -> Vector:
    draw = random.Random(seed)
    rows, cols = draw.randint(1, 60), draw.randint(1, 80)

    def port() -> Rect:
        return Rect(draw.randint(0, 9), draw.randint(0, 9), *(draw.randint(50, 900) for _ in "wh"))

    first = port()
    view = View.fitted((rows, cols), first)
    given: list[list[Any]] = []
    box = port()
    came = []
    for _ in range(20):
        what = draw.choice(["zoomed", "steps", "panned", "resized", "scrolled"])
        x, y = draw.randint(0, 900), draw.randint(0, 900)
        if what == "zoomed":
            size = draw.randint(1, 150)
            view, values = view.zoomed(size, x, y), [size, x, y]
        elif what == "steps":
            count = draw.randint(-3, 3)
            view, values = view.zoomed_by_steps(count, x, y), [count, x, y]
        elif what == "panned":
            dx, dy = draw.randint(-200, 200), draw.randint(-200, 200)
            view, values = view.panned(dx, dy), [dx, dy]
        elif what == "resized":
            other = port()
            view, values = view.resized(other), [other._asdict()]  # type: ignore[list-item]
        else:
            cell = draw.randrange(rows), draw.randrange(cols)
            view, values = view.scrolled_to(*cell), list(cell)
        seen = view.visible_rows_and_cols()
        spans = [(each.start, each.stop) for each in seen]
        at = view.cell_at(view.viewport.x + 7, view.viewport.y + 9)
        given.append([what, *values])
        sizes = view.cell, view.left, view.top
        shows = view.shows_whole_board, view.is_fitted, view.minimap_rects(box), True
        came.append([*sizes, [*spans[0], *spans[1]], at, *shows])
    limits = {"least": MIN_CELL, "most": MAX_CELL, "steps": ZOOM_STEPS}
    asked = {"rows": rows, "cols": cols, "port": first._asdict(), "limits": limits}
    asked["box"] = box._asdict()
    return "view", asked | {"steps": given}, came


def test_the_mouse() -> None:
    hold([mouse_vector(seed) for seed in range(150)])


def test_the_mouse_reaches_every_state_and_act() -> None:
    steps = [step for seed in range(150) for step in plain(mouse_vector(seed)[2])]
    assert {step[1] for step in steps} == {"UU", "UD", "UDn", "DU", "CH", "CHn", "DUa"}
    verbs = {asked[0][0] for asked, *_ in steps if asked}
    assert verbs == {"open", "flag", "question", "chord"}


def test_the_finger() -> None:
    hold([finger_vector(seed) for seed in range(100)])


def test_the_cursor_and_what_it_does() -> None:
    hold([cursor_vector(seed) for seed in range(600)])


def draft_vector(seed: int) -> Vector:
    draw = random.Random(seed)
    faces, mines = board(draw, 5, 6), draw.randint(1, 20)
    draft = Draft()
    given: list[object] = []
    came = []
    for _ in range(25):
        cell, is_mine = (draw.randrange(5), draw.randrange(6)), draw.random() < 0.5
        is_taken_back = draw.random() < 0.15
        draft = draft.without_last() if is_taken_back else draft.toggled(cell, is_mine=is_mine)
        draft = draft.still_covered(faces)
        broken = draft.broken_counts(faces, mines)
        given.append(None if is_taken_back else {"cell": cell, "isMine": is_mine})
        marks: list[int] = []
        if draft.assumptions or broken.numbers:
            overlay = Overlay.empty((5, 6))
            overlay = overlay.with_marks(Mark.ASSUMED_MINE, draft.cells(mines=True))
            overlay = overlay.with_marks(Mark.ASSUMED_SAFE, draft.cells(mines=False))
            marks = overlay.with_marks(Mark.BROKEN, broken.numbers).marks.ravel().tolist()
        came.append([draft.assumptions, broken.numbers, broken.mine_count, marks])
    return "draft", {"board": as_given(faces), "mines": mines, "steps": given}, came


def test_a_draft_and_what_it_breaks() -> None:
    vectors = [draft_vector(seed) for seed in range(200)]
    assert {mine_count for _, _, came in vectors for _, _, mine_count, _ in came} == {True, False}
    hold(vectors)


LIMITS = {"most_cells": 100, "most_undone": MOST_UNDONE}


def position_vector(seed: int) -> Vector:
    draw = random.Random(seed)
    editor = PositionEditor(lambda *_args, **_kwargs: Future(), lambda: None)
    editor.take(np.full((4, 5), Face.COVERED, np.uint8), 6)
    editor.forget_changes()
    given: list[object] = []
    came: list[object] = []
    for number in range(40):
        rows, cols = editor.view.position.faces.shape
        cell = draw.randrange(rows), draw.randrange(cols)
        what = draw.choice(
            ["click"] * 8 + ["paint", "resize", "setMines", "clear", "take", "undo", "redo"]
        )
        step: dict[str, Any] = {"what": what, "args": []}
        if what == "click":
            how = {"secondary": draw.random() < 0.3, "continues": draw.random() < 0.4}
            editor.tool = step["tool"] = draw.choice([tool for tool in TOOLS if tool != "why"])
            step["args"] = [cell, how]
            editor.click(cell, **how)
        elif what == "paint":
            face, continues = draw.choice(list(PAINTING_KEYS.values())), draw.random() < 0.4
            step["args"] = [cell, face, continues]
            editor.paint(cell, face, continues=continues)
        elif what == "resize":
            height, width = draw.randint(1, 9), draw.randint(1, 9)
            step["args"] = [height, width]
            editor.resize(width, height)
        elif what == "setMines":
            mines = draw.randrange(rows * cols)
            step["args"] = [mines]
            editor.set_mines(mines)
        elif what == "take":
            faces = board(draw, 3, 4)
            step["args"] = [as_given(faces), number % 12]
            editor.take(faces, number % 12)
        else:
            {"clear": editor.clear, "undo": editor.undo, "redo": editor.redo}[what]()
        given.append(step)
        came.append(seen_in_editor(editor))
    asked = {"limits": LIMITS, "letters": FACE_LETTERS, "start": [4, 5, 6], "steps": given}
    return "position", asked, came


def seen_in_editor(editor: PositionEditor) -> list[object]:
    view = editor.view
    assert not view.trouble
    faces, mines = view.position.faces, view.position.mines
    can = view.can_undo, view.can_redo
    return [faces.ravel().tolist(), *faces.shape, mines, *can, editor.text_to_copy()]


def test_a_position_is_painted_and_told() -> None:
    hold([position_vector(seed) for seed in range(200)])


@pytest.mark.parametrize(
    ("text", "is_one"),
    [
        ("1-3x2-1-J6", True),
        ("1-3x2-5-AJ4B", True),
        ("1-3x2-6-J6", False),
        ("1-3x2-1-J5", False),
        ("1-3x2-1-J7", False),
        ("1-3x2-1-J999999", False),
        ("1-0x2-0-", False),
        ("1-11x10-1-J110", False),
        ("1-999999x999999-1-J1", False),
        ("1-3x2-1-P6", False),
        ("2-3x2-1-J6", False),
        ("1-3x2-1-J6 ", False),
        ("games", False),
        ("", False),
    ],
)
def test_only_links_of_positions_are_followed(text: str, is_one: bool) -> None:
    hold([("link", {"text": text, "limits": LIMITS}, [is_one])])


def test_finished_and_crowded_numbers() -> None:
    hold([looks_vector(seed) for seed in range(100)])


def test_motion() -> None:
    for (_, given, expected), found in zip(
        vectors := [motion_vector(seed) for seed in range(40)], played(vectors), strict=True
    ):
        for moment, wanted, got in zip(given["moments"], plain(expected), found, strict=True):
            assert got[0] == wanted[0], moment
            # Both cut opacities off, of figures that may differ in the last place.
            assert np.abs(np.array(got[1:3]) - np.array(wanted[1:3])).max() <= 1, moment
            assert [each[0] for each in got[3]] == [each[0] for each in wanted[3]]


def test_where_cells_are() -> None:
    hold([view_vector(seed) for seed in range(150)])


def test_lamps() -> None:
    numbers = [-12345, -100, -99, -7, 0, 5, 42, 999, 1000, 99999]
    cases = [(value, digits) for value in numbers for digits in (3, 4, 5)]
    vectors = [("lamps", {"value": v, "digits": d}, led_text(v, d)) for v, d in cases]
    assert played(list(vectors)) == [led_text(v, d) for v, d in cases]


def test_every_key_has_its_label_and_is_found_when_it_is_pressed() -> None:
    keys = [key for bound in DEFAULT_KEYS.values() for key in bound]
    bindings = {command: list(bound) for command, bound in DEFAULT_KEYS.items()}
    labels = {"bindings": bindings, "labels": dict(KEY_LABELS), "keys": keys}
    pressed = {"pressed": [pressed_key(key) for key in keys]}
    found = played([("keys", labels, None), ("names", pressed, None)])
    assert found == [[key_label(key) for key in keys], [normalise_key(key) for key in keys]]


def pressed_key(key: str) -> dict[str, object]:
    """What a browser says of a key that is pressed."""
    names = {"space": " ", "up": "ArrowUp", "down": "ArrowDown", "left": "ArrowLeft"}
    names |= {"right": "ArrowRight", "escape": "Escape", "enter": "Enter", "home": "Home"}
    names |= {"end": "End", "pause": "Pause"}
    *held, last = [*key[:-1].rstrip("+").split("+"), "+"] if key.endswith("+") else key.split("+")
    shift = "shift" in held or last in "+?"
    written = names.get(last, last.upper() if shift or len(last) > 1 else last)
    return {
        "key": written,
        "ctrlKey": "ctrl" in held,
        "altKey": "alt" in held,
        "shiftKey": shift,
        "metaKey": False,
    }


def test_every_script_that_the_page_loads_is_loaded_ahead() -> None:
    head = (STATIC / "index.html").read_text(encoding="utf-8")
    ahead = {line.split('"')[3] for line in head.splitlines() if "modulepreload" in line}
    own = {f"/static/js/{path.name}" for path in (STATIC / "js").glob("*.js")}
    assert ahead | {"/static/js/main.js"} == own


def test_sizes_of_cells_are_those_of_the_tables() -> None:
    text = (STATIC / "js" / "board_canvas.js").read_text(encoding="utf-8")
    steps = ", ".join(map(str, ZOOM_STEPS))
    assert f"least: {MIN_CELL}," in text
    assert f"most: {MAX_CELL}," in text
    assert f"steps: [{steps}]" in text
    assert all(low < high for low, high in pairwise(ZOOM_STEPS))
