"""Checks the own fields of a ResourceGraphDefinition as the API server does when it admits one.

Four rules share the answer: `unknown-field`, `missing-field`, `wrong-type` and `invalid-value`. A missing field beside
an unknown key that looks like it is one finding, at that key. What has a rule of its own (the patterns of kind and
version, `template` or `externalRef`) is left to it.
Source: the ResourceGraphDefinition CRD; apiextensions-apiserver for what it refuses and for the words it uses.
"""

from __future__ import annotations

from enum import Enum
from functools import lru_cache
from typing import TYPE_CHECKING, TypeAlias

from kro_ls.analysis.model.extraction import extract
from kro_ls.analysis.model.keys import likely_meant, misspelling, set_entry, unknown_entries
from kro_ls.kro.names import closest
from kro_ls.kro.rgd_shape import REFERENCE_METADATA, RESOURCE, SCHEMA, Shape
from kro_ls.rules.diagnostics import Finding, Fix, Related, Replacement
from kro_ls.rules.fixes import change_to, quoted
from kro_ls.rules.text.added_fields import API_VERSION, KIND, add_field
from kro_ls.yaml_positions.access import entries, entry_of, is_null, resolved
from kro_ls.yaml_positions.nodes import Mapping, Scalar, ScalarStyle, Sequence
from kro_ls.yaml_positions.positions import Span

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.analysis.model.model import Resource, SchemaSection
    from kro_ls.yaml_positions.nodes import Entry, Node

SCHEMA_FIELDS = frozenset(SCHEMA.properties)
RESOURCE_FIELDS = frozenset(RESOURCE.properties)
REFERENCE_METADATA_FIELDS = frozenset(REFERENCE_METADATA.properties)

_PATTERNS_ELSEWHERE = frozenset({"kind", "apiVersion"})

_ADVICE = {
    "dependsOn": "kro orders resources by the references in their expressions",
    "condition": "'includeWhen' decides whether a resource exists",
    "conditions": "'includeWhen' decides whether a resource exists, 'readyWhen' when it is ready",
    "validation": "write constraints as markers in 'spec', such as 'integer | minimum=1'",
    "version": "the version of the new API is 'apiVersion'",
}

_VALUES = {
    (True, "apiVersion"): API_VERSION,
    (True, "kind"): KIND,
    (False, "apiVersion"): "v1",
    (False, "kind"): "ConfigMap",
}
"""What a fix sets: of the API that the RGD declares, whose names have a pattern, and of an external reference."""


class Fault(Enum):
    """What can be wrong with a field, for the API server."""

    UNKNOWN = "unknown"
    MISSING = "missing"
    TYPE = "type"
    VALUE = "value"


Found: TypeAlias = tuple[Fault, Finding]


@lru_cache(maxsize=8192)
def resource_faults(resource: Resource) -> tuple[Found, ...]:
    """Return what the API server refuses in one entry of `spec.resources`."""
    return tuple(check_node(resource.node, RESOURCE, _first_key(resource.node), resource.chunk_text))


@lru_cache(maxsize=1024)
def schema_faults(section: SchemaSection) -> tuple[Found, ...]:
    """Return what the API server refuses in `spec.schema`; one that is null is missing, which is found elsewhere."""
    if is_null(section.node):
        return ()
    return tuple(
        check_node(
            section.node,
            SCHEMA,
            _first_key(section.node),
            section.chunk_text,
            patterns_elsewhere=_PATTERNS_ELSEWHERE,
        )
    )


def check_node(
    node: Node, shape: Shape, place: Span, text: str, *, patterns_elsewhere: frozenset[str] = frozenset()
) -> Iterator[Found]:
    """Yield what is wrong with a node that is not absent.

    `place` is marked where something is missing in it; `text` is the text that all offsets refer to.
    """
    value = resolved(node)
    if value is None:
        return
    type_found = json_type(value)
    if type_found != shape.type:
        yield Fault.TYPE, _wrong_type(value, type_found, shape, text)
    elif isinstance(value, Mapping):
        yield from _check_mapping(value, shape, place, text, patterns_elsewhere)
    elif isinstance(value, Sequence):
        yield from _check_sequence(value, shape, text)
    elif isinstance(value, Scalar) and shape.type == "string":
        yield from ((Fault.VALUE, finding) for finding in _check_string(value, shape))


def json_type(value: Node) -> str:
    """Return the JSON type of a node, as the API server names it."""
    if isinstance(value, Mapping):
        return "object"
    if isinstance(value, Sequence):
        return "array"
    names = {str: "string", bool: "boolean", int: "integer", float: "number", type(None): "null"}
    return names[type(value.value)] if isinstance(value, Scalar) else "null"


def _check_mapping(
    mapping: Mapping, shape: Shape, place: Span, text: str, patterns_elsewhere: frozenset[str]
) -> Iterator[Found]:
    if shape.open:
        return
    if shape.values:
        yield from _check_size(mapping, shape, text)
    else:
        yield from ((Fault.UNKNOWN, finding) for finding in unknown_fields(mapping, shape))
        yield from ((Fault.MISSING, finding) for finding in missing_fields(mapping, shape, place, text))
    for entry in entries(mapping):
        of_value = shape.values or shape.properties.get(entry.name or "")
        if of_value is None or is_null(entry.value):
            continue
        if entry.name in patterns_elsewhere and isinstance(resolved(entry.value), Scalar):
            of_value = Shape(of_value.type)
        yield from check_node(entry.value, of_value, entry.key.span, text)


def unknown_fields(mapping: Mapping, shape: Shape) -> Iterator[Finding]:
    """Find the keys of a mapping that its shape does not know."""
    for entry in unknown_entries(mapping, shape.properties):
        name = entry.name or ""
        absent = tuple(known for known in shape.properties if entry_of(mapping, known) is None)
        meant = likely_meant(name, absent)
        message = f'unknown field "{name}"'
        if meant:
            needed = " (which is required)" if meant in shape.required else ""
            yield Finding(
                entry.key.span, f"{message}: did you mean '{meant}'{needed}?", fixes=(change_to(entry.key.span, meant),)
            )
        else:
            advice = _ADVICE.get(name) or f"known here are {', '.join(sorted(shape.properties))}"
            yield Finding(entry.key.span, f"{message}: {advice}")


def missing_fields(mapping: Mapping, shape: Shape, place: Span, text: str) -> Iterator[Finding]:
    """Find the required fields that are absent, unless an unknown key looks like the one that is missing."""
    order = tuple(shape.properties)
    for name in shape.required:
        if set_entry(mapping, name) or misspelling(mapping, name, shape.properties):
            continue
        empty = entry_of(mapping, name)
        about = shape.properties[name].description.partition(". ")[0].rstrip(".")
        fixes = add_field(mapping, name, text, order, _VALUES.get((shape.properties[name].pattern is not None, name)))
        yield Finding(empty.key.span if empty else place, f"{name}: Required value: {about}", fixes=fixes)


def _check_size(mapping: Mapping, shape: Shape, text: str) -> Iterator[Found]:
    present = [entry for entry in entries(mapping) if not is_null(entry.value)]
    if shape.fewest is not None and len(present) < shape.fewest:
        where = entries(mapping)[0].key.span if entries(mapping) else mapping.span
        yield Fault.VALUE, Finding(where, f"should have at least {shape.fewest} properties: a name with a value")
    elif shape.most is not None and len(present) > shape.most:
        message = f"Too many: {len(present)}: must have at most {shape.most} item: begin a new entry with '- '"
        yield Fault.VALUE, Finding(present[shape.most].key.span, message, fixes=_new_entry(present, shape.most, text))


def _new_entry(present: list[Entry], number: int, text: str) -> tuple[Fix, ...]:
    """Return the fix that begins a new item of the list at an entry, below the dash of the first."""
    first, entry = present[0].key.start, present[number].key.start
    if text[first - 2 : first] != "- " or text[entry - 2 : entry] != "  ":
        return ()
    return (Fix("Begin a new list entry", (Replacement(Span(entry - 2, entry), "- "),)),)


def _check_sequence(sequence: Sequence, shape: Shape, text: str) -> Iterator[Found]:
    if shape.most is not None and len(sequence.items) > shape.most:
        message = f"Too many: {len(sequence.items)}: must have at most {shape.most} items"
        yield Fault.VALUE, Finding(sequence.items[shape.most].span, message)
    seen: dict[str, Node] = {}
    for item in sequence.items:
        if shape.items:
            yield from check_node(item, shape.items, _first_key(item), text)
        value = resolved(item)
        if shape.unique and isinstance(value, Scalar):
            first = seen.setdefault(value.text, item)
            if first is not item:
                related = (Related(first.span, "the first of the two"),)
                yield Fault.VALUE, Finding(item.span, f'Duplicate value: "{value.text}"', related)


def _check_string(scalar: Scalar, shape: Shape) -> Iterator[Finding]:
    text = scalar.text
    if shape.enum and text not in shape.enum:
        supported = ", ".join(f'"{value}"' for value in shape.enum)
        meant = closest(text, shape.enum)
        fixes = (change_to(scalar.span, meant),) if meant else ()
        yield Finding(scalar.span, f'Unsupported value: "{text}": supported values: {supported}', fixes=fixes)
    elif shape.shortest is not None and len(text) < shape.shortest:
        yield Finding(scalar.span, f"should be at least {shape.shortest} chars long")
    elif shape.longest is not None and len(text) > shape.longest:
        yield Finding(scalar.span, f"Too long: may not be more than {shape.longest} bytes")
    elif shape.pattern and not shape.pattern.fullmatch(text):
        lower = text.lower().replace("_", "-").replace(" ", "-")
        fixes = (change_to(scalar.span, lower),) if shape.pattern.fullmatch(lower) else ()
        yield Finding(scalar.span, f"\"{text}\" should match '{shape.pattern.pattern}'", fixes=fixes)


def _wrong_type(value: Node, type_found: str, shape: Shape, text: str) -> Finding:
    names = {"object": "a mapping", "array": "a list", "string": "a string", "integer": "an integer"}
    message = f'must be of type {shape.type}: "{type_found}"; expected {names.get(shape.type, shape.type)}'
    if shape.type == "string" and isinstance(value, Mapping) and _is_split_expression(value):
        message += ": YAML takes what stands before ': ' for a key; quote the expression"
        source = quoted(text[value.start : value.end])
        return Finding(value.span, message, fixes=(Fix("Quote the expression", (Replacement(value.span, source),)),))
    return Finding(value.span, message, fixes=_type_fixes(value, shape))


def _is_split_expression(mapping: Mapping) -> bool:
    """Whether a mapping is an expression on one line that YAML split at `: `, as in `${a ? b : c}`."""
    key = mapping.entries[0].key if len(mapping.entries) == 1 and not mapping.flow else None
    return isinstance(key, Scalar) and key.style is ScalarStyle.PLAIN and bool(extract(key.text).unterminated)


def _type_fixes(value: Node, shape: Shape) -> tuple[Fix, ...]:
    if not isinstance(value, Scalar) or value.style is ScalarStyle.MISSING:
        return ()
    text = quoted(value.text)
    if shape.type == "string" and value.style is ScalarStyle.PLAIN and value.value is not None:
        return (Fix(f"Change to {text}", (Replacement(value.span, text),)),)
    of_strings = shape.type == "array" and shape.items is not None and shape.items.type == "string"
    if of_strings and isinstance(value.value, str):
        return (Fix(f"Change to [{text}]", (Replacement(value.span, f"[{text}]"),)),)
    return ()


def _first_key(node: Node) -> Span:
    keys = entries(node)
    return keys[0].key.span if keys else node.span
