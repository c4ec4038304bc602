"""Completes `apiVersion` and `kind`, and objects that begin with both: what is in use comes first.

There may be thousands of kinds, so lists are cut to a useful length.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types
from msgspec.structs import replace

from kro_ls.features.completion.items import MOST_ITEMS, has_letters, snippet_item
from kro_ls.features.completion.kind_catalogue import catalogue, entry_of
from kro_ls.features.completion.skeletons import skeleton
from kro_ls.features.convert import to_range
from kro_ls.features.lsp_types import CompletionItem, TextEdit
from kro_ls.kro.rgd_schema import RGD
from kro_ls.yaml_positions.nodes import Scalar, text_of
from kro_ls.yaml_positions.positions import Span

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from kro_ls.cursor.cursor import Cursor
    from kro_ls.cursor.open.half_typed import OpenYaml
    from kro_ls.cursor.schemas.yaml import YamlSchema
    from kro_ls.features.completion.kind_catalogue import Entry
    from kro_ls.openapi.kind_schema import GroupVersionKind
    from kro_ls.workspace.documents import Document
    from kro_ls.workspace.used_kinds import UsedKinds

_IN_USE, _IN_USED_GROUP, _OTHER = range(3)
_FEW_KINDS = 6
"""So many kinds, the first of a list, are looked into for what their objects need: each may have to be read."""
_FEW_NAMES = 3
"""So many kinds are named beside a version."""
_COUNTERPART = {"apiVersion": "kind", "kind": "apiVersion"}


def complete_kind_field(cursor: Cursor, opened: OpenYaml, prefix: str) -> Iterator[CompletionItem] | None:
    """Return the values of an `apiVersion` or `kind`; None for any other field, and where the RGD declares its own.

    `prefix` is what stands before the cursor of the value.
    """
    owner = _object_around(opened)
    if owner is None:
        return None
    name = opened.path[-1]
    if owner.owner == () and opened.path[:-1] == ():
        return iter([_item(RGD.api_version if name == "apiVersion" else RGD.kind)])
    other = text_of(opened.siblings.get(_COUNTERPART[str(name)]))
    if name == "kind":
        return _kinds(cursor, opened, prefix, other)
    return _api_versions(cursor, opened, prefix, other)


def names_kind(opened: OpenYaml) -> bool:
    """Whether the value that is typed is an `apiVersion` or `kind` of an object, which is a plain text."""
    return not opened.is_key and _object_around(opened) is not None


def _object_around(opened: OpenYaml) -> YamlSchema | None:
    """Return the object whose `apiVersion` or `kind` is typed, None for any other field and for the declared API."""
    if opened.path[-1:] not in (("apiVersion",), ("kind",)) or opened.path[:2] == ("spec", "schema"):
        return None
    owner = opened.schema_at(opened.path[:-1])
    is_object = owner is not None and all(owner.schema.child(each) for each in _COUNTERPART)
    return owner if is_object else None


def complete_objects(
    cursor: Cursor, opened: OpenYaml, place: YamlSchema, prefix: str, *, snippets: bool
) -> Iterator[CompletionItem]:
    """Yield the beginning of an object of each kind, in a template that has neither apiVersion nor kind."""
    is_empty = not any(name in opened.siblings for name in _COUNTERPART)
    if not snippets or opened.in_flow or opened.has_colon or place.owner in ((), None) or place.path or not is_empty:
        return
    indent = " " * opened.indent
    written = (entry_of(name, name.kind) for name in _unknown(opened, cursor.used_kinds))
    offered = (*written, *catalogue(opened.schemas).kinds)
    names = [entry.name for entry in best(offered, cursor.used_kinds, prefix)]
    for number, name in enumerate(names):
        text = skeleton(name, opened.schemas if number < _FEW_KINDS else None)
        yield snippet_item(name.kind, name.api_version, text.replace("\n", f"\n{indent}"))


def _kinds(cursor: Cursor, opened: OpenYaml, prefix: str, api_version: str | None) -> Iterator[CompletionItem]:
    """Yield the kinds of the apiVersion, and of its group's other versions, which change it.

    Where the letters begin none of them, the kinds that they begin in other groups follow, unless the group is
    unknown: then any kind may be meant.
    """
    index, used = catalogue(opened.schemas), cursor.used_kinds
    written = [entry_of(name, name.kind) for name in _unknown(opened, used)]
    of_version = [*index.by_version.get(api_version or "", ())]
    of_version += (entry for entry in written if entry.name.api_version == api_version)
    for entry in best(of_version, used, prefix):
        yield _item(entry.text, entry.name.api_version)
    same = {entry.text for entry in of_version}
    others = [entry for entry in (*written, *index.kinds) if entry.text not in same]
    if api_version is not None:
        group = api_version.rpartition("/")[0]
        of_group = [entry for entry in index.kinds if entry.name.group == group]
        begun = [entry for entry in others if prefix and entry.lower.startswith(prefix.lower())]
        is_here = any(entry.lower.startswith(prefix.lower()) for entry in of_group)
        others = [entry for entry in others if entry.name.group == group]
        others = best(others, used, prefix) + (best(begun, used, prefix) if of_group and not is_here else [])
    else:
        others = best(others, used, prefix)
    place = _api_version_place(cursor.document, opened)
    for name in (entry.name for entry in others):
        item = _item(name.kind, name.api_version)
        if place:
            span, before, after = place
            edit = TextEdit(span, f"{before}{name.api_version}{after}")
            item = replace(item, additional_text_edits=(edit,))
        yield item


def _api_version_place(document: Document, opened: OpenYaml) -> tuple[types.Range, str, str] | None:
    """Return where an apiVersion is written beside the kind that is typed, and what goes before and after it."""
    entry = opened.parent.entry("apiVersion") if opened.parent else None
    if entry is not None:
        if not isinstance(entry.value, Scalar):
            return None
        span = opened.placed_span(entry.value.span)
        # A value that is not there yet stands right after the colon.
        is_next = entry.value.start == entry.value.end and document.text.content[span.start - 1 : span.start] == ":"
        return to_range(document, span), " " if is_next else "", ""
    key = opened.parent.entry("kind") if opened.parent else None
    if key is None or opened.parent is None:
        return None
    start = opened.placed_span(key.key.span).start
    column = document.text.position(start).column
    after = ", " if opened.parent.flow else f"\n{' ' * column}"
    return to_range(document, Span(start, start)), "apiVersion: ", after


def _api_versions(cursor: Cursor, opened: OpenYaml, prefix: str, kind: str | None) -> Iterator[CompletionItem]:
    """Yield the versions that have the kind, or else all: the best of each group first."""
    index, used = catalogue(opened.schemas), cursor.used_kinds
    written: dict[str, list[Entry]] = {}
    for name in _unknown(opened, used):
        written.setdefault(name.api_version, []).append(entry_of(name, name.kind))
    versions = [*(entry_of(each[0].name, version) for version, each in written.items()), *index.versions]
    kinds = {each.text: (*index.by_version.get(each.text, ()), *written.get(each.text, ())) for each in versions}
    versions = list({each.text: each for each in versions}.values())
    fitting = [each for each in versions if any(entry.text == kind for entry in kinds[each.text])]
    for entry in best(fitting or versions, used, prefix):
        yield _item(entry.text, f"has {kind}" if fitting else _summary(kinds[entry.text]))


def _unknown(opened: OpenYaml, used: UsedKinds) -> list[GroupVersionKind]:
    """Return the kinds that the workspace uses and no source knows, sorted."""
    unknown = (name for name in used.names if not opened.schemas.knows(name.group, name.kind))
    return sorted(unknown, key=lambda name: (name.kind, name.api_version))


def _summary(kinds: tuple[Entry, ...]) -> str:
    """Return the names of the kinds in a version that people use most, and how many others there are."""
    more = f" and {len(kinds) - _FEW_NAMES} more" if len(kinds) > _FEW_NAMES else ""
    return ", ".join(entry.text for entry in kinds[:_FEW_NAMES]) + more


def _item(label: str, detail: str | None = None) -> CompletionItem:
    return CompletionItem(label, kind=types.CompletionItemKind.Class, detail=detail)


def best(entries: Iterable[Entry], used: UsedKinds, prefix: str) -> list[Entry]:
    """Return the entries that the typed letters stand for, best first, and no more than are of use.

    What begins with them comes first, then what has a word that does, or words with these initials. Only where there is
    no such name are those of use that have the letters anywhere. Within each of these, what is in use comes first, then
    what is of a group in use, then the others; entries that are alike in all of this keep their order.
    """
    entries = list(entries)
    letters = prefix.lower()
    found = [entry for entry in entries if entry.lower.startswith(letters)] if letters else entries
    chosen = _in_use_first(found, used)
    if letters:
        words = [entry for entry in entries if not entry.lower.startswith(letters) and _has_word(entry, letters)]
        chosen += _in_use_first(words, used)
        if not chosen:
            chosen = _in_use_first([entry for entry in entries if has_letters(entry.lower, letters)], used)
    return chosen[:MOST_ITEMS]


def _in_use_first(entries: list[Entry], used: UsedKinds) -> list[Entry]:
    return sorted(entries, key=lambda entry: _place(entry, used))


def _place(entry: Entry, used: UsedKinds) -> int:
    if entry.name.group not in used.groups:
        return _OTHER
    if entry.name.kind in used.kinds:
        return _IN_USE
    return _OTHER if entry.is_seldom else _IN_USED_GROUP


def _has_word(entry: Entry, letters: str) -> bool:
    """Whether a word of a name begins with letters, or its words have them as initials."""
    if entry.initials.startswith(letters):
        return True
    at = entry.lower.find(letters)
    while at >= 0:
        if at in entry.starts:
            return True
        at = entry.lower.find(letters, at + 1)
    return False
