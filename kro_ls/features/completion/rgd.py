"""Completes what is kro's own in YAML: a whole RGD, an entry of `resources`, versions, conditions."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from lsprotocol import types
from msgspec.structs import replace

from kro_ls.features.completion.items import Completions, snippet_item
from kro_ls.features.completion.skeletons import rank, skeleton
from kro_ls.features.completion.snippets import (
    NEW_COLLECTION,
    NEW_EXTERNAL_REFERENCE,
    NEW_RESOURCE,
    NEW_RGD,
    PLAIN_RGD,
    without_stops,
)
from kro_ls.features.lsp_types import CompletionItem
from kro_ls.kro.forms import RESOURCE_LISTS
from kro_ls.kro.places import BOOL_PLACES, RESOURCE_PLACES, Place
from kro_ls.kro.rgd_schema import RGD
from kro_ls.yaml_positions.positions import Span

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from kro_ls.cursor.open.half_typed import OpenYaml
    from kro_ls.cursor.schemas.yaml import YamlSchema
    from kro_ls.openapi.kind_schema import GroupVersionKind

_EMPTY_DOCUMENT = re.compile(r"(?:\A|(?:\A|(?<=\n))---[ \t]*\n)\s*([A-Za-z]*)\Z")
_ROOT_VALUE = re.compile(r"(apiVersion|kind):[ ]+[\"']?([\w./]*)")
_ROOT_KEY = re.compile(r"[A-Za-z]*")
_ROOT_LINE = re.compile(r"^(apiVersion|kind):[ ]+[\"']?([\w./]+)", re.MULTILINE)
_ALIASES = ("ResourceGraphDefinition", "rgd", "kro", "kind", "apiVersion", "graph", "definition")
"""What people type when they want a definition."""
_NOTHING_BEHIND = re.compile(r"\s*(?:\Z|\n---|---)")
_RESOURCES = ("spec", "resources")
_NEW = (
    ("resource", "id, template: an object that kro creates", NEW_RESOURCE),
    ("collection", "id, forEach, template: several objects", NEW_COLLECTION),
    ("external reference", "id, externalRef: an object that exists already", NEW_EXTERNAL_REFERENCE),
)
_FEW_KINDS = 12
"""So many kinds are offered as whole resources: those that people write most."""
_STOP = re.compile(r"(?<!\\)(\$\{?)(\d+)")
_VERSIONS = ("v1alpha1", "v1beta1", "v1")


def complete_rgd(
    content: str, offset: int, instances: Iterable[GroupVersionKind], *, snippets: bool
) -> Completions | None:
    """Return what begins an RGD in a document that is none yet: all of it, or the value of its apiVersion or kind.

    `instances` are the kinds that other RGDs declare, whose names can be meant as well.
    """
    found = _EMPTY_DOCUMENT.search(content, 0, offset)
    if found is None or not _NOTHING_BEHIND.match(content, offset):
        return _root_value(content, offset, instances) or _kind_line(content, offset, snippets=snippets)
    word = found[1].lower()
    item = snippet_item("ResourceGraphDefinition", "a new kind and its resources", NEW_RGD)
    if not snippets:
        text_format = types.InsertTextFormat.PlainText
        item = replace(item, insert_text=without_stops(PLAIN_RGD), insert_text_format=text_format)
    # Clients keep what has the typed letters, and some only what begins with them as they are typed.
    aliases = (alias for alias in _ALIASES if alias.lower().startswith(word))
    filter_text = next((found[1] + alias[len(word) :] for alias in aliases), None)
    return Completions([replace(item, filter_text=filter_text)], Span(found.start(1), offset), is_incomplete=True)


def _root_value(content: str, offset: int, instances: Iterable[GroupVersionKind]) -> Completions | None:
    line = content[content.rfind("\n", 0, offset) + 1 : offset]
    found = _ROOT_VALUE.fullmatch(line)
    if found is None:
        return None
    others = [each[2] for each in _other_root_lines(content, offset)]
    own = () if _is_of_another_kind(content, offset) else (RGD,)
    declared = [name for name in instances if all(each in (name.api_version, name.kind) for each in others)]
    names = [*declared, *own] if others and RGD.api_version not in others else [*own, *declared]
    values = dict.fromkeys(name.api_version if found[1] == "apiVersion" else name.kind for name in names)
    items = [CompletionItem(value, kind=types.CompletionItemKind.Class) for value in values]
    return Completions(items, Span(offset - len(found[2]), offset), is_incomplete=True) if items else None


def _kind_line(content: str, offset: int, *, snippets: bool) -> Completions | None:
    """Return what follows kro's `apiVersion` where no kind is named yet: the kind, or all the rest of an RGD."""
    line = content[content.rfind("\n", 0, offset) + 1 : offset]
    others = list(_other_root_lines(content, offset))
    if not _ROOT_KEY.fullmatch(line) or [each[2] for each in others] != [RGD.api_version]:
        return None
    items = [CompletionItem("kind", kind=types.CompletionItemKind.Property, insert_text="kind: ")]
    if snippets and _NOTHING_BEHIND.match(content, offset):
        rest = NEW_RGD.partition("\n")[2]
        items.append(snippet_item(RGD.kind, "a new kind and its resources", rest))
    return Completions(items, Span(offset - len(line), offset), is_incomplete=True)


def _is_of_another_kind(content: str, offset: int) -> bool:
    """Whether the document at an offset says elsewhere that it is no RGD."""
    return any(
        not (RGD.api_version if each[1] == "apiVersion" else RGD.kind).startswith(each[2])
        for each in _other_root_lines(content, offset)
    )


def _other_root_lines(content: str, offset: int) -> Iterator[re.Match[str]]:
    """Yield the lines with `apiVersion` and `kind` of the document at an offset, without the line that it is in."""
    start, end = content.rfind("\n---", 0, offset) + 1, content.find("\n---", offset)
    document = content[start : end if end >= 0 else len(content)]
    for each in _ROOT_LINE.finditer(document):
        if not start + each.start() <= offset <= start + each.end():
            yield each


def complete_resource(opened: OpenYaml, place: YamlSchema, *, snippets: bool) -> Iterator[CompletionItem]:
    """Yield whole entries of `spec.resources`, at their dash or after it."""
    at_dash = place.owner == () and place.path == _RESOURCES
    after_dash = place.owner == () and place.path[:-1] == _RESOURCES and not opened.siblings
    if not snippets or opened.in_flow or opened.has_colon or not (at_dash or after_dash):
        return
    dash, indent = ("- ", opened.indent + 2) if at_dash else ("", opened.indent)
    usual = (name for name in opened.schemas.kinds() if rank(name) < _FEW_KINDS)
    kinds = [
        (name.kind, f"{name.api_version}, a resource of this kind", _resource_of(name))
        for name in sorted(usual, key=rank)
    ]
    for name, detail, text in (*_NEW, *kinds):
        yield snippet_item(f"{dash}{name}", detail, dash + text.replace("\n", "\n" + " " * indent))


def _resource_of(name: GroupVersionKind) -> str:
    """Return the snippet for a resource of a usual kind, its id before the stops of the object."""
    body = _STOP.sub(lambda found: f"{found[1]}{int(found[2]) + 1}", skeleton(name, None))
    return f"id: ${{1:{name.kind[0].lower()}{name.kind[1:]}}}\ntemplate:\n  " + body.replace("\n", "\n  ")


def complete_own_value(opened: OpenYaml, place: YamlSchema, *, snippets: bool) -> Iterator[CompletionItem]:
    """Yield values that the schema does not list: the versions of an API, and a condition's expression."""
    if place.owner != ():
        return
    if place.path == ("spec", "schema", "apiVersion") and not opened.is_key:
        for version in _VERSIONS:
            yield CompletionItem(version, kind=types.CompletionItemKind.Value)
    if _place_of_item(place) in BOOL_PLACES and snippets and not opened.quoted:
        quote = '"' if opened.in_flow else ""
        yield snippet_item("${...}", "an expression that gives a bool", f"{quote}\\${{$1\\}}{quote}")


def complete_iterator(opened: OpenYaml, place: YamlSchema, *, snippets: bool) -> Iterator[CompletionItem]:
    """Yield an iterator of `forEach`, after its dash."""
    is_iterator = place.owner == () and _place_of_item(place) is Place.FOR_EACH
    if is_iterator and snippets and not (opened.siblings or opened.in_flow or opened.has_colon):
        yield snippet_item("iterator", "a name, and the list that it runs over", "${1:item}: \\${$2\\}")


def _place_of_item(place: YamlSchema) -> Place | None:
    """Return the place of expressions whose list an item is in."""
    is_item = place.path[:2] in RESOURCE_LISTS and len(place.path) == 5
    return RESOURCE_PLACES.get(str(place.path[3])) if is_item else None
