"""Kinds that resources name and no source has, and the known ones that may have been meant."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from kro_ls.analysis.definition import SCHEMAS, SECTION, kinds, table
from kro_ls.queries.engine import Query

if TYPE_CHECKING:
    from kro_ls.analysis.facts import KindName
    from kro_ls.openapi.kind_schema import GroupVersionKind
    from kro_ls.openapi.sources.bundled import Lifetime
    from kro_ls.queries.engine import Reader


class MissingKind(Struct, frozen=True, gc=False):
    """A kind that no source has. `is_kubernetes`: its group and version are Kubernetes' own, so it does not exist.

    `similar` are kinds that may be meant; `lifetime` tells of a kind that other versions of Kubernetes have.
    """

    api_version: str
    kind: str
    is_kubernetes: bool
    similar: tuple[GroupVersionKind, ...]
    lifetime: Lifetime | None


@Query
def _missing_names(reader: Reader) -> tuple[KindName, ...]:
    return tuple(sorted(name for name in table(reader).kinds if kinds.entry(reader, name) is None))


@Query
def missing_kinds(reader: Reader) -> dict[KindName, MissingKind]:
    """Return the kinds that resources name and no source has."""
    return {name: _missing(reader, name) for name in _missing_names(reader)}


def _missing(reader: Reader, name: KindName) -> MissingKind:
    schemas = SCHEMAS(reader)
    group, _, version = name[0].rpartition("/")
    lifetime = schemas.lifetime(group, version, name[1])
    return MissingKind(
        *name,
        is_kubernetes=lifetime is not None or schemas.is_kubernetes_group(group, version),
        similar=similar_kinds(reader, name),
        lifetime=lifetime,
    )


def similar_kinds(reader: Reader, name: KindName) -> tuple[GroupVersionKind, ...]:
    """Return the known kinds that may have been meant. Never the RGD's own: an instance would create the next."""
    group, _, version = name[0].rpartition("/")
    found = SCHEMAS(reader).similar(group, version, name[1])
    section = SECTION(reader)
    if section is None:
        return found
    return tuple(each for each in found if (each.group, each.kind) != (section.group, section.kind))
