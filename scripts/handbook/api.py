"""The library's reference, from its source: public names, signatures, docstrings."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import TypeAlias

PACKAGE_FOLDER = Path(__file__).resolve().parents[2] / "src" / "demine"
UNDOCUMENTED_PACKAGES = frozenset({"classic", "desktop", "terminal", "web", "cli", "locale"})
"""Packages that people enter and programs do not import."""

SELF_EXPLAINING_CONSTANTS = frozenset(
    {"BEGINNER", "INTERMEDIATE", "EXPERT", "CLASSIC_BEGINNER", "TEN"}
)
"""Constants that say what they are by their values."""

Function: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef


def documented_packages() -> list[str]:
    """The packages and modules of the library, in the order of their floors as far as that goes."""
    floors = ("logic", "scene", "solver", "statistics", "picture", "game", "replay", "store")
    found = {
        path.parent.name for path in PACKAGE_FOLDER.glob("*/__init__.py")
    } - UNDOCUMENTED_PACKAGES
    found |= {path.stem for path in PACKAGE_FOLDER.glob("[!_]*.py")}
    return [name for name in floors if name in found] + sorted(found - set(floors))


def reference_pages() -> Iterator[tuple[str, str]]:
    """Every page of the reference: its name and its text."""
    names = documented_packages()
    yield "reference/api/index", _index_page(names)
    for name in names:
        yield f"reference/api/{name}", _package_page(name)


def _index_page(names: list[str]) -> str:
    tree = _parse_file(PACKAGE_FOLDER / "__init__.py")
    homes = _literal_value(tree, "_HOMES")
    rows = []
    for name in _literal_value(tree, "__all__"):
        home = homes[name].replace(":", ".")
        if _file_of_module(home).name == "__init__.py":  # the package can be called
            about = _first_sentence_of_file(_file_of_module(home))
            rows.append(f"| [`{name}`]({home.rpartition('.')[2]}.md) | {about} |")
        else:
            rows.append(
                f"| {{py:obj}}`{name} <{home}.{name}>` | {_first_sentence_about(home, name)} |"
            )
    listed = "\n".join(f"{name} <{name}>" for name in names)
    packages = {name: _first_sentence_of_file(_file_of_module(f"demine.{name}")) for name in names}
    floors = "\n".join(f"| [`demine.{name}`]({name}.md) | {packages[name]} |" for name in names)
    return (
        "# The library\n\nThe names that `import demine` offers. Each is imported when it is first"
        " used; all else is\nreached by its module.\n\n"
        f"| name | |\n|---|---|\n{chr(10).join(rows)}\n\n"
        "## Packages\n\nImports go [down a floor only](../../architecture.md#floors).\n\n"
        f"| package | |\n|---|---|\n{floors}\n\n"
        f"```{{toctree}}\n:hidden:\n\n{listed}\n```\n"
    )


def _first_sentence_about(module: str, name: str) -> str:
    """The first sentence of what a name of a module says of itself."""
    for node, text in _public_members(_parse_file(_file_of_module(module))):
        if node_name(node) == name:
            return _first_sentence(text)
    raise LookupError(f"{module}.{name}")


def _package_page(name: str) -> str:
    parts = [f"# demine.{name}\n\n{_docstring(_parse_file(_file_of_module(f'demine.{name}')))}\n"]
    parts += [
        _module_section(module, tree)
        for module, tree in _modules()
        if f"{module}.".startswith(f"demine.{name}.")
    ]
    return "\n".join(part for part in parts if part)


def _module_section(name: str, tree: ast.Module) -> str:
    members = "\n".join(_member_entry(node, text) for node, text in _public_members(tree))
    if not members:
        return ""
    return f"## {name}\n\n```{{py:module}} {name}\n```\n\n{_docstring(tree)}\n\n{members}"


def _public_members(tree: ast.Module) -> list[tuple[ast.stmt, str]]:
    """The documented public names of a module, in its order, each with its docstring."""
    found: list[tuple[ast.stmt, str]] = []
    for node, after in zip(tree.body, [*tree.body[1:], None], strict=True):
        if node_name(node).startswith("_") or not node_name(node):
            continue
        text = (
            _docstring(node)
            if isinstance(node, Function | ast.ClassDef)
            else _string_literal(after)
        )
        if (
            not text
            and isinstance(node, ast.Assign | ast.AnnAssign)
            and node_name(node) in SELF_EXPLAINING_CONSTANTS
        ):
            text = f"`{ast.unparse(node.value or node)}`"
        if text:
            found.append((node, text))
    return found


@cache
def documented_names() -> frozenset[str]:
    """The dotted names of everything that has an entry of its own."""
    return frozenset(
        f"{module}.{node_name(node)}"
        for module, tree in _modules()
        for node, _ in _public_members(tree)
    )


@cache
def names_in_module(module: str) -> dict[str, str]:
    """What the names in a module's signatures mean: those that it defines or imports."""
    tree = _parse_file(_file_of_module(module))
    found = {node_name(node): f"{module}.{node_name(node)}" for node in tree.body}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module:
            found |= {each.asname or each.name: f"{node.module}.{each.name}" for each in node.names}
    return {name: home for name, home in found.items() if home in documented_names()}


def _modules() -> Iterator[tuple[str, ast.Module]]:
    """The modules of the library that may be imported, with their source."""
    for package in documented_packages():
        single = PACKAGE_FOLDER / f"{package}.py"
        for path in (
            [single] if single.is_file() else sorted((PACKAGE_FOLDER / package).rglob("*.py"))
        ):
            inside = path.relative_to(PACKAGE_FOLDER).with_suffix("").parts
            if not any(part.startswith("_") for part in inside):
                yield "demine." + ".".join(inside), _parse_file(path)


def undocumented_names() -> Iterator[str]:
    """Public functions and classes of the library that say nothing of themselves."""
    for module, tree in _modules():
        for node in tree.body:
            if not isinstance(node, Function | ast.ClassDef) or node.name.startswith("_"):
                continue
            if not _docstring(node):
                yield f"{module}.{node.name}"


def node_name(node: ast.stmt) -> str:
    """The name that a statement defines, or nothing."""
    if isinstance(node, Function | ast.ClassDef):
        return node.name
    if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
        return node.target.id
    if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
        return node.targets[0].id
    return ""


def _member_entry(node: ast.stmt, text: str) -> str:
    if isinstance(node, Function):
        return _directive("function", f"{node.name}{_signature(node)}", text, depth=3)
    if isinstance(node, ast.ClassDef):
        return _class_entry(node, text)
    return _directive("data", node_name(node), text, _type_option(node), depth=3)


def _type_option(node: ast.stmt) -> str:
    """The option that tells the type of a name, if the source does."""
    kind = ast.unparse(node.annotation) if isinstance(node, ast.AnnAssign) else ""
    return f":type: {kind}" if kind not in {"", "Final", "TypeAlias"} else ""


def _class_entry(node: ast.ClassDef, text: str) -> str:
    members = [text]
    bases = ", ".join(ast.unparse(base) for base in node.bases)
    if bases:
        members.append(f"Bases: `{bases}`")
    signature = ""
    for member, after in zip(node.body, [*node.body[1:], None], strict=True):
        name = node_name(member)
        if isinstance(member, Function) and name == "__init__":
            signature = _signature(member, drop=1)
        if not name or name.startswith("_"):
            continue
        if isinstance(member, Function):
            members.append(_method_entry(member))
        else:
            members.append(
                _directive("attribute", name, _string_literal(after), _type_option(member), depth=3)
            )
    return _directive("class", f"{node.name}{signature}", "\n\n".join(members), depth=4)


def _method_entry(node: Function) -> str:
    marks = {ast.unparse(mark) for mark in node.decorator_list}
    text = _docstring(node)
    if marks & {"property", "cached_property"}:
        kind = f":type: {ast.unparse(node.returns)}" if node.returns else ""
        return _directive("property", node.name, text, kind, depth=3)
    flags = "\n".join(
        f":{word}:" for word in ("classmethod", "staticmethod") if word in marks
    )  # fmt: skip
    drop = 0 if "staticmethod" in marks else 1
    return _directive("method", f"{node.name}{_signature(node, drop=drop)}", text, flags, depth=3)


def _signature(node: Function, drop: int = 0) -> str:
    """Arguments and result as the source has them, without the first `drop` ones."""
    kept = ast.arguments(
        posonlyargs=node.args.posonlyargs[drop if node.args.posonlyargs else 0 :],
        args=node.args.args[0 if node.args.posonlyargs else drop :],
        vararg=node.args.vararg,
        kwonlyargs=node.args.kwonlyargs,
        kw_defaults=node.args.kw_defaults,
        kwarg=node.args.kwarg,
        defaults=node.args.defaults,
    )
    result = f" -> {ast.unparse(node.returns)}" if node.returns and node.name != "__init__" else ""
    return f"({ast.unparse(kept)}){result}".replace("\n", " ")


def _directive(kind: str, head: str, text: str, options: str = "", *, depth: int) -> str:
    fence = ":" * depth
    lines = [f"{fence}{{py:{kind}}} {head}", *([options] if options else []), "", text, fence]
    return "\n".join(lines) + "\n"


@cache
def _parse_file(path: Path) -> ast.Module:
    return ast.parse(path.read_text("utf-8"))


def _file_of_module(module: str) -> Path:
    inside = PACKAGE_FOLDER.parent.joinpath(*module.split("."))
    return inside / "__init__.py" if inside.is_dir() else inside.with_suffix(".py")


def _literal_value(tree: ast.Module, name: str) -> dict[str, str]:
    for node in tree.body:
        if node_name(node) == name and isinstance(node, ast.Assign):
            value = ast.literal_eval(node.value)
            return value if isinstance(value, dict) else dict.fromkeys(value, "")
    raise LookupError(name)


def _string_literal(node: ast.stmt | None) -> str:
    """The docstring that a statement is, as those after a constant."""
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
        value = node.value.value
        return _as_markdown(re.sub(r"\n +", "\n", value)) if isinstance(value, str) else ""
    return ""


def _docstring(node: ast.Module | ast.ClassDef | Function) -> str:
    return _as_markdown(ast.get_docstring(node) or "")


def _first_sentence_of_file(path: Path) -> str:
    return _first_sentence(_docstring(_parse_file(path)))


def _first_sentence(text: str) -> str:
    """The first sentence of a text, without the full stop, as a cell of a table."""
    first = " ".join(text.partition("\n\n")[0].split())
    return re.split(r"\.(?:\s|$)", first)[0].replace("|", "\\|")


def _as_markdown(text: str) -> str:
    """A docstring as Markdown: examples fenced, what looks like HTML kept as text."""
    text = re.sub(
        r"(?:^>>>.*\n?(?:^(?!\s*$).*\n?)*\n?)+", _fenced_example, text, flags=re.MULTILINE
    )
    parts = re.split(r"(```.*?```|`[^`\n]*`)", text, flags=re.DOTALL)
    escaped = [p if k % 2 else re.sub(r"([<\[\]*_])", r"\\\1", p) for k, p in enumerate(parts)]
    return "".join(escaped).replace("\n\\* ", "\n* ")


def _fenced_example(found: re.Match[str]) -> str:
    return f"```pycon\n{found[0].rstrip()}\n```\n"
