"""Pages made from the code that players read, in both languages: verbs, keys, settings."""

from __future__ import annotations

import ast
import json
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path
from typing import Final

import click

from demine.cli.main import command_group, translated_click
from demine.cli.verbs import help_lines_by_verb
from demine.scene import preferences
from demine.scene.key_bindings import DEFAULT_KEYS, DESCRIPTIONS, VI_KEYS, Command, key_label
from demine.scene.translation import set_language, tr

LANGUAGE_CODES: Final = {"en": "en", "zh": "zh_CN"}
"""The languages of the site and those of the program."""

PAGE_OF_VERB: Final = {
    "play": "play/controls",
    "make": "cli#make",
    "book": "cli#book",
    "hint": "cli#hint",
    "solve": "cli#solve",
    "review": "review",
    "stats": "cli#stats",
    "watch": "watch",
    "records": "play/records",
    "convert": "cli#convert",
    "warm": "solver#compiled",
    "daily": "daily",
    "train": "train",
    "study": "study",
    "dataset": "datasets",
    "engine": "engine",
    "match": "engine#matches",
}
"""Where a verb is told of in full."""

WORDS: Final = {
    "en": {
        "commands": "Commands",
        "commands intro": (
            "What `demine VERB --help` says, for every verb. `demine --help` lists them."
        ),
        "does": "does",
        "more": "More",
        "keys": "Keys",
        "keys intro": "The default keys. You can change them in Settings > Keys; F1 shows yours.",
        "command": "name",
        "vi": "`--keys vi` adds these keys, which then lose their usual meaning:",
        "settings": "Settings",
        "settings intro": (
            "The choices that are kept for good, beside the records. Invalid values are ignored."
            " You can change nearly all of them in the window's Settings."
        ),
        "name": "name",
        "default": "default",
        "means": "means",
        "environment": "Environment variables",
        "variable": "variable",
    },
    "zh": {
        "commands": "命令",
        "commands intro": (
            "每个命令的 `demine 命令 --help` 的内容。`demine --help` 列出全部命令。"
        ),
        "does": "作用",
        "more": "详见",
        "keys": "按键",
        "keys intro": "默认的按键。“设置 > 按键”可以更改；F1 显示你现在的按键。",
        "command": "名称",
        "vi": "用 `--keys vi` 会加上这些键，它们原来的意思随之取消：",
        "settings": "设置",
        "settings intro": (
            "会一直保存的选择，和成绩存放在一起。无效的值会被忽略。几乎全部都能在窗口的“设置”里更改。"
        ),
        "name": "名称",
        "default": "默认",
        "means": "意思",
        "environment": "环境变量",
        "variable": "变量",
    },
}

SETTINGS_ZH: Final = {
    "rules": "上次玩的规则",
    "first": "各级别首击的保证；空着就照常",
    "goal": "各级别的胜利条件：`open` 打开所有安全格，`flag` 旗正好插在所有的雷上",
    "guess_free": "各级别是否都用无猜棋盘",
    "digits": "计数器和计时的样子：`led` 数码管，`plain` 普通数字；空着就只在经典外观用数码管",
    "counters": "棋盘旁是否显示所选的计数器",
    "pause_unfocused": "切换到其他窗口时是否暂停",
    "word_after_loss": "输了以后是否说明最后一步能否避免",
    "theme": "外观的名称；`system` 跟随系统的浅色或深色",
    "palette": "数字的配色；空着就跟随外观",
    "fade_finished": "插够旗的数字是否淡化",
    "motion": "桌面上打开、插旗和获胜时是否有动画；任何操作都不会因此等待",
    "minimap": "窗口放不下棋盘时，旁边是否显示概览",
    "questions": "再次点右键是否标问号",
    "left_chord": "左键点数字是否等于双击",
    "tap": "手指或触控笔轻点做什么：`open` 打开，`flag` 插旗；长按做另一件",
    "hold_ms": "长按需要多少毫秒",
    "keys": "移动光标的按键：`arrows` 是方向键，`vi` 再加上 h j k l",
    "sound": "操作时是否发出声音",
    "language": "语言；空着就跟随系统",
    "keymap": "玩家自己的按键，每行一个命令",
    "cell": "每格多少像素；0 表示适应屏幕",
    "start_tip": "是否还显示玩法提示；第一局结束后就不再显示",
    "presets": "玩家自己的规则",
}
ENVIRONMENT: Final = {
    "DEMINE_DATA_DIR": (
        "the folder for games, records and settings, instead of the system's",
        "存放对局、成绩和设置的文件夹，代替系统的那一个",
    ),
    "DEMINE_LANG": (
        "the language, whatever else is set: `en` or `zh_CN`",
        "语言，先于其他一切设定：`en` 或 `zh_CN`",
    ),
    "DEMINE_KERNELS": (
        "whether kernels are compiled: `auto`, `cached`, `foreground` or `plain` (the page Solver)",
        "是否编译内核：`auto`、`cached`、`foreground` 或 `plain`（见“求解器”一页）",
    ),
    "NO_COLOR": ("no colours in a terminal", "终端里不用颜色"),
}
"""What the environment tells demine, in both languages."""


def table_pages(language: str) -> Iterator[tuple[str, str]]:
    """Every page of tables in a language of the site: its name and its text."""
    before = set_language(LANGUAGE_CODES[language])
    try:
        with translated_click(before):
            yield "reference/commands", _commands_page(WORDS[language])
        yield "reference/keys", _keys_page(WORDS[language])
        yield "reference/settings", _settings_page(language, WORDS[language])
    finally:
        set_language("en")


def _table_head(*heads: str) -> list[str]:
    return [f"| {' | '.join(heads)} |", "|" + "---|" * len(heads)]


def _table_cell(text: str) -> str:
    """A text as one cell of a table."""
    return " ".join(text.split()).replace("|", "\\|").replace("<", "&lt;").replace("*", "\\*")


# Verbs


def _commands_page(words: dict[str, str]) -> str:
    group = command_group()
    parts = [f"# {words['commands']}\n\n{words['commands intro']}\n"]
    with click.Context(group, info_name="demine") as top:
        for verb in help_lines_by_verb():
            command = group.get_command(top, verb)
            if command is None:
                raise LookupError(verb)
            with click.Context(command, info_name=verb, parent=top) as context:
                parts.append(_verb_section(verb, command, context, words))
    return "\n".join(parts)


def _verb_section(
    verb: str, command: click.Command, context: click.Context, words: dict[str, str]
) -> str:
    usage = " ".join([context.command_path, *command.collect_usage_pieces(context)])
    lines = [f"## {verb}", "", "```text", usage, "```", ""]
    lines += [paragraph.replace("<", "&lt;") + "\n" for paragraph in _paragraphs(command.help)]
    for parameter in command.get_params(context):
        record = parameter.get_help_record(context)
        if record is not None and record[1]:
            lines += [f"`{record[0]}`", f": {_table_cell(record[1])}", ""]
    if verb in PAGE_OF_VERB:
        page, _, place = PAGE_OF_VERB[verb].partition("#")
        target = f"docs:{page}" + (f"#{place}" if place else "")
        lines += ["", f"{words['more']}: [{verb}]({target})"]
    return "\n".join(lines) + "\n"


def _paragraphs(text: str | None) -> list[str]:
    return [part.strip() for part in (text or "").split("\n\n")]


# Keys


def _keys_page(words: dict[str, str]) -> str:
    lines = [f"# {words['keys']}\n\n{words['keys intro']}\n"]
    lines += _table_head(words["keys"], words["does"], words["command"])
    for command in Command:
        lines.append(_key_row(command, DEFAULT_KEYS[command]))
    lines += ["", words["vi"], "", *_table_head(words["keys"], words["does"], words["command"])]
    lines += [_key_row(command, keys) for command, keys in VI_KEYS.items()]
    return "\n".join(lines) + "\n"


def _key_row(command: Command, keys: tuple[str, ...]) -> str:
    shown = " ".join(f"{{kbd}}`{key_label(key)}`" for key in keys)
    return f"| {shown} | {_table_cell(tr(DESCRIPTIONS[command]))} | `{command.value}` |"


# Settings


def _settings_page(language: str, words: dict[str, str]) -> str:
    told = english_settings() if language == "en" else SETTINGS_ZH
    lines = [f"# {words['settings']}\n\n{words['settings intro']}\n"]
    lines += _table_head(words["name"], words["default"], words["means"])
    for field in fields(preferences.Preferences):
        default = json.dumps(field.default, ensure_ascii=False)
        lines.append(f"| `{field.name}` | `{default}` | {told[field.name]} |")
    lines += ["", f"## {words['environment']}", "", *_table_head(words["variable"], words["means"])]
    place = list(LANGUAGE_CODES).index(language)
    lines += [f"| `{name}` | {texts[place]} |" for name, texts in ENVIRONMENT.items()]
    return "\n".join(lines) + "\n"


def english_settings() -> dict[str, str]:
    """What the code says of every preference: the text below its field."""
    tree = ast.parse(Path(preferences.__file__).read_text("utf-8"))
    (home,) = (node for node in tree.body if getattr(node, "name", "") == "Preferences")
    told = {}
    body = home.body if isinstance(home, ast.ClassDef) else []
    for node, after in zip(body, [*body[1:], None], strict=True):
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            found = isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant)
            text = ast.literal_eval(after.value) if found and isinstance(after, ast.Expr) else ""
            told[node.target.id] = " ".join(text.split()).rstrip(".")
    return told
