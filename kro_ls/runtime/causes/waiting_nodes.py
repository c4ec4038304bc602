"""Why a node of an instance waits: what its expressions read, and what the objects have instead."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from kro_ls.golang.quoting import go_quoted
from kro_ls.graphs import frames_of
from kro_ls.kro.places import Place
from kro_ls.openapi.json_values import as_object
from kro_ls.runtime.causes.cause import CauseKind, Explanation
from kro_ls.runtime.causes.given_objects import called, group_kind, name_of
from kro_ls.runtime.causes.health import events_command, trouble_of
from kro_ls.runtime.causes.never import never_there, never_true
from kro_ls.runtime.nodes.compiled import INSTANCE
from kro_ls.runtime.nodes.errors import Cause
from kro_ls.runtime.nodes.node_objects import MISSING, at
from kro_ls.yaml_positions.access import to_python

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
        read = tuple(self._read(expression))
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
            message = f"{what}: {called(value)} has no status, so no controller has looked at it"
            kind = CauseKind.NO_CONTROLLER
        else:
            message, kind = f"{what} in {called(value)}: nobody has written it yet", CauseKind.WAITING
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
            message = f"'{text}' is not true: {called(value)} has no status, so no controller has looked at it"
            return Explanation(CauseKind.NO_CONTROLLER, message, node, place, value=value)
        message = f"'{text}' is not true{read}, and {called(value)} does not tell why"
        return Explanation(CauseKind.WAITING, message, node, place, value=value, fetch=(events_command(value),))

    def _read(self, expression: Expression) -> Iterator[str]:
        """Yield the nodes that an expression reads."""
        ids = (use.name for use in expression.inspection.names)
        return (name for name in dict.fromkeys(ids) if name in self.rgd.resources)

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
