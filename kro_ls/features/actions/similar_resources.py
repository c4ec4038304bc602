"""Resources of a definition that are the same but for one word, which stands in their names."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, TypeAlias

from msgspec import Struct

from kro_ls.analysis.model.expressions import extract
from kro_ls.analysis.model.model import Resource, ResourceType
from kro_ls.authoring.from_manifests.copies import word_in_place, words_of
from kro_ls.authoring.from_manifests.naming import whole_word
from kro_ls.cursor.parts import resource_part
from kro_ls.kro.places import Place
from kro_ls.yaml_positions.access import field, text_of
from kro_ls.yaml_positions.nodes import Mapping, Scalar, Sequence

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.analysis.analysis import RgdAnalysis
    from kro_ls.analysis.model.paths import Path
    from kro_ls.cursor.parts import PlacedPart
    from kro_ls.yaml_positions.nodes import Node

Scalars: TypeAlias = "dict[Path, Scalar]"
NAMES: Final = (("metadata", "name"), ("metadata", "namespace"))
"""Where the word must stand, because two objects would be one otherwise."""

_WORD: Final = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?")
_PLACE: Final = "\0"
_COPIED: Final = frozenset({"id", "template", "readyWhen", "includeWhen"})


class Copy(Struct, frozen=True):
    """A resource, the word in which it differs from others, and the scalars of its template by their paths."""

    part: PlacedPart
    resource: Resource
    word: str
    scalars: Scalars


def similar_resources(rgd: RgdAnalysis, wanted: Resource) -> list[Copy]:
    """Return a resource and those that differ from it in one word, in their order; none if it is alone."""
    own = scalars_in(wanted)
    others = [
        (resource_part(rgd, each), each.resource, theirs)
        for each in rgd.rgd.resources
        if each.resource is not wanted
        and _is_like(wanted, each.resource)
        and (theirs := scalars_in(each.resource)).keys() == own.keys()
    ]
    placed = next((each for each in rgd.rgd.resources if each.resource is wanted), None)
    if not others or placed is None or wanted.type is not ResourceType.RESOURCE:
        return []
    for path, word in _candidates(own):
        found = [Copy(resource_part(rgd, placed), wanted, word, own)]
        for part, resource, scalars in others:
            other = word_in_place(own[path].text, word, scalars[path].text)
            is_new = other not in [each.word for each in found]
            if is_new and _WORD.fullmatch(other) and _values(scalars) == _values(own, word, other):
                found.append(Copy(part, resource, other, scalars))
        if len(found) > 1:
            return sorted(found, key=lambda each: each.part.span(each.resource.node.span).start)
    return []


def _candidates(scalars: Scalars) -> Iterator[tuple[Path, str]]:
    for path in NAMES:
        if path in scalars:
            literal = "-".join(part for part, is_code in parts_of(scalars[path].text) if not is_code)
            yield from ((path, word) for word in words_of(literal) if _WORD.fullmatch(word))


def _is_like(one: Resource, other: Resource) -> bool:
    return (
        other.type is one.type
        and other.id is not None
        and all(
            text_of(field(one.object, name)) == text_of(field(other.object, name)) for name in ("apiVersion", "kind")
        )
        and _conditions(one) == _conditions(other)
        and {*_names(one), *_names(other)} <= _COPIED
    )


def _names(resource: Resource) -> Iterator[str | None]:
    if isinstance(resource.node, Mapping):
        yield from (each.name for each in resource.node.entries)


def _conditions(resource: Resource) -> list[tuple[Place, str]]:
    """Return the conditions beside the template, with one name in place of the resource's own id."""
    found: list[tuple[Place, str]] = []
    for each in resource.expressions:
        if each.place is not Place.TEMPLATE:
            text = each.text
            for use in reversed(each.inspection.names):
                if use.name == resource.id:
                    text = text[: use.node.end - len(use.name)] + _PLACE + text[use.node.end :]
            found.append((each.place, text))
    return found


def scalars_in(resource: Resource) -> Scalars:
    """Return the scalars of a template by their paths; none where it has aliases or an empty object or list."""
    found: Scalars = {}
    return found if _collect(resource.template, (), found) else {}


def _collect(node: Node | None, path: Path, found: Scalars) -> bool:
    if isinstance(node, Scalar):
        found[path] = node
        return True
    if isinstance(node, Mapping) and node.entries:
        return all(each.name is not None and _collect(each.value, (*path, each.name), found) for each in node.entries)
    if isinstance(node, Sequence) and node.items:
        return all(_collect(each, (*path, index), found) for index, each in enumerate(node.items))
    return False


def _values(scalars: Scalars, word: str = "", other: str = "") -> dict[Path, object]:
    """Return the values by their paths, with another word in place of one outside of expressions."""
    pattern = whole_word(word) if word else None
    return {
        path: tuple(
            part if is_code or pattern is None else pattern.sub(lambda _: other, part)
            for part, is_code in parts_of(each.value)
        )
        if isinstance(each.value, str)
        else (each.value,)
        for path, each in scalars.items()
    }


def parts_of(text: str) -> Iterator[tuple[str, bool]]:
    """Yield the parts of a text in order, and whether each is an expression."""
    at = 0
    for each in extract(text).expressions:
        yield text[at : each.start], False
        yield text[each.start : each.end], True
        at = each.end
    yield text[at:], False
