"""Which files Kustomize builds, and which are patches: parts of definitions that it merges into whole ones.

Source: the reference of the kustomization file: `resources`, `patches`, `patchesStrategicMerge`. Kustomize reads files
only below the folder of a kustomization, so that one beside a patch or above it lists the patch; it builds any folder.
"""

from __future__ import annotations

import os
from functools import cache, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from msgspec import Struct

from kro_ls.rules.files.substituted_expression import SUBSTITUTE
from kro_ls.workspace.files import is_inside, read_file
from kro_ls.yaml_positions.documents.stream import parse_stream
from kro_ls.yaml_positions.nodes import field, items, text_of
from kro_ls.yaml_positions.text import Text

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

KUSTOMIZATIONS: Final = ("kustomization.yaml", "kustomization.yml", "Kustomization")
_MOST_FOLDERS: Final = 10
_MOST_BUILT: Final = 200


def is_patch(file: Path) -> bool:
    """Whether a kustomization in the file's folder, or in one above it, lists the file as a patch."""
    return Kustomizations().list_as_patch(file)


class _Folder(Struct, frozen=True):
    """What the kustomization of a folder lists, as absolute paths; `resources` are None where there is none.

    `says_substitute` is set if it says how Flux substitutes variables.
    """

    patches: frozenset[str]
    resources: tuple[str, ...] | None
    says_substitute: bool
    is_repository: bool


class _Listed(Struct, frozen=True):
    patches: frozenset[str] = frozenset()
    resources: tuple[str, ...] = ()


class Kustomizations:
    """What the kustomizations of folders list. Each folder is read once: a run of `check` has one of these.

    `kept` caches what other modules compute from folders, by keys of their choice.
    """

    def __init__(self) -> None:
        self._folder = cache(_read_folder)
        self._is_there = cache(_is_folder_inside)
        self._from = cache(self._folders_from)
        self.kept: dict[object, Any] = {}

    def list_as_patch(self, file: Path | str) -> bool:
        """Whether one of them, in the file's folder or in one above it, lists the file as a patch."""
        path = os.path.abspath(file)
        return any(path in self._folder(folder).patches for folder in self.folders_above(path))

    def build_together(self, file: str, other: str) -> bool | None:
        """Whether one builds both files, False where one builds just one of them, None where none builds either."""
        paths, above = [os.path.abspath(each) for each in (file, other)], self.folders_above(file)
        decided: bool | None = None
        for folder in above:
            if self._folder(folder).resources is not None:
                built = [self.builds(Path(folder), each, Path(above[-1])) for each in paths]
                if all(built):
                    return True
                decided = False if any(built) else decided
        return decided

    def folders_above(self, path: str) -> tuple[str, ...]:
        """Return the folders that a path is in, as absolute paths, the innermost first, up to its repository."""
        return self._from(os.path.dirname(os.path.abspath(path)))

    def _folders_from(self, folder: str) -> tuple[str, ...]:
        """Return a folder and those above it."""
        found = [folder]
        while len(found) < _MOST_FOLDERS and not self._folder(folder).is_repository:
            folder, below = os.path.dirname(folder), folder
            if folder == below:
                break
            found.append(folder)
        return tuple(found)

    def builds(self, folder: Path, file: str, root: Path, *, substituted: bool = False) -> bool:
        """Whether building a folder of a repository includes a file, and with `substituted` allows variables in it.

        Of a folder without a kustomization, Flux takes everything below.
        """
        seen, pending = set[str](), [os.path.abspath(folder)]
        while pending and len(seen) < _MOST_BUILT:
            current = pending.pop()
            if current in seen or not self._is_there(current, root):
                continue
            seen.add(current)
            listed = self._folder(current)
            if listed.resources is None:
                below = file.removeprefix(current + os.sep)
                built: tuple[str, ...] = (os.path.join(current, below.split(os.sep)[0]),) if below != file else ()
            else:
                built = () if substituted and listed.says_substitute else listed.resources
            if file in built:
                return True
            pending += built
        return False


def _is_folder_inside(path: str, root: Path) -> bool:
    """Whether a folder exists inside a repository."""
    return os.path.isdir(path) and is_inside(path, (root,))


def _read_folder(folder: str) -> _Folder:
    texts = []
    for name in KUSTOMIZATIONS:
        kustomization = os.path.join(folder, name)
        is_here = os.path.isfile(kustomization) and is_inside(kustomization, (Path(folder),))
        text = read_file(Path(kustomization)) if is_here else None
        if text:
            texts.append(text)
    listed = [_listed(each) for each in texts]
    return _Folder(
        frozenset(_in_folder(folder, (path for each in listed for path in each.patches))),
        tuple(_in_folder(folder, (path for each in listed for path in each.resources))) if texts else None,
        any(SUBSTITUTE in each for each in texts),
        os.path.exists(os.path.join(folder, ".git")),
    )


def _in_folder(folder: str, paths: Iterable[str]) -> Iterator[str]:
    return (os.path.normpath(os.path.join(folder, each)) for each in paths if not os.path.isabs(each))


@lru_cache(maxsize=16)  # of files that people write, for each file that they are about
def _listed(kustomization: str) -> _Listed:
    """Return what a kustomization lists, as written; inline patches are left out."""
    patches: list[str | None] = []
    resources: list[str | None] = []
    for document in parse_stream(Text(kustomization)).documents:
        root = document.frame.chunk.root
        patches += (text_of(each) for each in items(field(root, "patchesStrategicMerge")))
        patches += (text_of(field(each, "path")) for each in items(field(root, "patches")))
        for name in ("resources", "bases", "components"):
            resources += (text_of(each) for each in items(field(root, name)))
    return _Listed(
        frozenset(os.path.normpath(each) for each in patches if each and "\n" not in each),
        tuple(each for each in resources if each),
    )
