"""Fields that are never written for an object as it is, and values that they never have."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from kro_ls.cel.syntax import ast
from kro_ls.openapi.json_values import as_object
from kro_ls.openapi.schema import Schema
from kro_ls.openapi.written_fields import LEFT_OUT_WITHOUT_REPLICAS
from kro_ls.runtime.causes.cause import CauseKind, Explanation
from kro_ls.runtime.causes.given_objects import conditions_of, group_kind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.analysis.model.expressions import Expression
    from kro_ls.openapi.json_values import JsonObject
    from kro_ls.openapi.kind_schema import KindSchema

_PHASES: Final = {
    ("", "Namespace"): ("Active", "Terminating"),
    ("", "PersistentVolume"): ("Pending", "Available", "Bound", "Released", "Failed"),
    ("", "PersistentVolumeClaim"): ("Pending", "Bound", "Lost"),
    ("", "Pod"): ("Pending", "Running", "Succeeded", "Failed", "Unknown"),
}
"""The values of `status.phase`, which the bundled schemas do not list."""


def never_there(path: tuple[str, ...], value: JsonObject, kind: KindSchema | None) -> Explanation | None:
    """Return why a field of an object is never written, as far as that is certain."""
    found = next(_never_there(path, value, kind), None)
    return Explanation(CauseKind.NEVER_THERE, found[0], unblock=found[1]) if found else None


def _never_there(path: tuple[str, ...], value: JsonObject, kind: KindSchema | None) -> Iterator[tuple[str, str]]:
    """Yield messages, each with what unblocks."""
    group_and_kind = group_kind(value)
    spec = as_object(value.get("spec"))
    field = ".".join(path)
    type_ = spec.get("type", "ClusterIP")
    if group_and_kind == ("", "Service") and path[:2] == ("status", "loadBalancer") and type_ != "LoadBalancer":
        message = f"a Service of type {type_} never has {field}: only type LoadBalancer gets it"
        yield message, "set spec.type to LoadBalancer, or read another field"
    if group_and_kind == ("", "Secret") and path[:1] == ("stringData",):
        message = "a Secret never has stringData when it is read: the API server makes data of it"
        yield message, "read data, and decode it: string(base64.decode(...))"
    if path[:1] == ("status",) and kind is not None:
        schema = _at(kind, path)
        if spec.get("replicas") == 0 and group_and_kind in LEFT_OUT_WITHOUT_REPLICAS:
            yield f"{value['kind']} with 0 replicas has no {field}: a zero is left out", _alternative(path)
        if schema is not None and "integer" in schema.types and _is_well(value):
            message = f"{field} is not there although the {value['kind']} is well: a zero is left out"
            yield message, _alternative(path)
        if schema is None and kind.declared_schema is not None and as_object(kind.schema.get("properties")):
            yield f"the kind {value['kind']} declares no {field}, so the API server drops it", ""


def never_true(expression: Expression, node: str, value: JsonObject, kind: KindSchema | None) -> Explanation | None:
    """Return the comparison in an expression that is never true: with a value that the field cannot have."""
    for path, wanted in _comparisons(expression.inspection.parsed.root, node):
        schema = _at(kind, path) if kind is not None else None
        phases = _PHASES.get(group_kind(value), ()) if path == ("status", "phase") else ()
        allowed = phases or tuple(map(str, schema.enum if schema is not None else ()))
        if allowed and wanted not in allowed:
            message = f"{'.'.join(path)} of a {value['kind']} is never '{wanted}', only {', '.join(allowed)}"
            return Explanation(CauseKind.NEVER_TRUE, message)
    return None


def _alternative(path: tuple[str, ...]) -> str:
    return f"give it an alternative: {'.'.join(path[:-1])}.?{path[-1]}.orValue(0)"


def _is_well(value: JsonObject) -> bool:
    conditions = conditions_of(value)
    return any(conditions.get(name, {}).get("status") == "True" for name in ("Available", "Ready", "Complete"))


def _at(kind: KindSchema, path: tuple[str, ...]) -> Schema | None:
    found: Schema | None = Schema(kind.schema)
    for name in path:
        found = found.child(name) if found is not None else None
    return found


def _comparisons(part: ast.Node, node: str) -> Iterator[tuple[tuple[str, ...], str]]:
    """Yield the fields of a node that must equal a text for the expression to be true, with that text."""
    if not isinstance(part, ast.Call):
        return
    if part.function == ast.Operator.AND:
        for each in part.arguments:
            yield from _comparisons(each, node)
    elif part.function == ast.Operator.EQUALS:
        for one, other in (part.arguments, part.arguments[::-1]):
            if isinstance(other, ast.Literal) and other.kind is ast.LiteralKind.STRING:
                name, path = _selected(one)
                if name in (node, "each") and path:
                    yield path, str(other.value)


def _selected(part: ast.Node) -> tuple[str, tuple[str, ...]]:
    """Return the name and the fields of a plain selection."""
    fields: list[str] = []
    while isinstance(part, ast.Select) and not part.test_only:
        fields.append(part.field)
        part = part.operand
    return (part.name, tuple(reversed(fields))) if isinstance(part, ast.Identifier) else ("", ())
