"""Objects that differ in one word, such as one for each team: they become a collection."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from msgspec import Struct

from kro_ls.authoring.from_manifests.input_objects import leaves
from kro_ls.authoring.from_manifests.naming import whole_word
from kro_ls.authoring.from_manifests.schema_fields import name_of_part

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from kro_ls.authoring.from_manifests.draft_resources import DraftResource
    from kro_ls.authoring.from_manifests.input_objects import Path
    from kro_ls.authoring.from_manifests.template_text import Written
    from kro_ls.openapi.json_values import JsonValue

_PLACE: Final = "\0"


class Copies(Struct, frozen=True, eq=False):
    """Resources that are one object for each of some words."""

    members: tuple[DraftResource, ...]
    words: tuple[str, ...]

    @property
    def name(self) -> str:
        """The name of the list of words."""
        return f"{name_of_part(self.words) or 'name'}s"


def find_copies(
    resources: Sequence[DraftResource], links: Mapping[tuple[str, Path], Written], instance: str
) -> tuple[Copies, ...]:
    """Return the collections among the resources of one input.

    None has a member to which only some of the others are linked: it then is something of its own.
    """
    found: list[Copies] = []
    taken: set[str] = set()
    for first in resources:
        if first.id in taken or len(first.given) > 1:
            continue
        group = _like(first, [each for each in resources if each.id not in taken], instance)
        if group is not None and _stands_alone(group, links):
            found.append(group)
            taken.update(each.id for each in group.members)
    return tuple(found)


def _like(first: DraftResource, others: Sequence[DraftResource], instance: str) -> Copies | None:
    own_name = whole_word(instance) if instance else None
    for word in _words_of(first.key.name):
        if own_name and own_name.search(word):
            continue
        plain = _without(first.first, word)
        members, words = [first], [word]
        for other in others:
            if other is first or (other.key.kind, other.key.api_version) != (first.key.kind, first.key.api_version):
                continue
            own = _word_in_place(first.key.name, word, other.key.name)
            if (
                own
                and own not in words
                and not (own_name and own_name.search(own))
                and _without(other.first, own) == plain
            ):
                members.append(other)
                words.append(own)
        if len(members) > 1:
            return Copies(tuple(members), tuple(words))
    return None


def _words_of(name: str) -> list[str]:
    parts = name.split("-")
    runs = {"-".join(parts[i:j]) for i in range(len(parts)) for j in range(i + 1, len(parts) + 1)}
    return sorted(runs, key=lambda each: (each.count("-"), each))


def _word_in_place(name: str, word: str, other: str) -> str:
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


def _stands_alone(group: Copies, links: Mapping[tuple[str, Path], Written]) -> bool:
    ids = {each.id for each in group.members}
    out: dict[str, set[frozenset[str]]] = {id_: set() for id_ in ids}
    for (id_, _), written in links.items():
        if id_ not in ids and written.uses & ids:
            return False
        if id_ in ids:
            out[id_].add(written.uses)
    first, *others = out.values()
    return all(each == first for each in others)
