"""The kinds that RGDs declare, as their generated CRDs will: one RGD can then use what another one makes."""

from __future__ import annotations

import posixpath
import re
from threading import Lock
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, NamedTuple

from kro_ls.analysis.names.dependency_graph import knots
from kro_ls.kro.schema_index import schema_index
from kro_ls.openapi.sources.bundled import OBJECT_META
from kro_ls.workspace.declared_kinds import declared_kinds, kinds_of
from kro_ls.workspace.kind_making import KindUse, Made, Making, Uses, circles, everything_read
from kro_ls.workspace.literal_names import LiteralNames
from kro_ls.workspace.nearest import NearestKinds

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from kro_ls.openapi.index import KubernetesSource, SchemaIndex
    from kro_ls.openapi.kind_schema import GroupVersionKind, KindSchema
    from kro_ls.openapi.sources.crds.source import CrdSource
    from kro_ls.workspace.documents import Document
    from kro_ls.workspace.kind_making import Question


_MENTION = re.compile(r"kind:[ ]+[\"']?([A-Z]\w*)")

NONE_OPEN: Final[Mapping[str, Document]] = MappingProxyType({})


class _Tangles(NamedTuple):
    """Which other files the texts of some files name, by path, and by each those that name each other in a circle."""

    texts: Mapping[str, str]
    naming: dict[str, list[str]]
    found: dict[str, frozenset[str]]


class GeneratedKinds:
    """The kinds that the RGDs of some texts declare; a source of `SchemaIndex`.

    A kind's schema is worked out when it is first asked for, after those that it rests on. RGDs may use each other's
    kinds. Where they do so in a circle, none of them sees the types of the others' status fields: so it does not matter
    which of them is asked for first. Any thread may ask.
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
        """`texts` are the RGDs' files by path; `custom` are the kinds that are there besides Kubernetes'.

        `before` are the kinds before something changed: a text is not read again, and a kind whose CRD is the same
        stays the same object, so that what was checked against it stays known. Of a text that is open in an editor,
        `opened` has the document, of which a lot is known already. `declared` are the kinds that texts declare, by
        path, where that is known.
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
        """What was asked for."""
        self._untyped_before = before.untyped if before else {}
        self.untyped: dict[Question, Made] = {}
        """Kinds as those see them that they use themselves."""
        self.uses: dict[str, Uses] = {}
        """Which kinds the texts name that were looked into for that."""
        for path, uses in dict(before.uses if before else {}).items():  # to which another thread may be adding
            if texts.get(path) == uses.text:
                self.uses[path] = uses
        self.mentions: dict[str, tuple[str, frozenset[str]]] = {}
        """The names of kinds in the texts that were searched for them, by path, each with its text."""
        for path, found in dict(before.mentions if before else {}).items():
            if texts.get(path) == found[0]:
                self.mentions[path] = found
        self.circles: dict[Question, frozenset[Question]] = {}
        """What was asked for, each with all those that use each other in a circle with it."""
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
        """Knows the documents that were looked at last: a kind is asked for, and then whether its text is accepted."""
        self._keeping = Lock()
        """Held while `made` is compared with other texts, and while something is added that was made of these."""

    def changed(
        self, texts: Mapping[str, str], custom: CrdSource, opened: Mapping[str, Document] = NONE_OPEN
    ) -> GeneratedKinds:
        """Return the kinds of other texts, with those that were asked for before."""
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
        """Go on with the texts of later kinds, if all that was ever said here is true of them; return whether it is.

        Most edits of an RGD change no kind, and then nothing that was worked out with these kinds need be looked at.
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
        """The kind as those see it that it uses itself: without the types of its status fields."""
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
        """Keep the answer to a question, after all that it rests on, unless newer texts are taken meanwhile."""
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
            if self._known(question, texts) is None:  # else another thread was quicker: a kind is one object for all
                self.made[question] = made
            return True

    def _kept(self, question: Question, text: str, index: SchemaIndex) -> Made | None:
        """Return what was made before, if that would come out again: of the same text and kinds."""
        made = self._before.get(question)
        if made is None or made.text != text:
            return None
        return made if all(index.find_api_version(*name) is kind for name, kind in made.read) else None

    def _index(self, question: Question, reads: tuple[Question, ...], circle: frozenset[Question]) -> SchemaIndex:
        """Return the kinds as they are for what a question is about."""
        path = question[0]
        kinds = _SeenKinds(self, frozenset(reads), circle)
        seen = NearestKinds(posixpath.dirname(path), self.custom, kinds, own=path)
        return schema_index(self._kubernetes, (seen,))

    def _reads(self, question: Question, making: Making) -> tuple[Question, ...]:
        """Return the questions that the answer to one rests on."""
        path, name = question
        used = (each.used for each in self._uses(path, making) if name is None or name == each.declared)
        return tuple(dict.fromkeys(each for kinds in used for kind in kinds for each in self._asked_for(kind)))

    def mentioned_in(self, path: str) -> frozenset[str]:
        """The names of kinds in the text at a path: all that it uses, and maybe more. Nothing is parsed for them."""
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
        """Return the other files that give an object a name that the file at a path gives to one as well.

        Names that more files have than `most` do not count.
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
        """Yield what is asked where a kind is used, as `NearestKinds` does."""
        homes = self.homes(name)
        for home in homes:
            yield home, name
            if len(homes) + len(self.custom.homes(name)) > 1:
                yield home, None

    def _making(self, texts: Mapping[str, str]) -> Making:
        making = self._last_making
        if making is None or making.texts is not texts or making.is_full:
            making = self._last_making = Making(texts, self._opened, self._kubernetes.definition(OBJECT_META))
        return making


class _SeenKinds:
    """The kinds that an answer rests on; others, which other RGDs of its text may use, seem to be unknown.

    Of those in a `circle` with it, the types of the status are not known.
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
