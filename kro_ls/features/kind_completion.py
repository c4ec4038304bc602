"""Completes `apiVersion` and `kind` with the kinds that are known, and objects that begin with both."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from kro_ls.analysis.reading import text_of
from kro_ls.analysis.yaml_schemas import schema_at
from kro_ls.features.convert import to_range
from kro_ls.openapi.kinds import GroupVersionKind, stability, version_priority
from kro_ls.openapi.rgd import RGD
from kro_ls.yaml_positions.nodes import Mapping, Scalar
from kro_ls.yaml_positions.positions import Span

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from kro_ls.analysis.typed_yaml import TypedYaml
    from kro_ls.analysis.yaml_schemas import YamlSchema
    from kro_ls.openapi.index import SchemaIndex
    from kro_ls.workspace.documents import Document

_QUESTION_GROUPS = frozenset({"authentication.k8s.io", "authorization.k8s.io"})
"""Their kinds ask the API server something and are not stored, so no graph creates them."""

_USUAL_GROUPS = frozenset(
    {"", "apps", "batch", "autoscaling", "policy", "networking.k8s.io", "rbac.authorization.k8s.io"}
)
"""Kubernetes' groups that most graphs are made of; its other groups come last, behind custom kinds."""

_COUNTERPART = {"apiVersion": "kind", "kind": "apiVersion"}


def complete_kind_field(
    document: Document, typed: TypedYaml, schemas: SchemaIndex
) -> Iterator[types.CompletionItem] | None:
    """Return the values of an `apiVersion` or `kind`; None for any other field, and where the RGD declares its own."""
    name = typed.path[-1] if typed.path else None
    if name not in _COUNTERPART or typed.path[:2] == ("spec", "schema"):
        return None
    owner = schema_at(typed.path[:-1], typed.node_at, schemas)
    if owner is None or not all(owner.schema.child(each) for each in _COUNTERPART):
        return None
    if typed.path[:-1] == ():
        return iter([_item(RGD.api_version if name == "apiVersion" else RGD.kind)])
    other = text_of(typed.siblings.get(_COUNTERPART[str(name)]))
    if name == "kind":
        return _kinds(document, typed, schemas, other)
    return _api_versions(schemas, other)


def complete_objects(
    typed: TypedYaml, place: YamlSchema, schemas: SchemaIndex, *, snippets: bool
) -> Iterator[types.CompletionItem]:
    """Yield the beginning of an object of each kind, in a template that has neither apiVersion nor kind."""
    is_empty = not any(name in typed.siblings for name in _COUNTERPART)
    if not snippets or typed.in_flow or typed.has_colon or place.owner == () or place.path or not is_empty:
        return
    indent = " " * typed.indent
    for name in sorted(_best_versions(_storable(schemas.kinds())), key=_is_unusual):
        text = f"apiVersion: {name.api_version}\nkind: {name.kind}\nmetadata:\n  name: $1"
        item = _item(name.kind, name.api_version)
        item.kind = types.CompletionItemKind.Snippet
        item.insert_text = text.replace("\n", f"\n{indent}")
        item.insert_text_format = types.InsertTextFormat.Snippet
        item.insert_text_mode = types.InsertTextMode.AdjustIndentation
        yield item


def _kinds(
    document: Document, typed: TypedYaml, schemas: SchemaIndex, api_version: str | None
) -> Iterator[types.CompletionItem]:
    """Yield the kinds of the apiVersion, then the others, which change it: those of the same group first."""
    known = list(_storable(schemas.kinds()))
    same = [name for name in known if name.api_version == api_version]
    for name in same:
        yield _item(name.kind, name.api_version)
    group = (api_version or "").rpartition("/")[0]
    others = [name for name in _best_versions(known) if name.kind not in {each.kind for each in same}]
    for name in sorted(others, key=lambda name: (api_version is None or name.group != group, _is_unusual(name))):
        item = _item(name.kind, name.api_version)
        edit = _set_api_version(document, typed, name.api_version)
        item.additional_text_edits = [edit] if edit else None
        yield item


def _set_api_version(document: Document, typed: TypedYaml, api_version: str) -> types.TextEdit | None:
    """Return the edit that writes an apiVersion beside the kind that is typed."""
    entry = typed.parent.entry("apiVersion") if isinstance(typed.parent, Mapping) else None
    if entry is not None:
        if not isinstance(entry.value, Scalar):
            return None
        span = typed.placed_span(entry.value.span)
        # A value that is not there yet stands right behind the colon.
        is_next = entry.value.start == entry.value.end and document.text.content[span.start - 1 : span.start] == ":"
        return types.TextEdit(to_range(document, span), f" {api_version}" if is_next else api_version)
    key = typed.parent.entry("kind") if isinstance(typed.parent, Mapping) else None
    if key is None or typed.parent is None:
        return None
    start = typed.placed_span(key.key.span).start
    if typed.parent.flow:
        return types.TextEdit(to_range(document, Span(start, start)), f"apiVersion: {api_version}, ")
    column = document.text.position(start).column
    text = f"apiVersion: {api_version}\n{' ' * column}"
    return types.TextEdit(to_range(document, Span(start, start)), text)


def _api_versions(schemas: SchemaIndex, kind: str | None) -> Iterator[types.CompletionItem]:
    """Yield the versions that have the kind, then the others; the best of each group first."""
    known = list(_storable(schemas.kinds()))
    fitting = sorted((name for name in known if name.kind == kind), key=_version_rank)
    for name in fitting:
        yield _item(name.api_version, f"has {name.kind}")
    others = {name.api_version: name for name in known} if not fitting else {}
    for name in sorted(others.values(), key=lambda name: (name.group, version_priority(name.version))):
        yield _item(name.api_version)


def _version_rank(name: GroupVersionKind) -> tuple[int, str, tuple[int, int, int, str]]:
    return ("stable", "beta", "alpha").index(stability(name.version)), name.group, version_priority(name.version)


def _is_unusual(name: GroupVersionKind) -> bool:
    return name.group.endswith(".k8s.io") and name.group not in _USUAL_GROUPS


def _storable(kinds: Iterable[GroupVersionKind]) -> Iterator[GroupVersionKind]:
    return (name for name in kinds if name.group not in _QUESTION_GROUPS)


def _best_versions(kinds: Iterable[GroupVersionKind]) -> list[GroupVersionKind]:
    """Return each kind of each group once; `kinds` have the best version first."""
    best: dict[tuple[str, str], GroupVersionKind] = {}
    for name in kinds:
        best.setdefault((name.group, name.kind), name)
    return list(best.values())


def _item(label: str, detail: str | None = None) -> types.CompletionItem:
    return types.CompletionItem(label, kind=types.CompletionItemKind.Class, detail=detail)
