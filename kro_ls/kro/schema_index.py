"""The kinds of a cluster that runs kro."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kro_ls.kro.rgd_schema import ResourceGraphDefinitionSource
from kro_ls.openapi.index import SchemaIndex
from kro_ls.openapi.sources.bundled import OBJECT_META

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kro_ls.openapi.index import GeneralSource, KubernetesSource, SchemaSource


def schema_index(
    kubernetes: KubernetesSource, custom: Sequence[SchemaSource] = (), general: Sequence[GeneralSource] = ()
) -> SchemaIndex:
    """Return the kinds of Kubernetes, kro's own, and those of other sources, as `SchemaIndex` takes them."""
    kro = ResourceGraphDefinitionSource(kubernetes.definition(OBJECT_META))
    return SchemaIndex(kubernetes, (kro, *custom), general)
