"""Lenses over an RGD and each of its resources, which show the state of its preview and run it; and over instances.

Editors draw a lens above its line. So one stands on the first line of the definition or the resource, which it then
does not cut in two. It is drawn without a title first; `resolve` gives it one, for the lenses that are on the screen.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from kro_ls.features.convert import to_quick_range
from kro_ls.features.lsp_types import CodeLens
from kro_ls.rules.files.reported_places import short_path
from kro_ls.rules.refusals import refused_text
from kro_ls.runtime.nodes.compiled import missing_nodes
from kro_ls.runtime.passes.reasons import phrase
from kro_ls.workspace.stuck_instances import is_stuck, value_of
from kro_ls.yaml_positions.nodes import field
from kro_ls.yaml_positions.positions import Span

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.features.previews.preview import Preview
    from kro_ls.rules.diagnostics import Diagnostic
    from kro_ls.workspace.documents import Document

COMMAND = "kro.preview"
WHY = "kro.why"


def code_lenses(document: Document) -> list[CodeLens]:
    """Return the lenses without their commands. `data` are the arguments of the command."""
    lenses = []
    for number, rgd in enumerate(document.analysis.rgds):
        if document.settings.version not in rgd.rgd.form.versions:
            continue
        arguments: dict[str, str | int] = {"uri": document.uri, "definition": number}
        root = rgd.rgd.frame.chunk.root
        start = rgd.rgd.frame.to_document(root.start) if root else rgd.rgd.document.start
        lenses.append(_lens(document, start, arguments))
        for name, each in rgd.resources.items():
            node = field(each.resource.node, "id")
            if node is not None and node is each.resource.id_node:
                start = each.placed.to_document(each.resource.node.start)
                lenses.append(_lens(document, start, {**arguments, "resource": name}))
    return [*lenses, *_of_instances(document)]


def _of_instances(document: Document) -> Iterator[CodeLens]:
    """Yield the lenses of each instance; `instance` is its number among those of the document.

    One that comes from a cluster and is not ready there has a second lens, which asks why.
    """
    for number, each in enumerate(each for each in document.described if each.kind):
        root = each.document.frame.chunk.root
        if root is not None:
            start = each.document.frame.to_document(root.start)
            data: dict[str, str | int] = {"uri": document.uri, "instance": number}
            yield _lens(document, start, data)
            if field(root, "status") is not None and is_stuck(value_of(each)):
                yield _lens(document, start, {**data, "asks": WHY})


def instance_of(lens: types.CodeLens) -> tuple[str, int] | None:
    """Return the URI of an instance's lens, and the number of the instance in it; None for other lenses."""
    data = lens.data if isinstance(lens.data, dict) else {}
    uri, number = data.get("uri"), data.get("instance")
    return (uri, number) if isinstance(uri, str) and isinstance(number, int) else None


def resolve_instance(lens: types.CodeLens, document: Document, definition: tuple[str, int] | None) -> types.CodeLens:
    """Return a lens of an instance with its command, which previews it or explains why it is not ready.

    `definition` is a URI and the place there.
    """
    instances = [(each.kind, each.choice) for each in document.described if each.kind]
    found = instance_of(lens)
    if found is None or definition is None or not 0 <= found[1] < len(instances):
        return lens
    data = lens.data if isinstance(lens.data, dict) else {}
    if data.get("asks") == WHY:
        arguments: dict[str, str | int] = {"uri": document.uri, "item": found[1]}
        return types.CodeLens(lens.range, types.Command("Why is it not ready?", WHY, arguments=[arguments]), lens.data)
    kind, choice = instances[found[1]]
    title = "Preview this instance"
    if choice:
        title += f" with {short_path(kind.source)}, {choice.reason} of {len(choice.kinds)} definitions"
    item = sum(each.name == kind.name for each, _ in instances[: found[1]])
    arguments = {"uri": definition[0], "definition": definition[1], "instance": document.uri, "item": item}
    return types.CodeLens(lens.range, types.Command(title, COMMAND, arguments=[arguments]), lens.data)


def _lens(document: Document, start: int, data: dict[str, str | int]) -> CodeLens:
    return CodeLens(to_quick_range(document, Span(start, start)), data)


def place_of(lens: types.CodeLens) -> tuple[str, int]:
    """Return the URI of a lens's document, and the place of its definition in it; an empty URI for a foreign lens."""
    data = lens.data if isinstance(lens.data, dict) else {}
    uri, number = data.get("uri"), data.get("definition")
    return (uri, number) if isinstance(uri, str) and isinstance(number, int) and number >= 0 else ("", 0)


def resolve(
    lens: types.CodeLens, preview: Preview | None, shown: tuple[Diagnostic, ...] | None = None
) -> types.CodeLens:
    """Return the lens with its title and command; without a preview, which is judged, the title only offers one.

    `shown` are the errors of the preview that a typing user sees, None for all; the title mentions no others.
    Titles are short phrases: what an evaluator or the API server says in full is in the preview.
    """
    arguments = lens.data if isinstance(lens.data, dict) else {}
    resource = arguments.get("resource")
    errors = preview.errors if preview and shown is None else shown or ()
    title = _resource_title(preview, str(resource), errors) if resource is not None else _title(preview, errors)
    command = types.Command(title, COMMAND, arguments=[arguments])
    return types.CodeLens(lens.range, command, lens.data)


def _title(preview: Preview | None, shown: tuple[Diagnostic, ...]) -> str:
    if preview is None:
        return "Preview"
    title = f"Preview with {preview.instance.label}"
    if preview.errors:
        return f"{refused_text(shown)} · {title}" if shown else title
    if preview.simulation is None:
        return f"{title} · the API server refuses this instance"
    return f"{title} · {preview.simulation.state.value}"


def _resource_title(preview: Preview | None, id_: str, shown: tuple[Diagnostic, ...]) -> str:
    if preview is None:
        return "Preview"
    result = preview.node(id_)
    if result is None:
        reason = next((each.reason for each in missing_nodes(preview.rgd) if each.id == id_), "")
        return f"missing: {reason}" if reason else "Preview"
    count = result.count
    noun = "external object" if result.is_external else "object"
    objects = f"1 {noun}" if count == 1 else f"{count} {noun}s"
    if preview.errors and count:
        refusal = f" · not {'read' if result.is_external else 'created'}: kro refuses the definition"
        return objects + (refusal if shown else "")
    return f"{objects} · {phrase(result)}" if count else phrase(result)
