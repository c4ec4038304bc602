"""What the API server refuses: which node's object it is, and where the value comes from."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from kro_ls.analysis.facts import kind_name
from kro_ls.openapi.json_values import as_object
from kro_ls.runtime.causes.cause import CauseKind, Explanation
from kro_ls.runtime.nodes.errors import Cause
from kro_ls.yaml_positions.access import field

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.analysis.model.expressions import Expression
    from kro_ls.analysis.model.model import Resource
    from kro_ls.openapi.json_values import JsonObject
    from kro_ls.runtime.causes.messages import Reported
    from kro_ls.runtime.causes.waiting_nodes import Nodes

_STEP = re.compile(r"\.?([^.\[\]]+)|\[([^\]]*)\]")
_OBJECT = re.compile(r'(?:^|: )(?P<kind>[A-Za-z]\w*)(?:\.[\w.-]+)? "(?P<name>[^"]*)" (?:is invalid|is forbidden)')
_GVK = re.compile(r"\((?:[^/;()]*/)?(?P<name>[^;()]*); [^)]*Kind=(?P<kind>\w+)\)")


def refused_value(reported: Reported, nodes: Nodes | None, instance: JsonObject) -> Explanation:
    """Return whose value the API server refuses: one in the template, or one that comes from the instance."""
    path = path_of(reported.words.get("field", ""))
    named = _OBJECT.search(reported.text) or _GVK.search(reported.text)
    about = f"{named['kind']} '{named['name']}'" if named else "an object"
    is_immutable = reported.kind is CauseKind.IMMUTABLE_FIELD
    verb = "refuses to change" if is_immutable else "refuses"
    place = f": {reported.words['field']}: {reported.words.get('says', '')}" if path else f": {reported.text}"
    message = f"the API server {verb} {about}{place}"
    resource = _resource(nodes, named["kind"] if named else "", path)
    node = resource.id or "" if resource else ""
    found = next(_expressions(resource, path), None) if resource else None
    if found is None:
        kind = CauseKind.IMMUTABLE_FIELD if is_immutable else reported.kind
        return Explanation(kind, message, node, field=path, unblock=_definition_edit(reported, resource))
    from_instance = any(use.name == "schema" for use in found.inspection.names)
    kind = reported.kind
    if from_instance:
        fields = ", ".join(".".join(use.path) for use in found.inspection.names if use.name == "schema" and use.path)
        generation = as_object(instance.get("metadata")).get("generation")
        edited = ", which was edited," if is_immutable and isinstance(generation, int) and generation > 1 else ""
        message = f"{message}; the value comes from {fields or 'the instance'} of the instance{edited}".rstrip(",")
        kind = CauseKind.IMMUTABLE_FIELD if is_immutable else CauseKind.INSTANCE_VALUE_REFUSED
    return Explanation(kind, message, node, Cause(node, found), field=path)


def _definition_edit(reported: Reported, resource: Resource | None) -> str:
    if reported.kind is CauseKind.IMMUTABLE_FIELD and resource is not None:
        return "take the edit of the definition back, or delete the object so that kro makes it anew"
    return ""


def node_of_refused(text: str, nodes: Nodes | None) -> str:
    """Return the node whose object a refusal of the API server names; empty where it is unclear."""
    named = _OBJECT.search(text)
    plural = re.search(r'(?:^|: )(?P<plural>[a-z]+)(?:\.[\w.-]+)? "(?P<name>[^"]*)" is forbidden', text)
    resource = _resource(nodes, named["kind"], ()) if named else None
    if resource is None and plural and nodes:
        for each in nodes.rgd.rgd.parts:
            kind = nodes.rgd.kind(each)
            if kind is not None and kind.plural == plural["plural"]:
                return each.id or ""
    return (resource.id or "") if resource else ""


def path_of(text: str) -> tuple[str | int, ...]:
    """Return the path that a message of the API server names: `spec.ports[0].name`."""
    return tuple(name or (int(index) if index.isdecimal() else index.strip('"')) for name, index in _STEP.findall(text))


def _resource(nodes: Nodes | None, kind: str, path: tuple[str | int, ...]) -> Resource | None:
    """Return the resource of a kind; of several the one that has the most of a path."""
    if nodes is None or not kind:
        return None
    found = [each for each in nodes.rgd.rgd.parts if (kind_name(each) or ("", ""))[1] == kind]
    found = found or [each for each in nodes.rgd.rgd.parts if (kind_name(each) or ("", ""))[1].lower() == kind.lower()]
    return max(found, key=lambda each: _depth(each, path), default=None)


def _depth(resource: Resource, path: tuple[str | int, ...]) -> int:
    node, depth = resource.object, 0
    found: object = node
    for step in path:
        found = field(found, step) if isinstance(step, str) else None  # type: ignore[arg-type] # a node of the tree
        if found is None:
            break
        depth += 1
    return depth


def _expressions(resource: Resource, path: tuple[str | int, ...]) -> Iterator[Expression]:
    """Yield the expressions at a path of the template, or below or above it."""
    for each in resource.expressions:
        shorter = min(len(each.path), len(path))
        if path and each.path[:shorter] == path[:shorter]:
            yield each
