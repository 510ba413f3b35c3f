"""What the page draws and says, made from the Python tables: colours, sprites, words and keys.

Nothing here belongs to a player, so that every answer may be cached. Sprites are the vector paths
from which the windows draw, fitted to cells of exactly as many pixels as the screen has for them.
"""

from __future__ import annotations

import json
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final, get_args

from demine.logic.errors import DemineError
from demine.picture import cell_symbols, restart_button, seven_segment
from demine.picture.cell import applicable_look, applicable_risk, cell_shapes
from demine.picture.cell_background import covered_ground
from demine.picture.header_shapes import AT_REST, IconName, ToolLook, icon_shapes, tool_colours
from demine.play import position_editor
from demine.scene import header_layout, motion, preferences, themes
from demine.scene.board_geometry import LEAST_PLAYABLE_CELL, MAX_CELL, MIN_CELL, ZOOM_STEPS
from demine.scene.cell_faces import Face
from demine.scene.cell_highlights import Look
from demine.scene.cell_words import FACE_NAMES, MARK_NAMES
from demine.scene.colours import RGB, mix, to_hex
from demine.scene.diagram import FACE_LETTERS
from demine.scene.digit_palettes import PALETTES
from demine.scene.face_mood import FaceMood
from demine.scene.key_bindings import DEFAULT_KEYS, DESCRIPTIONS, KEY_LABELS, VI_KEYS
from demine.scene.overlay import UNKNOWN, Mark
from demine.scene.overview_colours import overview_colours
from demine.scene.status_message import SECONDS
from demine.scene.touch_input import TouchOptions
from demine.scene.translation import SOURCE, Catalogue, languages, match_language
from demine.web.api.forms import ABSENT_COMMANDS
from demine.web.page.messages import page_messages

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from demine.picture.vector_path import Shape
    from demine.scene.themes import Theme

MAX_SPRITE: Final = 512
"""The largest sprite in pixels: the largest cell on a screen of four pixels to one."""
BROWSER_KEYS: Final = frozenset(
    {"ctrl+n", "ctrl+r", "ctrl+l", "ctrl++", "ctrl+=", "ctrl+-", "ctrl+0", "f11"}
)
"""The keys that stay with the browser: its windows, its addresses, and the zoom of its text."""
MOST_TILES: Final = 256
"""How many tiles one request may name."""
_LED_SIGNS: Final = "0123456789- "
_ICONS: Final[tuple[IconName, ...]] = get_args(IconName)
_NUMBERS: Final = range(200)
"""Numbers of things that show every plural form there is."""


class SpriteError(DemineError, ValueError):
    """A sprite that cannot be drawn: too small, too large, or of no such cell."""


# Colours


@lru_cache(maxsize=1)
def themes_css() -> str:
    """Return every theme as variables of a style sheet.

    `data-theme` on the root names one; without it the system's wish for dark or contrast decides.
    """
    chosen = [f':root[data-theme="{name}"]{_css_block(each)}' for name, each in _THEMES.items()]
    unchosen, dark = ":root:not([data-theme])", themes.theme(themes.SYSTEM, dark=True)
    return "\n".join(
        (
            f"{unchosen}{_css_block(themes.theme(themes.SYSTEM))}",
            f"@media (prefers-color-scheme: dark){{{unchosen}{_css_block(dark)}}}",
            f"@media {_HIGH_CONTRAST}{{{unchosen}{_css_block(_THEMES['contrast'])}}}",
            *chosen,
        )
    )


_THEMES: Final = themes.THEMES
_HIGH_CONTRAST: Final = (
    "(prefers-contrast: more),(forced-colors: active) and (prefers-color-scheme: dark)"
)
"""Where the black theme fits: a system may force its colours upon the page, black mostly."""


def _css_block(theme: Theme) -> str:
    """Return the colours of a theme, and those mixed of them, as a block of CSS."""
    rest, hovered, pressed = (
        tool_colours(theme, look)[0]
        for look in (AT_REST, ToolLook(hovered=True), ToolLook(pressed=True))
    )
    colours = theme.colours() | {
        "text": theme.panel_text,
        "muted": mix(theme.panel, theme.panel_text, 0.7),
        "line": mix(theme.panel, theme.panel_text, 0.2),
        "button": rest,
        "button_hover": hovered,
        "button_pressed": pressed,
        "button_pale": tool_colours(theme, ToolLook(enabled=False))[1],
        "accent_hover": tool_colours(theme, ToolLook(accented=True, hovered=True))[0],
        "won_text": theme.won_text,
        "lost_text": theme.lost_text,
        "focus": theme.cursor,
    }
    dark = sum(theme.window) < sum(theme.panel_text)
    lines = [f"--theme:{theme.name}", f"color-scheme:{'dark' if dark else 'light'}"]
    lines += [f"--{name.replace('_', '-')}:{to_hex(rgb)}" for name, rgb in colours.items()]
    return "{" + ";".join(lines) + "}"


def window_colour() -> str:
    """Return the colour around the board in the light theme, for where only one can be given."""
    return to_hex(themes.theme(themes.SYSTEM).window)


# Sprites


@lru_cache(maxsize=128)
def tile_paths(theme: str, cell: int, palette: str = "") -> str:
    """Return every cell that play shows, as JSON: `tiles` by code, `over` them start and cursor.

    A code is face and look, joined by a dot; `small` is the colour of each face in an overview.
    Raises SpriteError and ThemeError.
    """
    chosen = _chosen_theme(theme, palette)
    cell = _checked_size(cell)
    kinds = dict.fromkeys((face, applicable_look(face, look)) for face in Face for look in Look)
    tiles = {f"{face}.{look}": _tile(chosen, face, look, cell) for face, look in kinds}
    over = {
        "start": _parts(cell_symbols.first_cell_mark(chosen, cell)),
        "cursor": _parts(cell_symbols.focus_ring(chosen, cell)),
        "flag": _parts(cell_symbols.flag(chosen, covered_ground(chosen, cell).body, cell)),
    }
    small = [to_hex((red, green, blue)) for red, green, blue in overview_colours(chosen).tolist()]
    return json.dumps({"tiles": tiles, "over": over, "small": small}, separators=(",", ":"))


@lru_cache(maxsize=64)
def advised_tile_paths(theme: str, cell: int, palette: str, codes: str) -> str:
    """Return cells with marks and risks, as JSON: `tiles` by their codes, up to MOST_TILES.

    A code is face, look, mark, risk and whether that is a colour alone (0 or 1), joined by dots;
    `codes` are separated by commas. Raises SpriteError and ThemeError.
    """
    chosen, asked = _chosen_theme(theme, palette), dict.fromkeys(codes.split(","))
    if len(asked) > MOST_TILES:
        raise SpriteError(
            "{count} cells at once: at most {most}", count=len(asked), most=MOST_TILES
        )
    tiles = {code: _advised_tile(chosen, code, _checked_size(cell)) for code in asked}
    return json.dumps({"tiles": tiles}, separators=(",", ":"))


@lru_cache(maxsize=64)
def header_paths(theme: str, size: int) -> str:
    """Return the restart button in each mood, lamps and icons, as JSON.

    The button is `size` pixels high, everything else as large beside it as in a window. `icons`
    have no colour of their own. Raises SpriteError and ThemeError.
    """
    chosen, size = _chosen_theme(theme, ""), _checked_size(size)
    lamps = round(size * header_layout.LAMPS / header_layout.FACE)
    side = header_layout.ICON
    faces = {
        str(mood): _grounded(
            *restart_button.button_shapes(mood, chosen, size, mood is FaceMood.PRESSED)
        )
        for mood in FaceMood
    }
    signs = {
        sign: _grounded(chosen.led_back, seven_segment.digit_shapes(sign, chosen, lamps))
        for sign in _LED_SIGNS
    }
    icons = {name: _parts(icon_shapes(name, (0, 0, 0), side)) for name in _ICONS}
    return json.dumps(
        {
            "faces": faces,
            "lamps": {"height": lamps, "width": seven_segment.digit_width(lamps), "signs": signs},
            "icons": {"size": side, "paths": icons},
        },
        separators=(",", ":"),
    )


def _chosen_theme(name: str, palette: str) -> Theme:
    chosen = themes.theme(name)
    return themes.with_palette(chosen, palette) if palette else chosen


def _checked_size(size: int) -> int:
    if not MIN_CELL <= size <= MAX_SPRITE:
        raise SpriteError(
            "a picture of {size} pixels cannot be drawn: {least} to {most} can",
            size=size,
            least=MIN_CELL,
            most=MAX_SPRITE,
        )
    return size


def _tile(theme: Theme, face: Face, look: Look, cell: int) -> list[Any]:
    return _grounded(*cell_shapes(theme, face, look, cell))


def _advised_tile(theme: Theme, code: str, cell: int) -> list[Any]:
    try:
        face, look, mark, risk, unwritten = map(int, code.split("."))
        kind = Face(face), Look(look), Mark(mark)
    except ValueError:
        raise SpriteError("{code!r} is no cell", code=code[:40]) from None
    if not (0 <= risk <= 100 or risk == UNKNOWN):
        raise SpriteError("{code!r} is no cell", code=code[:40])
    risk = applicable_risk(kind[0], risk)
    return _grounded(
        *cell_shapes(theme, kind[0], kind[1], cell, kind[2], risk, written=not unwritten)
    )


def _grounded(ground: RGB, shapes: Iterable[Shape]) -> list[Any]:
    return [to_hex(ground), *_parts(shapes)]


def _parts(shapes: Iterable[Shape]) -> list[Any]:
    """Return shapes as [path, colour], with the pen's width, opacity and end where not usual."""
    return [_part(shape) for shape in shapes]


def _part(shape: Shape) -> list[Any]:
    part: list[Any] = [shape.path.svg_data(), to_hex(shape.paint)]
    if shape.stroke or shape.alpha != 1:
        part.append(round(shape.stroke, 3))
    if shape.alpha != 1 or shape.cap != "round":
        part += [shape.alpha, shape.cap]
    return part


# Facts and words


@lru_cache(maxsize=1)
def page_facts() -> str:
    """Return what the page has to know of the tables, as JSON: keys, names, sizes and times."""
    facts = {
        "faces": [FACE_NAMES.get(face, str(int(face))) for face in Face],
        "marks": [MARK_NAMES.get(mark, "") for mark in Mark],
        "commands": dict(DESCRIPTIONS),
        "keys": page_keys(),
        "vi_keys": {command: list(keys) for command, keys in VI_KEYS.items()},
        "key_labels": dict(KEY_LABELS),
        "levels": {command: str(rules) for command, rules in preferences.LEVELS.items()},
        "themes": [{"name": each.name, "title": each.title} for each in _THEMES.values()],
        "bevelled": [each.name for each in _THEMES.values() if each.bevelled],
        "palettes": [{"name": each.name, "title": each.title} for each in PALETTES.values()],
        "languages": dict(languages()),
        "zoom": {
            "least": MIN_CELL,
            "most": MAX_CELL,
            "steps": list(ZOOM_STEPS),
            "playable": LEAST_PLAYABLE_CELL,
        },
        "touch": {"tremble": TouchOptions().tremble_px, "hold": TouchOptions().hold_ms},
        "motion": motion_times(),
        "preferences": preferences.Preferences().as_settings(),
        "news_s": SECONDS,
        "absent": sorted(ABSENT_COMMANDS),
        "position": {
            "most_cells": position_editor.MOST_CELLS,
            "most_undone": position_editor.MOST_UNDONE,
            "tools": list(position_editor.TOOLS),
            "letters": FACE_LETTERS,
            "painting_keys": dict(position_editor.PAINTING_KEYS),
            "proof_keys": list(position_editor.PROOF_KEYS),
        },
    }
    return json.dumps(facts, ensure_ascii=False, separators=(",", ":"))


def page_keys() -> dict[str, list[str]]:
    """Return the usual keys of every command, without those that stay with the browser."""
    return {
        command: [key for key in keys if key not in BROWSER_KEYS]
        for command, keys in DEFAULT_KEYS.items()
    }


def motion_times() -> dict[str, float]:
    """Return how long motions take in milliseconds, as `demine.scene.motion` has it."""
    names = (
        "SHORTEST_MS", "LONGEST_MS", "FADE_MS", "LANDING_MS",
        "OTHER_MINES_MS", "LOSS_MS", "WAVE_MS", "MOST_CELLS", "AT_ONCE", "CREST", "BRIGHTEST",
    )  # fmt: skip
    return {name.lower(): getattr(motion, name) for name in names}


def words(code: str) -> str:
    """Return what the page says in a language, or in English where there is none, as JSON.

    `texts` has the translation of a sentence, and for two forms joined by a line feed the forms
    of a number of things, of which `plural` has the place for the numbers from 0 on: its last half
    repeats.
    """
    return _words(match_language(code) or SOURCE)


@lru_cache(maxsize=16)
def _words(code: str) -> str:
    catalogue = Catalogue(code)
    texts: dict[str, object] = {}
    plural = [0 for _ in _NUMBERS]
    for said in dict.fromkeys([*(each.id for each in page_messages()), *_spoken_names()]):
        if isinstance(said, str):
            if (text := catalogue.tr(said)) != said:
                texts[said] = text
            continue
        forms = [catalogue.plural_form(*said, n) for n in _NUMBERS]
        distinct = list(dict.fromkeys((*forms[1:], forms[0])))
        texts["\n".join(said)] = distinct
        plural = max(plural, [distinct.index(form) for form in forms], key=max)
    spoken = {
        "language": code,
        "tag": code.replace("_", "-"),
        "plural": "".join(map(str, plural)),
        "texts": texts,
    }
    return json.dumps(spoken, ensure_ascii=False, separators=(",", ":"))


def _spoken_names() -> Iterator[str]:
    """Yield the names that the page has from the tables."""
    tables: tuple[Mapping[Any, str], ...] = (FACE_NAMES, MARK_NAMES, DESCRIPTIONS, KEY_LABELS)
    for table in tables:
        yield from table.values()
    yield from (each.title for each in _THEMES.values())
    yield from (each.title for each in PALETTES.values())
