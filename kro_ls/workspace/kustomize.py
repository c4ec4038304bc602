"""Which files are patches: parts of definitions that Kustomize merges into whole ones.

Source: the reference of the kustomization file, `patches` and `patchesStrategicMerge`. Kustomize reads no file outside
the folder of a kustomization, so that a patch is listed beside it or above.
"""

from __future__ import annotations

import os
from functools import lru_cache
from pathlib import Path
from typing import Final, NamedTuple

from kro_ls.workspace.files import is_inside, read_file
from kro_ls.yaml_positions.access import field, items, text_of
from kro_ls.yaml_positions.stream import parse_stream
from kro_ls.yaml_positions.text import Text

KUSTOMIZATIONS: Final = ("kustomization.yaml", "kustomization.yml", "Kustomization")
_MOST_FOLDERS: Final = 10


def is_patch(file: Path) -> bool:
    """Whether a kustomization in the file's folder, or in one above it, lists the file as a patch."""
    return Kustomizations().list_as_patch(file)


class _Folder(NamedTuple):
    """The files that the kustomizations of a folder list as patches, as absolute paths."""

    patches: frozenset[str]
    is_repository: bool


class Kustomizations:
    """What the kustomizations of folders list. Each folder is looked at once: a run of `check` has one of these."""

    def __init__(self) -> None:
        self._folders: dict[str, _Folder] = {}

    def list_as_patch(self, file: Path | str) -> bool:
        """Whether one of them, in the file's folder or in one above it, lists the file as a patch."""
        path = folder = os.path.abspath(file)
        for _ in range(_MOST_FOLDERS):
            folder, below = os.path.dirname(folder), folder
            if folder == below:
                break
            known = self._folders.get(folder)
            if known is None:
                known = self._folders[folder] = _read_folder(folder)
            if path in known.patches:
                return True
            if known.is_repository:
                break
        return False


def _read_folder(folder: str) -> _Folder:
    patches: set[str] = set()
    for name in KUSTOMIZATIONS:
        kustomization = os.path.join(folder, name)
        is_here = os.path.isfile(kustomization) and is_inside(kustomization, (Path(folder),))
        text = read_file(Path(kustomization)) if is_here else None
        if text:
            listed = (each for each in _patches(text) if not os.path.isabs(each))
            patches.update(os.path.normpath(os.path.join(folder, each)) for each in listed)
    return _Folder(frozenset(patches), os.path.exists(os.path.join(folder, ".git")))


@lru_cache(maxsize=16)  # of files that people write, for each file that they are about
def _patches(kustomization: str) -> frozenset[str]:
    """Return the files that a kustomization lists as patches; a patch that is written in it is none."""
    found: set[str] = set()
    for document in parse_stream(Text(kustomization)).documents:
        root = document.frame.chunk.root
        listed = [text_of(each) for each in items(field(root, "patchesStrategicMerge"))]
        listed += [text_of(field(each, "path")) for each in items(field(root, "patches"))]
        found.update(os.path.normpath(each) for each in listed if each and "\n" not in each)
    return frozenset(found)
