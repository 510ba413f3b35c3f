"""Scripts that let bash, zsh and fish complete `demine`, made from the declarations of the verbs.

They hold all words themselves: no key press starts Python, and none can start a game.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

import click

from demine import __version__
from demine.cli.param_types import RULES_OR_FILE, Completions, completions_of
from demine.cli.text_table import shortened_end
from demine.scene.translation import tr

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

_DEFAULT_VERB: Final = "play"
"""The verb that is meant where none is written."""
_MAX_HELP_WIDTH: Final = 72


class CompletedOption(NamedTuple):
    """An option of a verb."""

    names: tuple[str, ...]
    """All of its names, such as `-o` and `--output`."""
    about: str
    values: int
    """How many values it takes; 0 for a switch."""
    value: Completions


class CompletedVerb(NamedTuple):
    """A verb, its options and its arguments."""

    name: str
    about: str
    options: tuple[CompletedOption, ...]
    arguments: Completions
    """What any of its arguments may be."""

    @property
    def option_names(self) -> list[str]:
        """Every name of every option."""
        return [name for option in self.options for name in option.names]


def completed_verbs(group: click.Group, help_lines: Mapping[str, str]) -> tuple[CompletedVerb, ...]:
    """Return every verb of the command line, and first one of an empty name for what precedes it.

    `help_lines` holds the untranslated help line of each verb. Takes a second, as every verb is
    imported.
    """
    context = click.Context(group)
    verbs = [
        _completed_verb(name, tr(about), command)
        for name, about in help_lines.items()
        if (command := group.get_command(context, name)) is not None
    ]
    before = tuple(map(_completed_option, _options(group)))
    play = next(verb for verb in verbs if verb.name == _DEFAULT_VERB)
    known = {name for option in before for name in option.names}
    options = before + tuple(each for each in play.options if not known & set(each.names))
    return (CompletedVerb("", "", options, completions_of(RULES_OR_FILE)), *verbs)


def _completed_verb(name: str, about: str, command: click.Command) -> CompletedVerb:
    arguments = [
        completions_of(each.type) for each in command.params if isinstance(each, click.Argument)
    ]
    options = tuple(map(_completed_option, _options(command)))
    return CompletedVerb(name, about, options, arguments[0] if arguments else Completions())


def _options(command: click.Command) -> list[click.Option]:
    context = click.Context(command, help_option_names=["-h", "--help"])
    return [
        each
        for each in command.get_params(context)
        if isinstance(each, click.Option) and not each.hidden
    ]


def _completed_option(option: click.Option) -> CompletedOption:
    first_sentence = re.split(r"(?<=[.;。；])", option.help or "")[0].rstrip(".;。；")
    return CompletedOption(
        (*option.opts, *option.secondary_opts),
        shortened_end(first_sentence, _MAX_HELP_WIDTH),
        0 if option.is_flag or option.count else option.nargs,
        completions_of(option.type),
    )


def _header(shell: str) -> str:
    return f"# Completes demine in {shell}. Made by `demine completion {shell}` of {__version__}."


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "'\\''") + "'"


# bash


def bash_script(verbs: Sequence[CompletedVerb]) -> str:
    """Return the script for bash, from version 3.2 on."""
    before, *others = verbs
    names = [verb.name for verb in others]
    cases = [line for verb in others for line in _bash_verb(verb)]
    first = _bash_values(_without_files(before.arguments))
    return "\n".join([
        _header("bash"),
        _BASH_FUNCTIONS,
        "_demine() {",
        *_indented(1, _BASH_FIND_VERB.replace("VERBS", "|".join(names)).splitlines()),
        "    case $verb in",
        "        '')",
        *_indented(3, _bash_options(before)),
        f"            _demine_words {_quoted(' '.join([*names, 'help']))}",
        "            if [[ -n $cur ]]; then",
        *_indented(4, [*first, *_bash_files(before.arguments)]),
        "            fi",
        "            ;;",
        f"        help) _demine_words {_quoted(' '.join(names))} ;;",
        *_indented(2, cases),
        "    esac",
        "}",
        "complete -F _demine demine",
        "",
    ])  # fmt: skip


_BASH_FUNCTIONS: Final = r"""
_demine_words() {
    local word
    while IFS= read -r word; do COMPREPLY+=("$word"); done < <(compgen -W "$1" -- "$cur")
}

_demine_list() {
    local word before=
    [[ $cur == *,* ]] && before=${cur%,*},
    while IFS= read -r word; do
        COMPREPLY+=("$before$word")
    done < <(compgen -W "$1" -- "${cur##*,}")
    compopt -o nospace 2>/dev/null
}

_demine_files() {
    local path home= typed=${cur//\\/}
    typed=${typed#[\"\']}
    compopt -o filenames 2>/dev/null
    [[ $typed == "~/"* ]] && home=$HOME/ typed=${typed:2}
    for path in "$home$typed"*; do
        [[ -d $path || -e $path && $path =~ $1 ]] && COMPREPLY+=("${home:+~/}${path#"$home"}")
    done
}
"""
_BASH_FIND_VERB: Final = r"""local before= verb= i
local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]}
COMPREPLY=()
if [[ $cur == "=" ]]; then
    cur=
elif [[ $prev == "=" ]]; then
    prev=${COMP_WORDS[COMP_CWORD-2]}
elif ((COMP_CWORD > 2)); then
    before=${COMP_WORDS[COMP_CWORD-2]}
fi
for ((i = 1; i < COMP_CWORD; i++)); do
    case ${COMP_WORDS[i]} in
        --lang)
            [[ ${COMP_WORDS[i+1]} == "=" ]] && ((i++))
            ((i++))
            ;;
        help|VERBS) verb=${COMP_WORDS[i]}; break ;;
        *) verb=play; break ;;
    esac
done"""


def _bash_verb(verb: CompletedVerb) -> list[str]:
    body = [*_bash_options(verb), *_bash_values(verb.arguments)]
    return [f"{verb.name})", *_indented(1, body), "    ;;"]


def _bash_options(verb: CompletedVerb) -> list[str]:
    """Return the lines that complete a value or the name of an option, and then return."""
    cases, second = list[str](), list[str]()
    for option in verb.options:
        if option.values:
            said = "; ".join([*_bash_values(option.value), "return"])
            cases.append(f"    {'|'.join(option.names)}) {said} ;;")
            if option.values > 1:
                second.append(f"    {'|'.join(option.names)}) {said} ;;")
    lines = ["case $prev in", *cases, "esac"] if cases else []
    lines += ["case $before in", *second, "esac"] if second else []
    names = _quoted(" ".join(verb.option_names))
    return [*lines, f"if [[ $cur == -* ]]; then _demine_words {names}; return; fi"]


def _bash_values(value: Completions) -> list[str]:
    words = _quoted(" ".join(value.words))
    lines = [f"_demine_{'list' if value.in_list else 'words'} {words}"] if value.words else []
    return [*lines, *_bash_files(value)]


def _bash_files(value: Completions) -> list[str]:
    if value.only_folders:
        return ["_demine_files '/$'"]
    if value.endings is None:
        return []
    return [f"_demine_files {_quoted(_ending_pattern(value.endings))}"]


def _ending_pattern(endings: Iterable[str]) -> str:
    """Return the regular expression of names with these endings, in upper or lower case."""
    any_case = (
        "".join(f"[{c}{c.upper()}]" if c.isalpha() else c for c in ending.removeprefix("."))
        for ending in endings
    )
    joined = "|".join(any_case)
    return f"\\.({joined})$" if joined else "."


def _without_files(value: Completions) -> Completions:
    return value._replace(endings=None, only_folders=False)


def _indented(steps: int, lines: Iterable[str]) -> list[str]:
    return ["    " * steps + line for line in lines]


# zsh


def zsh_script(verbs: Sequence[CompletedVerb]) -> str:
    """Return the script for zsh: to be sourced, or to stand in a folder of `fpath`."""
    before, *others = verbs
    helpers: dict[str, str] = {}
    described = [f"        {_quoted(f'{v.name}:{_zsh_escaped(v.about)}')}" for v in others]
    cases = ["        help) _demine_verbs ;;"]
    # The default stands last, as its pattern fits everything.
    for verb in sorted(others, key=lambda each: each.name == _DEFAULT_VERB):
        pattern = "*" if verb.name == _DEFAULT_VERB else verb.name
        specs = " \\\n                ".join(_zsh_specs(verb, helpers))
        cases += [f"        {pattern})", f"            _arguments -S {specs}", "            ;;"]
    specs = " \\\n        ".join(_zsh_specs(before, helpers, arguments=False))
    files = _zsh_action(before.arguments, "first", helpers)
    return "\n".join([
        "#compdef demine",
        _header("zsh"),
        "",
        *helpers.values(),
        "_demine_verbs() {",
        "    local -a verbs=(",
        *described,
        "    )",
        "    _describe -t verbs verb verbs",
        f"    [[ -n $PREFIX ]] && {files}",
        "}",
        "",
        "_demine() {",
        '    local curcontext="$curcontext" state line',
        "    local -A opt_args",
        f"    _arguments -C -S {specs} \\",
        "        '1: :_demine_verbs' '*:: :->rest'",
        "    if [[ $state == rest ]]; then",
        "        case $words[1] in",
        *_indented(1, cases),
        "        esac",
        "    fi",
        "}",
        "",
        'if [[ $funcstack[1] == _demine ]]; then _demine "$@"; else compdef _demine demine; fi',
        "",
    ])  # fmt: skip


def _zsh_specs(
    verb: CompletedVerb, helpers: dict[str, str], *, arguments: bool = True
) -> list[str]:
    """Return what `_arguments` is told of a verb; what needs a function is added to `helpers`."""
    specs = list[str]()
    for option in verb.options:
        excluded = f"({' '.join(option.names)})" if len(option.names) > 1 else ""
        about = f"[{_zsh_escaped(option.about)}]"
        action = _zsh_action(option.value, verb.name + option.names[-1], helpers)
        value = "".join([f":{option.names[-1].lstrip('-')}:{action}"] * option.values)
        for name in option.names:
            joined = "" if not option.values else "=" if name.startswith("--") else "+"
            specs.append(_quoted(f"{excluded}{name}{joined}{about}{value}"))
    action = _zsh_action(verb.arguments, verb.name, helpers)
    return [*specs, _quoted(f"*: :{action}")] if arguments and action else specs


def _zsh_action(value: Completions, name: str, helpers: dict[str, str]) -> str:
    """Return what completes a value: nothing, words, or the name of a function in `helpers`."""
    said = list[str]()
    if value.words and value.in_list:
        said.append(f"_sequence compadd - {' '.join(value.words)}")
    elif value.words:
        said.append(f"compadd -- {' '.join(value.words)}")
    if value.only_folders:
        said.append("_files -/")
    elif value.endings is not None:
        endings = "|".join(ending.removeprefix(".") for ending in value.endings)
        said.append(f'_files -g "*.(#i)({endings})"' if endings else "_files")
    if not said:
        return ""
    function = "_demine_" + re.sub(r"\W", "_", name)
    body = "\n".join(f"    {line}" for line in said)
    helpers[function] = f"{function}() {{\n{body}\n}}\n"
    return function


def _zsh_escaped(text: str) -> str:
    return re.sub(r"([\[\]:\\])", r"\\\1", text)


# fish


def fish_script(verbs: Sequence[CompletedVerb]) -> str:
    """Return the script for fish."""
    before, *others = verbs
    names = [verb.name for verb in others]
    lines = [_header("fish"), _FISH_FUNCTIONS.replace("VERBS", " ".join(names))]
    lines += ["complete -c demine -f"]
    for verb in others:
        lines.append(f"complete -c demine -n '__demine_is \"\" help' -a {verb.name} "
                     f"-d {_fish_quoted(verb.about)}")  # fmt: skip
    for verb in (before, *others):
        where = f"complete -c demine -n '__demine_is \"{verb.name}\"'"
        typed = f"complete -c demine -n '__demine_is \"{verb.name}\"; and __demine_typed'"
        for option in verb.options:
            lines.append(f"{where} {_fish_option(option)}")
            if option.values > 1:
                second = f"; and __demine_second {' '.join(option.names)}' -a "
                lines.append(where[:-1] + second + _fish_values(option.value))
        said = _fish_values(verb.arguments)
        lines += [f"{typed if verb is before else where} -a {said}"] if said else []
    return "\n".join([*lines, ""])


_FISH_FUNCTIONS: Final = r"""
function __demine_verb
    set -l words (commandline -opc)
    set -e words[1]
    while set -q words[1]
        switch $words[1]
            case --lang
                set -e words[1]
            case '--lang=*'
            case help VERBS
                echo $words[1]
                return
            case '*'
                echo play
                return
        end
        set -e words[1]
    end
end

function __demine_is
    set -l verb (__demine_verb)
    contains -- "$verb" $argv
end

function __demine_typed
    test -n (commandline -ct | string collect)
end

function __demine_second
    set -l words (commandline -opc)
    contains -- "$words[-2]" $argv
end

function __demine_value
    commandline -ct | string replace -r '^--?[^=]*=' '' | string collect
end

function __demine_list
    set -l before (string replace -r '[^,]*$' '' -- (__demine_value) | string collect --allow-empty)
    printf '%s\n' "$before"$argv
end

function __demine_files
    set -l home
    set -l tilde
    set -l typed (__demine_value | string unescape | string collect --allow-empty)
    if string match -q '~/*' -- $typed
        set home $HOME/
        set tilde '~/'
        set typed (string sub -s 3 -- $typed | string collect --allow-empty)
    end
    for path in "$home$typed"*
        set -l name "$tilde"(string sub -s (math 1 + (string length -- "$home")) -- $path)
        if test -d $path
            echo $name/
        else if string match -rqi -- $argv'$' $path
            echo $name
        end
    end
end
"""


def _fish_option(option: CompletedOption) -> str:
    words = [
        f"-l {name[2:]}" if name.startswith("--") else f"-s {name[1:]}" for name in option.names
    ]
    if option.values:
        said = _fish_values(option.value)
        words += ["-x", f"-a {said}"] if said else ["-x"]
    return " ".join([*words, f"-d {_fish_quoted(option.about)}"])


def _fish_values(value: Completions) -> str:
    """Return the argument of `-a`, or nothing."""
    words = " ".join(value.words)
    said = [f"(__demine_list {words})" if value.in_list else words] if words else []
    if value.only_folders:
        said.append("(__fish_complete_directories (__demine_value))")
    elif value.endings is not None:
        endings = "|".join(ending.removeprefix(".") for ending in value.endings)
        pattern = f"\\.({endings})" if endings else "."
        said.append(f'(__demine_files "{pattern}")')
    return _fish_quoted(" ".join(said)) if said else ""


def _fish_quoted(text: str) -> str:
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


SCRIPTS: Final[Mapping[str, Callable[[Sequence[CompletedVerb]], str]]] = {
    "bash": bash_script,
    "zsh": zsh_script,
    "fish": fish_script,
}
"""The maker of the script of every shell."""
