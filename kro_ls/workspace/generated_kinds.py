"""The kinds that RGDs declare, as in their generated CRDs, so that RGDs can use each other's kinds."""

from __future__ import annotations

import posixpath
import re
from threading import Lock
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from msgspec import Struct

from kro_ls.analysis.names.dependency_graph import knots
from kro_ls.kro.schema_index import schema_index
from kro_ls.openapi.sources.bundled import OBJECT_META
from kro_ls.workspace.declared_kinds import declared_kinds, kinds_of
from kro_ls.workspace.literal_names import LiteralNames
from kro_ls.workspace.nearest import NearestKinds

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from kro_ls.openapi.index import KubernetesSource, SchemaIndex
    from kro_ls.openapi.kind_schema import GroupVersionKind, KindSchema
    from kro_ls.openapi.sources.crds.source import CrdSource
    from kro_ls.workspace.documents import Document
    from kro_ls.workspace.kind_making import KindUse, Made, Making, Question, Uses


_MENTION = re.compile(r"kind:[ ]+[\"']?([A-Z]\w*)")

NONE_OPEN: Final[Mapping[str, Document]] = MappingProxyType({})


class _Tangles(Struct, frozen=True):
    """The other files whose kinds a text names, by path, and the files that do so in a circle with each."""

    texts: Mapping[str, str]
    naming: dict[str, list[str]]
    found: dict[str, frozenset[str]]


class GeneratedKinds:
    """The kinds that the RGDs of some texts declare; a source of `SchemaIndex`.

    The schema of a kind is computed when it is first used, after those that it depends on. RGDs that use each other's
    kinds in a circle do not see the types of each other's status fields, so the order of questions does not matter.
    Any thread may ask.
    """

    def __init__(
        self,
        texts: Mapping[str, str],
        kubernetes: KubernetesSource,
        custom: CrdSource,
        before: GeneratedKinds | None = None,
        opened: Mapping[str, Document] = NONE_OPEN,
        declared: Mapping[str, tuple[GroupVersionKind, ...]] = MappingProxyType({}),
    ) -> None:
        """`texts` are the RGDs' files by path; `custom` are the kinds of CRDs.

        `before` are the previous kinds: their texts are not read again, and a kind with an equal CRD stays the same
        object, so that results that depend on it stay valid. `opened` has the documents of texts that are open in an
        editor, with their cached results. `declared` has the kinds that texts declare, by path, where they are known.
        """
        self.texts = texts
        self.custom = custom
        self._kubernetes = kubernetes
        self._opened = opened
        self.declared: dict[str, tuple[GroupVersionKind, ...]] = {
            path: known
            if (known := declared.get(path)) is not None
            else before.declared[path]
            if before and before.texts.get(path) == text
            else self._declared(path)
            for path, text in texts.items()
        }
        """The names of the kinds that the text at each path declares."""
        self._before = before.made if before else {}
        self.made: dict[Question, Made] = {}
        """The cached answers."""
        self._untyped_before = before.untyped if before else {}
        self.untyped: dict[Question, Made] = {}
        """Kinds as the kinds that they use see them."""
        # Another thread may be adding to those of `before`.
        uses, mentions = (dict(before.uses), dict(before.mentions)) if before else ({}, {})
        self.uses: dict[str, Uses] = {path: each for path, each in uses.items() if texts.get(path) == each.text}
        """The kinds that texts use, by path, where that was asked."""
        self.mentions: dict[str, tuple[str, frozenset[str]]] = {
            path: each for path, each in mentions.items() if texts.get(path) == each[0]
        }
        """The names of kinds in the texts that were searched for them, by path, each with its text."""
        self.circles: dict[Question, frozenset[Question]] = {}
        """The questions with cached answers, each with those in a circle with it."""
        self._tangles: _Tangles | None = None
        self._homes: dict[GroupVersionKind, list[str]] = {}
        for path, names in self.declared.items():
            for name in names:
                self._homes.setdefault(name, []).append(path)
        self._named: dict[str, list[GroupVersionKind]] = {}
        for name in self._homes:
            self._named.setdefault(name.kind, []).append(name)
        self.literal_names: LiteralNames = before.literal_names if before else LiteralNames()
        self._last_making: Making | None = None
        """Has the documents that were read last; after a kind, a caller asks whether its text is accepted."""
        self._keeping = Lock()
        """Held while `made` is compared with other texts, and while answers about these are added."""

    def changed(
        self, texts: Mapping[str, str], custom: CrdSource, opened: Mapping[str, Document] = NONE_OPEN
    ) -> GeneratedKinds:
        """Return the kinds of other texts, with answers to the questions that were asked so far."""
        changed = GeneratedKinds(texts, self._kubernetes, custom, self, opened)
        for path, name in list(self.made):  # which another thread may be adding to
            if name is None and path in changed.texts:
                changed.is_accepted(path)
            elif name is not None and path in changed.homes(name):
                changed.find_in(path, name)
        changed._opened = NONE_OPEN  # a later version of it will be another document
        changed._last_making = None
        return changed

    def take_over(self, later: GeneratedKinds) -> bool:
        """Use the texts of later kinds if all answers given here hold for them; return whether they do.

        Most edits of an RGD change no kind, and then all results that depend on these kinds stay valid.
        """
        if later.declared != self.declared or later.custom is not self.custom:
            return False
        with self._keeping:
            for question, made in self.made.items():
                now = later.made.get(question)
                if (
                    now is None
                    or now.kind is not made.kind
                    or now.others != made.others
                    or now.is_accepted != made.is_accepted
                ):
                    return False
            self.texts = later.texts
            self.made.update(later.made)
            self.untyped, self.uses, self.circles = later.untyped, later.uses, later.circles
            self.mentions = later.mentions
        return True

    def _declared(self, path: str) -> tuple[GroupVersionKind, ...]:
        return kinds_of(self._opened[path]) if path in self._opened else declared_kinds(self.texts[path])

    def names(self) -> tuple[GroupVersionKind, ...]:
        """Every kind that an RGD declares."""
        return tuple(self._homes)

    def named(self, kind: str) -> Sequence[GroupVersionKind]:
        """The kinds of a name, of whatever group and version."""
        return self._named.get(kind, ())

    def homes(self, name: GroupVersionKind) -> Sequence[str]:
        """The paths of the texts that declare a kind."""
        return self._homes.get(name, ())

    def find(self, name: GroupVersionKind) -> KindSchema | None:
        """The kind, if an RGD declares it: of several the first that kro accepts."""
        homes = self.homes(name)
        found = sorted(homes, key=lambda path: not self.is_accepted(path)) if len(homes) > 1 else homes
        return next((kind for path in found if (kind := self.find_in(path, name))), None)

    def find_in(self, path: str, name: GroupVersionKind) -> KindSchema | None:
        """The kind as the text at a path, one of its homes, declares it."""
        return self._answer((path, name)).kind

    def others_in(self, path: str, name: GroupVersionKind) -> tuple[tuple[KindSchema, ...], str]:
        """The further definitions of a kind in the text at a path, and why that which `find_in` gives counts."""
        made = self._answer((path, name))
        return made.others, made.reason

    def is_accepted(self, path: str) -> bool:
        """Whether kro accepts the text at a path."""
        return self._answer((path, None)).is_accepted

    def find_untyped(self, path: str, name: GroupVersionKind) -> KindSchema | None:
        """The kind as the kinds that it uses see it: without the types of its status fields."""
        return self._untyped_kind((path, name), self._making(self.texts)).kind

    def _untyped_kind(self, question: Question, making: Making) -> Made:
        known = self.untyped.get(question)
        if known and known.text == making.text(question):
            return known
        before = self._untyped_before.get(question)
        is_same = before and before.text == making.text(question)
        made = before if before and is_same else making.untyped(question, before)
        with self._keeping:
            known = self.untyped.get(question)
            if known is None or known.text != made.text:
                self.untyped[question] = made
            return self.untyped[question]

    def _answer(self, question: Question) -> Made:
        while True:
            texts = self.texts
            known = self._known(question, texts)
            if known:
                return known
            self._make(question, self._making(texts))

    def _known(self, question: Question, texts: Mapping[str, str]) -> Made | None:
        made = self.made.get(question)
        return made if made and made.text == texts[question[0]] else None

    def _make(self, question: Question, making: Making) -> None:
        """Cache the answer to a question after those it depends on, unless the texts are replaced meanwhile."""
        from kro_ls.workspace.kind_making import circles, everything_read

        reads = everything_read(question, lambda each: self._reads(each, making), self.circles)
        with self._keeping:
            if self.texts is not making.texts:
                return
            in_circles = self.circles
            for each, circle in circles(reads).items():
                in_circles.setdefault(each, circle)
        for each in reads:
            if self._known(each, making.texts) is None:
                index = self._index(each, reads[each], in_circles[each])
                made = self._kept(each, making.text(each), index) or making.made(each, index, self._before.get(each))
                if not self._keep(each, made, making.texts):
                    return

    def _keep(self, question: Question, made: Made, texts: Mapping[str, str]) -> bool:
        with self._keeping:
            if self.texts is not texts:
                return False
            if self._known(question, texts) is None:  # else another thread was quicker: a kind must be one object
                self.made[question] = made
            return True

    def _kept(self, question: Question, text: str, index: SchemaIndex) -> Made | None:
        """Return the previous answer if its text and kinds are the same."""
        made = self._before.get(question)
        if made is None or made.text != text:
            return None
        return made if all(index.find_api_version(*name) is kind for name, kind in made.read) else None

    def _index(self, question: Question, reads: tuple[Question, ...], circle: frozenset[Question]) -> SchemaIndex:
        """Return the kinds that the text of a question sees."""
        path = question[0]
        kinds = _SeenKinds(self, frozenset(reads), circle)
        seen = NearestKinds(posixpath.dirname(path), self.custom, kinds, own=path)
        return schema_index(self._kubernetes, (seen,))

    def _reads(self, question: Question, making: Making) -> tuple[Question, ...]:
        """Return the questions that an answer depends on."""
        path, name = question
        used = (each.used for each in self._uses(path, making) if name is None or name == each.declared)
        return tuple(dict.fromkeys(each for kinds in used for kind in kinds for each in self._asked_for(kind)))

    def mentioned_in(self, path: str) -> frozenset[str]:
        """The names of kinds in the text at a path, found without parsing: all that it uses, and maybe more."""
        known, text = self.mentions.get(path), self.texts[path]
        if known is None or known[0] != text:
            known = self.mentions[path] = (text, frozenset(_MENTION.findall(text)))
        return known[1]

    def tangled_with(self, path: str, most_homes: int) -> frozenset[str]:
        """The files that name kinds of each other in a circle with the one at a path, itself included.

        Kinds that more files declare than `most_homes` do not count.
        """
        tangles, texts = self._tangles, self.texts
        if tangles is None or tangles.texts is not texts:
            known = tangles or _Tangles({}, {}, {})
            naming = {
                each: known.naming[each] if known.texts.get(each) is text else self._named_homes(each, most_homes)
                for each, text in texts.items()
            }
            is_same = naming == known.naming  # as after most edits
            found = known.found if is_same else {each: knot for knot in knots(naming) for each in knot}
            tangles = self._tangles = _Tangles(texts, naming, found)
        return tangles.found.get(path, frozenset())

    def _named_homes(self, path: str, most_homes: int) -> list[str]:
        """Return the other files that declare a kind which a text names and does not declare itself."""
        own = {each.kind for each in self.declared[path]}
        names = [each for kind in self.mentioned_in(path) - own for each in self._named.get(kind, ())]
        homes = (self._homes[each] for each in names)
        return list(dict.fromkeys(home for each in homes if len(each) <= most_homes for home in each if home != path))

    def sharing_names(self, path: str, most: int) -> list[str]:
        """Return the other files with an object of the same name as one in the file at a path.

        Names that occur in more than `most` files do not count.
        """
        texts = self.texts
        return self.literal_names.sharing(path, texts, most) if path in texts else []

    def uses_in(self, path: str) -> tuple[KindUse, ...]:
        """The RGDs of the text at a path, with the kinds that they use."""
        return self._uses(path, self._making(self.texts))

    def _uses(self, path: str, making: Making) -> tuple[KindUse, ...]:
        uses = self.uses.get(path)
        if uses is None or uses.text != making.texts[path]:
            uses = self.uses[path] = making.uses(path)
        return uses.of_rgds

    def _asked_for(self, name: GroupVersionKind) -> Iterator[Question]:
        """Yield the questions that `NearestKinds` asks where a kind is used."""
        homes = self.homes(name)
        for home in homes:
            yield home, name
            if len(homes) + len(self.custom.homes(name)) > 1:
                yield home, None

    def _making(self, texts: Mapping[str, str]) -> Making:
        making = self._last_making
        if making is None or making.texts is not texts or making.is_full:
            from kro_ls.workspace.kind_making import Making

            making = self._last_making = Making(texts, self._opened, self._kubernetes.definition(OBJECT_META))
        return making


class _SeenKinds:
    """The kinds that an answer depends on; others, which other RGDs of its text may use, are unknown.

    Kinds in a `circle` with it have no types in their status.
    """

    def __init__(self, kinds: GeneratedKinds, reads: frozenset[Question], circle: frozenset[Question]) -> None:
        self._kinds = kinds
        self._reads = reads
        self._circle = circle

    def names(self) -> tuple[GroupVersionKind, ...]:
        return self._kinds.names()

    def homes(self, name: GroupVersionKind) -> Sequence[str]:
        return self._kinds.homes(name)

    def find_in(self, path: str, name: GroupVersionKind) -> KindSchema | None:
        if (path, name) in self._circle:
            return self._kinds.find_untyped(path, name)
        return self._kinds.find_in(path, name) if (path, name) in self._reads else None

    def others_in(self, path: str, name: GroupVersionKind) -> tuple[tuple[KindSchema, ...], str]:
        is_read = (path, name) in self._reads and (path, name) not in self._circle
        return self._kinds.others_in(path, name) if is_read else ((), "")

    def is_accepted(self, path: str) -> bool:
        return (path, None) in self._circle or (path, None) not in self._reads or self._kinds.is_accepted(path)
