"""Moves the variables of a container into a ConfigMap: what stands in `env` as a text, Kubernetes then reads there."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from lsprotocol import types
from msgspec import Struct

from kro_ls.analysis.model.model import Resource, ResourceType
from kro_ls.authoring.from_manifests.input_objects import pod_path
from kro_ls.authoring.from_manifests.template_text import member
from kro_ls.features.actions.new_config_maps import new_config_map
from kro_ls.features.actions.refactorings import Refactoring
from kro_ls.openapi.json_values import as_object, value_at
from kro_ls.repairs.declarations import line_of
from kro_ls.repairs.same_objects import objects_before_and_after
from kro_ls.yaml_positions.access import field, items, node_at, text_of
from kro_ls.yaml_positions.conversion import to_python
from kro_ls.yaml_positions.nodes import Mapping, Scalar
from kro_ls.yaml_positions.positions import Span
from kro_ls.yaml_positions.writing import Replacement

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.analysis.model.paths import Path
    from kro_ls.cursor.cursor import Cursor
    from kro_ls.cursor.parts import PlacedPart
    from kro_ls.openapi.json_values import JsonObject, JsonValue
    from kro_ls.repairs.same_objects import Objects

_KEY: Final = re.compile(r"[-._a-zA-Z0-9]{1,253}")
_SUFFIX: Final = "env"


class _Variable(Struct, frozen=True):
    """An entry of `env` with a text: its name, the text, and the mapping with both."""

    name: str
    text: str
    node: Mapping


def variable_refactorings(cursor: Cursor) -> Iterator[Refactoring]:
    """Yield that the variables around the cursor become a ConfigMap, and all else stays as it is."""
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
    """Return the variables that a ConfigMap can hold; none where two have one name, of which only the last counts.

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
    """Whether the objects after a change are those before it once what they refer to in new ConfigMaps is put in."""
    new = {key: value for key, value in after.items() if key not in before}
    data = {(key.namespace, key.name): as_object(value.get("data")) for key, value in new.items()}
    kept = {key: _inlined(value, key.namespace, data) for key, value in after.items() if key in before}
    return len(new) <= 1 and kept == before


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
