"""The kinds that RGDs declare, as their generated CRDs will: one RGD can then use what another one makes."""

from __future__ import annotations

import json
import re
from hashlib import blake2b
from typing import TYPE_CHECKING

from kro_ls.analysis.crd.generate import generate_crd
from kro_ls.analysis.crd.generated_crd import generated_crd
from kro_ls.analysis.model.documents import with_list_items
from kro_ls.analysis.model.reading import CUTS, is_rgd, read
from kro_ls.analysis.types.variables import simple_schema
from kro_ls.kro.definition import DEFAULT_GROUP, GROUP, KIND
from kro_ls.kro.kinds import schema_index
from kro_ls.openapi.kinds import GroupVersionKind, KindSchema
from kro_ls.openapi.sources.crds.definitions import served_kinds
from kro_ls.rules.diagnosis import diagnose_text
from kro_ls.rules.diagnostics import Severity
from kro_ls.yaml_positions.access import field, text_of
from kro_ls.yaml_positions.conversion import to_python
from kro_ls.yaml_positions.outline import outline, split_documents
from kro_ls.yaml_positions.stream import parse_stream
from kro_ls.yaml_positions.text import Text

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from kro_ls.openapi.index import KubernetesSource, SchemaSource
    from kro_ls.openapi.json_values import JsonObject

# The first line below `schema:`, whose column is as far as an outline has to go.
_SCHEMA = re.compile(rb"\n[ ]+schema:[ \r]*\n(?:[ ]*(?:#.*)?\n)*([ ]+)")


class GeneratedKinds:
    """The kinds that the RGDs of some texts declare; a source of `SchemaIndex`.

    A kind's schema is worked out when it is first asked for. Where several RGDs declare one kind, the first that kro
    accepts counts. RGDs may use each other's kinds; where they do so in a circle, the kind that closes it has no
    inferred status.
    """

    def __init__(
        self,
        texts: Mapping[str, str],
        kubernetes: KubernetesSource,
        custom: SchemaSource,
        before: GeneratedKinds | None = None,
    ) -> None:
        """`texts` are the RGDs' files by path; `custom` are the kinds that are there besides Kubernetes'.

        `before` are the kinds before something changed: a text is not read again, and a kind whose CRD is the same
        stays the same object, so that what was checked against it stays known.
        """
        self.texts = texts
        self._kubernetes = kubernetes
        self._schemas = schema_index(kubernetes, (custom, self))
        known = before.declared if before else {}
        self.declared: dict[str, tuple[GroupVersionKind, ...]] = {
            text: known[text] if text in known else declared_kinds(text) for text in texts.values()
        }
        """The names of the kinds that each text declares."""
        made = before.made if before else {}
        self.made: dict[tuple[str, GroupVersionKind], tuple[bytes, KindSchema]] = {
            place: kind for place, kind in made.items() if place[0] in texts
        }
        """The kinds that were asked for, each with a digest of its CRD, by path and name."""
        self._homes: dict[GroupVersionKind, list[str]] = {}
        for path, text in texts.items():
            for name in self.declared[text]:
                self._homes.setdefault(name, []).append(path)
        self._found: dict[GroupVersionKind, KindSchema | None] = {}

    def changed(self, texts: Mapping[str, str], custom: SchemaSource) -> GeneratedKinds:
        """Return the kinds of other texts."""
        return GeneratedKinds(texts, self._kubernetes, custom, self)

    def names(self) -> tuple[GroupVersionKind, ...]:
        """Every kind that an RGD declares."""
        return tuple(self._homes)

    def find(self, name: GroupVersionKind) -> KindSchema | None:
        """The kind, if an RGD declares it."""
        paths = self._homes.get(name)
        if paths is None:
            return None
        if name not in self._found:
            self._found[name] = None
            self._found[name] = self._generate(name, paths)
        return self._found[name] or self._without_status(name, paths[0])

    def _generate(self, name: GroupVersionKind, paths: list[str]) -> KindSchema | None:
        refused: KindSchema | None = None
        for path in paths:
            diagnosis = diagnose_text(Text(self.texts[path]), schemas=self._schemas)
            for rgd in diagnosis.analysis.rgds:
                crd = generated_crd(rgd)
                kind = self._kind_of(crd, path) if crd else None
                if kind and kind.name == name:
                    if not any(each.severity is Severity.ERROR for each in diagnosis.diagnostics):
                        return kind
                    refused = refused or kind
        return refused

    def _kind_of(self, crd: JsonObject, path: str) -> KindSchema | None:
        kind = next(served_kinds(crd, path, self._schemas.object_meta), None)
        if kind is None:
            return None
        digest = blake2b(json.dumps(crd).encode(), digest_size=16).digest()
        made = self.made.get((path, kind.name))
        if made and made[0] == digest:
            return made[1]
        self.made[path, kind.name] = digest, kind
        return kind

    def _without_status(self, name: GroupVersionKind, path: str) -> KindSchema | None:
        for document in with_list_items(parse_stream(Text(self.texts[path]), CUTS)).documents:
            schema = read(document).schema if is_rgd(document) else None
            section = to_python(schema.section.node) if schema else None
            if schema and isinstance(section, dict):
                crd = generate_crd(section, simple_schema(schema.section).recovered)
                kind = self._kind_of(crd, path)
                if kind and kind.name == name:
                    return kind
        return None


def declared_kinds(text: str) -> tuple[GroupVersionKind, ...]:
    """Return the kinds that the RGDs of a text declare."""
    documents = split_documents(text.encode("utf-8", "surrogatepass"))
    outlined = [_outlined_kinds(document) for document in documents] if documents else [None]
    if any(kinds is None for kinds in outlined):
        return tuple(_parsed_kinds(text))
    return tuple(kind for kinds in outlined for kind in kinds or ())


def _outlined_kinds(document: bytes) -> tuple[GroupVersionKind, ...] | None:
    """Return the kinds that a document declares; None where only parsing it can tell."""
    if KIND.encode() not in document and b"\\" not in document:
        return ()
    schema = _SCHEMA.search(document)
    root = outline(document, len(schema[1]) if schema else 0)
    if root is None:
        return None
    api_version, kind = root.get("apiVersion", GROUP), root.get("kind")
    if not isinstance(kind, str) or not isinstance(api_version, str):
        return None
    if kind.endswith("List"):
        return None
    if kind != KIND or api_version.partition("/")[0] != GROUP:
        return ()
    spec = root.get("spec")
    section = spec.get("schema") if isinstance(spec, dict) else None
    if not isinstance(section, dict):
        return None
    group, version, kind = (section.get(name) for name in ("group", "apiVersion", "kind"))
    if not isinstance(version, str) or not isinstance(kind, str) or not (group is None or isinstance(group, str)):
        return None
    return (GroupVersionKind(group or DEFAULT_GROUP, version, kind),) if version and kind else ()


def _parsed_kinds(text: str) -> Iterator[GroupVersionKind]:
    for document in with_list_items(parse_stream(Text(text), CUTS)).documents:
        schema = read(document).schema if is_rgd(document) else None
        if schema is None or not schema.section.kind:
            continue
        version = text_of(field(schema.section.node, "apiVersion"))
        group = text_of(field(schema.section.node, "group")) or DEFAULT_GROUP
        if version:
            yield GroupVersionKind(group, version, schema.section.kind)
