"""Which files `envsubst` puts variables into: those that a script, a Makefile or a CI file pipes through it.

Such files are looked for in the folders of a definition and above it, up to its repository.
"""

from __future__ import annotations

import os
from functools import lru_cache
from itertools import islice
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Final

from kro_ls.rules.files.substituted_expression import Substitution
from kro_ls.workspace.envsubst import PROGRAM, Use, uses_in
from kro_ls.workspace.files import is_inside, read_file
from kro_ls.workspace.text_files import LARGEST

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from kro_ls.workspace.kustomize import Kustomizations

_MAKEFILES: Final = ("Makefile", "makefile", "GNUmakefile")
_NAMES: Final = (
    *_MAKEFILES,
    "Justfile",
    "justfile",
    ".gitlab-ci.yml",
    "Taskfile.yml",
    "Taskfile.yaml",
    "cloudbuild.yaml",
)
_ENDINGS: Final = (".sh", ".bash", ".mk")
_FOLDERS: Final = {
    "": (),
    "scripts": (),
    "hack": (),
    "bin": (),
    "ci": (),
    "deploy": (),
    ".github/workflows": (".yml", ".yaml"),
}
"""Where scripts stand beside what they are about, and how those are called besides that stand there."""
_MOST_FILES: Final = 50
"""Of a folder."""


def script_substitution(path: str, kustomizations: Kustomizations) -> Substitution | None:
    """Return the script that puts variables into the file of a path, None where none does."""
    above = kustomizations.folders_above(path)
    for folder in above:
        for script, uses in _scripts_in(folder, kustomizations):
            use = next((each for each in uses if _reads(each, path, script, above, kustomizations)), None)
            if use:
                names = None if use.names is None else tuple(sorted(use.names))
                return Substitution(os.path.basename(script), script, is_shell=True, names=names)
    return None


def _reads(use: Use, path: str, script: str, above: Sequence[str], kustomizations: Kustomizations) -> bool:
    """Whether a use of a script reads a file, by its path from the folder of the script or one above the file."""
    file = PurePath(os.path.abspath(path))
    for folder in (os.path.dirname(script), *above):
        for named in use.paths:
            place = os.path.normpath(os.path.join(folder, named))
            if use.is_built and kustomizations.builds(Path(place), str(file), Path(above[-1])):
                return True
            if not use.is_built and file.match(place):
                return True
    return False


def _scripts_in(folder: str, kustomizations: Kustomizations) -> tuple[tuple[str, tuple[Use, ...]], ...]:
    """Return the scripts of a folder that use it, with their uses."""
    key = script_substitution, folder
    if key not in kustomizations.kept:
        found = ((path, _uses_of(path, Path(folder))) for path in _candidates(folder))
        kustomizations.kept[key] = tuple((path, uses) for path, uses in found if uses)
    scripts: tuple[tuple[str, tuple[Use, ...]], ...] = kustomizations.kept[key]
    return scripts


def _candidates(folder: str) -> Iterator[str]:
    for below, endings in _FOLDERS.items():
        place = os.path.join(folder, below)
        try:
            names = sorted(os.listdir(place))
        except OSError:
            continue
        chosen = (each for each in names if each in _NAMES or each.endswith((*_ENDINGS, *endings)))
        yield from (os.path.join(place, each) for each in islice(chosen, _MOST_FILES))


def _uses_of(path: str, folder: Path) -> tuple[Use, ...]:
    try:
        status = os.stat(path)
    except OSError:
        return ()
    is_read = status.st_size <= LARGEST and is_inside(path, (folder,))
    return _uses_at(path, status.st_mtime_ns, status.st_size) if is_read else ()


@lru_cache(maxsize=1000)  # of files that people write; one that changed has another time or size
def _uses_at(path: str, _changed: int, _size: int) -> tuple[Use, ...]:
    text = read_file(Path(path)) or ""
    is_make = path.endswith((*_MAKEFILES, ".mk"))
    return tuple(uses_in(text.replace("$$", "$") if is_make else text)) if PROGRAM in text else ()
