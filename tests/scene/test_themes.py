"""The themes keep their promises: contrast, sight deficiencies, names."""

from __future__ import annotations

import json
from colorsys import rgb_to_hsv
from dataclasses import FrozenInstanceError, fields
from pathlib import Path
from typing import Any

import pytest

from demine.scene import themes
from demine.scene.colours import RGB, contrast, luminance, mix, to_hex
from demine.scene.digit_palettes import (
    CLEAR,
    OKABE_ITO,
    PALETTES,
    STRONG,
    WINMINE,
    next_palette,
    palette_announcement,
)
from demine.scene.themes import (
    THEMES,
    Theme,
    ThemeError,
    load_theme,
    load_themes,
    theme,
    with_palette,
)
from demine.scene.translation import set_language
from tests.scene.vision import DEFICIENCIES, ciede2000, nearest

NUMBERS = range(1, 9)
FLAT = [name for name in THEMES if name != "classic"]


@pytest.mark.parametrize(
    ("one", "two", "ratio"),
    [
        ((0, 0, 0), (255, 255, 255), 21.0),
        ((255, 255, 255), (255, 255, 255), 1.0),
        ((119, 119, 119), (255, 255, 255), 4.48),
        ((0, 0, 255), (192, 192, 192), 4.73),
    ],
)
def test_contrast_is_the_ratio_of_wcag(one: RGB, two: RGB, ratio: float) -> None:
    assert contrast(one, two) == pytest.approx(ratio, abs=0.01)
    assert contrast(two, one) == contrast(one, two)


def test_ciede2000_agrees_with_published_pairs() -> None:
    # Pairs 1, 7 and 17 of the data of Sharma, Wu and Dalal.
    assert ciede2000((50, 2.6772, -79.7751), (50, 0, -82.7485)) == pytest.approx(2.0425, abs=1e-4)
    assert ciede2000((50, 0, 0), (50, -1, 2)) == pytest.approx(2.3669, abs=1e-4)
    assert ciede2000((50, 2.5, 0), (73, 25, -18)) == pytest.approx(27.1492, abs=1e-4)


def test_winmine_has_its_own_colours() -> None:
    classic = theme("classic")
    assert [to_hex(classic.digit_colour(n)) for n in NUMBERS] == [
        "#0000ff", "#008000", "#ff0000", "#000080", "#800000", "#008080", "#000000", "#808080",
    ]  # fmt: skip
    assert to_hex(classic.covered) == to_hex(classic.opened) == to_hex(classic.panel) == "#c0c0c0"
    assert (to_hex(classic.covered_light), to_hex(classic.covered_dark)) == ("#ffffff", "#808080")
    assert (to_hex(classic.blown), to_hex(classic.crowded)) == ("#ff0000", "#ff9999")


@pytest.mark.parametrize("palette", ["", OKABE_ITO.name])
@pytest.mark.parametrize("name", FLAT)
def test_every_digit_can_be_read(name: str, palette: str) -> None:
    look = with_palette(theme(name), palette) if palette else theme(name)
    least = 7.0 if name == "contrast" else 4.5
    for number in NUMBERS:
        assert contrast(look.digit_colour(number), look.opened) >= least, number
        # A crowded number changes its ground, not its ink.
        assert contrast(look.digit_colour(number), look.crowded) >= 4.5, number


@pytest.mark.parametrize("name", THEMES)
@pytest.mark.parametrize("palette", ["", *PALETTES])
def test_a_finished_number_fades_and_can_be_read(name: str, palette: str) -> None:
    look = with_palette(theme(name), palette) if palette else theme(name)
    for number in NUMBERS:
        full, faded = look.digit_colour(number), look.dim_digit_colour(number)
        assert contrast(faded, look.opened) >= 4.5, number
        assert faded != full, number


@pytest.mark.parametrize("name", THEMES)
def test_the_focus_ring_stands_out_from_every_ground(name: str) -> None:
    look = theme(name)
    for ground in (look.covered, look.opened, look.pressed, look.blown, look.crowded):
        assert max(contrast(tone, ground) for tone in (look.cursor, look.cursor_halo)) >= 3
    assert contrast(look.cursor, look.cursor_halo) >= 3


@pytest.mark.parametrize("name", THEMES)
def test_what_stands_on_a_cell_stands_out(name: str) -> None:
    look = theme(name)
    assert contrast(look.pole, look.covered) >= 3
    assert contrast(look.question, look.covered) >= 3
    assert contrast(look.mine, look.opened) >= 4.5
    assert contrast(look.panel_text, look.panel) >= 7
    for tone in (look.won_text, look.lost_text):
        assert contrast(tone, look.panel) >= 4.5
        assert rgb_to_hsv(*(part / 255 for part in tone))[1] > 0.4  # it still has a hue
    assert contrast(look.led_on, look.led_back) >= 4.5
    assert contrast(look.led_on, look.led_off) >= 2.5
    assert contrast(look.smiley, look.smiley_line) >= 7
    # Winmine's red flag on grey has 2.2; its black pole carries it.
    assert contrast(look.flag, look.covered) >= (2 if name == "classic" else 3)


@pytest.mark.parametrize("name", THEMES)
def test_a_win_is_told_in_green_and_a_loss_in_red(name: str) -> None:
    look = theme(name)
    red, green, blue = look.won_text
    assert green > 1.3 * max(red, blue)
    red, green, blue = look.lost_text
    assert red > 1.3 * max(green, blue)


@pytest.mark.parametrize("name", THEMES)
def test_the_board_ends_where_it_is_seen_to_end(name: str) -> None:
    look = theme(name)
    assert contrast(look.edge, look.window) >= 1.9
    if not look.bevelled:
        assert contrast(look.edge, look.window) >= 4.5


@pytest.mark.parametrize(
    ("colours", "figures"),
    [
        (WINMINE.on_light, (16.5, 4.8, 11.6, 5.8)),
        (CLEAR.on_dark, (13.8, 13.2, 13.0, 12.2)),
        # The green of 2 costs 2 of the distance an almost black one had (10.6 and 13.9).
        (CLEAR.on_light, (14.7, 8.8, 8.6, 11.4)),
        (STRONG.on_dark, (17.5, 11.5, 11.5, 11.5)),
        (STRONG.on_light, (13.9, 12.2, 12.3, 14.7)),
        (OKABE_ITO.on_dark, (16.3, 11.5, 11.6, 11.5)),
        (OKABE_ITO.on_light, (13.7, 9.6, 9.6, 9.6)),
    ],
)
def test_digits_stay_apart_for_every_sight(
    colours: tuple[RGB, ...], figures: tuple[float, ...]
) -> None:
    found = [nearest(colours, deficiency) for deficiency in DEFICIENCIES]
    assert found == pytest.approx(figures, abs=0.06)


OKABE_AND_ITO = {
    1: "#0072b2", 2: "#009e73", 3: "#d55e00", 4: "#cc79a7",
    5: "#e69f00", 6: "#56b4e9", 7: "#000000", 8: "#f0e442",
}  # fmt: skip
"""Their eight colours as published, by the number each stands for: 7 is black, white on dark."""


@pytest.mark.parametrize("number", NUMBERS)
def test_okabe_and_itos_hues_are_kept(number: int) -> None:
    published = tuple(bytes.fromhex(OKABE_AND_ITO[number][1:]))
    for colours in (OKABE_ITO.on_light, OKABE_ITO.on_dark):
        colour = colours[number - 1]
        if number == 7:
            assert colour in {(0, 0, 0), (255, 255, 255)}
            continue
        turn = abs(rgb_to_hsv(*colour)[0] - rgb_to_hsv(*published)[0]) * 360
        assert min(turn, 360 - turn) <= 13, to_hex(colour)


def test_okabe_and_itos_numbers_are_large_text_on_the_classic_grey() -> None:
    look = with_palette(theme("classic"), OKABE_ITO)
    assert min(contrast(look.digit_colour(number), look.opened) for number in NUMBERS) >= 3


def test_palettes_come_one_after_another() -> None:
    names = [""]
    while (name := next_palette(names[-1])) not in names:
        names.append(name)
    assert (names, name) == (["", *PALETTES], "")
    assert palette_announcement("") == "Colours of the numbers: match theme"
    assert (
        palette_announcement("okabe-ito") == "Colours of the numbers: Okabe-Ito, colour-blind safe"
    )
    set_language("zh_CN")
    try:
        assert palette_announcement("okabe-ito") == "数字的配色：Okabe-Ito（色盲友好）"
    finally:
        set_language("en")


def test_palettes_hold_eight_colours_and_suit_their_ground() -> None:
    for palette in PALETTES.values():
        for colours, ground in (
            (palette.on_light, (238, 240, 243)),
            (palette.on_dark, (38, 40, 43)),
        ):
            assert len(set(colours)) == 8
            assert palette.colours_on(ground) == colours
            if palette is not WINMINE or colours is WINMINE.on_dark:
                assert min(contrast(colour, ground) for colour in colours) >= 4.5


def test_a_palette_changes_the_digits_and_nothing_else() -> None:
    plain = theme("dark")
    changed = with_palette(plain, "winmine")
    assert changed.digits == WINMINE.on_dark
    assert with_palette(changed, CLEAR) == plain
    with pytest.raises(ThemeError, match="the palettes are winmine, clear, strong, okabe-ito"):
        with_palette(plain, "neon")


def test_an_unknown_theme_is_told_with_those_there_are() -> None:
    with pytest.raises(ThemeError, match="'pink'; the themes are classic, light, dark, contrast"):
        theme("pink")


@pytest.mark.parametrize("name", THEMES)
def test_a_theme_is_data(name: str) -> None:
    look = theme(name)
    assert look.name == name
    assert look.title
    colours = look.colours()
    assert all(0 <= part <= 255 for colour in colours.values() for part in colour)
    assert len(colours) == 8 + sum("RGB" in str(field.type) for field in fields(Theme)) - 1
    assert hash(look) == hash(theme(name))
    with pytest.raises(FrozenInstanceError):
        look.opened = (0, 0, 0)  # type: ignore[misc]


def test_mixing_and_luminance() -> None:
    assert mix((0, 0, 0), (255, 100, 10), 0.5) == (128, 50, 5)
    assert luminance((255, 255, 255)) == pytest.approx(1)
    assert luminance((0, 0, 0)) == 0


# Files of themes

FOLDER = Path(themes.__file__).parent


def a_theme(**changes: object) -> dict[str, Any]:
    entry = json.loads((FOLDER / "dark.json").read_text("utf-8")) | changes
    return {name: value for name, value in entry.items() if value is not None}


def written(folder: Path, name: str, entry: object) -> Path:
    path = folder / f"{name}.json"
    path.write_text(json.dumps(entry), "utf-8")
    return path


def test_every_file_is_a_theme_and_the_order_is_theirs() -> None:
    assert sorted(THEMES) == sorted(path.stem for path in FOLDER.glob("*.json"))
    assert list(THEMES)[:4] == ["classic", "light", "dark", "contrast"]


def test_a_new_file_is_a_new_theme_after_those_that_have_an_order(tmp_path: Path) -> None:
    written(tmp_path, "amber", a_theme(order=None, title="Amber", opened="#201000"))
    written(tmp_path, "dark", a_theme())
    digits = [to_hex(colour) for colour in THEMES["light"].digits]
    written(tmp_path, "zebra", a_theme(order=1, digits=digits))
    found = load_themes(tmp_path)
    assert list(found) == ["zebra", "dark", "amber"]
    assert found["dark"] == THEMES["dark"]
    assert found["zebra"].digits == THEMES["light"].digits
    assert (found["amber"].title, found["amber"].opened) == ("Amber", (32, 16, 0))


@pytest.mark.parametrize("field", sorted({field.name for field in fields(Theme)} - {"name"}))
def test_what_a_file_forgets_is_named(field: str, tmp_path: Path) -> None:
    with pytest.raises(ThemeError, match=f"^theme mine: '{field}' is missing$"):
        load_theme(written(tmp_path, "mine", a_theme(**{field: None})))


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("opened", "#fff"),
        ("flag", [1, 2, 3]),
        ("digits", "no-palette"),
        ("digits", ["#000000"] * 7),
        ("bevelled", "yes"),
        ("title", 3),
        ("order", "first"),
        ("risks", "#ffffff"),
        ("risks", {"safe": "#000000", "sure": "#000000", "steps": {"1": "#000000"}}),
        ("risks", {"safe": "#000000", "sure": "#000000",
                   "steps": {"1": "#000000", "50": "#000000", "20": "#000000", "100": "#000000"}}),
    ],
)  # fmt: skip
def test_what_is_wrong_in_a_file_is_named(field: str, value: object, tmp_path: Path) -> None:
    with pytest.raises(ThemeError, match=f"^theme mine: '{field}' is wrong$"):
        load_theme(written(tmp_path, "mine", a_theme(**{field: value})))


def test_what_no_theme_has_is_named(tmp_path: Path) -> None:
    with pytest.raises(ThemeError, match=r"^theme mine: 'colour' is not a field$"):
        load_theme(written(tmp_path, "mine", a_theme(colour="#000000")))
    path = tmp_path / "mine.json"
    path.write_text("{", "utf-8")
    with pytest.raises(ThemeError, match=r"^theme mine: .*line 1"):
        load_theme(path)


@pytest.mark.parametrize(("name", "least"), [("light", 2.3), ("dark", 2.9)])
def test_covered_cells_stand_out_from_opened_ones(name: str, least: float) -> None:
    assert contrast(THEMES[name].covered, THEMES[name].opened) >= least


@pytest.mark.parametrize("name", THEMES)
def test_what_is_next_to_press_is_read_and_found(name: str) -> None:
    look = THEMES[name]
    assert contrast(look.accent_text, look.accent) >= 4.5
    assert contrast(look.accent, look.panel) >= 3
