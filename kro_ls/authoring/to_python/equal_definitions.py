"""Compares two definitions: expressions by their trees, so that blanks and parentheses make no difference."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from kro_ls.analysis.model.expressions import extract
from kro_ls.authoring.cel.cel_members import OVERLOADS
from kro_ls.cel.syntax import ast
from kro_ls.kro.environment import parse

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.authoring.to_python.source_lines import Path
    from kro_ls.openapi.json_values import JsonValue

_IN_BOTH_FORMS: Final = frozenset(
    path for path, overloads in OVERLOADS.items() if {each.is_member for each in overloads} == {True, False}
)
"""Functions that are methods of their first argument as well: `size(x)` is `x.size()`."""


def differing_paths(one: JsonValue, other: JsonValue, path: Path = ()) -> Iterator[Path]:
    """Yield the paths at which two values of a definition are not equal."""
    if isinstance(one, dict) and isinstance(other, dict):
        for name in one.keys() | other.keys():
            if name in one and name in other:
                yield from differing_paths(one[name], other[name], (*path, name))
            else:
                yield (*path, name)
    elif isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        for index, (mine, theirs) in enumerate(zip(one, other, strict=True)):
            yield from differing_paths(mine, theirs, (*path, index))
    elif isinstance(one, str) and isinstance(other, str):
        if one != other and ("${" not in one or _parts(one) != _parts(other)):
            yield path
    elif one != other or one.__class__ is not other.__class__:
        yield path


def _parts(text: str) -> list[Any]:
    """Return the literal parts of a text and the trees of its expressions; literal parts that meet are one."""
    found: list[Any] = []
    at = 0
    for each in extract(text).expressions:
        _add_literal(found, text[at : each.start])
        code = text[each.start + 2 : each.end - 1]
        root = parse(code).root
        is_alone = each.start == 0 and each.end == len(text)
        if isinstance(root, ast.Literal) and isinstance(root.value, str) and not is_alone:
            _add_literal(found, root.value)
        else:
            found.append(_tree(root))
        at = each.end
    _add_literal(found, text[at:])
    return found


def _add_literal(found: list[Any], text: str) -> None:
    if text and found and isinstance(found[-1], str):
        found[-1] += text
    elif text:
        found.append(text)


def _tree(node: ast.Node) -> tuple[Any, ...]:
    """Return a tree without places."""
    match node:
        case ast.Literal():
            return "literal", node.kind, repr(node.value)
        case ast.Identifier():
            return "name", node.name, node.leading_dot
        case ast.Select():
            return "field", _tree(node.operand), node.field, node.optional
        case ast.MacroCall():
            return _tree(node.call)
        case ast.Call():
            return _call(node)
        case ast.ListLiteral():
            return "list", tuple(map(_tree, node.elements)), node.optional_indices
        case ast.MapLiteral():
            return "map", tuple((_tree(each.key), _tree(each.value), each.optional) for each in node.entries)
        case ast.StructLiteral():
            return "struct", node.type_name, tuple((each.name, _tree(each.value)) for each in node.fields)
        case _:
            return (node.__class__.__name__,)


def _call(node: ast.Call) -> tuple[Any, ...]:
    arguments = tuple(map(_tree, node.arguments))
    if node.target is None:
        return "call", node.function, arguments
    target = _tree(node.target)
    if node.function in _IN_BOTH_FORMS:
        return "call", node.function, (target, *arguments)
    return "method", node.function, target, arguments
