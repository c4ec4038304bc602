"""The kinds that RGDs declare, as their generated CRDs will: one RGD can then use what another one makes."""

from __future__ import annotations

import json
from functools import lru_cache
from typing import TYPE_CHECKING

from kro_ls.analysis.crd.generate import DEFAULT_GROUP, generate_crd
from kro_ls.analysis.crd.generated_crd import generated_crd
from kro_ls.analysis.model.reading import CUTS, is_rgd, read
from kro_ls.analysis.types.variables import simple_schema
from kro_ls.kro.kinds import schema_index
from kro_ls.openapi.json_values import HeldObject
from kro_ls.openapi.kinds import GroupVersionKind, KindSchema
from kro_ls.openapi.sources.crds import served_kinds
from kro_ls.rules.diagnosis import diagnose_text
from kro_ls.rules.diagnostics import Severity
from kro_ls.yaml_positions.access import field, text_of
from kro_ls.yaml_positions.conversion import to_python
from kro_ls.yaml_positions.stream import parse_stream
from kro_ls.yaml_positions.text import Text

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from kro_ls.openapi.index import KubernetesSource, SchemaIndex, SchemaSource


class GeneratedKinds:
    """The kinds that the RGDs of some texts declare; a source of `SchemaIndex`.

    A kind's schema is worked out when it is first asked for. Where several RGDs declare one kind, the first that kro
    accepts counts. RGDs may use each other's kinds; where they do so in a circle, the kind that closes it has no
    inferred status.
    """

    def __init__(self, texts: Mapping[str, str], kubernetes: KubernetesSource, custom: SchemaSource) -> None:
        """`texts` are the RGDs' files by path; `custom` are the kinds that are there besides Kubernetes'."""
        self._texts = texts
        self._schemas = schema_index(kubernetes, (custom, self))
        self._declared: dict[GroupVersionKind, list[str]] = {}
        for path, text in texts.items():
            for name in _declared_kinds(text):
                self._declared.setdefault(name, []).append(path)
        self._found: dict[GroupVersionKind, KindSchema | None] = {}

    def names(self) -> tuple[GroupVersionKind, ...]:
        """Every kind that an RGD declares."""
        return tuple(self._declared)

    def find(self, name: GroupVersionKind) -> KindSchema | None:
        """The kind, if an RGD declares it."""
        paths = self._declared.get(name)
        if paths is None:
            return None
        if name not in self._found:
            self._found[name] = None
            self._found[name] = self._generate(name, paths)
        return self._found[name] or self._without_status(name, paths[0])

    def _generate(self, name: GroupVersionKind, paths: list[str]) -> KindSchema | None:
        refused: KindSchema | None = None
        for path in paths:
            diagnosis = diagnose_text(Text(self._texts[path]), schemas=self._schemas)
            for rgd in diagnosis.analysis.rgds:
                crd = generated_crd(rgd)
                kind = _kind_of(json.dumps(crd), path, self._schemas) if crd else None
                if kind and kind.name == name:
                    if not any(each.severity is Severity.ERROR for each in diagnosis.diagnostics):
                        return kind
                    refused = refused or kind
        return refused

    def _without_status(self, name: GroupVersionKind, path: str) -> KindSchema | None:
        for document in parse_stream(Text(self._texts[path]), CUTS).documents:
            schema = read(document).schema if is_rgd(document) else None
            section = to_python(schema.section.node) if schema else None
            if schema and isinstance(section, dict):
                crd = generate_crd(section, simple_schema(schema.section).recovered)
                kind = _kind_of(json.dumps(crd), path, self._schemas)
                if kind and kind.name == name:
                    return kind
        return None


def _kind_of(crd: str, path: str, schemas: SchemaIndex) -> KindSchema | None:
    return _remembered_kind(crd, path, HeldObject(schemas.object_meta))


@lru_cache(maxsize=2048)
def _remembered_kind(crd: str, path: str, object_meta: HeldObject) -> KindSchema | None:
    """Return the same kind for the same CRD, so that what was checked against it stays known."""
    return next(served_kinds(json.loads(crd), path, object_meta.value), None)


@lru_cache(maxsize=4096)
def _declared_kinds(text: str) -> tuple[GroupVersionKind, ...]:
    return tuple(_read_declared_kinds(text))


def _read_declared_kinds(text: str) -> Iterator[GroupVersionKind]:
    for document in parse_stream(Text(text), CUTS).documents:
        schema = read(document).schema if is_rgd(document) else None
        if schema is None or not schema.section.kind:
            continue
        version = text_of(field(schema.section.node, "apiVersion"))
        group = text_of(field(schema.section.node, "group")) or DEFAULT_GROUP
        if version:
            yield GroupVersionKind(group, version, schema.section.kind)
