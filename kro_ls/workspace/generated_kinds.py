"""The kinds that RGDs declare, as their generated CRDs will: one RGD can then use what another one makes."""

from __future__ import annotations

import json
import posixpath
import re
from itertools import islice
from threading import get_ident
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from msgspec import Struct
from msgspec.structs import replace

from kro_ls.analysis.crd.generate import generate_crd
from kro_ls.analysis.crd.generated_crd import checkable_crd
from kro_ls.analysis.model.documents import unread_documents, with_list_items
from kro_ls.analysis.model.reading import CUTS, MOST_DOCUMENTS, is_rgd, read
from kro_ls.analysis.types.variables import simple_schema
from kro_ls.kro.definition import DEFAULT_GROUP, GROUP, KIND
from kro_ls.kro.kinds import schema_index
from kro_ls.openapi.kinds import GroupVersionKind
from kro_ls.openapi.sources.bundled import OBJECT_META
from kro_ls.openapi.sources.crds.definitions import served_kinds
from kro_ls.openapi.sources.digest import digest_of
from kro_ls.rules.diagnosis import DEFAULT_SETTINGS, diagnose_text
from kro_ls.rules.diagnostics import Severity
from kro_ls.workspace.nearest import NearestKinds
from kro_ls.yaml_positions.access import field, text_of
from kro_ls.yaml_positions.conversion import to_python
from kro_ls.yaml_positions.outline import outline, split_documents
from kro_ls.yaml_positions.stream import parse_stream
from kro_ls.yaml_positions.stretches import holds
from kro_ls.yaml_positions.text import Text

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from kro_ls.analysis.facts import KindName
    from kro_ls.analysis.model.model import PlacedSchema
    from kro_ls.openapi.index import KubernetesSource, SchemaIndex
    from kro_ls.openapi.json_values import JsonObject
    from kro_ls.openapi.kinds import KindSchema
    from kro_ls.openapi.sources.crds.source import CrdSource
    from kro_ls.workspace.documents import Document

# The first line below `schema:`, whose column is as far as an outline has to go.
_SCHEMA = re.compile(rb"\n[ ]+schema:[ \r]*\n(?:[ ]*(?:#.*)?\n)*([ ]+)")
_DOCUMENT_START = re.compile(r"\n---(?=[ \t\r\n]|\Z)")


NONE_OPEN: Final[Mapping[str, Document]] = MappingProxyType({})


class Made(Struct, frozen=True, eq=False):
    """A kind that was worked out of a text: whether kro accepts all of that text, and the kinds that this rests on."""

    text: str
    kind: KindSchema | None
    digest: bytes
    is_accepted: bool
    read: tuple[tuple[KindName, KindSchema | None], ...] = ()


class GeneratedKinds:
    """The kinds that the RGDs of some texts declare; a source of `SchemaIndex`.

    A kind's schema is worked out when it is first asked for. RGDs may use each other's kinds; where they do so in a
    circle, the kind that closes it has no inferred status.
    """

    def __init__(
        self,
        texts: Mapping[str, str],
        kubernetes: KubernetesSource,
        custom: CrdSource,
        before: GeneratedKinds | None = None,
        opened: Mapping[str, Document] = NONE_OPEN,
    ) -> None:
        """`texts` are the RGDs' files by path; `custom` are the kinds that are there besides Kubernetes'.

        `before` are the kinds before something changed: a text is not read again, and a kind whose CRD is the same
        stays the same object, so that what was checked against it stays known. Of a text that is open in an editor,
        `opened` has the document, of which a lot is known already.
        """
        self.texts = texts
        self._kubernetes = kubernetes
        self._custom = custom
        self._indexes: dict[str, SchemaIndex] = {}
        self._opened = opened
        self.declared: dict[str, tuple[GroupVersionKind, ...]] = {
            path: before.declared[path] if before and before.texts.get(path) == text else self._declared(path)
            for path, text in texts.items()
        }
        """The names of the kinds that the text at each path declares."""
        self._before = before.made if before else {}
        self.made: dict[tuple[str, GroupVersionKind], Made] = {}
        """The kinds that were asked for, by path and name."""
        self._homes: dict[GroupVersionKind, list[str]] = {}
        for path, names in self.declared.items():
            for name in names:
                self._homes.setdefault(name, []).append(path)
        self._being_made: set[tuple[int, str, GroupVersionKind]] = set()  # each thread may make any of them

    def changed(
        self, texts: Mapping[str, str], custom: CrdSource, opened: Mapping[str, Document] = NONE_OPEN
    ) -> GeneratedKinds:
        """Return the kinds of other texts, with those that were asked for before."""
        changed = GeneratedKinds(texts, self._kubernetes, custom, self, opened)
        for path, name in list(self.made):  # which another thread may be adding to
            if path in changed.homes(name):
                changed.find_in(path, name)
        changed._opened = NONE_OPEN  # a later version of it will be another document
        return changed

    def take_over(self, later: GeneratedKinds) -> bool:
        """Go on with the texts of later kinds, if all that was ever said here is true of them; return whether it is.

        Most edits of an RGD change no kind, and then nothing that was worked out with these kinds need be looked at.
        """
        if later.declared != self.declared or later._custom is not self._custom:
            return False
        for key, made in list(self.made.items()):
            now = later.made.get(key)
            if now is None or now.kind is not made.kind or now.is_accepted != made.is_accepted:
                return False
        self.texts = later.texts
        self.made.update(later.made)
        return True

    def _declared(self, path: str) -> tuple[GroupVersionKind, ...]:
        return _kinds_of(self._opened[path]) if path in self._opened else declared_kinds(self.texts[path])

    def names(self) -> tuple[GroupVersionKind, ...]:
        """Every kind that an RGD declares."""
        return tuple(self._homes)

    def homes(self, name: GroupVersionKind) -> Sequence[str]:
        """The paths of the texts that declare a kind."""
        return self._homes.get(name, ())

    def find(self, name: GroupVersionKind) -> KindSchema | None:
        """The kind, if an RGD declares it: of several the first that kro accepts."""
        found = [self.find_in(path, name) for path in self.homes(name)]
        return next((each.kind for each in sorted(found, key=lambda each: not each.is_accepted) if each.kind), None)

    def find_in(self, path: str, name: GroupVersionKind) -> Made:
        """The kind as the text at a path, one of its homes, declares it."""
        key = path, name
        text = self.texts[path]
        if known := self._known(key, text):
            return known
        being_made = (get_ident(), *key)
        if being_made in self._being_made:
            return Made(text, self._without_status(name, path), b"", is_accepted=True)
        self._being_made.add(being_made)
        try:
            made = self._kept(key) or self._generate(name, path)
        finally:
            self._being_made.discard(being_made)
        if known := self._known(key, text):  # another thread was quicker, and the kind is to be one object for all
            return known
        self.made[key] = made
        return made

    def _known(self, key: tuple[str, GroupVersionKind], text: str) -> Made | None:
        made = self.made.get(key)
        return made if made and made.text == text else None  # another thread may have made it of an older text

    def _kept(self, key: tuple[str, GroupVersionKind]) -> Made | None:
        """Return what was made before, if that would come out again: of the same text and kinds."""
        made = self._before.get(key)
        if made is None or made.text != self.texts[key[0]]:
            return None
        index = self._index(key[0])
        return made if all(index.find_api_version(*name) is kind for name, kind in made.read) else None

    def _index(self, path: str) -> SchemaIndex:
        """Return the kinds as they are for a file."""
        folder = posixpath.dirname(path)
        if folder not in self._indexes:
            self._indexes[folder] = schema_index(self._kubernetes, (NearestKinds(folder, self._custom, self),))
        return self._indexes[folder]

    def _generate(self, name: GroupVersionKind, path: str) -> Made:
        text = self.texts[path]
        index, opened = self._index(path), self._opened.get(path)
        if opened:
            diagnosis = opened.renewed(settings=DEFAULT_SETTINGS, schemas=index, other_schemas=()).diagnosis
        else:
            diagnosis = diagnose_text(Text(text), schemas=index)
        is_accepted = not any(each.severity is Severity.ERROR for each in diagnosis.diagnostics)
        read: list[tuple[KindName, KindSchema | None]] = []
        found: Made | None = None
        for rgd in diagnosis.analysis.rgds:
            read += ((each, rgd.surroundings.find(each)) for each in rgd.table.summary.kinds)
            crd = checkable_crd(rgd)
            if crd and found is None:
                found = self._made_of(crd, name, path, is_accepted=is_accepted)
        return replace(found, read=tuple(read)) if found else Made(text, None, b"", is_accepted, tuple(read))

    def _made_of(self, crd: JsonObject, name: GroupVersionKind, path: str, *, is_accepted: bool) -> Made | None:
        meta = self._kubernetes.definition(OBJECT_META)
        kind = next(served_kinds(crd, path, meta), None)
        if kind is None or kind.name != name:
            return None
        digest = digest_of(json.dumps(crd).encode())
        before = self._before.get((path, name))
        kind = before.kind if before and before.digest == digest and before.kind else replace(kind, is_generated=True)
        return Made(self.texts[path], kind, digest, is_accepted)

    def _without_status(self, name: GroupVersionKind, path: str) -> KindSchema | None:
        for document in with_list_items(parse_stream(Text(self.texts[path]), CUTS, MOST_DOCUMENTS)).documents:
            schema = read(document).schema if is_rgd(document) else None
            section = to_python(schema.section.node) if schema else None
            if schema and isinstance(section, dict):
                crd = generate_crd(section, simple_schema(schema.section).recovered)
                made = self._made_of(crd, name, path, is_accepted=True)
                if made:
                    return made.kind
        return None


def _kinds_of(document: Document) -> tuple[GroupVersionKind, ...]:
    analysis = document.analysis
    if analysis.actions.spans or unread_documents(analysis.stream):
        return declared_kinds(document.text.content)
    return tuple(_kinds(each.rgd.schema for each in analysis.rgds))


def declared_kinds(text: str) -> tuple[GroupVersionKind, ...]:
    """Return the kinds that the RGDs of a text declare."""
    unread = next(islice(_DOCUMENT_START.finditer(text), MOST_DOCUMENTS - 1, None), None)
    documents = split_documents(text[: unread.start() + 1 if unread else None].encode("utf-8", "surrogatepass"))
    if documents is None:
        return tuple(_parsed_kinds(text))
    found: list[GroupVersionKind] = []
    same: dict[GroupVersionKind, GroupVersionKind] = {}  # a text may declare one kind hundreds of times
    for document in documents:
        kinds = _outlined_kinds(document)
        if kinds is None:
            return tuple(_parsed_kinds(text))
        found += (same.setdefault(kind, kind) for kind in kinds)
    return tuple(found)


def _outlined_kinds(document: bytes) -> tuple[GroupVersionKind, ...] | None:
    """Return the kinds that a document declares; None where only parsing it can tell."""
    if not holds(document, KIND.encode()) and b"\\" not in document:
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
    documents = with_list_items(parse_stream(Text(text), CUTS, MOST_DOCUMENTS)).documents
    return _kinds(read(document).schema for document in documents if is_rgd(document))


def _kinds(schemas: Iterable[PlacedSchema | None]) -> Iterator[GroupVersionKind]:
    for schema in schemas:
        if schema is None or not schema.section.kind:
            continue
        version = text_of(field(schema.section.node, "apiVersion"))
        group = text_of(field(schema.section.node, "group")) or DEFAULT_GROUP
        if version:
            yield GroupVersionKind(group, version, schema.section.kind)
