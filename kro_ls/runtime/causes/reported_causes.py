"""Causes of kro's messages, looked up in the objects and the definition: what waits, what the API server refuses."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Final

from msgspec import Struct
from msgspec.structs import replace

from kro_ls.analysis.facts import kind_name
from kro_ls.golang.plural import plural
from kro_ls.kro import labels
from kro_ls.openapi.json_values import as_list, as_object, as_text
from kro_ls.runtime.causes.cause import CauseKind, Explanation
from kro_ls.runtime.causes.definition_troubles import KRO_LOG, can_i
from kro_ls.runtime.causes.fights import fight_of
from kro_ls.runtime.causes.given_objects import labels_of, name_of, namespace_of
from kro_ls.runtime.causes.health import deletion_of, trouble_of
from kro_ls.runtime.nodes.errors import Cause
from kro_ls.runtime.passes.reasons import object_name
from kro_ls.yaml_positions.nodes import field, to_python

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from kro_ls.analysis.model.expressions import Expression
    from kro_ls.analysis.model.model import Resource
    from kro_ls.openapi.json_values import JsonObject, JsonValue
    from kro_ls.runtime.causes.given_objects import Objects
    from kro_ls.runtime.causes.messages import Reported
    from kro_ls.runtime.causes.waiting_nodes import Nodes


class State(Struct, frozen=True):
    """An instance with the given objects of its cluster; `nodes` is None where its definition is not given."""

    instance: JsonObject
    nodes: Nodes | None
    objects: Objects


_SENTENCES: Final = {
    CauseKind.QUOTA: "the quota {quota} is used up: {requested}",
    CauseKind.POLICY: "the policy {policy} refuses an object: {says}",
    CauseKind.WEBHOOK: "the webhook {webhook} refuses an object: {says}",
    CauseKind.REFERENCE_MISSING: "an object names something that does not exist: {missing}",
    CauseKind.FORBIDDEN: "the API server forbids an object: {says}",
    CauseKind.NAMESPACE_TERMINATING: "namespace {namespace} is being deleted, so nothing can be created in it",
    CauseKind.SAME_OBJECT: "the nodes {node} and {other} want the same object",
    CauseKind.SUSPENDED: "reconciliation is suspended",
    CauseKind.FIELD_CONFLICT: "{manager} owns a field that kro applies: {field}",
    CauseKind.KIND_MISSING: "kind {missing} is not in the cluster",
    CauseKind.SERVER_TROUBLE: "the API server did not answer as it should: {text}",
}
"""The sentences for causes whose messages need no look-up."""


def cause_of(reported: Reported, state: State) -> Explanation:
    """Return the cause that a message reports."""
    if reported.kind in _READERS:
        return _READERS[reported.kind](reported, state)
    sentence = _SENTENCES.get(reported.kind, "kro says: {text}")
    words = {"policy": "of the cluster", "manager": "another manager", **reported.words, "text": reported.text}
    names = {name: words.get(name) or reported.text for name in _names_in(sentence)}
    node = reported.words.get("node") or node_of_refused(reported.text, state.nodes)
    return Explanation(reported.kind, sentence.format(**names), node)


def _names_in(sentence: str) -> list[str]:
    return [part.partition("}")[0] for part in sentence.split("{")[1:]]


def _waiting(reported: Reported, state: State) -> Explanation:
    node = reported.words.get("node", "")
    quoted = reported.words.get("expression", "")
    found = state.nodes.expression(quoted, node) if state.nodes is not None and quoted else None
    if state.nodes is not None and found is not None:
        return state.nodes.explain_expression(*found)
    behind = state.nodes.explain_node(node) if state.nodes is not None else None
    if behind is None:
        waited = [each for each in state.objects.all if labels_of(each).get(labels.NODE_ID) == node and node]
        behind = next((cause for each in waited if (cause := trouble_of(each, state.objects))), None)
    if behind is not None:
        return replace(behind, node=node)
    what = f"node {node} waits" if node else "a node waits"
    reads = f" for '{quoted}'" if quoted else ""
    return Explanation(
        CauseKind.WAITING, f"{what}{reads}: {reported.words.get('says') or 'its data is not there yet'}", node
    )


def _permission(reported: Reported, state: State) -> Explanation:
    words = reported.words
    if "verb" not in words:
        written = reported.text.partition(" is forbidden")[0]
        message = f"kro may not write {written}, which grants what kro itself does not hold"
        return Explanation(reported.kind, message, node_of_refused(reported.text, state.nodes), fetch=(KRO_LOG,))
    group = words.get("group", "")
    resource = f"{words['resource']}{f'.{group}' if group else ''}"
    place = f" in namespace {words['namespace']}" if "namespace" in words else ""
    message = f"kro ({words['user']}) may not {words['verb']} {resource}{place}"
    node = node_of_refused(reported.text, state.nodes)
    return Explanation(reported.kind, message, node, fetch=(can_i(words["verb"], resource),))


def _other_owner(reported: Reported, state: State) -> Explanation:
    owner = reported.words["owner"]
    other = next((each for each in state.objects.all if labels_of(each).get(labels.APPLY_SET_PARENT) == owner), None)
    owned = next((each for each in state.objects.all if labels_of(each).get(labels.APPLY_SET) == owner), None)
    named = object_name(other) if other else ""
    if not named and owned:
        own = labels_of(owned)
        parts = (own.get(labels.INSTANCE_NAMESPACE), own.get(labels.INSTANCE_NAME))
        named = f"{own.get(labels.INSTANCE_KIND)} {'/'.join(str(each) for each in parts if each)}"
    kind = reported.words["gvk"].rpartition("Kind=")[2]
    what = named or f"another instance (ApplySet {owner})"
    message = (
        f"{kind} {reported.words['object']} belongs to {what}, so {object_name(state.instance)} cannot have it as well"
    )
    namespace, _, name = reported.words["object"].rpartition("/")
    place = f" -n {namespace}" if namespace else ""
    fetch = () if named else (f"kubectl get {kind.lower()} {name}{place} -o yaml",)
    node = state.nodes.making(kind, name) if state.nodes else ""
    fixed = f"; the template's name of {node} does not depend on the instance" if node else ""
    return Explanation(reported.kind, f"{message}{fixed}", node, field=("metadata", "name"), fetch=fetch)


def _external_missing(reported: Reported, state: State) -> Explanation:
    node = reported.words["node"]
    resource = state.nodes.resource(node) if state.nodes else None
    if resource is None or resource.object is None:
        message = f"the object that external reference {node} names does not exist"
        return Explanation(reported.kind, message, node)
    reference = as_object(to_python(resource.object))
    message = f"the external {object_name(reference)} of node {node} does not exist"
    kind, name = as_text(reference.get("kind")), name_of(reference)
    place = f" -n {namespace_of(reference)}" if namespace_of(reference) else ""
    fetch = (f"kubectl get {plural(kind)} {name}{place} -o yaml",) if "${" not in name else ()
    return Explanation(reported.kind, message, node, field=("metadata", "name"), fetch=fetch)


def _being_deleted(reported: Reported, state: State) -> Explanation:
    namespace, _, name = reported.words["object"].rpartition("/")
    node = reported.words["node"]
    named = (each for each in state.objects.all if name_of(each) == name and namespace_of(each) in ("", namespace))
    deleted = next(filter(None, map(deletion_of, named)), None)
    fetch = () if deleted else tuple(filter(None, [state.nodes.get_command(node) if state.nodes else ""]))
    if deleted:
        return replace(deleted, message=f"{deleted.message}; kro waits until it is gone", node=node)
    message = f"{reported.words['object']} of node {node} is being deleted; kro waits until it is gone"
    return Explanation(CauseKind.BEING_DELETED, message, node, fetch=fetch)


def _namespace_missing(reported: Reported, state: State) -> Explanation:
    namespace = reported.words["namespace"]
    node = state.nodes.in_namespace(namespace) if state.nodes else ""
    goes = f", into which node {node} goes," if node else ""
    message = f"namespace {namespace}{goes} does not exist"
    return Explanation(reported.kind, message, node, field=("metadata", "namespace"))


def _evaluation(reported: Reported, state: State) -> Explanation:
    quoted, node = reported.words.get("expression", ""), reported.words.get("node", "")
    found = state.nodes.expression(quoted, node) if state.nodes is not None and quoted else None
    what = f"'{quoted}' cannot be evaluated: {reported.words.get('says', '')}" if quoted else reported.text
    return Explanation(reported.kind, what, node, Cause(*found) if found else None)


def _collision(reported: Reported, state: State) -> Explanation:
    node = reported.words["node"]
    message = f"two items of the collection {node} have one name: {reported.words['identity']}"
    resource = state.nodes.resource(node) if state.nodes else None
    lists = [each.expression for each in (resource.dimensions if resource else ()) if each.expression is not None]
    for place, twice in _repeated(lists, state.instance):
        message = f"{message}, for {place} has {twice} twice"
    return Explanation(reported.kind, message, node, Cause(node, lists[0]) if lists else None)


def _repeated(lists: Iterable[Expression], instance: JsonObject) -> Iterator[tuple[str, str]]:
    """Yield the fields of the instance that a collection runs over and that have a value twice, with that value."""
    for use in (use for each in lists for use in each.inspection.names if use.name == "schema" and use.path):
        found: JsonValue = instance
        for name in use.path:
            found = as_object(found).get(name)
        texts = [json.dumps(each) for each in as_list(found)]
        yield from ((".".join(use.path), text) for text in dict.fromkeys(texts) if texts.count(text) > 1)


def _refused(reported: Reported, state: State) -> Explanation:
    return refused_value(reported, state.nodes, state.instance)


_READERS: Final[Mapping[CauseKind, Callable[[Reported, State], Explanation]]] = {
    CauseKind.WAITING: _waiting,
    CauseKind.PERMISSION: _permission,
    CauseKind.VALUE_REFUSED: _refused,
    CauseKind.IMMUTABLE_FIELD: _refused,
    CauseKind.OTHER_OWNER: _other_owner,
    CauseKind.COLLISION: _collision,
    CauseKind.EXTERNAL_MISSING: _external_missing,
    CauseKind.BEING_DELETED: _being_deleted,
    CauseKind.FIGHT: lambda _, state: fight_of(state.nodes, state.objects, state.instance),
    CauseKind.NAMESPACE_MISSING: _namespace_missing,
    CauseKind.EVALUATION: _evaluation,
    CauseKind.COST_LIMIT: _evaluation,
}
"""What looks up more than the message contains."""


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
        undo = "take the edit of the definition back, or delete the object so that kro makes it anew"
        return Explanation(reported.kind, message, node, field=path, unblock=undo if is_immutable and resource else "")
    from_instance = any(use.name == "schema" for use in found.inspection.names)
    kind = reported.kind
    if from_instance:
        fields = ", ".join(".".join(use.path) for use in found.inspection.names if use.name == "schema" and use.path)
        generation = as_object(instance.get("metadata")).get("generation")
        edited = ", which was edited," if is_immutable and isinstance(generation, int) and generation > 1 else ""
        message = f"{message}; the value comes from {fields or 'the instance'} of the instance{edited}".rstrip(",")
        kind = CauseKind.IMMUTABLE_FIELD if is_immutable else CauseKind.INSTANCE_VALUE_REFUSED
    return Explanation(kind, message, node, Cause(node, found), field=path)


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
