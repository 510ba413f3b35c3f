"""The library's reference, from its source: public names, signatures, docstrings."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import TypeAlias

SOURCE = Path(__file__).resolve().parents[2] / "src" / "demine"
ROOMS = frozenset({"classic", "desktop", "terminal", "web", "cli", "locale"})
"""Packages that people enter and programs do not import."""

FRONT = frozenset({"BEGINNER", "INTERMEDIATE", "EXPERT", "CLASSIC_BEGINNER", "TEN"})
"""Constants that say what they are by their values."""

Function: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef


def packages() -> list[str]:
    """The packages and modules of the library, in the order of their floors as far as that goes."""
    floors = ("logic", "scene", "solver", "statistics", "picture", "game", "replay", "store")
    found = {path.parent.name for path in SOURCE.glob("*/__init__.py")} - ROOMS
    found |= {path.stem for path in SOURCE.glob("[!_]*.py")}
    return [name for name in floors if name in found] + sorted(found - set(floors))


def pages() -> Iterator[tuple[str, str]]:
    """Every page of the reference: its name and its text."""
    names = packages()
    yield "reference/api/index", _front(names)
    for name in names:
        yield f"reference/api/{name}", _package(name)


def _front(names: list[str]) -> str:
    tree = _tree(SOURCE / "__init__.py")
    homes = _literal(tree, "_HOMES")
    rows = []
    for name in _literal(tree, "__all__"):
        home = homes[name].replace(":", ".")
        if _path(home).name == "__init__.py":  # the package can be called
            about = _first(_path(home))
            rows.append(f"| [`{name}`]({home.rpartition('.')[2]}.md) | {about} |")
        else:
            rows.append(f"| {{py:obj}}`{name} <{home}.{name}>` | {_about(home, name)} |")
    listed = "\n".join(f"{name} <{name}>" for name in names)
    floors = "\n".join(
        f"| [`demine.{name}`]({name}.md) | {_first(_path(f'demine.{name}'))} |" for name in names
    )
    return (
        "# The library\n\nThe names that `import demine` offers. Each is imported when it is first"
        " used; all else is\nreached by its module.\n\n"
        f"| name | |\n|---|---|\n{chr(10).join(rows)}\n\n"
        "## Packages\n\nImports go [down a floor only](../../architecture.md#floors).\n\n"
        f"| package | |\n|---|---|\n{floors}\n\n"
        f"```{{toctree}}\n:hidden:\n\n{listed}\n```\n"
    )


def _about(module: str, name: str) -> str:
    """The first sentence of what a name of a module says of itself."""
    for node, text in _public(_tree(_path(module))):
        if node_name(node) == name:
            return _sentence(text)
    raise LookupError(f"{module}.{name}")


def _package(name: str) -> str:
    parts = [f"# demine.{name}\n\n{_doc(_tree(_path(f'demine.{name}')))}\n"]
    parts += [
        _module(module, tree)
        for module, tree in _modules()
        if f"{module}.".startswith(f"demine.{name}.")
    ]
    return "\n".join(part for part in parts if part)


def _module(name: str, tree: ast.Module) -> str:
    members = "\n".join(_member(node, text) for node, text in _public(tree))
    if not members:
        return ""
    return f"## {name}\n\n```{{py:module}} {name}\n```\n\n{_doc(tree)}\n\n{members}"


def _public(tree: ast.Module) -> list[tuple[ast.stmt, str]]:
    """The documented public names of a module, in its order, each with its docstring."""
    found: list[tuple[ast.stmt, str]] = []
    for node, after in zip(tree.body, [*tree.body[1:], None], strict=True):
        if node_name(node).startswith("_") or not node_name(node):
            continue
        text = _doc(node) if isinstance(node, Function | ast.ClassDef) else _string(after)
        if not text and isinstance(node, ast.Assign | ast.AnnAssign) and node_name(node) in FRONT:
            text = f"`{ast.unparse(node.value or node)}`"
        if text:
            found.append((node, text))
    return found


@cache
def known() -> frozenset[str]:
    """The dotted names of everything that has an entry of its own."""
    return frozenset(
        f"{module}.{node_name(node)}" for module, tree in _modules() for node, _ in _public(tree)
    )


@cache
def meant(module: str) -> dict[str, str]:
    """What the names in a module's signatures mean: those that it defines or imports."""
    tree = _tree(_path(module))
    found = {node_name(node): f"{module}.{node_name(node)}" for node in tree.body}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module:
            found |= {each.asname or each.name: f"{node.module}.{each.name}" for each in node.names}
    return {name: home for name, home in found.items() if home in known()}


def _modules() -> Iterator[tuple[str, ast.Module]]:
    """The modules of the library that may be imported, with their source."""
    for package in packages():
        single = SOURCE / f"{package}.py"
        for path in [single] if single.is_file() else sorted((SOURCE / package).rglob("*.py")):
            inside = path.relative_to(SOURCE).with_suffix("").parts
            if not any(part.startswith("_") for part in inside):
                yield "demine." + ".".join(inside), _tree(path)


def undocumented() -> Iterator[str]:
    """Public functions and classes of the library that say nothing of themselves."""
    for module, tree in _modules():
        for node in tree.body:
            if not isinstance(node, Function | ast.ClassDef) or node.name.startswith("_"):
                continue
            if not _doc(node):
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


def _member(node: ast.stmt, text: str) -> str:
    if isinstance(node, Function):
        return _block("function", f"{node.name}{_signature(node)}", text, depth=3)
    if isinstance(node, ast.ClassDef):
        return _class(node, text)
    return _block("data", node_name(node), text, _typed(node), depth=3)


def _typed(node: ast.stmt) -> str:
    """The option that tells the type of a name, if the source does."""
    kind = ast.unparse(node.annotation) if isinstance(node, ast.AnnAssign) else ""
    return f":type: {kind}" if kind not in {"", "Final", "TypeAlias"} else ""


def _class(node: ast.ClassDef, text: str) -> str:
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
            members.append(_method(member))
        else:
            members.append(_block("attribute", name, _string(after), _typed(member), depth=3))
    return _block("class", f"{node.name}{signature}", "\n\n".join(members), depth=4)


def _method(node: Function) -> str:
    marks = {ast.unparse(mark) for mark in node.decorator_list}
    text = _doc(node)
    if marks & {"property", "cached_property"}:
        kind = f":type: {ast.unparse(node.returns)}" if node.returns else ""
        return _block("property", node.name, text, kind, depth=3)
    flags = "\n".join(
        f":{word}:" for word in ("classmethod", "staticmethod") if word in marks
    )  # fmt: skip
    drop = 0 if "staticmethod" in marks else 1
    return _block("method", f"{node.name}{_signature(node, drop=drop)}", text, flags, depth=3)


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


def _block(kind: str, head: str, text: str, options: str = "", *, depth: int) -> str:
    fence = ":" * depth
    lines = [f"{fence}{{py:{kind}}} {head}", *([options] if options else []), "", text, fence]
    return "\n".join(lines) + "\n"


@cache
def _tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text("utf-8"))


def _path(module: str) -> Path:
    inside = SOURCE.parent.joinpath(*module.split("."))
    return inside / "__init__.py" if inside.is_dir() else inside.with_suffix(".py")


def _literal(tree: ast.Module, name: str) -> dict[str, str]:
    for node in tree.body:
        if node_name(node) == name and isinstance(node, ast.Assign):
            value = ast.literal_eval(node.value)
            return value if isinstance(value, dict) else dict.fromkeys(value, "")
    raise LookupError(name)


def _string(node: ast.stmt | None) -> str:
    """The docstring that a statement is, as those after a constant."""
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
        value = node.value.value
        return _marked_up(re.sub(r"\n +", "\n", value)) if isinstance(value, str) else ""
    return ""


def _doc(node: ast.Module | ast.ClassDef | Function) -> str:
    return _marked_up(ast.get_docstring(node) or "")


def _first(path: Path) -> str:
    return _sentence(_doc(_tree(path)))


def _sentence(text: str) -> str:
    """The first sentence of a text, without the full stop, as a cell of a table."""
    first = " ".join(text.partition("\n\n")[0].split())
    return re.split(r"\.(?:\s|$)", first)[0].replace("|", "\\|")


def _marked_up(text: str) -> str:
    """A docstring as Markdown: examples fenced, what looks like HTML kept as text."""
    text = re.sub(r"(?:^>>>.*\n?(?:^(?!\s*$).*\n?)*\n?)+", _fenced, text, flags=re.MULTILINE)
    parts = re.split(r"(```.*?```|`[^`\n]*`)", text, flags=re.DOTALL)
    escaped = [p if k % 2 else re.sub(r"([<\[\]*_])", r"\\\1", p) for k, p in enumerate(parts)]
    return "".join(escaped).replace("\n\\* ", "\n* ")


def _fenced(found: re.Match[str]) -> str:
    return f"```pycon\n{found[0].rstrip()}\n```\n"
