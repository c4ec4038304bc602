"""Finds the kind that a user names: `Role`, `roles`, `Role.iam.services.k8s.aws`, `deployments.v1.apps`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from kro_ls.cli.input_error import InputError
from kro_ls.golang.plural import plural
from kro_ls.spelling import closest

if TYPE_CHECKING:
    from kro_ls.openapi.index import SchemaIndex
    from kro_ls.openapi.kind_schema import GroupVersionKind, KindSchema

_MOST_GROUPS = 5


class NamedKind(Struct, frozen=True):
    """A kind, its versions that are known, the best first, other kinds with the name, and what follows the name."""

    kind: KindSchema
    versions: tuple[str, ...]
    others: tuple[GroupVersionKind, ...]
    rest: tuple[str, ...] = ()


def named_kind(index: SchemaIndex, text: str) -> NamedKind:
    """Return the kind that a text names, in its best version. Raises InputError.

    Of several groups Kubernetes' own counts. What is neither group nor version is the `rest`: `Role.spec.policies`.
    """
    first, *rest = text.split(".")
    named = [name for name in index.kinds() if first.lower() in (name.kind.lower(), plural(name.kind))]
    if not named:
        meant = closest(first, dict.fromkeys(name.kind for name in index.kinds()))
        advice = f"did you mean {meant!r}?" if meant else "'kro-ls kinds add' adds definitions"
        raise InputError(f"no kind {first!r} is known; {advice}")
    qualifier = ".".join(rest)
    found = [name for name in named if qualifier in (name.group, name.version, f"{name.version}.{name.group}")]
    if found:
        return _chosen(index, found, named)
    removed = _removed(index, qualifier, named)
    if removed:
        return removed
    groups = dict.fromkeys(name.group for name in named)
    if rest and "." in qualifier and rest[0] not in ("spec", "status", "metadata"):
        raise InputError(f"no {named[0].kind} is known in {qualifier!r}; it is in {_listed(groups)}")
    chosen = _chosen(index, named, named)
    return NamedKind(chosen.kind, chosen.versions, chosen.others, tuple(rest))


def _removed(index: SchemaIndex, qualifier: str, named: list[GroupVersionKind]) -> NamedKind | None:
    """Return a kind in a version that its project does not serve any more, which no list of kinds has."""
    for name in named:
        version = qualifier.removesuffix(f".{name.group}")
        kind = index.find(name.group, version, name.kind) if version != qualifier else None
        if kind:
            versions = (each.version for each in named if (each.group, each.kind) == (name.group, name.kind))
            return NamedKind(kind, tuple(versions), ())
    return None


def _chosen(index: SchemaIndex, found: list[GroupVersionKind], named: list[GroupVersionKind]) -> NamedKind:
    groups = list(dict.fromkeys(name.group for name in found))
    own = [name.group for name in found if index.is_kubernetes_group(name.group, name.version)]
    if len(groups) > 1 and not own:
        called = found[0].kind
        raise InputError(f"several groups have a kind {called!r}: {_listed(groups)}; name one: {called}.{groups[0]}")
    group = own[0] if own else groups[0]
    name = next(each for each in found if each.group == group)
    kind = index.find(name.group, name.version, name.kind)
    if kind is None:
        raise InputError(f"the definition of {name} is gone; add it again")
    same = [each for each in named if (each.group, each.kind) == (name.group, name.kind)]
    return NamedKind(kind, tuple(each.version for each in same), tuple(each for each in named if each.group != group))


def _listed(groups: list[str] | dict[str, None]) -> str:
    shown = [group or "the core group" for group in groups][:_MOST_GROUPS]
    return ", ".join(shown) + (", ..." if len(groups) > _MOST_GROUPS else "")
