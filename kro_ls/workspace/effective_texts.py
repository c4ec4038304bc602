"""The text of a file in effect: that of an open document, else that on disk."""

from __future__ import annotations

import os
from bisect import bisect_left
from itertools import takewhile
from pathlib import Path
from typing import TYPE_CHECKING

from kro_ls.workspace.files import (
    MOST_BYTES,
    MOST_NAMED_BYTES,
    SKIPPED_FOLDERS,
    YAML_SUFFIXES,
    may_read,
    read_file,
    yaml_files,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from kro_ls.workspace.documents import Document
    from kro_ls.workspace.schemas import WorkspaceSchemas


def with_texts_in_effect(
    schemas: WorkspaceSchemas, paths: Iterable[str], opened: Mapping[str, Document], folders: Sequence[Path]
) -> WorkspaceSchemas:
    """Return the kinds with the current texts of some files; a deleted file declares nothing.

    A path may also be that of a folder that was created or deleted. `opened` are the open documents by path, `folders`
    those of the workspace.
    """
    for path in dict.fromkeys(_files(schemas, paths, folders)):
        document = opened.get(path)
        if document is None:
            schemas = schemas.with_file(path, _text_on_disk(path, folders, schemas))
        else:
            schemas = schemas.with_file(path, document.text.content, document if document.is_analysed else None)
    return schemas


def _files(schemas: WorkspaceSchemas, paths: Iterable[str], folders: Sequence[Path]) -> Iterator[str]:
    """Yield the paths, and the files in those that are or were folders."""
    known = sorted({*schemas.crds.paths(), *schemas.generated.texts, *schemas.instances.texts})
    for path in paths:
        yield path
        below = path.rstrip(os.sep) + os.sep
        start = bisect_left(known, below)
        yield from takewhile(lambda each, below=below: each.startswith(below), known[start:])  # type: ignore[misc]
        if os.path.isdir(path) and may_read(path, folders, ()) and not _is_skipped(path, folders):
            yield from (str(file) for file in yaml_files(Path(path), within=folders))


def _text_on_disk(path: str, folders: Sequence[Path], schemas: WorkspaceSchemas) -> str | None:
    """Return the text of a YAML file of the workspace, or of a file that the settings name; None for all others."""
    named = schemas.crds.paths()
    is_found = path.endswith(YAML_SUFFIXES) and not _is_skipped(path, folders)
    most = MOST_NAMED_BYTES if path in named else MOST_BYTES
    return read_file(Path(path), most) if (is_found or path in named) and may_read(path, folders, named) else None


def _is_skipped(path: str, folders: Sequence[Path]) -> bool:
    """Whether a path is in a skipped folder below those of the workspace."""
    file = Path(path)
    inner = [file.relative_to(folder).parts for folder in folders if file.is_relative_to(folder)]
    return bool(inner) and all(not SKIPPED_FOLDERS.isdisjoint(parts) for parts in inner)
