"""Answers questions about texts: the kind that an RGD declares, and whether kro accepts the text."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Final, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from kro_ls.analysis.crd.generated_crd import admitting_crd, checkable_crd, untyped_crd
from kro_ls.analysis.names.dependency_graph import knots
from kro_ls.graphs import frames_of
from kro_ls.openapi.kind_schema import GroupVersionKind
from kro_ls.openapi.sources.crds.served_kinds import served_kinds
from kro_ls.openapi.sources.disk_cache import digest_of
from kro_ls.queries.cells import cached
from kro_ls.rules.diagnosis import DEFAULT_SETTINGS
from kro_ls.rules.diagnostics import Severity
from kro_ls.rules.refusals import refusals
from kro_ls.rules.resources.conflicting_resources import literal_claims
from kro_ls.workspace.declared_kinds import kind_of
from kro_ls.workspace.documents import Document
from kro_ls.yaml_positions.text import Text

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterable, Mapping, Sequence

    from kro_ls.analysis.analysis import RgdAnalysis
    from kro_ls.analysis.facts import KindName
    from kro_ls.openapi.index import SchemaIndex
    from kro_ls.openapi.json_values import HeldObject, JsonObject
    from kro_ls.openapi.kind_schema import KindSchema
    from kro_ls.rules.resources.conflicting_resources import Claim


Question: TypeAlias = "tuple[str, GroupVersionKind | None]"
"""How the text at a path declares a kind; without a kind, whether kro accepts the text."""

Reads: TypeAlias = "Mapping[Question, tuple[Question, ...]]"
"""The questions whose answers each answer depends on."""


def everything_read(
    question: Question, read_by: Callable[[Question], tuple[Question, ...]], known: Container[Question]
) -> Reads:
    """Return a question and those it depends on, directly or not, each after those that it reads, except in circles.

    The questions in `known` are left out, with those that only they depend on.
    """
    reads: dict[Question, tuple[Question, ...]] = {}
    ordered: dict[Question, tuple[Question, ...]] = {}
    pending = [question]
    while pending:  # without recursion, for chains may be long
        current = pending[-1]
        if current not in reads:
            reads[current] = read_by(current)
            pending += (each for each in reads[current] if each not in reads and each not in known)
            continue
        pending.pop()
        ordered.setdefault(current, reads[current])
    return ordered


def circles(reads: Reads) -> dict[Question, frozenset[Question]]:
    """Return each question with all those that rest on it and that it rests on itself, none outside of a circle.

    `reads` is what `everything_read` gives.
    """
    within = {each: [read for read in found if read in reads] for each, found in reads.items()}
    outside: frozenset[Question] = frozenset()
    return dict.fromkeys(reads, outside) | {each: circle for circle in knots(within) for each in circle}


_MOST_CHARACTERS: Final = 50_000
"""In the cached documents, whose results take some hundred times the size of their texts."""


class Made(Struct, frozen=True, eq=False):
    """The answer to a question about a text: a kind, or whether kro accepts it, and the kinds that this depends on.

    `others` are further definitions of the kind in the text, and `reason` says why `kind` comes first.
    """

    text: str
    kind: KindSchema | None = None
    others: tuple[KindSchema, ...] = ()
    reason: str = ""
    digest: bytes = b""
    is_accepted: bool = True
    read: tuple[tuple[KindName, KindSchema | None], ...] = ()


class KindUse(Struct, frozen=True):
    """The name of an RGD, the kind that it declares, and those that it uses; None for what is missing.

    `claims` are its objects that have literal names.
    """

    name: str | None
    declared: GroupVersionKind | None
    used: tuple[GroupVersionKind, ...]
    claims: tuple[Claim, ...] = ()


class Uses(Struct, frozen=True):
    """The kinds that the RGDs of a text use."""

    text: str
    of_rgds: tuple[KindUse, ...]


class Making:
    """Computes answers from texts, and parses each text once."""

    def __init__(self, texts: Mapping[str, str], opened: Mapping[str, Document], object_meta: JsonObject) -> None:
        """`opened` has the documents of texts that are open; `object_meta` is the schema of ObjectMeta."""
        self.texts = texts
        self._opened = opened
        self._object_meta = object_meta
        self._documents: dict[str, Document] = {}

    @property
    def is_full(self) -> bool:
        """Whether it holds so much that it should be replaced."""
        return sum(len(each.text.content) for each in tuple(self._documents.values())) > _MOST_CHARACTERS

    def text(self, question: Question) -> str:
        """The text that a question is about."""
        return self.texts[question[0]]

    def uses(self, path: str) -> Uses:
        """Return the kinds that the RGDs of a text use."""
        found = []
        for rgd in self._document(path).analysis.rgds:
            named = {kind for frame in frames_of(rgd) for kind in frame.table.kinds}
            used = tuple(_named(*each) for each in sorted(named))
            claims = tuple(claim for _, claim in literal_claims(rgd))
            found.append(KindUse(rgd.rgd.name, kind_of(rgd.rgd.schema), used, claims))
        return Uses(self.texts[path], tuple(found))

    def made(self, question: Question, index: SchemaIndex, before: Made | None) -> Made:
        """Return the answer to a question with the kinds that are known to what it is about."""
        path, name = question
        document = self._document(path).renewed(settings=DEFAULT_SETTINGS, schemas=index, other_schemas=())
        if name is None:
            is_accepted = not any(each.severity is Severity.ERROR for each in document.diagnosis.diagnostics)
            return Made(self.texts[path], is_accepted=is_accepted, read=_found(document.analysis.rgds))
        rgds = _declaring(document.analysis.rgds, name)
        return replace(self._kind(question, _in_order(rgds, document), checkable_crd, before), read=_found(rgds))

    def untyped(self, question: Question, before: Made | None) -> Made:
        """Return a kind without the types of its status fields."""
        path, name = question
        document = self._document(path)
        rgds = _declaring(document.analysis.rgds, name)
        return self._kind(question, _in_order(rgds, document), untyped_crd, before)

    def _kind(
        self,
        question: Question,
        rgds: Sequence[_Ranked],
        crd_of: Callable[[RgdAnalysis], JsonObject | None],
        before: Made | None,
    ) -> Made:
        """Return the kind as each definition serves it; the previous ones if the CRDs are the same."""
        path, name = question
        served: list[tuple[_Ranked, JsonObject, KindSchema]] = []
        for ranked in rgds:
            crd = crd_of(ranked.rgd)
            kind = next(served_kinds(crd, path, self._object_meta), None) if crd else None
            if crd and kind and kind.name == name:
                served.append((ranked, crd, replace(kind, is_generated=True, place=ranked.place)))
        if not served:
            return Made(self.texts[path])
        reason = _reason(served[0][0], served[1][0]) if len(served) > 1 else ""
        digest = digest_of(json.dumps([(ranked.place, crd) for ranked, crd, _ in served]).encode())
        if before and before.kind and before.digest == digest:
            return Made(self.texts[path], before.kind, before.others, reason, digest)
        kind, *others = (kind for _, _, kind in served)
        return Made(self.texts[path], kind, tuple(others), reason, digest)

    def _document(self, path: str) -> Document:
        """Return the document of a text, without custom kinds."""
        if path not in self._documents:
            self._documents[path] = self._opened.get(path) or Document(path, None, Text(self.texts[path]))
        return self._documents[path]


class _Ranked(Struct, frozen=True):
    """One of the definitions of a kind in a text, with its place there."""

    rgd: RgdAnalysis
    place: int
    is_refused: bool = False
    is_replaced: bool = False


def _in_order(rgds: Sequence[RgdAnalysis], document: Document) -> list[_Ranked]:
    """Return definitions of one kind in the order of their precedence.

    `kubectl apply` goes through a file from the start: a definition replaces one with the same name, and of two with
    different names kro gives the kind to the first (kro pkg/client/crd.go: "owned by another").
    """
    if len(rgds) == 1:
        return [_Ranked(rgds[0], 0)]
    names = [rgd.rgd.name for rgd in rgds]
    refused = [bool(refusals(document.diagnosis, rgd)) for rgd in rgds]
    taken = {name for name, is_refused in zip(names, refused, strict=True) if not is_refused}
    last = {name: place for place, name in enumerate(names) if not refused[place] or name not in taken}
    found = [
        _Ranked(rgd, place, refused[place], names[place] is not None and last[names[place]] > place)
        for place, rgd in enumerate(rgds)
    ]
    return sorted(found, key=lambda each: (each.is_refused, each.is_replaced, each.place))


def _reason(first: _Ranked, second: _Ranked) -> str:
    """Return why the first definition has precedence."""
    if second.is_refused and not first.is_refused:
        return "kro refuses the others"
    return "the last with its name in the file" if second.is_replaced else "the first in the file"


@cached
def kind_of_instances(rgd: RgdAnalysis, path: str, object_meta: HeldObject) -> KindSchema | None:
    """Return the kind that a definition declares as the API server admits its instances, None if it declares none.

    Its source is the path of this definition, even if others declare the kind, too.
    """
    crd = admitting_crd(rgd)
    return next(served_kinds(crd, path, object_meta.value), None) if crd else None


def _named(api_version: str, kind: str) -> GroupVersionKind:
    group, _, version = api_version.rpartition("/")
    return GroupVersionKind(group, version, kind)


def _declaring(rgds: Iterable[RgdAnalysis], name: GroupVersionKind | None) -> list[RgdAnalysis]:
    return [rgd for rgd in rgds if kind_of(rgd.rgd.schema) == name]


def _found(rgds: Iterable[RgdAnalysis]) -> tuple[tuple[KindName, KindSchema | None], ...]:
    """Return the kinds that some RGDs use, None for unknown ones."""
    return tuple(kind for rgd in rgds for frame in frames_of(rgd) for kind in frame.kinds.items())
