"""What a feature or a command may read: one version of a document, beside the other documents of its workspace."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from kro_ls.rules.diagnosis import DEFAULT_SETTINGS
from kro_ls.workspace.all_documents import NO_OTHERS, AllDocuments
from kro_ls.workspace.documents import Document
from kro_ls.workspace.project_file import project_settings

if TYPE_CHECKING:
    from pathlib import Path

    from kro_ls.openapi.index import SchemaIndex
    from kro_ls.rules.settings import Settings
    from kro_ls.yaml_positions.text import Text


class Snapshot(Struct, frozen=True):
    """A document with its kinds and settings, and all documents of the workspace, as they are at one moment."""

    document: Document
    others: AllDocuments = NO_OTHERS


def file_snapshot(
    path: Path,
    text: Text,
    schemas: SchemaIndex | None = None,
    settings: Settings = DEFAULT_SETTINGS,
    *,
    names_version: bool = False,
) -> Snapshot:
    """Return the text of a file with some kinds, and the settings of its folder where the user's say nothing.

    `names_version` says that the user chose the version of kro. Raises UnreadableFileError where the folder's file of
    settings cannot be understood.
    """
    project = project_settings(path)
    settings = project.under(settings, names_version=names_version) if project else settings
    return Snapshot(Document(str(path), None, text, settings=settings, schemas=schemas))


def committed_document(document: Document, path: Path, ref: str) -> Document | None:
    """Return the document of a file as it is in a commit, with the same settings and kinds; None if it is not there.

    Raises GitError, and UnreadableFileError for a file that is no text.
    """
    from kro_ls.workspace.git import text_at

    text = text_at(ref, path)
    return None if text is None else replace(document, text=text)
