"""Writes a draft as YAML, with a comment for each guess."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kro_ls.authoring.from_manifests.draft_resources import written_in
from kro_ls.authoring.from_manifests.template_text import Written, escaped
from kro_ls.kro.forms import API_VERSION, KIND
from kro_ls.printable import printable
from kro_ls.render.yaml_text import indented, lines, placed_lines

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from kro_ls.authoring.from_manifests.draft_resources import DraftNode
    from kro_ls.authoring.from_manifests.drafting import Draft
    from kro_ls.authoring.from_manifests.input_objects import Path
    from kro_ls.authoring.from_manifests.template_text import Template
    from kro_ls.openapi.json_values import JsonValue


def definition_yaml(draft: Draft, *, plain: bool = False) -> str:
    """Return the definition; `plain` leaves out the comments."""
    return _text(_lines(draft), plain=plain)


def resources_yaml(nodes: Iterable[DraftNode], indent: int) -> str:
    """Return entries of `spec.resources` whose dashes stand in a column."""
    return _text((indented(each, indent) for each in _resource_lines(nodes)), plain=False)


def _text(made: Iterable[str], *, plain: bool) -> str:
    kept = [each for each in made if not (plain and each.lstrip().startswith(_MARK))]
    return "".join(f"{each.replace(_MARK, '#', 1) if each.lstrip().startswith(_MARK) else each}\n" for each in kept)


_MARK = "\0#"
"""Begins the lines that are comments of ours: a text of the user may have lines that begin with `#`."""


def _comment(text: str) -> list[str]:
    return [f"{_MARK} {printable(text)}"] if text else []


def _lines(draft: Draft) -> Iterator[str]:
    yield from _comment(_head(draft))
    yield from lines({"apiVersion": API_VERSION, "kind": KIND, "metadata": {"name": draft.name}})
    yield "spec:"
    yield "  schema:"
    yield from (f"    {each}" for each in lines({"apiVersion": "v1alpha1", "kind": draft.kind}))
    if draft.fields.all:
        whys: dict[Path, str] = {("spec", *each.path): each.why for each in draft.fields.all}
        yield from (f"    {each}" for each in _commented({"spec": draft.fields.schema()}, whys))
    yield "  resources:"
    yield from (indented(each, 2) for each in _resource_lines(draft.nodes))


def _resource_lines(nodes: Iterable[DraftNode]) -> Iterator[str]:
    for number, node in enumerate(nodes):
        if number:
            yield ""
        yield from _node_lines(node)


def _head(draft: Draft) -> str:
    count = sum(map(len, draft.inputs))
    inputs = f" in {len(draft.inputs)} inputs" if len(draft.inputs) > 1 else ""
    named = f"; '{draft.names.names[0]}' in their names is the name of the instance" if draft.names.is_named else ""
    return f"Made from {count} object{'' if count == 1 else 's'}{inputs}{named}."


def _node_lines(node: DraftNode) -> Iterator[str]:
    value: dict[str, JsonValue] = {"id": node.id}
    whys: dict[Path, str] = {(0, "id"): node.why}
    if node.for_each:
        iterator, over = node.for_each
        value["forEach"] = [{iterator: over.text}]
    if node.include_when:
        value["includeWhen"] = [each.text for each in node.include_when]
    value["template"] = _plain(node.template)
    seen: set[str] = set()
    for path, written in written_in(node.template):
        if written.why not in seen:
            seen.add(written.why)
            whys[0, "template", *path] = written.why
    if node.ready_when:
        value["readyWhen"] = [node.ready_when.text]
        whys[0, "readyWhen"] = node.ready_when.why
    yield from _commented([value], whys)


def _plain(template: Template) -> JsonValue:
    if isinstance(template, dict):
        return {name: _plain(template[name]) for name in _ordered(template)}
    if isinstance(template, list):
        return [_plain(inner) for inner in template]
    if isinstance(template, Written):
        return template.text
    return escaped(template) if isinstance(template, str) else template


def _commented(value: JsonValue, whys: dict[Path, str]) -> Iterator[str]:
    """Yield the lines of a value, with comments above the lines where what they explain begins."""
    waiting = dict(whys)
    for line, path in placed_lines(value):
        for each in _comment(waiting.pop(path, "")):
            yield f"{line[: len(line) - len(line.lstrip(' '))]}{each}"
        yield line


_ORDER = ("apiVersion", "kind", "metadata", "name", "namespace", "labels", "annotations", "image", "type", "replicas")
"""The keys that people read first, as Kubernetes' documentation writes them."""


def _ordered(names: Iterable[str]) -> list[str]:
    ranks = {name: rank for rank, name in enumerate(_ORDER)}
    return sorted(names, key=lambda name: ranks.get(name, len(ranks)))
