"""Findings inside one part of a ResourceGraphDefinition, and diagnostics in a document.

The spans of a finding are relative to the text of its part, so that it can be cached while the part moves.
`diagnosis.py` turns it into a diagnostic with document offsets.
All offsets count code points from 0; spans are half-open.
"""

from __future__ import annotations

from enum import Enum, StrEnum
from typing import TYPE_CHECKING, TypeAlias

from msgspec import Struct

from kro_ls.kro.versions.version import ALL, Versions
from kro_ls.yaml_positions.scalars.writing import Replacement

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.yaml_positions.positions import Span


class Severity(StrEnum):
    """How bad a diagnostic is. `ERROR` means exactly that kro would refuse this."""

    ERROR = "error"
    WARNING = "warning"
    INFORMATION = "information"
    HINT = "hint"


class ResourceDeclaration(Struct, frozen=True, gc=False):
    """The place where a resource of the same document declares its id."""

    id: str


class Section(Enum):
    """A part of an RGD that is not a resource."""

    FRAME = "what stands outside of the schema section and the resources"
    SCHEMA = "the schema section"


Part: TypeAlias = int | Section
"""A part of an RGD: a resource by its number in `spec.resources`, or a section."""


class PartSpan(Struct, frozen=True, gc=False):
    """A span of the text of another part."""

    part: Part
    span: Span


class Related(Struct, frozen=True, gc=False):
    """A further place that explains a finding: a span in the same part, or one in another."""

    target: Span | ResourceDeclaration | PartSpan
    message: str


class PartReplacement(Replacement, frozen=True):
    """New text for a span of another part than that of its finding."""

    part: Part


class Fix(Struct, frozen=True, gc=False):
    """A quick fix: its title in the editor's menu, and its replacements.

    `keeps_meaning`: the definition means the same afterwards, so that nobody has to decide anything.
    """

    title: str
    replacements: tuple[Replacement, ...]
    keeps_meaning: bool = False


class Finding(Struct, frozen=True, gc=False):
    """One fault that a rule found in one part; `span` is relative to the part's text.

    `message` is a short sentence for people, whose first words say what is wrong. `kro_message` is what kro or the API
    server prints instead, None if neither reports it. `versions` are the versions of kro with this fault. `severity` is
    None if it is that of the rule.
    """

    span: Span
    message: str
    related: tuple[Related, ...] = ()
    fixes: tuple[Fix, ...] = ()
    versions: Versions = ALL
    severity: Severity | None = None
    kro_message: str | None = None


Findings: TypeAlias = "Iterator[Finding]"
"""What a check of one part yields."""

PartFindings: TypeAlias = "Iterator[tuple[Part, Finding]]"
"""What a check of the whole definition yields: findings, each with the part that its spans are relative to."""


class PlacedRelated(Struct, frozen=True, gc=False):
    """A further place that explains a diagnostic, in document offsets."""

    span: Span
    message: str


class RelatedFile(Struct, frozen=True, gc=False):
    """Another file that explains a diagnostic, by its path; `line` counts from 1, 0 if there is none."""

    path: str
    message: str
    line: int = 0


class Diagnostic(Struct, frozen=True, gc=False):
    """A finding placed in a document: the rule's code and severity, document offsets.

    `is_doubtful`: it rests on kinds that may be missing or different in the cluster.
    """

    code: str
    severity: Severity
    span: Span
    message: str
    related: tuple[PlacedRelated, ...] = ()
    fixes: tuple[Fix, ...] = ()
    kro_message: str | None = None
    files: tuple[RelatedFile, ...] = ()
    is_doubtful: bool = False

    @property
    def kro_note(self) -> str | None:
        """A line with kro's message, so that people recognise it in a cluster and in searches."""
        return f"kro's message: {self.kro_message}" if self.kro_message else None
