"""Reads the pack: a `container` whose header is

- `date`: that of its newest part, `2026-08-22`;
- `projects`: [name, release] each;
- `kinds`: group -> kind -> [project, plural, namespaced, {version: name of a line}, removed versions];
- `blocks`: the place of each block, whose lines are JSON. The name of a line is `BLOCK.LINE`, counted from 0.

The line of a version has `schema` and whatever else its definition says of the version; other lines are schemas. A
schema may refer to a line by `$ref`. One kind needs its own block, and those of its group and of all kinds where it
shares something with others.
"""

from __future__ import annotations

import json
import sys
from functools import lru_cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypedDict, cast

from kro_ls.openapi.json_values import as_object
from kro_ls.openapi.kind_schema import GroupVersionKind, KindSchema
from kro_ls.openapi.sources.bundled import OBJECT_META
from kro_ls.openapi.sources.container import PACK, Container, ContainerError
from kro_ls.openapi.sources.crds.served_kinds import columns_of, deprecation_of, published_schema
from kro_ls.openapi.sources.pack.policy import DEFAULT_POLICY
from kro_ls.openapi.sources.provenance import title_of, title_of_project
from kro_ls.openapi.sources.ref_expansion import Definitions
from kro_ls.queries.cells import cached_attribute

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from kro_ls.openapi.index import KubernetesSource
    from kro_ls.openapi.json_values import JsonObject
    from kro_ls.openapi.kind_schema import Trust
    from kro_ls.openapi.sources.container import Place
    from kro_ls.openapi.sources.pack.policy import PackPolicy


_Row = tuple[int, str, bool, dict[str, str], list[str]]

_CATALOG = "CustomResourceDefinition/catalog"


class _Header(TypedDict):
    date: str
    projects: list[tuple[str, str]]
    kinds: dict[str, dict[str, _Row]]
    blocks: list[Place]


_NOTHING: _Header = {"date": "", "projects": [], "kinds": {}, "blocks": []}


class Pack:
    """The kinds of a pack."""

    def __init__(
        self, opened: Callable[[], Container | None], object_meta: JsonObject, policy: PackPolicy = DEFAULT_POLICY
    ) -> None:
        """`opened` returns the file when it is needed, None if it cannot. `object_meta` is the schema of ObjectMeta."""
        self._opened = opened
        self._object_meta = object_meta
        self._policy = policy
        self._blocks: dict[int, list[bytes]] = {}
        self._definitions = Definitions(self._schema)
        self._found: dict[GroupVersionKind, KindSchema | None] = {}

    @cached_attribute
    def _container(self) -> Container | None:
        return self._opened()

    @cached_attribute
    def _header(self) -> _Header:
        container = self._container
        return cast("_Header", container.header) if container else _NOTHING

    def find(self, name: GroupVersionKind) -> KindSchema | None:
        """Return the kind, if the pack has it, even in a version that its project no longer serves."""
        if name not in self._found:
            row = self._header["kinds"].get(name.group, {}).get(name.kind)
            known = row is not None and name.version in row[3]
            trust = self._policy.trust(name) if known else None
            self._found[name] = self._kind(name, row, trust) if row is not None and trust is not None else None
        return self._found[name]

    def _kind(self, name: GroupVersionKind, row: _Row, trust: Trust) -> KindSchema:
        number, plural, namespaced, versions, removed = row
        line = versions[name.version]
        described = self._line(line)
        project, release = self._header["projects"][number]
        named = _release(project, release, name.group)
        packed = self._header["date"][:7]
        date = f", {packed}" if packed and not _is_dated(release) else ""
        deprecation = deprecation_of(name, described)
        if name.version in removed:
            deprecation = f"{named} does not serve {name} any more."
        declared = self._definitions.resolve(line) or {}
        return KindSchema(
            name,
            plural,
            namespaced,
            tuple(sorted(as_object(described.get("subresources")))),
            f"{named}{date}, bundled with kro-ls",
            partial(published_schema, declared, self._object_meta),
            deprecation,
            declared,
            columns=columns_of(described),
            trust=trust,
        )

    def declares(self, group: str, kind: str) -> bool:
        """Whether the pack has the kind in any version."""
        return self._policy.choice(group) != "off" and kind in self._header["kinds"].get(group, {})

    def names(self) -> Iterator[GroupVersionKind]:
        """Yield every kind of the pack in every version that its project serves."""
        for group, kinds in self._header["kinds"].items():
            if self._policy.choice(group) == "off":
                continue
            for kind, (_, _, _, versions, removed) in kinds.items():
                for version in versions:
                    if version not in removed:
                        yield GroupVersionKind(group, version, kind)

    def _schema(self, name: str) -> JsonObject:
        line = self._line(name)
        return as_object(line["schema"]) if "schema" in line else line

    def _line(self, name: str) -> JsonObject:
        block, _, line = name.partition(".")
        number = int(block)
        if number not in self._blocks:
            container = cast("Container", self._container)  # there is no line to be read without one
            self._blocks[number] = container.read(self._header["blocks"][number]).split(b"\n")
        return cast("JsonObject", json.loads(self._blocks[number][int(line)]))


def _release(project: str, release: str, group: str) -> str:
    """Return the title of a release of a project: `Argo CD 3.6.1`, `AWS Controllers for Kubernetes 2026-08`."""
    own = [part for part in project.split("/") if not part.startswith(("github.com", "sigs.k8s.io", "v2", "v3"))]
    title = title_of(group) or ("the CRD catalog" if project == _CATALOG else title_of_project(own[-1]))
    number = release.split()[0]
    return f"{title} {number[:7] if _is_dated(release) else number.removeprefix('v')}"


def _is_dated(release: str) -> bool:
    return release.startswith("20")


NAME: Final = "kinds.bin"
OWN: Final = Path(__file__).parents[1] / "data" / NAME
PACKAGE: Final = "kro_ls_kinds"


@lru_cache(maxsize=4)  # kinds are compared by identity, and a workspace is read again when its settings change
def installed_pack(kubernetes: KubernetesSource, policy: PackPolicy) -> Pack | None:
    """Return the newest installed pack, None where there is none. Its file is read when it is needed."""
    if not any(path.is_file() for path in _paths()):
        return None
    return Pack(_newest, kubernetes.definition(OBJECT_META), policy)


@lru_cache(maxsize=1)  # a file of the package
def _newest() -> Container | None:
    """Return the newest file; one that cannot be read is logged and counts as absent."""
    found = []
    for path in _paths():
        try:
            found.append(Container(path, PACK))
        except (FileNotFoundError, NotADirectoryError):
            continue
        except ContainerError as error:
            import logging  # most commands log nothing

            logging.getLogger("kro_ls.openapi").warning("%s", error)
    return max(found, key=lambda each: str(each.header["date"]), default=None)


def _paths() -> Iterator[Path]:
    yield OWN
    for folder in sys.path:  # importlib.util takes longer to import than all of this
        yield Path(folder) / PACKAGE / NAME
