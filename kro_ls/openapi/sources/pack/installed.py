"""The packs that are installed: one in this package, if it was built with it, and that of `kro-ls-kinds`."""

from __future__ import annotations

from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Final

from kro_ls.openapi.sources.bundled import OBJECT_META
from kro_ls.openapi.sources.container import PACK, Container
from kro_ls.openapi.sources.pack.reading import Pack

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.openapi.index import KubernetesSource
    from kro_ls.openapi.sources.pack.policy import PackPolicy

NAME: Final = "kinds.bin"
OWN: Final = Path(__file__).parents[1] / "data" / NAME
PACKAGE: Final = "kro_ls_kinds"


@lru_cache(maxsize=4)  # kinds are told apart by identity, and a workspace is read again when its settings change
def installed_pack(kubernetes: KubernetesSource, policy: PackPolicy) -> Pack | None:
    """Return the newest of the packs that are installed, None where there is none. Raises ContainerError."""
    newest = _newest()
    return Pack(newest, kubernetes.definition(OBJECT_META), policy) if newest else None


@lru_cache(maxsize=1)
def _newest() -> Container | None:
    found = (Container(path, PACK) for path in _paths() if path.is_file())
    return max(found, key=lambda each: str(each.header["date"]), default=None)


def _paths() -> Iterator[Path]:
    yield OWN
    package = find_spec(PACKAGE)
    for folder in package.submodule_search_locations or () if package else ():
        yield Path(folder) / NAME
