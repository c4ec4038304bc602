"""One kind in one version, as a source of schemas has it, and how versions are ordered."""

from __future__ import annotations

import re
from enum import IntEnum
from functools import lru_cache
from typing import TYPE_CHECKING, Final, Literal

from msgspec import Struct

from kro_ls.queries.cells import cached_attribute

if TYPE_CHECKING:
    from collections.abc import Callable

    from kro_ls.openapi.json_values import JsonObject

Stability = Literal["alpha", "beta", "stable"]


class Trust(IntEnum):
    """How certain it is that the cluster has a kind as its source has it; a higher value is more certain."""

    CHANGING = 0
    """The source is independent of the cluster, and the version may change without a new name."""
    GENERAL = 1
    """The source is independent of the cluster."""
    FULL = 2
    """The user declares it."""


class GroupVersionKind(Struct, frozen=True):
    """The name of a kind. `group` is empty for Kubernetes' core kinds."""

    group: str
    version: str
    kind: str

    @property
    def api_version(self) -> str:
        """The `apiVersion` of objects: `group/version`, or the version alone for the core group."""
        return f"{self.group}/{self.version}" if self.group else self.version

    def __str__(self) -> str:
        return f"{self.api_version} {self.kind}"


CRD: Final = GroupVersionKind("apiextensions.k8s.io", "v1", "CustomResourceDefinition")


class KindSchema(Struct, frozen=True, eq=False, dict=True):
    """One kind in one version: how the API server serves it, and its schema, loaded when it is first read."""

    name: GroupVersionKind
    plural: str
    namespaced: bool
    subresources: tuple[str, ...]
    source: str
    """Its origin: `Kubernetes 1.37`, or the path of a file."""
    load: Callable[[], JsonObject]
    """Returns the schema; called once."""
    deprecation: str | None = None
    """Why and since when it is deprecated, where the source says so."""
    declared_schema: JsonObject | None = None
    """A custom kind's `openAPIV3Schema` as written, by which values are pruned, defaulted and validated."""
    is_generated: bool = False
    """Whether kro generates the kind's definition from an RGD, whose file is the `source`."""
    columns: tuple[str, ...] = ()
    """The JSON paths of what `kubectl get` shows of an object of a custom kind."""
    trust: Trust = Trust.FULL
    """How certain it is that the cluster has the kind like this."""
    place: int = 0
    """Its position among the definitions of the kind in its source, in the order of the text, from 0."""

    @cached_attribute
    def schema(self) -> JsonObject:
        """The schema as a cluster publishes it: plain data without any `$ref`, shared, not to be changed."""
        return self.load()

    @cached_attribute
    def stability(self) -> Stability:
        """How stable the version is, by its name."""
        return stability(self.name.version)


class Choice(Struct, frozen=True, eq=False):
    """The definitions of a kind that is declared several times: first the one that counts, with the reason.

    `tied` is the number of first ones that are ordered by their paths alone.
    """

    kinds: tuple[KindSchema, ...]
    reason: str
    tied: int = 1


def stability(version: str) -> Stability:
    """Return `alpha` or `beta` where the name of the version contains it, else `stable`."""
    found = re.fullmatch(r"v\d+(alpha|beta)\d+", version)
    if found is None:
        return "stable"
    return "alpha" if found[1] == "alpha" else "beta"


def is_kubernetes_like(group: str) -> bool:
    """Whether a group is one of Kubernetes' own, or of its projects, by its name."""
    return "." not in group or group.endswith(".k8s.io")


_OTHER_NAMES: Final = 3


def version_priority(version: str) -> tuple[int, int, int, str]:
    """Sorts versions as the API server prefers them, best first: v2, v1, v1beta2, v1beta1, v1alpha1, then other names.

    Source: k8s.io/apimachinery, pkg/version/helpers.go, CompareKubeAwareVersionStrings.
    """
    found = re.fullmatch(r"v(\d+)(?:(alpha|beta)(\d+))?", version)
    if found is None:
        return _OTHER_NAMES, 0, 0, version
    rank = {None: 0, "beta": 1, "alpha": 2}[found[2]]
    return rank, -int(found[1]), -int(found[3] or 0), version


@lru_cache(maxsize=1024)  # of thousands of kinds, which have a few hundred versions
def newest_first(version: str) -> tuple[int, int, int, str]:
    """Sorts versions as an author prefers them: as the API server does, but of those with a date the newest first."""
    rank, major, minor, _ = version_priority(version)
    dated = re.search(r"\d{8}", version) if rank == _OTHER_NAMES else None
    return (rank, major, -int(dated[0]), version) if dated else (rank, major, minor, version)
