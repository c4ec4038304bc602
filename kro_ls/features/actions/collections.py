"""Makes a collection of a resource and back, and puts iterators into the names of its objects."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from kro_ls.analysis.model.model import Resource, ResourceType
from kro_ls.analysis.names.references import references
from kro_ls.cursor.parts import parts
from kro_ls.features.actions.refactorings import Refactoring
from kro_ls.repairs.declarations import line_of
from kro_ls.yaml_positions.access import entry_of, field
from kro_ls.yaml_positions.nodes import Scalar
from kro_ls.yaml_positions.positions import Span
from kro_ls.yaml_positions.writing import Replacement, replace_in_scalar

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.cursor.cursor import Cursor
    from kro_ls.cursor.parts import PlacedPart

_ITERATOR = "element"


def collection_refactorings(cursor: Cursor) -> Iterator[Refactoring]:
    """Yield the changes of the resource at the cursor that have to do with `forEach`."""
    part, path = cursor.part, cursor.yaml.path if cursor.yaml else ()
    if part is None or not isinstance(part.part, Resource) or len(path) > 5 or cursor.rgd is None:
        return
    if part.part.type is ResourceType.COLLECTION:
        yield from _with_iterators(part, part.part)
        yield from _single(cursor, part, part.part)
    elif part.part.type is ResourceType.RESOURCE:
        yield from _collection(cursor, part, part.part)


def _with_iterators(part: PlacedPart, resource: Resource) -> Iterator[Refactoring]:
    """Yield that the name holds each iterator: without it two objects would have the same name."""
    name = field(field(resource.object, "metadata"), "name")
    used = {
        reference.name for reference in references(resource) if reference.expression.path[:2] == ("metadata", "name")
    }
    missing = [each.name for each in resource.dimensions if each.name not in used]
    edit = _with_suffix(part, name, missing) if isinstance(name, Scalar) and missing else None
    if edit:
        listed = " and ".join(f"'{each}'" for each in missing)
        yield Refactoring(types.CodeActionKind.RefactorRewrite, f"Put {listed} into the name", (edit,))


def _with_suffix(part: PlacedPart, name: Scalar, iterators: list[str]) -> Replacement | None:
    if not isinstance(name.value, str) or "\n" in name.text:
        return None
    suffix = "".join(f"-${{{each}}}" for each in iterators)
    end = len(name.text)
    edit = replace_in_scalar(part.placed.chunk.text, name, Span(end, end), suffix, in_flow=True)
    return Replacement(part.span(edit.span), edit.text) if edit else None


def _is_read_elsewhere(cursor: Cursor, resource: Resource) -> bool:
    """Whether others read the resource: to them a collection is a list."""
    rgd = cursor.rgd
    return rgd is None or any(
        reference.name == resource.id
        for part in parts(rgd)
        if part.part is not resource
        for reference in references(part.part)
    )


def _collection(cursor: Cursor, part: PlacedPart, resource: Resource) -> Iterator[Refactoring]:
    template = entry_of(resource.node, "template")
    name = field(field(resource.object, "metadata"), "name")
    if template is None or resource.id is None or _is_read_elsewhere(cursor, resource):
        return
    chunk = part.placed.chunk.text
    start, before = line_of(chunk, template.key.start)
    suffix = _with_suffix(part, name, [_ITERATOR]) if isinstance(name, Scalar) else None
    if before.strip(" ") or suffix is None or _ITERATOR in {each.name for each in references(resource)}:
        return
    lines = f'{before}forEach:\n{before}  - {_ITERATOR}: ${{["a", "b"]}}\n'
    renamed = (
        Replacement(part.span(reference.span), "each")
        for reference in references(resource)
        if reference.name == resource.id
    )
    edits = (Replacement(part.span(Span(start, start)), lines), suffix, *renamed)
    yield Refactoring(types.CodeActionKind.RefactorRewrite, "Make it a collection", edits)


def _single(cursor: Cursor, part: PlacedPart, resource: Resource) -> Iterator[Refactoring]:
    """Yield that only the object of the first items is left, where nobody reads the collection."""
    for_each = entry_of(resource.node, "forEach")
    if for_each is None or resource.id is None or _is_read_elsewhere(cursor, resource):
        return
    ranges = {each.name: each.expression.text for each in resource.dimensions if each.expression}
    chunk = part.placed.chunk.text
    start, before = line_of(chunk, for_each.key.start)
    uses = [reference for reference in references(resource) if reference.name in (*ranges, "each")]
    is_simple = not any(part in text for text in ranges.values() for part in ("\n", '"', "'", ": "))
    if before.strip(" ") or len(ranges) < len(resource.dimensions) or not is_simple:
        return
    end = chunk.find("\n", start + len(chunk[start : for_each.value.end].rstrip())) + 1
    edits = [Replacement(part.span(Span(start, end or len(chunk))), "")]
    for reference in uses:
        if for_each.value.start <= reference.span.start < for_each.value.end:
            return  # one iterator runs over what another one gives
        text = resource.id if reference.name == "each" else f"({ranges[reference.name]})[0]"
        edits.append(Replacement(part.span(reference.span), text))
    title = "Make it a single resource, of the first item"
    yield Refactoring(types.CodeActionKind.RefactorRewrite, title, tuple(edits))
