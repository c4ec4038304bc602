"""Collections in place of objects that differ in one word."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from kro_ls.authoring.from_manifests.draft_node import DraftNode, mapped, readiness, written_in
from kro_ls.authoring.from_manifests.draft_resources import id_of_kind
from kro_ls.authoring.from_manifests.merging import merged
from kro_ls.authoring.from_manifests.naming import whole_word
from kro_ls.authoring.from_manifests.template_text import Written, escaped, expression
from kro_ls.openapi.json_values import value_at

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from kro_ls.authoring.from_manifests.copies import Copies
    from kro_ls.authoring.from_manifests.draft_resources import DraftResource
    from kro_ls.authoring.from_manifests.input_objects import Path
    from kro_ls.authoring.from_manifests.schema_fields import Fields
    from kro_ls.authoring.from_manifests.variation import Template, Variation
    from kro_ls.openapi.json_values import JsonValue
    from kro_ls.openapi.kind_schema import KindSchema

_EXPRESSIONS: Final = re.compile(r"(\$\{[^}]*\})")


class Collector:
    """Writes collections; they know of each other, because objects for one word refer to each other."""

    def __init__(
        self,
        groups: Sequence[Copies],
        single: Iterable[DraftResource],
        variation: Variation,
        links: dict[tuple[str, Path], Written],
        fields: Fields,
    ) -> None:
        self._groups = groups
        self._variation = variation
        self._links = links
        self._fields = fields
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
        words: tuple[JsonValue, ...] = tuple([*group.words_in(number)] for number in range(len(first.given)))
        field = self._fields.field([plural(iterator)], words, f"the words in which the {first.key.kind}s differ")
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
            del self._links[first.id, path]
            value = value_at(first.first, path)
            if isinstance(value, str):
                texts = [value if there else None for there in first.presence]
                name = self._variation.named(("metadata", "name"), first.first, texts)
                if name is not None:
                    self._links[first.id, path] = name


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
