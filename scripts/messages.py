"""Keeps the message catalogues in step with the code.

    python scripts/messages.py update     collect what the code says, compile, list what is left
    python scripts/messages.py compile    make the binary catalogues of the translations
    python scripts/messages.py check      say what is missing, stale or wrong; exit code 1 if any
    python scripts/messages.py add pt_BR "Português do Brasil"    begin a new language

What is not translated counts as missing where the language declares itself complete.

Collected are the texts given to `tr`, `ntr`, `mark` and `mark_many`, also in the scripts of the
browser's page, the sentences of every DemineError and the titles of themes. A sentence may reach
its error through a name, a choice, a helper's parameter or what a helper of the same module
returns.
"""

from __future__ import annotations

import argparse
import ast
import gettext
import io
import json
import sys
from collections.abc import Iterable, Iterator
from functools import cached_property
from pathlib import Path
from string import Formatter
from typing import TypeAlias

from babel.messages.catalog import Catalog, Message
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

from demine.web.page.messages import page_messages

PACKAGE = Path(__file__).resolve().parent.parent / "src" / "demine"
LOCALE = PACKAGE / "locale"
TEMPLATE = LOCALE / "demine.pot"
WIDTH = 96
ROOT_ERROR = "DemineError"
# Headers that would change without any message changing.
CHANGING_HEADERS = ("POT-Creation-Date", "PO-Revision-Date", "Generated-By", "Report-Msgid-Bugs-To",
            "Last-Translator", "Language-Team", "Project-Id-Version")  # fmt: skip

Function: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef
MessageId: TypeAlias = str | tuple[str, str]


class SourceModule:
    """The messages of one source file."""

    def __init__(self, path: Path, errors: set[str]) -> None:
        self.name = path.relative_to(PACKAGE.parent).as_posix()
        self.problems: list[str] = []
        self._errors = errors
        self._tree = ast.parse(path.read_text(encoding="utf-8"))
        nodes = list(ast.walk(self._tree))
        self._calls = [node for node in nodes if isinstance(node, ast.Call)]
        self._functions = {node.name: node for node in nodes if isinstance(node, Function)}
        self._seen: set[int] = set()

    @cached_property
    def _home(self) -> dict[int, Function]:
        """The innermost function around each node, by the node's id."""
        functions = [node for node in ast.walk(self._tree) if isinstance(node, Function)]
        return {id(node): function for function in functions for node in ast.walk(function)}

    def find_messages(self) -> Iterator[tuple[MessageId, int]]:
        """Every message and its line."""
        for call in self._calls:
            name = called_name(call)
            arguments = call.args
            if name in ("ntr", "mark_many") and len(arguments) > 1:
                one, many = (self._possible_texts(argument) for argument in arguments[:2])
                for pair in zip(one, many, strict=True):
                    yield pair, call.lineno
            elif name in ("tr", "mark") or (name in self._errors):
                for text in self._possible_texts(arguments[0]) if arguments else ():
                    yield text, call.lineno

    def _possible_texts(self, node: ast.expr) -> list[str]:
        """The texts an expression may come to, as far as this file tells."""
        self._seen.clear()
        return [text for text in self._follow_expression(node) if text]

    def _follow_expression(self, node: ast.expr) -> Iterator[str]:
        if id(node) in self._seen:
            return
        self._seen.add(id(node))
        match node:
            case ast.Constant(value=str(text)):
                yield text
            case ast.JoinedStr():
                self.problems.append(f"{self.name}:{node.lineno}: an f-string cannot be translated")
            case ast.IfExp(body=body, orelse=other):
                yield from self._follow_expression(body)
                yield from self._follow_expression(other)
            case ast.BoolOp(values=values):
                for value in values:
                    yield from self._follow_expression(value)
            case ast.Name(id=name):
                yield from self._texts_of_name(name, self._home.get(id(node)))
            case ast.Call() if called_name(node) in self._functions:
                yield from self._returned_texts(self._functions[called_name(node)])

    def _returned_texts(self, function: Function) -> Iterator[str]:
        for node in ast.walk(function):
            if isinstance(node, ast.Return) and node.value is not None:
                yield from self._follow_expression(node.value)

    def _texts_of_name(self, name: str, function: Function | None) -> Iterator[str]:
        """What is assigned to a name, or what callers give to a parameter of that name."""
        for node in (*ast.walk(function or self._tree), *self._tree.body):
            if isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None:
                targets = node.targets if isinstance(node, ast.Assign) else [node.target]
                if any(isinstance(target, ast.Name) and target.id == name for target in targets):
                    yield from self._follow_expression(node.value)
        if function is None:
            return
        given = [argument.arg for argument in (*function.args.posonlyargs, *function.args.args)]
        if name in given:
            place = given.index(name) - (given[0] in ("self", "cls"))
            for call in self._calls:
                if called_name(call) == function.name:
                    yield from self._texts_of_argument(call, name, place)

    def _texts_of_argument(self, call: ast.Call, name: str, place: int) -> Iterator[str]:
        if place < len(call.args):
            yield from self._follow_expression(call.args[place])
        for keyword in call.keywords:
            if keyword.arg == name:
                yield from self._follow_expression(keyword.value)


def called_name(call: ast.Call) -> str:
    """The last name of what is called."""
    function = call.func
    if isinstance(function, ast.Attribute):
        return function.attr
    return function.id if isinstance(function, ast.Name) else ""


def error_class_names(paths: Iterable[Path]) -> set[str]:
    """The names of DemineError and of every class made from it, each on a module's top level."""
    bases: dict[str, set[str]] = {}
    for path in paths:
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ClassDef):
                bases[node.name] = {base.id for base in node.bases if isinstance(base, ast.Name)}
    family = {ROOT_ERROR}
    while more := {name for name, above in bases.items() if above & family} - family:
        family |= more
    return family


def collect_messages() -> tuple[Catalog, list[str]]:
    """What the code says as a catalogue without translations, and what cannot be translated."""
    paths = sorted(PACKAGE.rglob("*.py"))
    errors = error_class_names(paths)
    catalogue = Catalog(charset="utf-8")
    catalogue.fuzzy = False
    problems: list[str] = []
    for path in paths:
        module = SourceModule(path, errors)
        for message, line in sorted(module.find_messages(), key=lambda found: found[1]):
            catalogue.add(message, locations=[(module.name, line)])
        problems += module.problems
    for said in page_messages(PACKAGE / "web" / "static"):
        location = said.path.relative_to(PACKAGE.parent).as_posix(), said.line
        catalogue.add(said.id, locations=[location])
    for path in sorted((PACKAGE / "scene" / "themes").glob("*.json")):
        title = json.loads(path.read_text(encoding="utf-8"))["title"]
        catalogue.add(title, locations=[(path.relative_to(PACKAGE.parent).as_posix(), 1)])
    return catalogue, problems


def read_catalogue(path: Path) -> Catalog:
    """A catalogue of translations; its folder says the language."""
    with path.open("rb") as file:
        return read_po(file, locale=path.parts[-3])


def catalogue_text(catalogue: Catalog) -> str:
    """The text of a catalogue, the same for the same messages."""
    buffer = io.BytesIO()
    write_po(
        buffer,
        catalogue,
        width=WIDTH,
        sort_by_file=True,
        ignore_obsolete=True,
        include_lineno=False,
    )
    lines = buffer.getvalue().decode("utf-8").splitlines()
    start = lines.index('msgid ""')
    kept = (
        line
        for line in lines[start:]
        if not line.startswith(tuple(f'"{r}' for r in CHANGING_HEADERS))
    )
    return "\n".join(kept).rstrip() + "\n"


def translation_files() -> list[Path]:
    """The text catalogues of every language."""
    return sorted(LOCALE.glob("*/LC_MESSAGES/demine.po"))


def source_and_translation(message: Message) -> list[tuple[str, str]]:
    """Each source text of a message beside each of its translations; no translation is ""."""
    if isinstance(message.id, str):
        return [(message.id, str(message.string or ""))]
    many = message.string if isinstance(message.string, tuple | list) else (message.string,)
    return [(message.id[1], text or "") for text in many]


def format_fields(text: str) -> set[tuple[str, str, str]]:
    """The fields of a text: name, format, conversion."""
    parsed = Formatter().parse(text)
    return {(name, form or "", how or "") for _, name, form, how in parsed if name is not None}


def translation_faults(catalogue: Catalog, *, complete: bool = True) -> Iterator[str]:
    """What is not translated well in a catalogue; in a complete one also what is not at all."""
    for message in catalogue:
        for source, text in source_and_translation(message) if message.id else ():
            if not text:
                if complete:
                    yield f"not translated: {source!r}"
            elif message.fuzzy:
                yield f"not sure: {source!r}"
            elif format_fields(source) != format_fields(text):
                yield f"other fields than {source!r}: {text!r}"


def is_binary_stale(path: Path, catalogue: Catalog) -> bool:
    """Whether the binary catalogue beside a text catalogue says something else."""
    binary = path.with_suffix(".mo")
    if not binary.exists():
        return True
    with binary.open("rb") as file:
        compiled = gettext.GNUTranslations(file)
    whole = compiled.gettext("").count("Plural-Forms") == 1
    said = dict(binary_entries(catalogue))
    kept = {key: text for key, text in vars(compiled)["_catalog"].items() if key != ""}
    return not whole or said != kept


def binary_entries(catalogue: Catalog) -> Iterator[tuple[str | tuple[str, int], str]]:
    """The messages as a binary catalogue keeps them: plurals by their first text and number."""
    for message in catalogue:
        if message.fuzzy:
            continue
        if isinstance(message.id, str):
            if message.id and message.string:
                yield message.id, str(message.string)
        else:
            for number, (_, text) in enumerate(source_and_translation(message)):
                yield (message.id[0], number), text or message.id[min(number, 1)]


def compile_catalogues() -> None:
    """Write the binary catalogues that are not what their text says."""
    for path in translation_files():
        catalogue = read_catalogue(path)
        if is_binary_stale(path, catalogue):
            with path.with_suffix(".mo").open("wb") as file:
                write_mo(file, catalogue)


def update_catalogues(template: Catalog) -> None:
    """Bring template and translations in step with what the code says; translations stay."""
    TEMPLATE.write_text(catalogue_text(template), encoding="utf-8")
    for path in translation_files():
        catalogue = read_catalogue(path)
        catalogue.update(template, no_fuzzy_matching=True)
        path.write_text(catalogue_text(catalogue), encoding="utf-8")
    compile_catalogues()


def is_complete(code: str) -> bool:
    """Whether a language declares that nothing is left to translate."""
    path = LOCALE / code / "language.json"
    return path.is_file() and bool(json.loads(path.read_text(encoding="utf-8")).get("complete"))


def add_language(code: str, name: str, template: Catalog) -> None:
    """Make the folder of a new language, with its name for itself and nothing translated yet."""
    folder = LOCALE / code
    (folder / "LC_MESSAGES").mkdir(parents=True)
    declared = json.dumps({"name": name, "complete": False}, ensure_ascii=False)
    (folder / "language.json").write_text(declared + "\n", encoding="utf-8")
    path = folder / "LC_MESSAGES" / "demine.po"
    path.write_text(catalogue_text(Catalog(locale=code, charset="utf-8")), encoding="utf-8")
    update_catalogues(template)


def all_problems(template: Catalog) -> list[str]:
    """What is missing, stale or wrong beside what the code says; empty when all is well."""
    found = []
    said = {message.id for message in template}
    with TEMPLATE.open("rb") as file:
        if {message.id for message in read_po(file)} != said:
            found.append(f"{TEMPLATE.name} is not what the code says: update it")
    for path in translation_files():
        catalogue, code = read_catalogue(path), path.parts[-3]
        known = {message.id for message in catalogue}
        found += [
            f"{code}: not in the catalogue: {text!r}" for text in sorted(map(str, said - known))
        ]
        found += [f"{code}: no longer said: {text!r}" for text in sorted(map(str, known - said))]
        found += [
            f"{code}: {fault}"
            for fault in translation_faults(catalogue, complete=is_complete(code))
        ]
        if is_binary_stale(path, catalogue):
            found.append(f"{code}: the binary catalogue is stale")
    return found


def translated_counts() -> list[str]:
    """Return a line for each language: how many of its messages are translated."""
    found = []
    for path in translation_files():
        catalogue = read_catalogue(path)
        done = sum(1 for each in catalogue if each.id and any(iter(each.string or "")))
        found.append(f"{path.parts[-3]}: {done} of {len(catalogue)} messages translated")
    return found


def main(arguments: list[str]) -> int:
    """Do what is asked; 1 if something is left to do."""
    parser = argparse.ArgumentParser(description="Keep the message catalogues in step.")
    verbs = parser.add_subparsers(dest="verb", required=True)
    for each in ("update", "compile", "check"):
        verbs.add_parser(each)
    adding = verbs.add_parser("add")
    adding.add_argument("code")
    adding.add_argument("name")
    asked = parser.parse_args(arguments)
    template, found = collect_messages()
    if asked.verb == "add":
        add_language(asked.code, asked.name, template)
    elif asked.verb == "update":
        update_catalogues(template)
    elif asked.verb == "compile":
        compile_catalogues()
    found += all_problems(template)
    print("\n".join(found or translated_counts()))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
