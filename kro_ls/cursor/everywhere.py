"""A name of a definition with the places in other files where it is written: ids also stand in test files."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from kro_ls.analysis.names.references import Meaning
from kro_ls.cursor.names.occurrence import Occurrence
from kro_ls.cursor.names.symbol import Symbol
from kro_ls.cursor.parts import resource_part
from kro_ls.workspace.test_files import named_ids, part_at, parts_testing

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.cursor.cursor import Cursor
    from kro_ls.cursor.names.custom_type import CustomType
    from kro_ls.workspace.documents import Document
    from kro_ls.workspace.snapshot import AllDocuments
    from kro_ls.yaml_positions.positions import Span


class FoundSymbol(Struct, frozen=True):
    """A name, and the document that declares it. `span` is where it stands at the cursor in a test file."""

    document: Document
    symbol: Symbol | CustomType
    span: Span | None = None

    def occurrences(self, others: AllDocuments) -> Iterator[tuple[Document, Occurrence]]:
        """Yield every place where the name is written, its declaration first."""
        for each in self.symbol.occurrences:
            yield self.document, each
        if isinstance(self.symbol, Symbol) and self.symbol.meaning is Meaning.RESOURCE:
            for test in others.tests_of(self.document):
                for name, span in (each for part in parts_testing(test, self.document) for each in named_ids(part)):
                    if name == self.symbol.name:
                        yield test, Occurrence(span, is_declaration=False)


def symbol_at(cursor: Cursor) -> FoundSymbol | None:
    """Return the name at a cursor: in a definition, or the id of a resource in a test file."""
    if cursor.symbol:
        return FoundSymbol(cursor.document, cursor.symbol)
    part = part_at(cursor.document, cursor.offset)
    document = cursor.others.tested_at(cursor.document, cursor.offset) if part else None
    for name, span in named_ids(part) if part else ():
        if document and span.contains(cursor.offset):
            for rgd in document.analysis.rgds:
                declared = rgd.resources.get(name)
                if declared:
                    return FoundSymbol(document, Symbol(name, Meaning.RESOURCE, resource_part(rgd, declared)), span)
    return None
