"""The packs that are installed: one in this package, if it was built with it, and that of `kro-ls-kinds`."""

from __future__ import annotations

import sys
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

from kro_ls.openapi.sources.bundled import OBJECT_META
from kro_ls.openapi.sources.container import PACK, Container, ContainerError
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
    """Return the newest of the packs that are installed, None where there is none. Its file is read when needed."""
    if not any(path.is_file() for path in _paths()):
        return None
    return Pack(_newest, kubernetes.definition(OBJECT_META), policy)


@lru_cache(maxsize=1)
def _newest() -> Container | None:
    """Return the newest file; one that cannot be read is logged and counts as absent."""
    found = []
    for path in _paths():
        try:
            found.append(Container(path, PACK))
        except (FileNotFoundError, NotADirectoryError):
            continue
        except ContainerError as error:
            import logging  # most commands log nothing, and do not pay for it

            logging.getLogger("kro_ls.openapi").warning("%s", error)
    return max(found, key=lambda each: str(each.header["date"]), default=None)


def _paths() -> Iterator[Path]:
    yield OWN
    for folder in sys.path:  # and not by importlib.util, which takes longer to import than all of this
        yield Path(folder) / PACKAGE / NAME
