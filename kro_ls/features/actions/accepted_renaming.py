"""Tells whether kro accepts the definitions of a workspace as before, after something in them got another name."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from msgspec.structs import replace

from kro_ls.rules.diagnostics import Severity
from kro_ls.uris import file_path
from kro_ls.yaml_positions.text import Text

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from kro_ls.openapi.index import SchemaIndex
    from kro_ls.rules.diagnostics import Diagnostic
    from kro_ls.workspace.documents import Document
    from kro_ls.workspace.snapshot import AllDocuments


class RenameError(Exception):
    """The new name cannot be used; the text says why."""


def check_renamed(renamed: Mapping[Document, str], new_name: str, others: AllDocuments) -> None:
    """Raise RenameError where a definition, given with its new text, has an error that was not there before."""
    index = _index(renamed, others)
    for document, content in renamed.items():
        after = replace(document, text=Text(content), schemas=index or document.schemas)
        found = list(errors(after))
        known = Counter(each.code for each in errors(document)) if found else Counter()
        for error in found:
            known[error.code] -= 1
            if known[error.code] < 0:
                line = after.text.position(error.span.start).line + 1
                file = document.uri.rpartition("/")[2]
                raise RenameError(f"With the name '{new_name}' kro would refuse {file}:{line}: {error.message}")


def _index(renamed: Mapping[Document, str], others: AllDocuments) -> SchemaIndex | None:
    """Return the kinds as they are after the renaming; None where only the documents' own are known."""
    schemas = others.schemas
    for document, content in renamed.items() if schemas else ():
        path = file_path(document.uri)
        if schemas and path:
            schemas = schemas.with_file(path, content)
    return schemas.index if schemas else None


def errors(document: Document) -> Iterator[Diagnostic]:
    """Return what kro refuses in a document."""
    return (each for each in document.diagnosis.diagnostics if each.severity is Severity.ERROR)
