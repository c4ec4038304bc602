"""The Kubernetes schemas that come with this package.

`data/kubernetes.bin` is a `container`, written by the build hook (`hatch_build.py`), whose header is

- `minors`: `1.37` -> [offset, length] of the minor's index, JSON again:
  `definitions`: package -> name -> [start, end] in the package's block;
  `kinds`: group/version -> kind -> [definition, plural, namespaced, subresources, deprecation or null];
- `blocks`: package (`io.k8s.api.apps.v1`) -> [offset, length] of a text of definitions shared by all minors, where
  a `$ref` is the bare name of a definition;
- `lifetimes`: group/version -> kind -> [first minor or null, first minor without it or null], where either is known.

So a lookup reads the header, one index and the blocks it touches, and parses the definitions it needs.
"""

from __future__ import annotations

from functools import lru_cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, TypedDict, cast

from msgspec import Struct
from msgspec.json import decode

from kro_ls.openapi.kind_schema import GroupVersionKind, KindSchema, stability, version_priority
from kro_ls.openapi.sources.container import KUBERNETES, Container
from kro_ls.openapi.sources.ref_expansion import Definitions
from kro_ls.queries.cells import cached_attribute

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.openapi.json_values import JsonObject
    from kro_ls.openapi.sources.container import Place

DATA = Path(__file__).with_name("data") / "kubernetes.bin"

OBJECT_META = "io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta"

_KindRow = tuple[str, str, bool, list[str], "str | None"]


class _Header(TypedDict):
    minors: dict[str, Place]
    blocks: dict[str, Place]
    lifetimes: dict[str, dict[str, tuple[int | None, int | None]]]


class _Index(TypedDict):
    definitions: dict[str, dict[str, tuple[int, int]]]
    kinds: dict[str, dict[str, _KindRow]]


class Lifetime(Struct, frozen=True):
    """The minors in which Kubernetes added and removed a kind, such as `1.22`; None where that is unknown."""

    added_in: str | None
    removed_in: str | None
    """The first minor without it."""


class UnknownMinorError(ValueError):
    """The Kubernetes minor asked for is not bundled."""


def minors() -> tuple[str, ...]:
    """Return the bundled Kubernetes minors, newest first."""
    return tuple(sorted(_archive().header["minors"], key=_minor_number, reverse=True))


@lru_cache(maxsize=8)  # one for each minor, megabytes each
def kubernetes(minor: str | None = None) -> BundledKubernetes:
    """Return the bundled schemas of one minor (`1.36`; `v1.36` and `1.36.2` mean the same), the newest by default.

    Raises UnknownMinorError, whose text lists the bundled minors.
    """
    available = minors()
    if minor is None:
        return kubernetes(available[0])
    wanted = ".".join(minor.strip().removeprefix("v").split(".")[:2])
    if wanted not in available:
        raise UnknownMinorError(f"Kubernetes {minor} is not bundled; there are {', '.join(available)}")
    return BundledKubernetes(wanted)


class BundledKubernetes:
    """The kinds of one Kubernetes minor."""

    def __init__(self, minor: str) -> None:
        """`minor` is one of `minors()`."""
        self.minor = minor
        self._definitions = Definitions(self.unexpanded)
        self._found: dict[GroupVersionKind, KindSchema | None] = {}

    @cached_attribute
    def _index(self) -> _Index:
        archive = _archive()
        return cast("_Index", decode(archive.read(archive.header["minors"][self.minor])))

    def find(self, name: GroupVersionKind) -> KindSchema | None:
        """Return the kind, if this minor serves it."""
        if name not in self._found:
            row = self._index["kinds"].get(name.api_version, {}).get(name.kind)
            self._found[name] = None if row is None else self._kind(name, row)
        return self._found[name]

    def _kind(self, name: GroupVersionKind, row: _KindRow) -> KindSchema:
        definition, plural, namespaced, subresources, deprecation = row
        load = partial(self.definition, definition)
        source = f"Kubernetes {self.minor}"
        notes = " ".join(self._deprecations(name, deprecation)) or None
        return KindSchema(name, plural, namespaced, tuple(subresources), source, load, notes)

    def _deprecations(self, name: GroupVersionKind, described: str | None) -> Iterator[str]:
        if described:
            yield described
        lifetime = self.lifetime(name)
        if lifetime is not None and lifetime.removed_in is not None:
            yield f"Kubernetes {lifetime.removed_in} does not have {name.api_version} {name.kind} any more."
        others = [other for other in self.names() if (other.group, other.kind) == (name.group, name.kind)]
        if len(others) == 1:
            return
        best = min(others, key=lambda other: version_priority(other.version))
        settled = ("alpha", "beta", "stable")
        if settled.index(stability(best.version)) > settled.index(stability(name.version)):
            yield f"Use {best.api_version}."

    def names(self) -> Iterator[GroupVersionKind]:
        """Yield every kind that this minor serves."""
        for api_version, kinds in self._index["kinds"].items():
            group, _, version = api_version.rpartition("/")
            for kind in kinds:
                yield GroupVersionKind(group, version, kind)

    def has_group_version(self, group: str, version: str) -> bool:
        """Whether this minor serves anything in that version of that group."""
        return GroupVersionKind(group, version, "").api_version in self._index["kinds"]

    def lifetime(self, name: GroupVersionKind) -> Lifetime | None:
        """Return when Kubernetes added and removed a kind; None for a kind that it always or never had."""
        found = _archive().header["lifetimes"].get(name.api_version, {}).get(name.kind)
        return None if found is None else Lifetime(_minor_name(found[0]), _minor_name(found[1]))

    def definition(self, name: str) -> JsonObject:
        """Return a definition by its full name (`io.k8s.api.core.v1.PodSpec`), without any `$ref`. Raises KeyError."""
        resolved = self._definitions.resolve(name)
        if resolved is None:
            raise KeyError(name)
        return resolved

    def definition_name(self, name: GroupVersionKind) -> str | None:
        """The full name of the definition of a kind, None where this minor does not serve the kind."""
        row = self._index["kinds"].get(name.api_version, {}).get(name.kind)
        return None if row is None else row[0]

    def definition_names(self) -> Iterator[str]:
        """Yield the full name of every definition."""
        for package, definitions in self._index["definitions"].items():
            for name in definitions:
                yield f"{package}.{name}"

    def unexpanded(self, name: str) -> JsonObject | None:
        """Return a definition by its full name, with full names in each `$ref`; None for an unknown one."""
        package, _, short_name = name.rpartition(".")
        place = self._index["definitions"].get(package, {}).get(short_name)
        if place is None:
            return None
        return cast("JsonObject", decode(_archive().block(package)[place[0] : place[1]]))


class _Archive(Container):
    """The open file. The few blocks of the kinds in use are cached."""

    header: _Header

    def __init__(self, path: Path) -> None:
        try:
            super().__init__(path, KUBERNETES)
        except FileNotFoundError as error:
            raise FileNotFoundError(f"{path} is missing: install the package, which builds it") from error
        self._blocks: dict[str, bytes] = {}

    def block(self, package: str) -> bytes:
        if package not in self._blocks:
            self._blocks[package] = self.read(self.header["blocks"][package])
        return self._blocks[package]


@lru_cache(maxsize=1)  # a file of the package
def _archive() -> _Archive:
    return _Archive(DATA)


def _minor_number(minor: str) -> int:
    return int(minor.partition(".")[2])


def _minor_name(number: int | None) -> str | None:
    return None if number is None else f"1.{number}"
