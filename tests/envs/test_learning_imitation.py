"""A network learns the exact solver's probabilities, and its files are safe to read."""

from __future__ import annotations

import csv
import io
import sys
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

jax = pytest.importorskip("jax", reason="JAX is not installed")
pytest.importorskip("optax", reason="Optax is not installed")

from demine import Face, Rules, mine_probability_batch  # noqa: E402
from demine.envs.learning.imitate_solver import Training, main, train_one_round  # noqa: E402
from demine.envs.learning.labelled_positions import play_and_label, symmetry_count  # noqa: E402
from demine.envs.learning.network import cell_values, initial_network  # noqa: E402
from demine.envs.learning.parameter_file import (  # noqa: E402
    ParameterFileError,
    read_tree,
    write_tree,
)
from scripts import learning_curve  # noqa: E402

TINY = ("--board", "4x4/3", "--channels", "16", "--positions", "2000", "--blocks", "2")
LEARNING = ("--blocks", "1", "--positions", "15000", "--rounds", "5", "--judged", "400")


def arrays(path: Path) -> dict[str, NDArray[Any]]:
    """What a run leaves behind, but for the time that it took."""
    with np.load(path) as file:
        return {name: file[name] for name in file.files if name != "minutes"}


def test_it_learns_to_play_in_seconds(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    curve = tmp_path / "curve.csv"
    assert main([*TINY, *LEARNING, "--curve", str(curve)]) == 0
    said = capsys.readouterr()
    rows = (line.split() for line in said.out.splitlines() if line.startswith("  "))
    share = {name: float(rate.rstrip("%")) for name, rate, *_ in rows}
    assert list(share) == ["random", "learned", "exact", "fast"]
    assert share["random"] < 35
    assert 65 < share["learned"] < share["fast"] + 3
    losses = [float(part.split("loss ")[1].split(",")[0]) for part in said.err.split("\r")[1:]]
    assert len(losses) == 5
    assert losses[-1] < losses[0] / 2.5
    first, last = csv.DictReader(curve.read_text("utf-8").splitlines())
    assert 0 < float(last["error"]) < 0.1 < float(first["error"])
    assert float(last["won"]) / float(last["boards"]) == pytest.approx(
        share["learned"] / 100, abs=1e-3
    )


def test_with_a_break_it_comes_to_the_same_bit_by_bit(tmp_path: Path) -> None:
    whole, halves = tmp_path / "whole.npz", tmp_path / "halves.npz"
    for path, rounds in ((whole, "2"), (halves, "1"), (halves, "2")):
        assert main([*TINY, "--judged", "1", "--rounds", rounds, "--save", str(path)]) == 0
    one, other = arrays(whole), arrays(halves)
    assert one.keys() == other.keys()
    assert all(np.array_equal(one[name], other[name]) for name in one)
    assert one["rounds"] == 2


class InterruptedStream(io.StringIO):
    """Has the user press Ctrl+C when the first round has been told."""

    def write(self, text: str) -> int:
        written = super().write(text)
        if "loss" in text:
            raise KeyboardInterrupt
        return written


def test_an_interrupt_saves_and_shows_what_was_learned(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    save = tmp_path / "saved.npz"
    monkeypatch.setattr(sys, "stderr", InterruptedStream())
    assert main([*TINY, "--judged", "5", "--minutes", "999", "--save", str(save)]) == 0
    said = capsys.readouterr().out
    assert "learned" in said
    assert "fast" in said
    assert arrays(save)["rounds"] == 1


@pytest.mark.parametrize("board", ["6x6/6", "7x4/5"])
def test_turned_positions_have_the_solvers_own_probabilities(board: str) -> None:
    rules = Rules.of(board)
    positions = play_and_label(rules, None, boards=4, seed=3)
    views = [positions.transformed(each) for each in range(symmetry_count(rules))]
    for view in views:
        exact = mine_probability_batch(view.faces, rules.mines)
        assert np.allclose(view.probability, exact, equal_nan=True)
    assert len({view.faces.tobytes() for view in views}) == symmetry_count(rules)
    assert np.array_equal(views[0].faces, positions.faces)


def test_students_play_every_other_board_and_games_go_on() -> None:
    """The first covered cell loses often; the positions are of games that are not over."""

    def first_covered(faces: NDArray[np.uint8], masks: NDArray[np.int8]) -> NDArray[np.int64]:
        del faces
        return np.asarray(masks.argmax(axis=1), np.int64)

    rules = Rules.of("6x6/10")
    positions = play_and_label(rules, first_covered, boards=10, seed=4)
    assert positions.faces.max() == Face.COVERED
    begun = int((positions.faces == Face.COVERED).all(axis=(1, 2)).sum())
    assert begun > 10
    covered = positions.faces == Face.COVERED
    assert np.array_equal(np.isnan(positions.probability), ~covered)


def test_flags_are_notes_and_mines_count() -> None:
    network = Training.begun(1, 16, 2).network._replace(head=jax.numpy.ones(16))
    values_of = jax.jit(cell_values)
    faces = np.full((1, 3, 4), Face.COVERED, np.uint8)
    faces[0, 0, 0] = Face.ONE
    flagged = faces.copy()
    flagged[0, 0, 1] = Face.FLAG
    values = values_of(network, faces, 2)
    assert values.shape == faces.shape
    assert np.array_equal(values, values_of(network, flagged, 2))
    assert not np.allclose(values, values_of(network, faces, 5))


def test_certain_cells_and_boards_without_mines_are_learned_from() -> None:
    """Their logarithms and shares are of zero; nothing becomes infinite or no number."""
    begun = Training.begun(1, 16, 2)
    training, loss = train_one_round(begun, Rules.of("3x3/0"), positions=300, seed=1)
    assert training.positions > 0
    assert np.isfinite(loss)
    assert all(np.isfinite(leaf).all() for leaf in jax.tree.leaves(training))


def test_a_curve_is_drawn_beside_other_players(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("matplotlib", reason="Matplotlib is not installed")
    curve, picture = tmp_path / "curve.csv", tmp_path / "curve.svg"
    curve.write_text("minutes,positions,error,won,boards\n0.00,0,0.5,0,40\n1.50,99,0.1,30,40\n")
    words = ["learning_curve.py", f"4x4/3={curve}", "-o", str(picture)]
    monkeypatch.setattr(sys, "argv", words)
    learning_curve.main()
    once = picture.read_bytes()
    assert b"<svg" in once
    learning_curve.main()
    assert picture.read_bytes() == once


def damage(path: Path, how: str) -> None:
    """Damage a file, or put something else in its place."""
    data = path.read_bytes()
    if how == "cut":
        path.write_bytes(data[: len(data) // 2])
    elif how == "a bit":
        flipped = bytearray(data)
        flipped[200] ^= 4
        path.write_bytes(flipped)
    elif how == "empty":
        path.write_bytes(b"")
    elif how == "text":
        path.write_text("minutes,won\n1,2\n")
    elif how == "other arrays":
        np.savez(path, head=np.zeros(3))
    elif how == "not a number":
        write_tree(path, jax.tree.map(lambda leaf: np.full_like(leaf, np.nan), small()))
    elif how == "objects":
        held = np.array([Path()], object)
        np.savez(path, allow_pickle=True, **dict.fromkeys(dict(np.load(path)), held))
    else:
        names = dict(np.load(path))
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            for name in names:
                with archive.open(f"{name}.npy", "w", force_zip64=True) as entry:
                    head = {"descr": "<f4", "fortran_order": False, "shape": (1 << 40,)}
                    np.lib.format.write_array_header_1_0(entry, head)


def small() -> Any:
    """Parameters of a network, as NumPy has them: JAX would compile something for each."""
    shapes = jax.eval_shape(lambda: initial_network(jax.random.key(2), 4, 1))
    return jax.tree.map(lambda leaf: np.ones(leaf.shape, leaf.dtype), shapes)


@pytest.mark.parametrize(
    "how",
    ["cut", "a bit", "empty", "text", "other arrays", "not a number", "objects", "a huge array"],
)
def test_damaged_files_are_refused(tmp_path: Path, how: str) -> None:
    path = tmp_path / "weights.npz"
    write_tree(path, small())
    read = read_tree(path, small())
    assert jax.tree.all(jax.tree.map(np.array_equal, read, small()))
    damage(path, how)
    with pytest.raises(ParameterFileError, match=r"weights\.npz"):
        read_tree(path, small())


def test_the_program_refuses_a_file_of_another_size(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "weights.npz"
    write_tree(path, {"network": small()})
    before = path.read_bytes()
    assert main([*TINY, "--save", str(path)]) == 2
    assert "does not hold these parameters" in capsys.readouterr().err
    assert path.read_bytes() == before
    assert main(["--board", "9x9/99"]) == 2
    assert main(["--board", "4x4/3 goal=flag", "--rounds", "1", "--positions", "10"]) == 2
    assert "cannot be won by opening cells alone" in capsys.readouterr().err
    assert main([*TINY, "--save", str(tmp_path / "no" / "folder.npz")]) == 2
