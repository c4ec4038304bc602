"""Turns resources that differ in one word into a collection over these words."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

from lsprotocol import types

from kro_ls.analysis.model.model import Resource
from kro_ls.analysis.names.references import names, references
from kro_ls.authoring.from_manifests.collecting import plural
from kro_ls.authoring.from_manifests.copies import name_of_words
from kro_ls.authoring.from_manifests.draft_resources import id_of_kind
from kro_ls.authoring.from_manifests.naming import whole_word
from kro_ls.cursor.parts import parts
from kro_ls.features.actions.new_fields import free_name
from kro_ls.features.actions.refactorings import Refactoring
from kro_ls.features.actions.resource_lines import span_of_entry
from kro_ls.features.actions.similar_resources import NAMES, parts_of, similar_resources
from kro_ls.kro.identifiers import is_resource_id
from kro_ls.kro.places import Place
from kro_ls.repairs.declarations import declaration, line_of
from kro_ls.repairs.same_objects import objects_before_and_after
from kro_ls.yaml_positions.access import entry_of
from kro_ls.yaml_positions.nodes import ScalarStyle
from kro_ls.yaml_positions.positions import Span
from kro_ls.yaml_positions.writing import Replacement, quoted, replace_in_scalar

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.analysis.analysis import RgdAnalysis
    from kro_ls.cursor.cursor import Cursor
    from kro_ls.features.actions.similar_resources import Copy
    from kro_ls.yaml_positions.nodes import Scalar


def copy_refactorings(cursor: Cursor) -> Iterator[Refactoring]:
    """Yield that the resource at the cursor and those like it become a collection that gives the same objects."""
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
    if declared and not readers:  # whose place in the list is not known
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

    None where YAML is in the way.
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
    """Return the edits that put the iterator in place of a word in a scalar; None where it would be other YAML."""
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
