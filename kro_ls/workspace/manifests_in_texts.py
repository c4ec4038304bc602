"""The objects that a text has, as manifests have them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from msgspec import Struct

from kro_ls.openapi.json_values import as_list, as_object, as_text
from kro_ls.yaml_positions.documents.stream import parse_stream
from kro_ls.yaml_positions.errors import ExcessiveAliasingError
from kro_ls.yaml_positions.positions import Span

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.openapi.json_values import JsonObject, JsonValue
    from kro_ls.openapi.validation.field_errors import Path
    from kro_ls.yaml_positions.documents.document import YamlDocument
    from kro_ls.yaml_positions.text import Text

LOCAL_GROUPS: Final = ("kustomize.config.k8s.io", "kind.x-k8s.io", "audit.k8s.io", "kubelet.config.k8s.io")
"""The groups of kinds that programs read from files, and that no cluster has."""

Name = tuple[str, str, str, str]
"""The group, the kind, the namespace and the name of an object."""


class Manifest(Struct, frozen=True):
    """An object in a file: the document that it is in, and its path there if it is an item of a list."""

    document: YamlDocument
    path: Path
    value: JsonObject

    @property
    def name(self) -> Name:
        """What distinguishes it from other objects."""
        metadata = as_object(self.value.get("metadata"))
        group = as_text(self.value.get("apiVersion")).rpartition("/")[0]
        namespace = as_text(metadata.get("namespace"))
        return group, as_text(self.value.get("kind")), namespace, as_text(metadata.get("name"))


class Broken(Struct, frozen=True):
    """Why a document cannot be read, and where."""

    span: Span
    message: str


def manifests_in(text: Text) -> Iterator[Manifest | Broken]:
    """Yield the objects in a text, those of lists one by one, and what is wrong with its YAML."""
    for document in parse_stream(text).documents:
        if document.errors:
            first = document.errors[0]
            yield Broken(Span(first.start, first.end), first.message)
            continue
        try:
            value = document.to_python()
        except ExcessiveAliasingError as error:
            yield Broken(Span(document.start, document.start), str(error))
            continue
        yield from _objects(document, (), value)


def _objects(document: YamlDocument, path: Path, value: JsonValue) -> Iterator[Manifest]:
    fields = as_object(value)
    kind, version = as_text(fields.get("kind")), as_text(fields.get("apiVersion"))
    if kind == "List" and version == "v1":
        for number, item in enumerate(as_list(fields.get("items"))):
            yield from _objects(document, (*path, "items", number), item)
    elif kind and version:
        yield Manifest(document, path, fields)
