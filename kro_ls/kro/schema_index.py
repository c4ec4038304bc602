"""The kinds of a cluster that runs kro."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kro_ls.kro.rgd_schema import RGD, RGD_SCHEMA
from kro_ls.openapi.index import SchemaIndex
from kro_ls.openapi.kind_schema import GroupVersionKind, KindSchema
from kro_ls.openapi.sources.bundled import OBJECT_META
from kro_ls.openapi.sources.crds.served_kinds import published_schema
from kro_ls.queries.cells import cached_attribute

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from kro_ls.openapi.index import GeneralSource, KubernetesSource, SchemaSource
    from kro_ls.openapi.json_values import JsonObject


def schema_index(
    kubernetes: KubernetesSource, custom: Sequence[SchemaSource] = (), general: Sequence[GeneralSource] = ()
) -> SchemaIndex:
    """Return the kinds of Kubernetes, kro's own, and those of other sources, as `SchemaIndex` takes them."""
    kro = _ResourceGraphDefinitionSource(kubernetes.definition(OBJECT_META))
    return SchemaIndex(kubernetes, (kro, *custom), general)


class _ResourceGraphDefinitionSource:
    """The one kind that kro itself installs."""

    def __init__(self, object_meta: JsonObject) -> None:
        """`object_meta` is the schema of Kubernetes' ObjectMeta."""
        self._object_meta = object_meta

    def find(self, name: GroupVersionKind) -> KindSchema | None:
        """Return the kind ResourceGraphDefinition, None for any other."""
        return self._kind if name == RGD else None

    def names(self) -> Iterator[GroupVersionKind]:
        """Yield the only name."""
        yield RGD

    @cached_attribute
    def _kind(self) -> KindSchema:
        schema = published_schema(RGD_SCHEMA, self._object_meta)
        return KindSchema(
            RGD, "resourcegraphdefinitions", False, ("status",), "kro", lambda: schema, declared_schema=RGD_SCHEMA
        )
