"""Which files Flux substitutes variables in: those that a Kustomization of Flux with `postBuild` builds.

Source: the documentation of fluxcd/kustomize-controller (docs/spec/v1/kustomizations.md) and fluxcd/pkg, package
kustomize.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from kro_ls.queries.cells import cached_attribute
from kro_ls.rules.files.substituted_expression import SUBSTITUTE, Substitution
from kro_ls.workspace.files import named_inside, repository_of
from kro_ls.workspace.text_files import LARGEST_FILE, TextFiles
from kro_ls.yaml_positions.documents.stream import parse_stream
from kro_ls.yaml_positions.nodes import entries, field, items, node_at, text_of
from kro_ls.yaml_positions.text import Text, holds

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.workspace.kustomize import Kustomizations
    from kro_ls.yaml_positions.nodes import Node

_GROUP = "kustomize.toolkit.fluxcd.io/"
_OWN_SOURCE = "flux-system"
"""The name of the source that `flux bootstrap` creates for the repository itself."""
_MOST_FOLDERS = 10


class _Substituting(Struct, frozen=True):
    """A Kustomization that substitutes variables in the folder `path` of its source."""

    name: str
    path: str


class _Built(Struct, frozen=True):
    """A folder in a repository, with the substitution in it."""

    by: Substitution
    folder: Path
    root: Path


class FluxFiles(TextFiles, frozen=True, dict=True):
    """The texts, by path, that may hold Kustomizations of Flux that substitute variables."""

    def substitution_in(self, path: str, kustomizations: Kustomizations) -> Substitution | None:
        """Return the substitution in the file of a path, None if there is none."""
        if FluxFiles not in kustomizations.kept:
            kustomizations.kept[FluxFiles] = tuple(self._built())
        file = os.path.abspath(path)
        built: tuple[_Built, ...] = kustomizations.kept[FluxFiles]
        return next(
            (each.by for each in built if kustomizations.builds(each.folder, file, each.root, substituted=True)), None
        )

    def _built(self) -> Iterator[_Built]:
        for home, each in self._substituting:
            folder, root = _folder_of(each.path, Path(home).absolute().parent)
            if folder:
                yield _Built(Substitution(each.name, home), folder, root)

    @cached_attribute
    def _substituting(self) -> tuple[tuple[str, _Substituting], ...]:
        """The Kustomizations with the paths of their files."""
        roots = ((home, each) for home, text in self.texts.items() for each in parse_stream(Text(text)).documents)
        return tuple((home, found) for home, document in roots for found in _read(document.frame.chunk.root))


NO_FLUX_FILES = FluxFiles({})


def may_substitute(content: bytes) -> bool:
    """Whether a text in UTF-8 may have such Kustomizations."""
    return len(content) <= LARGEST_FILE and holds(content, _GROUP.encode()) and holds(content, b"postBuild")


def _read(root: Node | None) -> Iterator[_Substituting]:
    """Yield a Kustomization that has variables and a literal path.

    The repository of a source with another name is unknown. Such a Kustomization is left out if it builds the root,
    which every repository has.
    """
    api_version, kind = text_of(field(root, "apiVersion")) or "", text_of(field(root, "kind"))
    if not api_version.startswith(_GROUP) or kind != "Kustomization":
        return
    build = node_at(root, ("spec", "postBuild"))
    has_variables = entries(field(build, "substitute")) or items(field(build, "substituteFrom"))
    if not has_variables and text_of(field(build, "substituteStrategy")) != "Always":
        return
    path = os.path.normpath((text_of(node_at(root, ("spec", "path"))) or ".").lstrip("/"))
    source = text_of(node_at(root, ("spec", "sourceRef", "name")))
    patches = items(node_at(root, ("spec", "patches")))
    stops = any(SUBSTITUTE in (text_of(field(each, "patch")) or "") for each in patches)
    if "$" not in path and (path != "." or source == _OWN_SOURCE) and not stops:
        yield _Substituting(text_of(node_at(root, ("metadata", "name"))) or "", path)


def _folder_of(path: str, home: Path) -> tuple[Path | None, Path]:
    """Return the folder that a Kustomization in another folder names, and the root of its repository.

    Outside of a repository, the root is the nearest folder in which the path exists.
    """
    repository = repository_of(home)
    for root in (repository,) if repository else (home, *home.parents[:_MOST_FOLDERS]):
        folder = named_inside(root, path, root)
        if folder and folder.is_dir() and (path != "." or repository):
            return folder, root
    return None, home
