"""Moves texts of templates into a new ConfigMap: the variables of a container, or a text that several templates repeat.

Values of the schema are fixed and templates cannot read the status, so only a resource can hold an expression once for
all of them. Kubernetes reads variables from the ConfigMap itself.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from lsprotocol import types
from msgspec import Struct

from kro_ls.analysis.model.model import Resource, ResourceType
from kro_ls.authoring.from_manifests.input_objects import pod_path
from kro_ls.authoring.from_manifests.template_text import member
from kro_ls.cel.syntax import ast
from kro_ls.cel.types.types import Kind
from kro_ls.cursor.parts import parts
from kro_ls.cursor.typed_expression import unwrapped
from kro_ls.features.actions.refactoring import Refactoring
from kro_ls.features.actions.resource_refactorings import start_of_entry
from kro_ls.kro.identifiers import is_resource_id, to_lower_camel_case
from kro_ls.kro.places import Place
from kro_ls.openapi.json_values import as_object, value_at
from kro_ls.render.yaml_text import indented, lines
from kro_ls.repairs.declarations import line_of
from kro_ls.repairs.same_objects import objects_before_and_after
from kro_ls.runtime.cluster.instance import instance_kind
from kro_ls.yaml_positions.nodes import Mapping, Scalar, field, items, node_at, text_of, to_python
from kro_ls.yaml_positions.positions import Span
from kro_ls.yaml_positions.scalars.writing import Replacement, quoted

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from kro_ls.analysis.analysis import RgdAnalysis
    from kro_ls.analysis.model.expressions import Expression
    from kro_ls.analysis.model.paths import Path
    from kro_ls.cursor.cursor import Cursor
    from kro_ls.cursor.parts import PlacedPart
    from kro_ls.openapi.json_values import JsonObject, JsonValue
    from kro_ls.repairs.same_objects import Objects

_KEY: Final = re.compile(r"[-._a-zA-Z0-9]{1,253}")
_SUFFIX: Final = "env"
_ID: Final = "values"
_IDENTITY: Final = (("apiVersion",), ("kind",))


class NewConfigMap(Struct, frozen=True):
    """A ConfigMap that a definition gets: its id, the texts of its name and namespace, its data and its conditions."""

    id: str
    name: str
    namespace: str | None
    data: dict[str, str]
    include_when: Sequence[str] = ()

    def added_above(self, content: str, part: PlacedPart) -> Replacement | None:
        """Return the edit that writes it above a resource; None where that shares its line."""
        entry = part.span(part.part.node.span)
        start = start_of_entry(content, entry.start)
        if start is None:
            return None
        metadata = {"name": self.name, **({"namespace": self.namespace} if self.namespace else {})}
        template = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": metadata, "data": self.data}
        conditions = {"includeWhen": list(self.include_when)} if self.include_when else {}
        # The position of an item is that of its first key.
        _, before = line_of(content, entry.start)
        text = "".join(
            f"{indented(each, before.index('-'))}\n"
            for each in lines([{"id": self.id, **conditions, "template": template}])
        )
        return Replacement(Span(start, start), text)


class _Variable(Struct, frozen=True):
    """An entry of `env` with a text: its name, the text, and the mapping with both."""

    name: str
    text: str
    node: Mapping


def variable_refactorings(cursor: Cursor) -> Iterator[Refactoring]:
    """Yield a refactoring that moves the variables around the cursor into a ConfigMap and changes nothing else."""
    part, rgd, place = cursor.part, cursor.rgd, cursor.yaml
    if part is None or rgd is None or place is None or not isinstance(part.part, Resource):
        return
    resource = part.part
    name = field(field(resource.object, "metadata"), "name")
    path = _env_path(resource, place.path)
    variables = _variables(resource, path) if path else []
    if not variables or resource.id is None or resource.type is not ResourceType.RESOURCE or not text_of(name):
        return
    config = new_config_map(
        rgd,
        f"{resource.id}{_SUFFIX.capitalize()}",
        f"{text_of(name)}-{_SUFFIX}",
        text_of(field(field(resource.object, "metadata"), "namespace")),
        {each.name: each.text for each in variables},
        [text_of(each) or "" for each in items(field(resource.node, "includeWhen"))],
    )
    added = config.added_above(cursor.document.text.content, part)
    edits = [_reference(part, each, config.id) for each in variables]
    if added is None or None in edits:
        return
    replacements = (added, *(each for each in edits if each))
    found = objects_before_and_after(cursor.document, rgd, replacements)
    if found and is_same_through_references(*found):
        count = "the variable" if len(variables) == 1 else f"{len(variables)} variables"
        yield Refactoring(types.CodeActionKind.RefactorExtract, f"Extract {count} to a ConfigMap", replacements)


def _env_path(resource: Resource, path: Path) -> Path | None:
    """Return the path of the `env` around a place, below the template."""
    steps = path[4:]
    pod = pod_path(as_object(to_python(resource.template)))
    if pod is None or path[3:4] != ("template",) or steps[: len(pod)] != pod:
        return None
    inner = steps[len(pod) :]
    is_env = inner[:1] == ("spec",) and inner[1:2] in (("containers",), ("initContainers",)) and inner[3:4] == ("env",)
    return steps[: len(pod) + 4] if is_env else None


def _variables(resource: Resource, path: Path) -> list[_Variable]:
    """Return the variables that a ConfigMap can hold; none if two have the same name, as only the last counts.

    Kubernetes replaces `$(NAME)` in a value, but not in what it reads from a ConfigMap.
    """
    found = []
    entries = items(node_at(resource.template, path))
    names = [text_of(field(each, "name")) for each in entries]
    for name, entry in zip(names, entries, strict=True):
        text = text_of(field(entry, "value"))
        is_plain = isinstance(entry, Mapping) and {each.name for each in entry.entries} == {"name", "value"}
        if name and text and is_plain and isinstance(entry, Mapping) and _KEY.fullmatch(name) and "$(" not in text:
            found.append(_Variable(name, text, entry))
    return found if len(set(names)) == len(names) else []


def _reference(part: PlacedPart, variable: _Variable, id_: str) -> Replacement | None:
    """Return the edit that puts a reference in place of a value; None where that is an alias."""
    entry = variable.node.get("value")
    key = variable.node.entry("value")
    if not isinstance(entry, Scalar) or key is None:
        return None
    chunk = part.placed.chunk.text
    name = f"${{{member(id_, ('metadata', 'name'))}}}"
    if variable.node.flow:
        text = f'valueFrom: {{configMapKeyRef: {{name: "{name}", key: "{variable.name}"}}}}'
    else:
        start, _ = line_of(chunk, key.start)
        lines = f"valueFrom:\n  configMapKeyRef:\n    name: {name}\n    key: {_key(variable.name)}"
        text = lines.replace("\n", "\n" + " " * (key.start - start))
    end = key.start + len(chunk[key.start : key.end].rstrip())
    return Replacement(part.span(Span(key.start, end)), text)


def _key(name: str) -> str:
    return name if name.isidentifier() and name.upper() == name and len(name) > 3 else f'"{name}"'


def is_same_through_references(before: Objects, after: Objects) -> bool:
    """Whether a change leaves the objects the same once references to new ConfigMaps are replaced by their values."""
    new = {key: value for key, value in after.items() if key not in before}
    data = {(key.namespace, key.name): as_object(value.get("data")) for key, value in new.items()}
    others = {key: _inlined(value, key.namespace, data) for key, value in after.items() if key in before}
    return len(new) <= 1 and others == before


def _inlined(value: JsonValue, namespace: str, data: dict[tuple[str, str], JsonObject]) -> JsonValue:
    if isinstance(value, list):
        return [_inlined(each, namespace, data) for each in value]
    if not isinstance(value, dict):
        return value
    source = as_object(value_at(value, ("valueFrom", "configMapKeyRef")))
    held = data.get((namespace, str(source.get("name"))), {})
    if source.get("key") in held:
        others = {name: each for name, each in value.items() if name != "valueFrom"}
        return {**others, "value": held[str(source["key"])]}
    return {name: _inlined(each, namespace, data) for name, each in value.items()}


def shared_text_refactorings(cursor: Cursor) -> Iterator[Refactoring]:
    """Yield a refactoring that reads the text with expressions at the cursor, which is repeated, from a ConfigMap."""
    located, rgd = cursor.expression, cursor.rgd
    kind = instance_kind(rgd) if rgd else None
    if rgd is None or located is None or located.expression.place is not Place.TEMPLATE:
        return
    text = located.expression.scalar.text
    places = list(_places(rgd, text))
    if located.expression.compiled.standalone:  # a field that is read is held already
        is_text = unwrapped(located.typed.result.type).kind is Kind.STRING and not isinstance(located.root, ast.Select)
    else:
        is_text = True
    if len(places) < 2 or not is_text or "\n" in text or kind is None or not kind.namespaced:
        return
    key = next((str(step) for step in reversed(located.expression.path) if isinstance(step, str)), "")
    name = to_lower_camel_case(key) or "value"
    config = new_config_map(rgd, _ID, f"${{schema.metadata.name}}-{_ID}", None, {name: text})
    added = config.added_above(cursor.document.text.content, places[0][0])
    if added is None:
        return
    read = quoted(f"${{{member(config.id, ('data', name))}}}")
    edits = (added, *(Replacement(part.span(each.scalar.span), read) for part, each in places))
    found = objects_before_and_after(cursor.document, rgd, edits)
    if found and found[0].items() <= found[1].items() and len(found[1]) == len(found[0]) + 1:
        title = f"Extract to a ConfigMap that {len(places)} places read"
        yield Refactoring(types.CodeActionKind.RefactorExtract, title, edits)


def _places(rgd: RgdAnalysis, text: str) -> Iterator[tuple[PlacedPart, Expression]]:
    """Yield where a text stands in templates without any name that only its resource has."""
    for part in parts(rgd):
        if not isinstance(part.part, Resource):
            continue
        found: dict[int, Expression] = {}  # older versions see an expression for each part of a text
        for each in part.part.expressions:
            if each.place is Place.TEMPLATE and each.scalar.text == text and each.path not in _IDENTITY:
                found.setdefault(each.scalar.start, each)
        if not {use.name for each in found.values() for use in each.inspection.names} & part.part.iterators:
            yield from ((part, each) for each in found.values())


def new_config_map(
    rgd: RgdAnalysis,
    id_: str,
    name: str,
    namespace: str | None,
    data: dict[str, str],
    include_when: Sequence[str] = (),
) -> NewConfigMap:
    """Return a ConfigMap whose id and name no resource has."""
    names = {text_of(field(field(each.resource.object, "metadata"), "name")) for each in rgd.rgd.resources}
    ids = (id_, *(f"{id_}{number}" for number in range(2, 1000)))
    free_id = next(each for each in ids if each not in rgd.resources and is_resource_id(each))
    texts = (name, *(f"{name}-{number}" for number in range(2, 1000)))
    free = next(each for each in texts if each not in names)
    return NewConfigMap(free_id, free, namespace, data, include_when)
