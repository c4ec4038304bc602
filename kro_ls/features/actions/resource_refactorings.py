"""Changes of resources: their readiness and order, collections, and manifests that become resources."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from kro_ls.analysis.model.model import Resource, ResourceType
from kro_ls.analysis.names.references import references
from kro_ls.analysis.readiness import conditions_of
from kro_ls.authoring.from_manifests.input_objects import UnusableObjectsError
from kro_ls.cursor.parts import parts, rgd_at
from kro_ls.features.actions.refactoring import Refactoring
from kro_ls.openapi.json_values import as_object
from kro_ls.repairs.declarations import line_of
from kro_ls.repairs.imports import import_manifests
from kro_ls.repairs.proof import change_to, document_after
from kro_ls.yaml_positions.nodes import Mapping, Scalar, entry_of, field, to_python
from kro_ls.yaml_positions.positions import Span
from kro_ls.yaml_positions.scalars.writing import Replacement, edited, quoted, replace_in_scalar

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.analysis.analysis import RgdAnalysis
    from kro_ls.analysis.model.model import PlacedResource
    from kro_ls.cursor.cursor import Cursor
    from kro_ls.cursor.parts import PlacedPart

_ITERATOR = "element"
_OF_OBJECT = frozenset({"apiVersion", "kind"})
_OF_RESOURCE = frozenset({"id", "template", "externalRef", "forEach", "includeWhen", "readyWhen"})


def resource_refactorings(cursor: Cursor) -> Iterator[Refactoring]:
    """Yield the refactorings of the resource at the cursor, where its entry begins."""
    part, path = cursor.part, cursor.yaml.path if cursor.yaml else ()
    if part is None or not isinstance(part.part, Resource) or len(path) > 4:
        return
    yield from _with_readiness(cursor)
    yield from _sorted_resources(cursor)


def _with_readiness(cursor: Cursor) -> Iterator[Refactoring]:
    part, rgd = cursor.part, cursor.rgd
    if part is None or rgd is None or not isinstance(part.part, Resource) or part.part.id is None:
        return
    resource = part.part
    written = entry_of(resource.node, "template") or entry_of(resource.node, "externalRef")
    if entry_of(resource.node, "readyWhen") or written is None:
        return
    chunk = part.placed.chunk.text
    start, before = line_of(chunk, written.key.start)
    best = next(iter(conditions_of(resource, rgd.kind(resource))), None)
    if before.strip(" ") or best is None or best.is_guess:
        return
    lines = f"{before}readyWhen:\n{before}  - {quoted(f'${{{best.expression}}}')}\n"
    yield Refactoring(
        types.CodeActionKind.RefactorRewrite,
        f"Wait until {best.means}",
        (Replacement(part.span(Span(start, start)), lines),),
    )


def _sorted_resources(cursor: Cursor) -> Iterator[Refactoring]:
    """Yield a refactoring that puts each resource, with the comments above it, after those that it depends on."""
    rgd = cursor.rgd
    if rgd is None or rgd.table.repeated or rgd.cycles:
        return
    resources = rgd.rgd.resources
    ids = [each.resource.id for each in resources]
    order = list(rgd.graph.order)
    if len(resources) < 2 or ids == order or sorted(map(str, ids)) != sorted(order):
        return
    content = cursor.document.text.content
    spans = [_span(each) for each in resources]
    starts = [start_of_entry(content, each.start) for each in spans]
    if None in starts:
        return
    placed = [each for each in starts if each is not None]
    end = _end_of_entry(content, spans[-1])
    texts = [content[start:stop] for start, stop in zip(placed, (*placed[1:], end), strict=True)]
    by_id = {name: text if text.endswith("\n") else f"{text}\n" for name, text in zip(ids, texts, strict=True)}
    text = "".join(by_id[name] for name in order)
    edit = Replacement(Span(placed[0], end), text if content[:end].endswith("\n") else text.removesuffix("\n"))
    yield Refactoring(types.CodeActionKind.RefactorRewrite, "Sort the resources by what they depend on", (edit,))


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
    """Yield a refactoring that puts each iterator into the name: without it two objects would have the same name."""
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
    """Yield a refactoring that leaves only the object of the first items, where nothing reads the collection."""
    for_each = entry_of(resource.node, "forEach")
    if for_each is None or resource.id is None or _is_read_elsewhere(cursor, resource):
        return
    ranges = {each.name: each.expression.text for each in resource.dimensions if each.expression}
    chunk = part.placed.chunk.text
    start, before = line_of(chunk, for_each.key.start)
    uses = [reference for reference in references(resource) if reference.name in (*ranges, "each")]
    is_simple = not any(each in text for text in ranges.values() for each in ("\n", '"', "'", ": "))
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


def manifest_refactorings(cursor: Cursor) -> Iterator[Refactoring]:
    """Yield a refactoring that makes resources of the manifests among them, if the cursor is in one."""
    document, rgd = cursor.document, cursor.rgd
    found = list(_bare(rgd)) if rgd else []
    if rgd is None or not any(_span(each).contains(cursor.offset) for each in found):
        return
    content = document.text.content
    spans = [span_of_entry(content, _span(each)) for each in found]
    removals = tuple(Replacement(each, "") for each in spans if each)
    if len(removals) < len(found):
        return
    without = document_after(document, (change_to(document, edited(content, removals)),))
    cut = rgd_at(without.analysis, rgd.rgd.document.start)
    if cut is None:
        return
    try:
        made = import_manifests(without, cut, [as_object(to_python(each.resource.node)) for each in found])
    except UnusableObjectsError:
        return  # their faults are diagnosed
    change = change_to(document, edited(without.text.content, (made.replacement,)))
    title = (
        "Import the manifest as a resource" if len(made.ids) == 1 else f"Import {len(made.ids)} manifests as resources"
    )
    yield Refactoring(types.CodeActionKind.RefactorRewrite, title, (change,))


def _bare(rgd: RgdAnalysis) -> Iterator[PlacedResource]:
    for each in rgd.rgd.resources:
        node = each.resource.node
        names = {entry.name for entry in node.entries} if isinstance(node, Mapping) else set()
        if names >= _OF_OBJECT and not names & _OF_RESOURCE:
            yield each


def _span(placed: PlacedResource) -> Span:
    return placed.placed.document_span(placed.resource.node.span)


def start_of_entry(content: str, offset: int) -> int | None:
    """Return where the lines of a list's item begin, with the comments above it; None where it shares its line.

    A comment has the column of the dash: other such lines may be a text of the item before.
    """
    start, before = line_of(content, offset)
    if before.strip(" ") != "-":
        return None
    while start:
        above, line = line_of(content, start - 1)
        if not line.startswith(before.replace("-", "#").rstrip()):
            break
        start = above
    return start


def span_of_entry(content: str, span: Span) -> Span | None:
    """Return the lines of a list's item, with the comments and blank lines above it; None where it shares its line."""
    start = start_of_entry(content, span.start)
    if start is None:
        return None
    while start and not content[line_of(content, start - 1)[0] : start].strip():
        start = line_of(content, start - 1)[0]
    return Span(start, _end_of_entry(content, span))


def _end_of_entry(content: str, span: Span) -> int:
    """Return where the last line of a list's item ends, its line break included."""
    line_end = content.find("\n", span.start + len(content[span.start : span.end].rstrip()))
    return len(content) if line_end < 0 else line_end + 1
