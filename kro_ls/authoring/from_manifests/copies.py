"""Collections in place of objects that differ in one word, such as one for each team."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from msgspec import Struct

from kro_ls.authoring.from_manifests.draft_resources import DraftNode, id_of_kind, mapped, readiness, written_in
from kro_ls.authoring.from_manifests.input_objects import leaves
from kro_ls.authoring.from_manifests.merging import merged
from kro_ls.authoring.from_manifests.naming import whole_word, word_runs
from kro_ls.authoring.from_manifests.schema_fields import name_of_part
from kro_ls.authoring.from_manifests.template_text import Written, escaped, expression
from kro_ls.kro.identifiers import is_resource_id
from kro_ls.openapi.json_values import as_object, value_at

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from kro_ls.authoring.from_manifests.draft_resources import DraftResource
    from kro_ls.authoring.from_manifests.input_objects import Key, Path
    from kro_ls.authoring.from_manifests.merging import Variation
    from kro_ls.authoring.from_manifests.naming import InstanceNames
    from kro_ls.authoring.from_manifests.template_text import Template
    from kro_ls.openapi.json_values import JsonObject, JsonValue
    from kro_ls.openapi.kind_schema import KindSchema


_PLACE: Final = "\0"


class Copies(Struct, frozen=True, eq=False):
    """Resources that are one object for each of some words."""

    members: tuple[DraftResource, ...]
    words: tuple[str, ...]

    @property
    def pairs(self) -> Iterator[tuple[DraftResource, str]]:
        """The members with their words."""
        return zip(self.members, self.words, strict=True)

    def name(self, instance: str) -> str:
        """Return what each word is: the word before it in a name (`team` of `team-red`), else a name."""
        key = self.members[0].key
        return name_of_words(self.words, (key.name, key.namespace), instance)


def name_of_words(words: Sequence[str], names: Sequence[str], instance: str) -> str:
    """Return what each of some words is, of which the first stands in one of the names."""
    parts = (whole_word(words[0]).split(text) for text in names)
    before = (found[0].rstrip("-").rpartition("-")[2] for found in parts if len(found) > 1)
    usable = (each for each in before if each != instance and len(each) > 2 and is_resource_id(each))
    return name_of_part(words) or next(usable, "name")


def find_copies(
    resources: Sequence[DraftResource], links: Mapping[tuple[str, Path], Written], names: InstanceNames
) -> tuple[Copies, ...]:
    """Return the collections among the resources that are the same in each input that has them.

    Objects outside refer to none of the members, and the members refer to the same objects outside. Members of two
    collections refer to each other where they have the same word.
    """
    if len(set(names.names)) > 1:
        return ()  # names differ with the instance, so that a word in them may be a part of its name
    found: list[Copies] = []
    taken: set[str] = set()
    values = {each.id: value for each in resources if (value := _constant(each, names)) is not None}
    constant = [each for each in resources if each.id in values]
    for first in constant:
        if first.id in taken:
            continue
        group = _like(first, [each for each in constant if each.id not in taken], values, names.names[0])
        if group is not None:
            found.append(_in_order(group, found))
            taken.update(each.id for each in group.members)
    while True:
        words = {member.id: (group, word) for group in found for member, word in group.pairs}
        kept = [group for group in found if _holds_together(group, words, links)]
        if len(kept) == len(found):
            return tuple(found)
        found = kept


def _constant(resource: DraftResource, names: InstanceNames) -> JsonObject | None:
    """Return the object that all inputs have that have any, without the instance's namespace; None if they differ."""
    found = []
    for value, namespace in zip(resource.given, names.namespaces, strict=True):
        if value is not None:
            metadata = as_object(value.get("metadata"))
            own = {key: each for key, each in metadata.items() if (key, each) != ("namespace", namespace)}
            found.append({**value, "metadata": own})
    return found[0] if all(each == found[0] for each in found) else None


def _in_order(group: Copies, others: Sequence[Copies]) -> Copies:
    """Return copies with their words in the order of others that have the same words."""
    same = next((each.words for each in others if set(each.words) == set(group.words)), group.words)
    members = dict(zip(group.words, group.members, strict=True))
    return Copies(tuple(members[word] for word in same), same)


def _like(
    first: DraftResource, others: Sequence[DraftResource], values: Mapping[str, JsonObject], instance: str
) -> Copies | None:
    own_name = whole_word(instance) if instance else None
    for word in [*words_of(first.key.name), *words_of(first.key.namespace)]:
        if own_name and own_name.search(word):
            continue
        plain = _without(values[first.id], word)
        members, words = [first], [word]
        for other in others:
            if other is first or (other.key.kind, other.key.api_version) != (first.key.kind, first.key.api_version):
                continue
            own = _word_of(first.key, word, other.key)
            if (
                own
                and own not in words
                and not (own_name and own_name.search(own))
                and _without(values[other.id], own) == plain
            ):
                members.append(other)
                words.append(own)
        if len(members) > 1:
            return Copies(tuple(members), tuple(words))
    return None


def words_of(name: str) -> list[str]:
    """Return the words of a name and all sequences of adjacent ones, the shortest first."""
    return sorted(word_runs(name), key=lambda each: (each.count("-"), each))


def _word_of(key: Key, word: str, other: Key) -> str:
    """Return what another object has in the place of a word, in its name or else in its namespace."""
    if key.name != other.name:
        return word_in_place(key.name, word, other.name)
    return word_in_place(key.namespace, word, other.namespace)


def word_in_place(name: str, word: str, other: str) -> str:
    """Return what another name has in the place of a word, empty where it differs in more than that."""
    start, _, end = whole_word(word).sub(_PLACE, name, count=1).partition(_PLACE)
    fits = other.startswith(start) and other.endswith(end) and len(other) > len(start) + len(end)
    return other[len(start) : len(other) - len(end)] if fits else ""


def _without(value: JsonValue, word: str) -> list[tuple[Path, JsonValue]]:
    """Return what stands in an object, with a sign for the word."""
    pattern = whole_word(word)
    return [
        (path, pattern.sub(_PLACE, each) if isinstance(each, str) else each)
        for path, each in leaves(value)
        if isinstance(each, str | int | float | bool)
    ]


def _holds_together(
    group: Copies, words: Mapping[str, tuple[Copies, str]], links: Mapping[tuple[str, Path], Written]
) -> bool:
    ids = {each.id for each in group.members}
    outside: dict[str, set[str]] = {id_: set() for id_ in ids}
    for (id_, _), written in links.items():
        for used in written.uses:
            if id_ not in ids and used not in ids:
                continue
            if id_ in words and used in words:
                (one, own), (other, theirs) = words[id_], words[used]
                if own != theirs or one.words != other.words:
                    return False
            elif used in ids:
                return False
            else:
                outside[id_].add(used)
    first, *others = outside.values()
    return all(each == first for each in others)


_EXPRESSIONS: Final = re.compile(r"(\$\{[^}]*\})")


class Collector:
    """Writes collections; they know of each other, because objects for one word refer to each other."""

    def __init__(self, groups: Sequence[Copies], single: Iterable[DraftResource], variation: Variation) -> None:
        self._groups = groups
        self._variation = variation
        self._taken = {each.id for each in single}
        self._names: dict[frozenset[str], str] = {}
        for each in groups:
            self._names.setdefault(frozenset(each.words), self._free(each.name(variation.names.names[0])))
        self._ids = [self._free(plural(id_of_kind(each.members[0].key.kind))) for each in groups]

    def node(self, group: Copies, schema: KindSchema | None) -> DraftNode:
        """Return the collection for copies."""
        first, word = group.members[0], group.words[0]
        template = merged(first, schema, self._variation)
        id_ = self._ids[self._groups.index(group)]
        ready = readiness(first, schema, "each")
        over = self._only_link(template, word)
        if over is not None:
            iterator = self._free(id_of_kind(over.members[0].key.kind))
            code = self._ids[self._groups.index(over)]
            template = mapped(template, lambda each: _renamed(each, over.members[0].id, iterator))
            return DraftNode(id_, template, f"one for each of {code}", (iterator, expression(code)), (), ready)
        self._unlink(first, template)
        iterator = self._names[frozenset(group.words)]
        template = mapped(merged(first, schema, self._variation), lambda each: _with_word(each, word, iterator))
        words: tuple[JsonValue, ...] = tuple(
            [word for member, word in group.pairs if member.presence[number]] for number in range(len(first.given))
        )
        field = self._variation.fields.field(
            [plural(iterator)], words, f"the words in which the {first.key.kind}s differ"
        )
        why = f"{len(group.words)} objects differ in one word: {', '.join(group.words[:5])}"
        return DraftNode(id_, template, why, (iterator, expression(field.code)), (), ready)

    def _free(self, name: str) -> str:
        number, free = 1, name
        while free in self._taken:
            number += 1
            free = f"{name}{number}"
        self._taken.add(free)
        return free

    def _group_of(self, written: Written) -> Copies | None:
        return next((each for each in self._groups if written.uses & {one.id for one in each.members}), None)

    def _only_link(self, template: Template, word: str) -> Copies | None:
        """Return the collection to which a member refers, if it has the word from nowhere else."""
        linked = {id(each): each for _, written in written_in(template) if (each := self._group_of(written))}
        if len(linked) != 1 or not any(path[:1] == ("metadata",) for path, w in written_in(template) if w.uses):
            return None
        found: list[str] = []
        mapped(template, lambda each: _collect(each, word, found))
        return None if found else next(iter(linked.values()))

    def _unlink(self, first: DraftResource, template: Template) -> None:
        """Put names in place of references to members of other collections."""
        for path, written in list(written_in(template)):
            if self._group_of(written) is None:
                continue
            del self._variation.links[first.id, path]
            value = value_at(first.first, path)
            if isinstance(value, str):
                texts = [value if there else None for there in first.presence]
                name = self._variation.named(("metadata", "name"), first.first, texts)
                if name is not None:
                    self._variation.links[first.id, path] = name


def plural(word: str) -> str:
    """Return the plural of an English word."""
    if word.endswith("y") and word[-2:-1] not in "aeiou":
        return f"{word[:-1]}ies"
    return f"{word}es" if word.endswith(("s", "x", "ch", "sh")) else f"{word}s"


def _renamed(value: Template, id_: str, iterator: str) -> Template:
    if isinstance(value, Written) and id_ in value.uses:
        return Written(value.text.replace(f"${{{id_}.", f"${{{iterator}."), "", value.uses)
    return value


def _with_word(value: Template, word: str, iterator: str) -> Template:
    """Return a value with the iterator for each occurrence of a word."""
    pattern, by = whole_word(word), f"${{{iterator}}}"
    if isinstance(value, Written):
        parts = _EXPRESSIONS.split(value.text)
        text = "".join(part if number % 2 else pattern.sub(by, part) for number, part in enumerate(parts))
        return Written(text, value.why, value.uses)
    if isinstance(value, str) and pattern.search(value):
        return Written(by.join(map(escaped, pattern.split(value))))
    return value


def _collect(value: Template, word: str, found: list[str]) -> Template:
    """Note the texts that have a word outside of expressions."""
    text = value.text if isinstance(value, Written) else value if isinstance(value, str) else ""
    if whole_word(word).search(_EXPRESSIONS.sub("", text)):
        found.append(text)
    return value
