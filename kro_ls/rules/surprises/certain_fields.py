"""Conditions that hold for every object, because the API server or the template sets the fields."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from msgspec import Struct

from kro_ls.analysis.model.expressions import extract
from kro_ls.analysis.model.model import ResourceType
from kro_ls.cel.syntax import ast
from kro_ls.yaml_positions.nodes import Mapping, Scalar, Sequence, entries, is_null, items, node_at, text_of

if TYPE_CHECKING:
    from kro_ls.analysis.model.model import Resource
    from kro_ls.openapi.kind_schema import KindSchema
    from kro_ls.yaml_positions.nodes import Node

Path: TypeAlias = tuple[str, ...]

_ALWAYS_SET = frozenset(("name", "uid", "resourceVersion", "creationTimestamp"))
_NEVER_CHANGED = frozenset((("apiVersion",), ("kind",), ("metadata", "name"), ("metadata", "namespace")))
"""Texts that the API server keeps as written; it may rewrite others, such as quantities."""

_MIRRORED = {
    ast.Operator.LESS: ast.Operator.GREATER,
    ast.Operator.LESS_EQUALS: ast.Operator.GREATER_EQUALS,
    ast.Operator.GREATER: ast.Operator.LESS,
    ast.Operator.GREATER_EQUALS: ast.Operator.LESS_EQUALS,
}


class Certainty(Struct, frozen=True):
    """The constant answer of a condition, and the reason."""

    answer: bool
    reason: str


class CertainFields:
    """Evaluates the conditions of one resource that have the same answer for every state of its object."""

    def __init__(self, resource: Resource, kind: KindSchema | None) -> None:
        is_collection = resource.type is ResourceType.COLLECTION
        self._variable = "each" if is_collection else resource.id
        self._template = resource.object if resource.template is not None else None
        self._written = resource.object
        self._namespaced = kind is not None and kind.namespaced

    def answer(self, node: ast.Node) -> Certainty | None:
        """Return the constant answer of a condition, None if it depends on the object's state."""
        match node:
            case ast.MacroCall(expansion=ast.Select(test_only=True) as test):
                return self._present(self._path(test))
            case ast.Call(function="hasValue", target=ast.Select() as field):
                return self._present(self._path(field))
            case ast.Call(function=ast.Operator.NOT, target=None, arguments=(operand,)):
                inner = self.answer(operand)
                return Certainty(not inner.answer, inner.reason) if inner else None
            case ast.Call(function=(ast.Operator.AND | ast.Operator.OR), target=None, arguments=(left, right)):
                return _joined(node.function, self.answer(left), self.answer(right))
            case ast.Call(target=None, arguments=(left, ast.Literal() as right)):
                return self._compared(node.function, left, right)
            case ast.Call(target=None, arguments=(ast.Literal() as left, right)):
                return self._compared(_MIRRORED.get(node.function, node.function), right, left)
        return None

    def _path(self, node: ast.Node) -> Path | None:
        """Return the path from the object to a value, None for other nodes."""
        steps: list[str] = []
        while isinstance(node, ast.Select):
            steps.append(node.field)
            node = node.operand
        return tuple(reversed(steps)) if isinstance(node, ast.Identifier) and node.name == self._variable else None

    def _present(self, path: Path | None) -> Certainty | None:
        return _from_the_start(True, path) if path and self._is_set(path) else None

    def _compared(self, function: str, value: ast.Node, constant: ast.Literal) -> Certainty | None:
        if isinstance(value, ast.Call) and value.function == "size":
            sized = value.target or next(iter(value.arguments), None)
            path = self._path(sized) if sized is not None else None
            answer = _as_size(function, constant.value)
            return _from_the_start(answer, path) if path and answer is not None and self._is_set(path) else None
        if isinstance(value, ast.Call) and value.function == "orValue" and value.target is not None:
            value = value.target
        path = self._path(value)
        equal = self._equal(path, constant) if path and self._is_set(path) else None
        if equal is None or function not in (ast.Operator.EQUALS, ast.Operator.NOT_EQUALS):
            return None
        return equal if function == ast.Operator.EQUALS else Certainty(not equal.answer, equal.reason)

    def _equal(self, path: Path, constant: ast.Literal) -> Certainty | None:
        if constant.kind is ast.LiteralKind.NULL or constant.value == "":
            return _from_the_start(False, path)
        text = text_of(node_at(self._written, path)) if path in _NEVER_CHANGED else None
        if text is None or extract(text).expressions or not isinstance(constant.value, str):
            return None
        return Certainty(text == constant.value, f"'{'.'.join(path)}' is always '{text}'")

    def _is_set(self, path: Path) -> bool:
        """Whether a field has a value, which is not empty, in every object."""
        if path[:1] == ("metadata",) and len(path) < 3:
            name = path[1] if len(path) > 1 else "name"
            if name in _ALWAYS_SET or (name == "namespace" and self._namespaced):
                return True
        if path in (("apiVersion",), ("kind",)):
            return True
        return path[0] != "status" and _has_value(node_at(self._template, path))


def _has_value(node: Node | None) -> bool:
    """Whether a template certainly sets a value: an expression may omit it, and Kubernetes drops empty ones."""
    if isinstance(node, Mapping):
        return any(_has_value(each.value) for each in entries(node))
    if isinstance(node, Sequence):
        return any(map(_has_value, items(node)))
    if not isinstance(node, Scalar) or is_null(node):
        return False
    spans = extract(node.text).expressions
    return sum(span.end - span.start for span in spans) < len(node.text) and node.value not in (False, 0)


def _from_the_start(answer: bool, path: Path) -> Certainty:
    return Certainty(answer, f"'{'.'.join(path)}' is set as soon as the object exists")


def _joined(function: str, left: Certainty | None, right: Certainty | None) -> Certainty | None:
    deciding = function == ast.Operator.OR
    decisive = next((each for each in (left, right) if each and each.answer is deciding), None)
    return decisive or (left if left and right else None)


def _as_size(function: str, number: object) -> bool | None:
    """Return the constant answer of a comparison with a size that is at least 1."""
    match function, number:
        case (ast.Operator.GREATER | ast.Operator.NOT_EQUALS, 0) | (ast.Operator.GREATER_EQUALS, 0 | 1):
            return True
        case (ast.Operator.EQUALS, 0) | (ast.Operator.LESS, 0 | 1) | (ast.Operator.LESS_EQUALS, 0):
            return False
    return None
