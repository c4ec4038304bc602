"""Describes kinds of Kubernetes objects."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.openapi.kinds import KindSchema
    from kro_ls.openapi.sources.bundled import Lifetime


def describe_kind(kind: KindSchema, lifetime: Lifetime | None) -> str:
    """Return what a kind is: scope, plural, stability, where its schema comes from, and what speaks against its use."""
    parts = [f"**{kind.name.kind}** (`{kind.name.api_version}`)"]
    if kind.deprecation:
        parts.append(f"Deprecated: {kind.deprecation}")
    description = str(kind.schema.get("description") or "").strip()
    if description:
        parts.append(description)
    parts.append("\n".join(f"- {fact}" for fact in _facts(kind, lifetime)))
    return "\n\n".join(parts)


def _facts(kind: KindSchema, lifetime: Lifetime | None) -> Iterator[str]:
    yield f"scope: {'Namespaced' if kind.namespaced else 'Cluster'}"
    yield f"plural: `{kind.plural}`"
    yield f"stability: {kind.stability}"
    if kind.subresources:
        yield f"subresources: {', '.join(f'`{name}`' for name in kind.subresources)}"
    if lifetime and lifetime.added_in:
        yield f"since: Kubernetes {lifetime.added_in}"
    yield f"schema: {kind.source}"
