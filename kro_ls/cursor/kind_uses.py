"""Finds the kind that an `apiVersion` or `kind` at an offset names, and where a kind is declared in a file."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from kro_ls.analysis.model.reading import is_rgd
from kro_ls.cursor.locate import rgd_at
from kro_ls.cursor.yaml_schemas import object_kind
from kro_ls.kro.definition import DEFAULT_GROUP
from kro_ls.yaml_positions.nodes import Scalar
from kro_ls.yaml_positions.stream import parse_stream

if TYPE_CHECKING:
    from kro_ls.analysis.analysis import Analysis
    from kro_ls.analysis.model.paths import Path
    from kro_ls.openapi.index import SchemaIndex
    from kro_ls.openapi.kinds import GroupVersionKind, KindSchema
    from kro_ls.yaml_positions.document import YamlDocument
    from kro_ls.yaml_positions.positions import Span
    from kro_ls.yaml_positions.text import Text


@dataclass(frozen=True, slots=True)
class KindUse:
    """A known kind, the span in the document of the value that names it, and the kinds it was found among."""

    kind: KindSchema
    span: Span
    schemas: SchemaIndex


def kind_use_at(analysis: Analysis, offset: int) -> KindUse | None:
    """Return the kind of an object whose `apiVersion` or `kind` has its value at a document offset."""
    rgd = rgd_at(analysis, offset)
    at = rgd.rgd.document.path_at(offset) if rgd else None
    if rgd is None or at is None:
        return None
    path, located, in_key = at
    if in_key or not path or path[-1] not in ("apiVersion", "kind") or not located.span.contains(offset):
        return None
    owner = rgd.rgd.document.child(path[:-1])
    kind = object_kind(owner.node, rgd.surroundings.schemas) if owner else None
    return KindUse(kind, located.span, rgd.surroundings.schemas) if kind else None


def kind_declaration(text: Text, name: GroupVersionKind) -> Span | None:
    """Return where a file declares a kind: the name of the version in a CRD, the kind in an RGD's schema."""
    for document in parse_stream(text).documents:
        found = _declared_by_rgd(document, name) if is_rgd(document) else None
        for path in ((), *(("items", number) for number in range(len(document.children(("items",)))))):
            found = found or _declared_by_crd(document, path, name)
        if found:
            return found
    return None


def _declared_by_rgd(document: YamlDocument, name: GroupVersionKind) -> Span | None:
    schema: Path = ("spec", "schema")
    group = _text(document, (*schema, "group")) or DEFAULT_GROUP
    declared = (group, _text(document, (*schema, "apiVersion")), _text(document, (*schema, "kind")))
    located = document.child((*schema, "kind"))
    return located.span if located and declared == (name.group, name.version, name.kind) else None


def _declared_by_crd(document: YamlDocument, path: Path, name: GroupVersionKind) -> Span | None:
    spec: Path = (*path, "spec")
    if (_text(document, (*spec, "group")), _text(document, (*spec, "names", "kind"))) != (name.group, name.kind):
        return None
    for number in range(len(document.children((*spec, "versions")))):
        version: Path = (*spec, "versions", number, "name")
        located = document.child(version)
        if located and _text(document, version) == name.version:
            return located.span
    return None


def _text(document: YamlDocument, path: Path) -> str | None:
    located = document.child(path)
    return located.node.text if located and isinstance(located.node, Scalar) else None
