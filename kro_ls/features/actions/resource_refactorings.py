"""Changes of resources: when they are ready, and the order in which they stand."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from kro_ls.analysis.model.model import Resource
from kro_ls.analysis.readiness import conditions_of
from kro_ls.features.actions.refactorings import Refactoring
from kro_ls.features.actions.resource_lines import start_of_entry
from kro_ls.repairs.declarations import line_of
from kro_ls.yaml_positions.access import entry_of
from kro_ls.yaml_positions.positions import Span
from kro_ls.yaml_positions.writing import Replacement, quoted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.cursor.cursor import Cursor


def resource_refactorings(cursor: Cursor) -> Iterator[Refactoring]:
    """Yield what can be done with the resource at the cursor, where its entry begins."""
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
    """Yield that each resource stands after those that it depends on, with the comments above it."""
    rgd = cursor.rgd
    if rgd is None or rgd.table.repeated or rgd.graph.cycles:
        return
    resources = rgd.rgd.resources
    ids = [each.resource.id for each in resources]
    order = list(rgd.graph.order)
    if len(resources) < 2 or ids == order or sorted(map(str, ids)) != sorted(order):
        return
    content = cursor.document.text.content
    starts = [start_of_entry(content, each.placed.document_span(each.resource.node.span).start) for each in resources]
    if None in starts:
        return
    known = [each for each in starts if each is not None]
    last = resources[len(resources) - 1]
    end = last.placed.document_span(last.resource.node.span).end
    end = known[-1] + len(content[known[-1] : end].rstrip())
    line_end = content.find("\n", end)
    end = len(content) if line_end < 0 else line_end + 1
    texts = [content[start:stop] for start, stop in zip(known, (*known[1:], end), strict=True)]
    by_id = {name: text if text.endswith("\n") else f"{text}\n" for name, text in zip(ids, texts, strict=True)}
    text = "".join(by_id[name] for name in order)
    edit = Replacement(Span(known[0], end), text if content[:end].endswith("\n") else text.removesuffix("\n"))
    yield Refactoring(types.CodeActionKind.RefactorRewrite, "Sort the resources by what they depend on", (edit,))
