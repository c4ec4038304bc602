"""Goes from the `kind` or `apiVersion` of an object to the CRD or RGD file that declares the kind."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from pygls.uris import from_fs_path, to_fs_path

from kro_ls.cursor.kind_uses import kind_declaration, kind_use_at
from kro_ls.features.convert import to_location
from kro_ls.workspace.documents import Document
from kro_ls.workspace.files import read_file
from kro_ls.yaml_positions.text import Text

if TYPE_CHECKING:
    from lsprotocol import types


def kind_definition(document: Document, offset: int) -> types.Location | None:
    """Return where the kind at a document offset is declared; None for kinds that come from no file.

    The file is read as it is on disk, unless it is this document.
    """
    use = kind_use_at(document.analysis, offset)
    if use is None or not Path(use.kind.source).is_absolute():
        return None
    if use.kind.source == to_fs_path(document.uri):
        declaring: Document | None = document
    else:
        declaring = _on_disk(use.kind.source, document)
    span = kind_declaration(declaring.text, use.kind.name) if declaring else None
    return to_location(declaring, span) if declaring and span else None


def _on_disk(path: str, like: Document) -> Document | None:
    content, uri = read_file(Path(path)), from_fs_path(path)
    return None if content is None or uri is None else Document(uri, None, Text(content), like.encoding)
