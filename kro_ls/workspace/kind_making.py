"""Works out what a text makes of a kind that one of its RGDs declares, and whether kro accepts the text."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from kro_ls.analysis.crd.generated_crd import checkable_crd, untyped_crd
from kro_ls.openapi.kinds import GroupVersionKind
from kro_ls.openapi.sources.crds.definitions import served_kinds
from kro_ls.openapi.sources.digest import digest_of
from kro_ls.rules.diagnosis import DEFAULT_SETTINGS
from kro_ls.rules.diagnostics import Severity
from kro_ls.workspace.declared_kinds import kind_of
from kro_ls.workspace.documents import Document
from kro_ls.yaml_positions.text import Text

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from kro_ls.analysis.analysis import RgdAnalysis
    from kro_ls.analysis.facts import KindName
    from kro_ls.openapi.index import SchemaIndex
    from kro_ls.openapi.json_values import JsonObject
    from kro_ls.openapi.kinds import KindSchema
    from kro_ls.workspace.kind_circles import Question


class Made(Struct, frozen=True, eq=False):
    """The answer to a question about a text: a kind, or whether kro accepts it, and the kinds that this rests on."""

    text: str
    kind: KindSchema | None = None
    digest: bytes = b""
    is_accepted: bool = True
    read: tuple[tuple[KindName, KindSchema | None], ...] = ()


class Uses(Struct, frozen=True):
    """Which kinds the RGDs of a text name, each with the kind that it declares, None where it declares none."""

    text: str
    of_rgds: tuple[tuple[GroupVersionKind | None, tuple[GroupVersionKind, ...]], ...]


class Making:
    """Works answers out of texts, of which each is parsed once."""

    def __init__(self, texts: Mapping[str, str], opened: Mapping[str, Document], object_meta: JsonObject) -> None:
        """`opened` are the documents of those texts that are open; `object_meta` is the schema of ObjectMeta."""
        self.texts = texts
        self._opened = opened
        self._object_meta = object_meta
        self._documents: dict[str, Document] = {}

    def text(self, question: Question) -> str:
        """The text that a question is about."""
        return self.texts[question[0]]

    def uses(self, path: str) -> Uses:
        """Return which kinds the RGDs of a text name."""
        found = []
        for rgd in self._document(path).analysis.rgds:
            named = {kind for frame in rgd.frames for kind in frame.table.summary.kinds}
            found.append((kind_of(rgd.rgd.schema), tuple(_named(*each) for each in sorted(named))))
        return Uses(self.texts[path], tuple(found))

    def made(self, question: Question, index: SchemaIndex, before: Made | None) -> Made:
        """Return the answer to a question with the kinds that are known to what it is about."""
        path, name = question
        document = self._document(path).renewed(settings=DEFAULT_SETTINGS, schemas=index, other_schemas=())
        if name is None:
            is_accepted = not any(each.severity is Severity.ERROR for each in document.diagnosis.diagnostics)
            return Made(self.texts[path], is_accepted=is_accepted, read=_found(document.analysis.rgds))
        rgds = _declaring(document.analysis.rgds, name)
        return replace(self._kind(question, map(checkable_crd, rgds), before), read=_found(rgds))

    def untyped(self, question: Question, before: Made | None) -> Made:
        """Return a kind without the types of its status fields."""
        path, name = question
        rgds = _declaring(self._document(path).analysis.rgds, name)
        return self._kind(question, map(untyped_crd, rgds), before)

    def _kind(self, question: Question, crds: Iterable[JsonObject | None], before: Made | None) -> Made:
        """Return the kind that the first CRD serves; the one before, where the CRD is the same."""
        path, name = question
        for crd in crds:
            kind = next(served_kinds(crd, path, self._object_meta), None) if crd else None
            if kind and kind.name == name:
                digest = digest_of(json.dumps(crd).encode())
                is_same = before and before.kind and before.digest == digest
                kind = before.kind if before and is_same else replace(kind, is_generated=True)
                return Made(self.texts[path], kind, digest)
        return Made(self.texts[path])

    def _document(self, path: str) -> Document:
        """Return the document of a text, in which no custom kind needs to be known."""
        if path not in self._documents:
            self._documents[path] = self._opened.get(path) or Document(path, None, Text(self.texts[path]))
        return self._documents[path]


def _named(api_version: str, kind: str) -> GroupVersionKind:
    group, _, version = api_version.rpartition("/")
    return GroupVersionKind(group, version, kind)


def _declaring(rgds: Iterable[RgdAnalysis], name: GroupVersionKind | None) -> list[RgdAnalysis]:
    return [rgd for rgd in rgds if kind_of(rgd.rgd.schema) == name]


def _found(rgds: Iterable[RgdAnalysis]) -> tuple[tuple[KindName, KindSchema | None], ...]:
    """Return the kinds that some RGDs name, as far as they are known to them."""
    frames = [frame for rgd in rgds for frame in rgd.frames]
    return tuple((kind, frame.surroundings.find(kind)) for frame in frames for kind in frame.table.summary.kinds)
