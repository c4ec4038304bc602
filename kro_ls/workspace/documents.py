"""Documents open in an editor, as values: an edit gives a new document, its analysis is made on demand and kept."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING

from kro_ls.analysis.analysis import Analysis, analyze
from kro_ls.rules.diagnosis import DEFAULT_SETTINGS, Diagnosis, diagnose
from kro_ls.yaml_positions.positions import PositionEncoding
from kro_ls.yaml_positions.text import Text

if TYPE_CHECKING:
    from kro_ls.openapi.index import SchemaIndex
    from kro_ls.rules.settings import Settings


@dataclass(frozen=True, slots=True)
class Edit:
    """One change: the new text of a range in the client's units, or of the whole document where `start` is None."""

    text: str
    start: tuple[int, int] | None = None
    end: tuple[int, int] | None = None


@dataclass(frozen=True)
class Document:
    """One version of an open document.

    Lines and characters of the client are 0-based, characters count code units of `encoding`. `version` is the
    client's, None for a document that was never versioned.
    """

    uri: str
    version: int | None
    text: Text
    encoding: PositionEncoding = PositionEncoding.UTF16
    settings: Settings = DEFAULT_SETTINGS
    schemas: SchemaIndex | None = field(default=None, compare=False)

    @cached_property
    def analysis(self) -> Analysis:
        """The analysis of this version; the first use makes it. Without `schemas` no custom kind is known."""
        return analyze(self.text, self.schemas, self.settings.feature_gates)

    @cached_property
    def diagnosis(self) -> Diagnosis:
        """What is wrong with this version; the first use finds it."""
        return diagnose(self.analysis, self.settings)

    def edited(self, version: int | None, edits: tuple[Edit, ...]) -> Document:
        """Return the document after the edits, each of which counts in the text that the one before it left."""
        text = self.text
        for edit in edits:
            if edit.start is None or edit.end is None:
                text = Text(edit.text)
            else:
                start = text.encoded_offset(*edit.start, self.encoding)
                end = max(start, text.encoded_offset(*edit.end, self.encoding))
                text = text.replace(start, end, edit.text)
        return replace(self, version=version, text=text)
