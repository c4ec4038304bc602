"""What a feature or a command may read: one version of a document, beside the other documents of its workspace."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from kro_ls.workspace.all_documents import NO_OTHERS, AllDocuments

if TYPE_CHECKING:
    from kro_ls.workspace.documents import Document


class Snapshot(Struct, frozen=True):
    """A document with its kinds and settings, and all documents of the workspace, as they are at one moment."""

    document: Document
    others: AllDocuments = NO_OTHERS
