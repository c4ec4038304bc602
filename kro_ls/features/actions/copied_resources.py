"""Turns resources that differ in one word, which stands in their names, into a collection over these words."""

from __future__ import annotations

import re
from itertools import chain
from typing import TYPE_CHECKING, Final, TypeAlias

from lsprotocol import types
from msgspec import Struct

from kro_ls.analysis.model.expressions import extract
from kro_ls.analysis.model.model import Resource, ResourceType
from kro_ls.analysis.names.references import names, references
from kro_ls.authoring.from_manifests.copies import name_of_words, plural, word_in_place, words_of
from kro_ls.authoring.from_manifests.draft_resources import id_of_kind
from kro_ls.authoring.from_manifests.naming import whole_word
from kro_ls.cursor.parts import parts, resource_part
from kro_ls.features.actions.refactoring import Refactoring
from kro_ls.features.actions.resource_refactorings import span_of_entry
from kro_ls.features.actions.schema_refactorings import free_name
from kro_ls.kro.identifiers import is_resource_id
from kro_ls.kro.places import Place
from kro_ls.repairs.declarations import declaration, line_of
from kro_ls.repairs.same_objects import objects_before_and_after
from kro_ls.yaml_positions.nodes import Mapping, Scalar, Sequence, entry_of, field, text_of
from kro_ls.yaml_positions.positions import Span
from kro_ls.yaml_positions.scalars.resolution import ScalarStyle
from kro_ls.yaml_positions.scalars.writing import Replacement, quoted, replace_in_scalar

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.analysis.analysis import RgdAnalysis
    from kro_ls.analysis.model.paths import Path
    from kro_ls.cursor.cursor import Cursor
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


def copy_refactorings(cursor: Cursor) -> Iterator[Refactoring]:
    """Yield a refactoring that makes the resource at the cursor and those like it a collection of the same objects."""
    part, path, rgd = cursor.part, cursor.yaml.path if cursor.yaml else (), cursor.rgd
    if rgd is None or part is None or len(path) > 5 or not isinstance(part.part, Resource):
        return
    copies = similar_resources(rgd, part.part)
    if not copies:
        return
    kept = next(each for each in copies if each.resource is part.part)
    others = [each for each in copies if each is not kept]
    taken = {*rgd.resources, *chain.from_iterable(map(names, (each.part for each in parts(rgd))))}
    taken -= {each.resource.id for each in copies}
    id_ = _free(plural(id_of_kind(kept.scalars[("kind",)].text)), taken)
    words = [each.word for each in copies]
    texts = [kept.scalars[path].text for path in NAMES if path in kept.scalars]
    iterator = _free(name_of_words([kept.word, *words], texts, ""), {*taken, id_})
    edits = _edits(cursor.document.text.content, kept, others, id_, iterator)
    start = _line_of_template(kept)
    if edits is None or start is None:
        return
    readers = list(_readers(rgd, copies, id_))
    title = f"Turn {len(copies)} copies into a collection"
    listed = ", ".join(f'"{each}"' for each in words)
    yield from _same(cursor, title, (*edits, *readers, _for_each(kept, *start, iterator, f"[{listed}]")))
    field = free_name(rgd, plural(iterator))
    declared = declaration(rgd, field, f"'[]string | default=[{listed}]'")
    if declared and not readers:  # their places in the list are unknown
        over = _for_each(kept, *start, iterator, f"schema.spec.{field}")
        yield from _same(cursor, f"{title} over 'schema.spec.{field}'", (*edits, over, declared))


def _same(cursor: Cursor, title: str, edits: tuple[Replacement, ...]) -> Iterator[Refactoring]:
    """Yield a change if it gives the same objects."""
    found = objects_before_and_after(cursor.document, cursor.rgd, edits) if cursor.rgd else None
    if found and found[0] == found[1]:
        yield Refactoring(types.CodeActionKind.RefactorRewrite, title, edits)


def _free(name: str, taken: set[str | None]) -> str:
    numbered = (name, *(f"{name}{number}" for number in range(2, 1000)))
    return next(each for each in numbered if each not in taken and is_resource_id(each))


def _edits(content: str, kept: Copy, others: list[Copy], id_: str, iterator: str) -> list[Replacement] | None:
    """Return the edits of the copy that becomes the collection and those that remove the others.

    None where their YAML cannot be changed so.
    """
    id_node, chunk = kept.resource.id_node, kept.part.placed.chunk.text
    spans = [span_of_entry(content, each.part.span(each.resource.node.span)) for each in others]
    if id_node is None:
        return None
    edits: list[Replacement] = [Replacement(kept.part.span(id_node.span), id_)]
    for span in spans:
        if span is None:
            return None
        edits.append(Replacement(span, ""))
    for scalar in kept.scalars.values():
        made = _with_iterator(chunk, scalar, kept.word, iterator)
        if made is None:
            return None
        edits += (Replacement(kept.part.span(each.span), each.text) for each in made)
    for each in references(kept.resource):
        if each.name == kept.resource.id and each.expression.place is Place.READY_WHEN:
            edits.append(Replacement(kept.part.span(each.span), "each"))
    return edits


def _with_iterator(chunk: str, scalar: Scalar, word: str, iterator: str) -> list[Replacement] | None:
    """Return the edits that put the iterator in place of a word in a scalar; None where YAML cannot hold it."""
    if not isinstance(scalar.value, str):
        return []
    pattern, by = whole_word(word), f"${{{iterator}}}"
    spans: list[Span] = []
    at = 0
    for part, is_code in parts_of(scalar.value):
        spans += [] if is_code else [Span(at + each.start(), at + each.end()) for each in pattern.finditer(part)]
        at += len(part)
    if len(spans) > 1 and scalar.style not in (ScalarStyle.LITERAL, ScalarStyle.FOLDED):
        text = "".join(part if is_code else pattern.sub(by, part) for part, is_code in parts_of(scalar.value))
        return [Replacement(scalar.span, quoted(text))]
    made = [replace_in_scalar(chunk, scalar, span, by, in_flow=True) for span in spans]
    found = [each for each in made if each is not None]
    return found if len(found) == len(spans) else None


def _line_of_template(copy: Copy) -> tuple[int, str] | None:
    """Return where the line of the template begins, and its indentation; None where it shares its line."""
    template = entry_of(copy.resource.node, "template")
    if template is None:
        return None
    start, before = line_of(copy.part.placed.chunk.text, template.key.start)
    return None if before.strip(" ") else (start, before)


def _for_each(copy: Copy, start: int, indent: str, iterator: str, over: str) -> Replacement:
    lines = f"{indent}forEach:\n{indent}  - {iterator}: ${{{over}}}\n"
    return Replacement(copy.part.span(Span(start, start)), lines)


def _readers(rgd: RgdAnalysis, copies: list[Copy], id_: str) -> Iterator[Replacement]:
    """Yield the edits of the expressions that read a copy: to others a collection is a list."""
    places = {each.resource.id: number for number, each in enumerate(copies)}
    own = {id(each.resource) for each in copies}
    for part in parts(rgd):
        for reference in references(part.part):
            if reference.name in places and id(part.part) not in own:
                yield Replacement(part.span(reference.span), f"{id_}[{places[reference.name]}]")


def similar_resources(rgd: RgdAnalysis, wanted: Resource) -> list[Copy]:
    """Return a resource and those that differ from it in one word, in their order; none if it is alone.

    Of several words, the one that makes the most resources alike counts: `b` of `app-b`, `app-red` and `app-a-b`.
    """
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
    most: list[Copy] = []
    for path, word in _candidates(own):
        found = [Copy(resource_part(rgd, placed), wanted, word, own)]
        for part, resource, scalars in others:
            other = word_in_place(own[path].text, word, scalars[path].text)
            is_new = other not in [each.word for each in found]
            if is_new and _WORD.fullmatch(other) and _values(scalars) == _values(own, word, other):
                found.append(Copy(part, resource, other, scalars))
        most = max(most, found, key=len)
    return sorted(most, key=lambda each: each.part.span(each.resource.node.span).start) if len(most) > 1 else []


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
