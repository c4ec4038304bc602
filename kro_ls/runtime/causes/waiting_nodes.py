"""Why a node of an instance waits: what its expressions read, and what the objects have instead.

Some fields are never written for an object as it is, and some values never occur.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Final

from msgspec import Struct
from msgspec.structs import replace

from kro_ls.cel.syntax import ast
from kro_ls.golang.quoting import go_quoted
from kro_ls.graphs import frames_of
from kro_ls.kro.places import Place
from kro_ls.openapi.json_values import as_object
from kro_ls.openapi.schema import Schema
from kro_ls.openapi.written_fields import LEFT_OUT_WITHOUT_REPLICAS
from kro_ls.runtime.causes.cause import CauseKind, Explanation
from kro_ls.runtime.causes.given_objects import conditions_of, name_of
from kro_ls.runtime.causes.health import events_command, trouble_of
from kro_ls.runtime.nodes.compiled import INSTANCE
from kro_ls.runtime.nodes.errors import Cause
from kro_ls.runtime.nodes.node_objects import MISSING, at, group_kind
from kro_ls.runtime.passes.reasons import object_name
from kro_ls.yaml_positions.nodes import to_python

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.analysis.analysis import RgdAnalysis
    from kro_ls.analysis.model.expressions import Expression
    from kro_ls.analysis.model.model import Resource
    from kro_ls.openapi.json_values import JsonObject
    from kro_ls.openapi.kind_schema import KindSchema
    from kro_ls.runtime.causes.given_objects import Objects


class MissingRead(Struct, frozen=True):
    """A missing field that an expression reads from a node's object: its path, its place, the object."""

    node: str
    path: tuple[str, ...]
    place: Cause
    value: JsonObject


class Nodes(Struct, frozen=True):
    """The nodes of a definition, and the objects that an instance has for them in the cluster."""

    rgd: RgdAnalysis
    children: dict[str, list[JsonObject]]
    objects: Objects

    def resource(self, node: str) -> Resource | None:
        """Return a node's entry in the definition."""
        found = self.rgd.resources.get(node)
        return found.resource if found else None

    def values(self, node: str) -> list[JsonObject]:
        """Return the objects of a node: those that kro made, or what an external reference names."""
        if node in self.children:
            return self.children[node]
        resource = self.resource(node)
        if resource is None or resource.external_reference is None:
            return []
        reference = self.template(resource)
        wanted = as_object(reference.get("metadata")).get("name")
        same_kind = [each for each in self.objects.all if group_kind(each) == group_kind(reference)]
        named = [each for each in same_kind if name_of(each) == wanted]
        return named or (same_kind[:1] if isinstance(wanted, str) and "${" in wanted else [])

    def expression(self, quoted: str, node: str = "") -> tuple[str, Expression] | None:
        """Return the expression that kro quotes, and its node; one of the given node wins."""
        found = [
            (resource.id or "", expression)
            for frame in frames_of(self.rgd)
            for resource in frame.rgd.parts
            for expression in resource.expressions
            if go_quoted(expression.compiled.user_text) == f'"{quoted}"' or expression.compiled.user_text == quoted
        ]
        return next((each for each in found if each[0] == node), found[0] if found else None)

    def explain_expression(self, owner: str, expression: Expression) -> Explanation:
        """Return why an expression is not true, or has no value yet."""
        missing = next(self._missing(owner, expression), None)
        if missing is not None:
            return self._missing_field(owner, missing)
        place = Cause(owner, expression)
        names = dict.fromkeys(use.name for use in expression.inspection.names)
        read = [name for name in names if name in self.rgd.resources]
        fields = [".".join(use.path) for use in expression.inspection.names if use.name == "schema" and use.path]
        if fields and not read:
            text = expression.compiled.user_text
            message = f"{owner} reads '{text}', and {', '.join(fields)} of the instance lacks it"
            return Explanation(CauseKind.INSTANCE_FIELD_MISSING, message, owner, place)
        node = owner if expression.place is Place.READY_WHEN else next(iter(read), owner)
        for value in self.values(node):
            never = never_true(expression, node, value, self._kind(node))
            if never:
                return replace(never, node=node, place=place, value=value)
        found = next((each for value in self.values(node) if (each := trouble_of(value, self.objects))), None)
        if found:
            return replace(found, node=node, place=place)
        return self._unexplained(owner, node, expression)

    def status_troubles(self, instance: JsonObject) -> Iterator[Explanation]:
        """Yield why fields of an instance's status have no value, which kro does not report."""
        section = self.rgd.section
        for expression in section.expressions if section else ():
            path = tuple(map(str, expression.path))
            if expression.place is Place.STATUS and at(instance.get("status"), path) is MISSING:
                missing = next(self._missing(INSTANCE, expression), None)
                if missing is not None:
                    found = self._missing_field(f"status.{'.'.join(path)}", missing)
                    yield replace(found, message=f"status.{'.'.join(path)} has no value: {found.message}")

    def explain_node(self, node: str) -> Explanation | None:
        """Return why a node is not ready, by its objects; None where they do not show it."""
        for value in self.values(node):
            found = trouble_of(value, self.objects)
            if found:
                return replace(found, node=node)
        return None

    def making(self, kind: str, name: str) -> str:
        """Return the node whose template has this kind and, without an expression, this name; empty for none."""
        return self._with(kind, "name", name)

    def in_namespace(self, namespace: str) -> str:
        """Return the first node that goes into a namespace, as written, else one whose namespace is computed."""
        return self._with("", "namespace", namespace) or self._with("", "namespace", "")

    def _with(self, kind: str, field: str, text: str) -> str:
        for resource in self.rgd.rgd.parts:
            value = self.template(resource)
            found = as_object(value.get("metadata")).get(field)
            is_found = found == text if text else isinstance(found, str) and "${" in found
            if is_found and (not kind or value.get("kind") == kind):
                return resource.id or ""
        return ""

    def template(self, resource: Resource) -> JsonObject:
        """Return the object of a resource, as written."""
        return as_object(to_python(resource.object)) if resource.object else {}

    def get_command(self, node: str) -> str:
        """Return the command that gets the objects of a node."""
        resource = self.resource(node)
        if resource is None:
            return ""
        kind = self.rgd.kind(resource)
        group, name = kind.name.group if kind else "", kind.plural if kind else node
        return f"kubectl get {name}{f'.{group}' if group else ''} -A -l kro.run/node-id={node} -o yaml"

    def _missing_field(self, owner: str, missing: MissingRead) -> Explanation:
        value, field = missing.value, ".".join(missing.path)
        never = never_there(missing.path, value, self._kind(missing.node))
        if never:
            message = f"{owner} reads {missing.node}.{field}: {never.message}"
            return replace(never, message=message, node=missing.node, place=missing.place, value=value)
        found = trouble_of(value, self.objects)
        what = f"{missing.node}.{field} is not there"
        if found:
            return replace(found, message=f"{what}: {found.message}", node=missing.node, place=missing.place)
        if missing.path[0] == "status" and not value.get("status"):
            message = f"{what}: {object_name(value)} has no status, so no controller has looked at it"
            kind = CauseKind.NO_CONTROLLER
        else:
            message, kind = f"{what} in {object_name(value)}: nobody has written it yet", CauseKind.WAITING
        return Explanation(kind, message, missing.node, missing.place, value=value, fetch=(events_command(value),))

    def _unexplained(self, owner: str, node: str, expression: Expression) -> Explanation:
        place = Cause(owner, expression)
        text = expression.compiled.user_text
        if not self.values(node):
            message = f"{owner} waits for '{text}', and no object of {node} is given"
            return Explanation(CauseKind.WAITING, message, node, place, fetch=(self.get_command(node),))
        shown = ", ".join(f"{path} is {_shown(found)}" for path, found in self._values_read(owner, expression))
        read = f" ({shown})" if shown else ""
        value = self.values(node)[0]
        if not value.get("status") and ".status" in text:
            message = f"'{text}' is not true: {object_name(value)} has no status, so no controller has looked at it"
            return Explanation(CauseKind.NO_CONTROLLER, message, node, place, value=value)
        message = f"'{text}' is not true{read}, and {object_name(value)} does not say why"
        return Explanation(CauseKind.WAITING, message, node, place, value=value, fetch=(events_command(value),))

    def _missing(self, owner: str, expression: Expression) -> Iterator[MissingRead]:
        for use in expression.inspection.names:
            node = owner if use.name == "each" else use.name
            for value in self.values(node) if use.path else ():
                lengths = range(1, len(use.path) + 1)
                path = next((use.path[:each] for each in lengths if at(value, use.path[:each]) is MISSING), None)
                if path is not None:
                    end = _end(expression.text, use.node.end, path)
                    yield MissingRead(node, path, Cause(owner, expression, use.node.start, end), value)

    def _values_read(self, owner: str, expression: Expression) -> Iterator[tuple[str, object]]:
        for use in expression.inspection.names:
            values = self.values(owner if use.name == "each" else use.name)
            if values and use.path:
                yield ".".join((use.name, *use.path)), at(values[0], use.path)

    def _kind(self, node: str) -> KindSchema | None:
        resource = self.resource(node)
        return self.rgd.kind(resource) if resource else None


def _end(text: str, start: int, path: tuple[str, ...]) -> int:
    """Return where the selection of a path ends that begins before an offset of an expression."""
    end = start
    for name in path:
        found = text.find(name, end)
        if found < 0:
            return end
        end = found + len(name)
    return end


def _shown(value: object) -> str:
    if value is MISSING:
        return "not there"
    text = json.dumps(value)
    return text if len(text) <= 60 else f"{text[:57]}..."


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
