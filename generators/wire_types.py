"""The TypeScript types of the server's messages, generated from the Python types of the same names."""

from __future__ import annotations

import ast
import inspect
import types
from collections.abc import Mapping
from typing import (
    TYPE_CHECKING,
    Any,
    Final,
    Literal,
    NotRequired,
    Union,
    get_args,
    get_origin,
    get_type_hints,
    is_typeddict,
)

import msgspec

from kro_ls.features.previews.scenario import AskedScenario
from kro_ls.render.page_data import ChangeName, Graph, PlacedTest, Preview, ResourceTypeName, SavedTest, TextDefinition
from kro_ls.runtime.passes.reasons import StateWord
from kro_ls.server.inputs.user_settings import Status
from kro_ls.server.views.assistance import Question

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

_ROOTS: Final = (Graph, Preview, SavedTest, TextDefinition, PlacedTest, AskedScenario, Question, Status)
_PATH: Final = "editors/views/src/wire.ts"
_HEAD: Final = "// What the server says and is asked by those who show graphs and previews; made by scripts/generate."
_ALIASES: Final = {ChangeName: "Change", ResourceTypeName: "ResourceType", StateWord: "State"}
_NAMES: Final = {str: "string", int: "number", float: "number", bool: "boolean", type(None): "null", Any: "unknown"}


def files(_root: Path) -> dict[str, str]:
    """Return the types by the path of their file."""
    return {_PATH: "\n\n".join([_HEAD, *typescript(_ROOTS)]) + "\n"}


def typescript(roots: Iterable[type]) -> list[str]:
    """Return the definitions of some types and of all types that they name."""
    written: dict[str, str] = {}
    for root in roots:
        _write(root, written)
    return list(written.values())


def _write(owner: type, written: dict[str, str]) -> None:
    """Add a class and those that its members name, by name."""
    if owner.__name__ in written:
        return
    written[owner.__name__] = ""
    lines = [_comment(inspect.getdoc(owner) or "", ""), f"export interface {owner.__name__} {{"]
    for name, annotation, is_optional, comment in _members(owner):
        if comment:
            lines.append(_comment(comment, "  "))
        lines.append(f"  {name}{'?' if is_optional else ''}: {_type(annotation, written)};")
    written[owner.__name__] = "\n".join([*lines, "}"])


def _members(owner: type) -> Iterator[tuple[str, Any, bool, str]]:
    """Yield each member's name on the wire, its type, whether it may be missing, and its description."""
    hints = get_type_hints(owner, include_extras=True)
    comments = _comments(owner)
    if is_typeddict(owner):
        for name, hint in hints.items():
            is_optional = get_origin(hint) is NotRequired
            yield name, get_args(hint)[0] if is_optional else hint, is_optional, comments.get(name, "")
    else:
        for field in msgspec.structs.fields(owner):
            yield field.encode_name, hints[field.name], not field.required, comments.get(field.name, "")


def _comments(owner: type) -> dict[str, str]:
    """Return the docstrings of the members of a class and of those that it extends."""
    try:
        (tree,) = ast.parse(inspect.getsource(owner)).body
    except (OSError, TypeError):  # made by a call
        return {}
    if not isinstance(tree, ast.ClassDef):
        return {}
    # A TypedDict does not list what it extends.
    bases = [getattr(inspect.getmodule(owner), ast.unparse(base), None) for base in tree.bases]
    inherited = [_comments(base) for base in bases if isinstance(base, type)]
    own = {
        ast.unparse(member.target): inspect.cleandoc(text.value.value)
        for member, text in zip(tree.body, tree.body[1:], strict=False)
        if isinstance(member, ast.AnnAssign)
        and isinstance(text, ast.Expr)
        and isinstance(text.value, ast.Constant)
        and isinstance(text.value.value, str)
    }
    return {name: text for found in (*inherited, own) for name, text in found.items()}


def _comment(text: str, indentation: str) -> str:
    lines = [f"{indentation} * {line}".rstrip() for line in text.splitlines()]
    if len(lines) == 1:
        return f"{indentation}/** {text} */"
    return "\n".join([f"{indentation}/**", *lines, f"{indentation} */"])


def _type(annotation: Any, written: dict[str, str]) -> str:
    origin, arguments = get_origin(annotation), get_args(annotation)
    if origin is Literal:
        words = " | ".join(f"'{each}'" for each in arguments)
        if annotation not in _ALIASES:
            return words
        written[_ALIASES[annotation]] = f"export type {_ALIASES[annotation]} = {words};"
        return _ALIASES[annotation]
    if origin in (Union, types.UnionType):
        return " | ".join(dict.fromkeys(_type(each, written) for each in arguments))
    if origin in (list, tuple):
        item = _type(arguments[0], written)
        return f"({item})[]" if "|" in item else f"{item}[]"
    if origin in (dict, Mapping):
        return f"Readonly<Record<string, {_type(arguments[1], written)}>>"
    if origin is not None:  # a type with constraints
        return _type(arguments[0], written)
    if annotation in _NAMES:
        return _NAMES[annotation]
    _write(annotation, written)
    return str(annotation.__name__)
