"""Which files are patches: parts of definitions that Kustomize merges into whole ones.

Source: the reference of the kustomization file, `patches` and `patchesStrategicMerge`. Kustomize reads no file outside
the folder of a kustomization, so that a patch is listed beside it or above.
"""

from __future__ import annotations

import os
from functools import lru_cache
from pathlib import Path
from typing import Final

from kro_ls.workspace.files import is_inside, read_file
from kro_ls.yaml_positions.access import field, items, text_of
from kro_ls.yaml_positions.stream import parse_stream
from kro_ls.yaml_positions.text import Text

KUSTOMIZATIONS: Final = ("kustomization.yaml", "kustomization.yml", "Kustomization")
_MOST_FOLDERS: Final = 10


def is_patch(file: Path) -> bool:
    """Whether a kustomization in the file's folder, or in one above it, lists the file as a patch."""
    path = folder = os.path.abspath(file)
    for _ in range(_MOST_FOLDERS):
        folder, below = os.path.dirname(folder), folder
        if folder == below:
            break
        for name in KUSTOMIZATIONS:
            kustomization = os.path.join(folder, name)  # texts, not paths: a search asks this of each file
            is_here = os.path.isfile(kustomization) and is_inside(kustomization, (Path(folder),))
            text = read_file(Path(kustomization)) if is_here else None
            if text and os.path.relpath(path, folder) in _patches(text):
                return True
        if os.path.exists(os.path.join(folder, ".git")):
            break
    return False


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
