"""Checks what stands in a ResourceGraphDefinition outside of its schema section and its resources."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, TypeAlias

from kro_ls.analysis.model.keys import misspelling, set_entry
from kro_ls.analysis.model.reading import GROUP, KIND
from kro_ls.kro.rgd_shape import METADATA, RESOURCES, RGD, SPEC, Shape
from kro_ls.rules.diagnostics import Finding
from kro_ls.rules.fixes import change_to
from kro_ls.rules.text.added_fields import add_field
from kro_ls.rules.text.own_fields import Fault, check_node, json_type, missing_fields, unknown_fields
from kro_ls.yaml_positions.access import entry_of, is_null, resolved
from kro_ls.yaml_positions.nodes import Mapping, Scalar

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.analysis.model.model import ResourceGraphDefinition
    from kro_ls.rules.text.own_fields import Found
    from kro_ls.yaml_positions.document import PlacedChunk
    from kro_ls.yaml_positions.nodes import Entry

PlacedFault: TypeAlias = "tuple[PlacedChunk, Fault, Finding]"

_ORDER = ("apiVersion", "kind", "metadata", "spec")
_API_VERSION = f"{GROUP}/v1alpha1"
_SUBDOMAIN = re.compile(r"[a-z0-9](?:[-a-z0-9]*[a-z0-9])?(?:\.[a-z0-9](?:[-a-z0-9]*[a-z0-9])?)*", re.ASCII)
_LONGEST_NAME = 253


@lru_cache(maxsize=16)
def frame_faults(rgd: ResourceGraphDefinition) -> tuple[PlacedFault, ...]:
    """Return what the API server refuses in the frame of an RGD; remembered for the four rules that ask."""
    return tuple(_frame_faults(rgd))


def _frame_faults(rgd: ResourceGraphDefinition) -> Iterator[PlacedFault]:
    root = rgd.frame.chunk.root
    if isinstance(root, Mapping):
        for fault, finding in _check_root(root, rgd.frame.chunk.text):
            yield rgd.frame, fault, finding
        spec = set_entry(root, "spec")
        if spec:
            yield from ((rgd.frame, fault, finding) for fault, finding in _check_spec(spec, rgd))
    yield from _check_resources(rgd)


def _check_root(root: Mapping, text: str) -> Iterator[Found]:
    kind = entry_of(root, "kind")
    place = kind.key.span if kind else root.entries[0].key.span
    yield from ((Fault.UNKNOWN, finding) for finding in unknown_fields(root, RGD))
    if not set_entry(root, "apiVersion") and not misspelling(root, "apiVersion", RGD.properties):
        message = f"apiVersion: Required value: apiVersion not set, expected {_API_VERSION}"
        yield Fault.MISSING, Finding(place, message, fixes=add_field(root, "apiVersion", text, value=_API_VERSION))
    if not set_entry(root, "spec") and not misspelling(root, "spec", RGD.properties):
        empty = entry_of(root, "spec")
        fixes = add_field(root, "spec", text, _ORDER)
        place_of_spec = empty.key.span if empty else place
        yield Fault.MISSING, Finding(place_of_spec, "spec: Required value: kro fails without it", fixes=fixes)
    version = set_entry(root, "apiVersion")
    if version and isinstance(version.value, Scalar) and version.value.text != _API_VERSION:
        span = version.value.span
        message = f'no matches for kind "{KIND}" in version "{version.value.text}": expected {_API_VERSION}'
        yield Fault.VALUE, Finding(span, message, fixes=(change_to(span, _API_VERSION),))
    metadata = set_entry(root, "metadata")
    if metadata:
        yield from check_node(metadata.value, METADATA, metadata.key.span, text)
        yield from _check_name(metadata, text)
    elif not misspelling(root, "metadata", RGD.properties):
        empty = entry_of(root, "metadata")
        message = "metadata.name: Required value: name or generateName is required"
        fixes = add_field(root, "metadata", text, _ORDER)
        yield Fault.MISSING, Finding(empty.key.span if empty else place, message, fixes=fixes)


def _check_name(metadata: Entry, text: str) -> Iterator[Found]:
    value = resolved(metadata.value)
    if not isinstance(value, Mapping):
        return
    name = set_entry(value, "name")
    if name is None:
        if not set_entry(value, "generateName") and not misspelling(value, "name", METADATA.properties):
            empty = entry_of(value, "name")
            place = (empty or metadata).key.span
            message = "metadata.name: Required value: name or generateName is required"
            yield Fault.MISSING, Finding(place, message, fixes=add_field(value, "name", text, value="my-app"))
        return
    node = resolved(name.value)
    if not isinstance(node, Scalar) or not isinstance(node.value, str):
        return
    if _SUBDOMAIN.fullmatch(node.value) and len(node.value) <= _LONGEST_NAME:
        return
    proposal = re.sub(r"[^a-z0-9.]+", "-", node.value.lower()).strip("-.")
    fixes = (change_to(node.span, proposal),) if _SUBDOMAIN.fullmatch(proposal) else ()
    message = (
        f'"{node.value}": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '
        f"'-' or '.', must start and end with an alphanumeric character, and has at most {_LONGEST_NAME} of them"
    )
    yield Fault.VALUE, Finding(node.span, message, fixes=fixes)


def _check_spec(spec: Entry, rgd: ResourceGraphDefinition) -> Iterator[Found]:
    mapping = resolved(spec.value)
    if not isinstance(mapping, Mapping):
        yield from check_node(spec.value, Shape(SPEC.type), spec.key.span, rgd.frame.chunk.text)
        return
    text = rgd.frame.chunk.text
    yield from ((Fault.UNKNOWN, finding) for finding in unknown_fields(mapping, SPEC))
    if rgd.schema is None:
        yield from ((Fault.MISSING, finding) for finding in missing_fields(mapping, SPEC, spec.key.span, text))
    elif is_null(rgd.schema.section.node):
        schema = entry_of(mapping, "schema")
        message = "schema: Required value: it declares the kind that this RGD adds to the cluster"
        fixes = add_field(mapping, "schema", text)
        yield Fault.MISSING, Finding((schema or spec).key.span, message, fixes=fixes)


def _check_resources(rgd: ResourceGraphDefinition) -> Iterator[PlacedFault]:
    located = rgd.document.child(("spec", "resources"))
    node = resolved(located.node) if located else None
    if located and node and not is_null(node) and json_type(node) != RESOURCES.type:
        faults = check_node(node, Shape(RESOURCES.type), node.span, located.placed.chunk.text)
        yield from ((located.placed, fault, finding) for fault, finding in faults)
