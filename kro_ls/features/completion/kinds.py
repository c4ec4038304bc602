"""Completes `apiVersion` and `kind` with the kinds that are known, and objects that begin with both."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types
from msgspec.structs import replace

from kro_ls.features.completion.ranked import has_letters
from kro_ls.features.completion.skeletons import rank, skeleton
from kro_ls.features.convert import to_range
from kro_ls.features.lsp_types import CompletionItem, TextEdit
from kro_ls.kro.rgd_schema import RGD
from kro_ls.openapi.kind_schema import GroupVersionKind, newest_first, stability
from kro_ls.yaml_positions.access import text_of
from kro_ls.yaml_positions.nodes import Scalar
from kro_ls.yaml_positions.positions import Span

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from kro_ls.cursor.open.yaml import OpenYaml
    from kro_ls.cursor.schemas.yaml import YamlSchema
    from kro_ls.openapi.index import SchemaIndex
    from kro_ls.workspace.documents import Document

_QUESTION_GROUPS = frozenset({"authentication.k8s.io", "authorization.k8s.io"})
"""Their kinds ask the API server something and are not stored, so no graph creates them."""

_USUAL_GROUPS = ("", "apps", "batch", "networking.k8s.io", "rbac.authorization.k8s.io", "autoscaling", "policy")
"""Kubernetes' groups that most graphs are made of, those first that most are; others come last, after custom kinds."""

_FEW_KINDS = 20
"""So many kinds are looked into for what their objects need: a workspace may have thousands."""

_COUNTERPART = {"apiVersion": "kind", "kind": "apiVersion"}


def complete_kind_field(document: Document, opened: OpenYaml, prefix: str) -> Iterator[CompletionItem] | None:
    """Return the values of an `apiVersion` or `kind`; None for any other field, and where the RGD declares its own.

    `prefix` is what stands before the cursor of the value.
    """
    name = opened.path[-1] if opened.path else None
    if name not in _COUNTERPART or opened.path[:2] == ("spec", "schema"):
        return None
    owner = opened.schema_at(opened.path[:-1])
    if owner is None or not all(owner.schema.child(each) for each in _COUNTERPART):
        return None
    if owner.owner == () and opened.path[:-1] == ():
        return iter([_item(RGD.api_version if name == "apiVersion" else RGD.kind)])
    other = text_of(opened.siblings.get(_COUNTERPART[str(name)]))
    if name == "kind":
        return _kinds(document, opened, prefix, other)
    return _api_versions(opened.schemas, other)


def complete_objects(opened: OpenYaml, place: YamlSchema, prefix: str, *, snippets: bool) -> Iterator[CompletionItem]:
    """Yield the beginning of an object of each kind, in a template that has neither apiVersion nor kind."""
    is_empty = not any(name in opened.siblings for name in _COUNTERPART)
    if not snippets or opened.in_flow or opened.has_colon or place.owner in ((), None) or place.path or not is_empty:
        return
    indent = " " * opened.indent
    names = sorted(_best_versions(_offered(opened, prefix)), key=lambda name: (_is_unusual(name), rank(name)))
    schemas = opened.schemas if len(names) <= _FEW_KINDS else None
    for name in names:
        text = skeleton(name, schemas)
        yield CompletionItem(
            name.kind,
            kind=types.CompletionItemKind.Snippet,
            detail=name.api_version,
            insert_text=text.replace("\n", f"\n{indent}"),
            insert_text_format=types.InsertTextFormat.Snippet,
            insert_text_mode=types.InsertTextMode.AdjustIndentation,
        )


def _kinds(document: Document, opened: OpenYaml, prefix: str, api_version: str | None) -> Iterator[CompletionItem]:
    """Yield the kinds of the apiVersion, and of its group's other versions, which change it.

    Where the letters begin none of them, the kinds that they begin in other groups follow, of a group that is known:
    of an unknown one any kind may be meant.
    """
    known = list(_offered(opened, prefix))
    of_version = [name for name in known if name.api_version == api_version]
    yield from (_item(name.kind, name.api_version) for name in sorted(of_version, key=rank))
    same = {name.kind for name in of_version}
    group = (api_version or "").rpartition("/")[0]
    others = [name for name in _best_versions(known) if name.kind not in same]
    if api_version is not None:
        begun = [name for name in known if prefix and name.kind.lower().startswith(prefix.lower())]
        is_elsewhere = not any(name.group == group for name in begun) and _is_known(opened.schemas, group)
        others = [name for name in others if name.group == group or (is_elsewhere and name in begun)]
    place = _api_version_place(document, opened)
    for name in sorted(others, key=lambda name: (name.group != group, _is_unusual(name), rank(name))):
        item = _item(name.kind, name.api_version)
        if place:
            span, before, after = place
            edit = TextEdit(span, f"{before}{name.api_version}{after}")
            item = replace(item, additional_text_edits=(edit,))
        yield item


def _is_known(schemas: SchemaIndex, group: str) -> bool:
    return any(name.group == group for name in schemas.kinds())


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


def _api_versions(schemas: SchemaIndex, kind: str | None) -> Iterator[CompletionItem]:
    """Yield the versions that have the kind, then the others; the best of each group first."""
    known = list(_storable(schemas.kinds()))
    fitting = sorted((name for name in known if name.kind == kind), key=_version_rank)
    for name in fitting:
        yield _item(name.api_version, f"has {name.kind}")
    others = {name.api_version: name for name in known} if not fitting else {}
    for name in sorted(others.values(), key=_group_rank):
        yield _item(name.api_version)


def _group_rank(name: GroupVersionKind) -> tuple[bool, int, str, tuple[int, int, int, str]]:
    is_usual = name.group in _USUAL_GROUPS
    number = _USUAL_GROUPS.index(name.group) if is_usual else len(_USUAL_GROUPS)
    return _is_unusual(name), number, name.group, newest_first(name.version)


def _version_rank(name: GroupVersionKind) -> tuple[int, str, tuple[int, int, int, str]]:
    return ("stable", "beta", "alpha").index(stability(name.version)), name.group, newest_first(name.version)


def _is_unusual(name: GroupVersionKind) -> bool:
    return name.group.endswith(".k8s.io") and name.group not in _USUAL_GROUPS


def _offered(opened: OpenYaml, prefix: str) -> Iterator[GroupVersionKind]:
    """Yield the kinds that the typed letters can stand for, as clients judge it: a workspace may have thousands."""
    kinds = opened.schemas.kinds()
    return (name for name in _storable(kinds) if has_letters(name.kind.lower(), prefix.lower()))


def _storable(kinds: Iterable[GroupVersionKind]) -> Iterator[GroupVersionKind]:
    return (name for name in kinds if name.group not in _QUESTION_GROUPS)


def _best_versions(kinds: Iterable[GroupVersionKind]) -> list[GroupVersionKind]:
    """Return each kind of each group once; `kinds` have the best version first."""
    best: dict[tuple[str, str], GroupVersionKind] = {}
    for name in kinds:
        best.setdefault((name.group, name.kind), name)
    return list(best.values())


def _item(label: str, detail: str | None = None) -> CompletionItem:
    return CompletionItem(label, kind=types.CompletionItemKind.Class, detail=detail)
